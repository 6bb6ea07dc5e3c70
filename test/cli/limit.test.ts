/** `polya runs limit`, and `runs resume` with limits, of a run that was killed. */
import { expect, test } from 'vitest';
import { unpacked } from '../before/fixture.ts';
import { newPlace, polya } from './shell.ts';

test('a run that was killed is given other limits for its resume; a dry run gives it none', async () => {
  const place = { ...newPlace(), folder: unpacked('chain', 'cut') };
  const shown = async (...words: string[]) => {
    const { code, out, err } = await polya(place, ['runs', 'resume', 'run', '--dry-run', '--json', ...words]);
    expect({ code, err }).toMatchObject({ code: 0 });
    return JSON.parse(out).limits;
  };
  const before = await shown();
  expect(await shown('--budget', '3', '--max-tokens', '90000')).toEqual({
    ...before,
    costUsd: 3,
    tokens: 90_000,
  });
  expect(await shown()).toEqual(before);
  const limited = await polya(place, ['runs', 'limit', 'run', '--max-tool-calls', '70']);
  expect(limited).toMatchObject({ code: 0, out: 'Run run keeps to it when it is resumed: 70 tool calls.\n' });
  expect(await shown()).toEqual({ ...before, toolCalls: 70 });
  const { code, out } = await polya(place, ['runs', 'resume', 'run', '--budget', '4', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out).limits).toEqual({ ...before, toolCalls: 70, costUsd: 4 });
  const none = await polya(place, ['runs', 'limit', 'run']);
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining('run') });
});
