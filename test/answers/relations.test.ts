/** The relation of gold and reply on cases of our own, and on those of Math-Verify; every verdict says why. */
import { describe, expect, test } from 'vitest';
import { agree, clusters, equal, openAnswers } from '../../src/answers/index.ts';
import {
  algebra,
  collections,
  found,
  numbers,
  type OwnCase,
  percentAndUnits,
  replies,
  seldom,
  wordsAndChoices,
} from './own-cases.ts';

const answers = await openAnswers();

describe.each<[string, readonly OwnCase[]]>([
  ['numbers', numbers],
  ['percent, units, times', percentAndUnits],
  ['expressions', algebra],
  ['collections and relations', collections],
  ['words and choices', wordsAndChoices],
  ['found by play', found],
  ['what models write', replies],
  ['what is seldom written', seldom],
])('%s', (_name, cases) => {
  test.each(cases.map(([gold, reply, isEqual, options]) => ({ gold, reply, isEqual, options })))(
    '$gold | $reply: $isEqual',
    ({ gold, reply, isEqual, options }) => {
      const verdict = answers.equal(gold, reply, options);
      expect(verdict.equal, JSON.stringify(verdict)).toBe(isEqual);
      expect(verdict.rule).not.toBe('');
      expect(verdict.reason).not.toBe('');
    },
  );
});

test('the three functions of the entry say what the opened answers say, with and without the algebra library', async () => {
  for (const [a, b] of [
    ['1/2', '0.5'],
    ['\\sqrt{8}', '2\\sqrt2'],
    ['1/2', '0.6'],
  ] as const) {
    expect(await equal(a, b)).toEqual(answers.equal(a, b));
    expect(await agree(a, b)).toEqual(answers.agree(a, b));
    expect(await clusters([a, b])).toEqual(answers.clusters([a, b]));
  }
});

test('agreement forgives nothing that only a gold answer can ask for', () => {
  for (const [a, b] of [
    ['1.2', '1,2'],
    ['3:30 PM', '3:30'],
    ['January 5, 2024', 'January 5'],
    ['(1,2)', '1, 2'],
    ['x=1, y=2', '1, 2'],
    ['5 red balls', '5 balls'],
    ['[1,3]', '1, 3'],
  ] as const) {
    expect(answers.agree(a, b).equal, `${a} ~ ${b}`).toBe(false);
    expect(answers.agree(b, a).equal, `${b} ~ ${a}`).toBe(false);
  }
  expect(answers.agree('[-2,7]', '-2\\le x\\le 7').equal).toBe(true);
  expect(answers.agree('-2\\le x\\le 7', '[-2,7]').equal).toBe(true);
});

test.each<[object, RegExp]>([
  [{ precision: 1.5 }, /precision of 1\.5/],
  [{ precision: -1 }, /0 to 100/],
  [{ percent: 'half' }, /percent profile half.*number/],
])('options that are none are said: %o', (options, message) => {
  expect(() => answers.equal('1', '1', options)).toThrow(message);
});
