import { expect, test } from 'vitest';
import { describeConnectionError, engineError, isNameInUse, isNotFound, parseRejection } from './faults.ts';

const refused = (statusCode: number, message: string) => Object.assign(new Error(message), { statusCode });
const broken = (code: string) => Object.assign(new Error(`connect ${code} /x`), { code });

test('a refusal is told without the wrapping', () => {
  const error = refused(400, '(HTTP code 400) bad parameter - invalid mount config for type "bind"');
  expect(parseRejection(error)).toEqual({ status: 400, said: 'invalid mount config for type "bind"' });
  expect(engineError('making a container', error).message).toBe(
    'The container engine failed at making a container. It answered 400: invalid mount config for type "bind". See its own log; `polya doctor` tries again.',
  );
});

test('names that are taken, in the words of both engines', () => {
  expect(
    isNameInUse(refused(409, 'Conflict. The container name "/polya-60600" is already in use by …')),
  ).toBe(true);
  expect(isNameInUse(refused(500, 'the container name "polya-60600" is already in use by …'))).toBe(true);
  expect(isNameInUse(refused(500, 'no space left on device'))).toBe(false);
  expect(isNotFound(refused(404, 'no such container'))).toBe(true);
});

test('an endpoint without an engine, one that is closed to us, one that sleeps', () => {
  expect(describeConnectionError(broken('ENOENT'))).toBeNull();
  expect(describeConnectionError(broken('EACCES'))).toMatch(/you may not use it/);
  expect(describeConnectionError(broken('ECONNREFUSED'))).toMatch(/not running/);
  expect(describeConnectionError(refused(500, 'boom'))).toBe('it answered 500: boom');
});

test('an engine that died is told as such', () => {
  expect(engineError('removing a container', broken('ECONNRESET')).message).toMatch(
    /The connection broke: connect ECONNRESET \/x\. See whether it still runs/,
  );
});
