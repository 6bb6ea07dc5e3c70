/** `polya answers equal|check|extract`: what they print, and the exit codes that scripts go by. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newPlace, polya } from './shell.ts';

describe('answers equal', () => {
  test('says the verdict and why', async () => {
    const { code, out } = await polya(newPlace(), ['answers', 'equal', '\\frac{1}{2}', '0.5']);
    expect(code).toBe(0);
    expect(out).toBe('equal (exact; number): the same number\n  gold    1·2^-1\n  answer  1/2\n');
  });

  test('ends with 1 where they differ', async () => {
    const { code, out } = await polya(newPlace(), ['answers', 'equal', '--', '-5', '5']);
    expect(code).toBe(1);
    expect(out).toMatch(/^not equal \(exact; number\): another number\n/);
  });

  test.each<[string, string[], number]>([
    ['the precision', ['--precision', '2', '1/3', '0.33'], 0],
    ['the percent profile', ['--percent', 'fraction', '10\\%', '0.1'], 0],
    ['names that may differ', ['--no-strict', 'f(x)', 'f(y)'], 0],
    ['sets that accept inequalities', ['--sets', '[-2,7]', '-2\\le x\\le 7'], 0],
    ['and without', ['[-2,7]', '-2\\le x\\le 7'], 1],
    ['agreement, which has no gold side', ['--agree', '[-2,7]', '-2\\le x\\le 7'], 0],
    ['and forgives less', ['--agree', '3:30 PM', '3:30'], 1],
    ['replies', ['--extract', 'math', 'It is \\boxed{5}.', 'The answer is 5.'], 0],
    ['replies without an answer', ['--extract', 'boxed', '5', '5'], 1],
  ])('takes %s', async (_name, args, code) => {
    // Answers may begin with a minus, so options stand first.
    const at = args.length - 2;
    const argv = ['answers', 'equal', ...args.slice(0, at), '--', ...args.slice(at)];
    expect(await polya(newPlace(), argv)).toMatchObject({ code, err: '' });
  });

  test('as JSON', async () => {
    const { out } = await polya(newPlace(), ['answers', 'equal', '--json', '1', '2']);
    expect(JSON.parse(out)).toEqual({
      equal: false,
      rule: 'number',
      basis: 'exact',
      reason: 'another number',
      gold: '1',
      answer: '2',
    });
  });

  test.each<[string, string[], RegExp]>([
    ['a precision', ['--precision', 'x', '1', '2'], /whole number/],
    ['too many decimals', ['--precision', '900', '1', '2'], /0 to 100/],
    ['a profile of percent', ['--percent', 'half', '1', '2'], /number, fraction, either/],
    ['a profile of extraction', ['--extract', 'all', '1', '2'], /math, latex/],
    ['one answer', ['1'], /Missing required argument 'answer'/],
  ])('%s that is none is said', async (_name, args, message) => {
    const answer = await polya(newPlace(), ['answers', 'equal', ...args]);
    expect(answer).toMatchObject({ code: 2, out: '' });
    expect(answer.err).toMatch(message);
  });
});

describe('answers extract', () => {
  test('prints the answer alone, and how it was found beside it', async () => {
    const answer = await polya(newPlace(), ['answers', 'extract', 'So it is \\boxed{42}.']);
    expect(answer).toEqual({ code: 0, out: '42\n', err: 'Found by: box.\n' });
  });

  test('from a file, by a profile', async () => {
    const place = newPlace();
    writeFileSync(join(place.folder, 'reply.txt'), 'Six and twelve.\n#### 18\n');
    const argv = ['answers', 'extract', '--file', 'reply.txt', '--profile', 'number'];
    expect(await polya(place, argv)).toMatchObject({ code: 0, out: '18\n' });
  });

  test('ends with 1 where there is none', async () => {
    const answer = await polya(newPlace(), ['answers', 'extract', '--profile', 'boxed', '42']);
    expect(answer).toEqual({ code: 1, out: '', err: 'No answer: the reply marks no answer.\n' });
  });

  test('as JSON, with all that could have been meant', async () => {
    const argv = ['answers', 'extract', '--several', 'refuse', '--json', '\\boxed{1}. No: \\boxed{2}.'];
    const { code, out } = await polya(newPlace(), argv);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ answer: null, candidates: [{ text: '1' }, { text: '2' }] });
  });

  test('what a model wrote does not reach the terminal as it is', async () => {
    const { out } = await polya(newPlace(), ['answers', 'extract', 'It is \\boxed{\u001b[31m5}.'], {
      isTerminal: true,
    });
    expect(out).not.toContain('\u001b');
  });

  test.each<[string, string[], RegExp]>([
    ['nothing', [], /No reply is given/],
    ['a reply and a file', ['5', '--file', 'x'], /A reply is given, and a file/],
    ['a file that is not there', ['--file', 'none.txt'], /none\.txt cannot be read/],
    ['a profile', ['--profile', 'all', '5'], /math, latex/],
  ])('%s is said', async (_name, args, message) => {
    const answer = await polya(newPlace(), ['answers', 'extract', ...args]);
    expect(answer).toMatchObject({ code: 2, out: '' });
    expect(answer.err).toMatch(message);
  });
});

describe('answers check', () => {
  const row = (gold: string, answer: string, equal: boolean, more: object = {}) =>
    JSON.stringify({ gold, answer, equal, ...more });

  async function check(rows: readonly string[], ...more: string[]) {
    const place = newPlace();
    writeFileSync(join(place.folder, 'cases.jsonl'), rows.join('\n'));
    return polya(place, ['answers', 'check', 'cases.jsonl', ...more]);
  }

  test('a file of cases', async () => {
    const file = join(import.meta.dirname, '../data/answer-cases.jsonl');
    const { code, out } = await polya(newPlace(), ['answers', 'check', file]);
    expect(code).toBe(0);
    expect(out).toBe('100.0% of 53 cases: 0 false equals, 0 false differences\n');
  });

  test('one false equal is one too many', async () => {
    const good = Array.from({ length: 99 }, (_, at) => row(`${at}`, `${at}.0`, true));
    const answer = await check([...good, row('1/2', '0.5', false)]);
    expect(answer.code).toBe(1);
    expect(answer.out).toBe(
      '99.0% of 100 cases: 1 false equal, 0 false differences\n' +
        'false equal, case 100\n  gold    1/2\n  answer  0.5\n  why     number: the same number (1·2^-1 and 1/2)\n',
    );
  });

  test('below 95 % ends with 1, at 95 % with 0', async () => {
    const good = (count: number) => Array.from({ length: count }, (_, at) => row(`${at}`, `${at}`, true));
    expect((await check([...good(19), row('1', '2', true)])).code).toBe(0);
    expect((await check([...good(18), row('1', '2', true)])).code).toBe(1);
  });

  test('each row has its own ways and options', async () => {
    const { code, out } = await check(
      [
        row('$9$', 'Answer $ 9 $', true, { extract: ['latex'] }),
        row('$9$', 'Answer 9', false, { extract: ['latex'] }),
        row('$9$', 'Answer: 9', true, { extract: ['latex', 'expr'] }),
        row('1/3', '0.33', true, { precision: 2 }),
        row('1/3', '0.33', false, { precision: 3 }),
        row('f(x)', 'f(y)', true, { strict: false }),
        row('f(x)', 'f(y)', false, { strict: true }),
        row('[-2,7]', '-2\\le x\\le 7', true, { allow_set_relation_comp: true }),
        row('[-2,7]', '-2\\le x\\le 7', false, { allow_set_relation_comp: false }),
        '',
      ],
      '--json',
    );
    expect(JSON.parse(out)).toEqual({
      cases: 9,
      right: 9,
      agreement: 1,
      falseEquals: [],
      falseDifferences: [],
    });
    expect(code).toBe(0);
  });

  test.each<[string, string[], RegExp]>([
    ['no JSON', ['{"gold": '], /Line 1 of .* is no case\. *\n.*not JSON/],
    ['no gold', [row('1', '1', true), '{"answer": "1", "equal": true}'], /Line 2 .*\n.*gold/],
    ['an unknown way', [row('1', '1', true, { extract: ['tex'] })], /extract/],
    ['half a decimal', [row('1', '1', true, { precision: 1.5 })], /precision/],
    ['no rows', [''], /no cases/],
  ])('%s is said before anything is checked', async (_name, rows, message) => {
    const answer = await check(rows);
    expect(answer).toMatchObject({ code: 2, out: '' });
    expect(answer.err).toMatch(message);
  });

  test('a file that is not there', async () => {
    const answer = await polya(newPlace(), ['answers', 'check', 'none.jsonl']);
    expect(answer).toMatchObject({ code: 2, out: '' });
    expect(answer.err).toMatch(/none\.jsonl cannot be read/);
  });
});
