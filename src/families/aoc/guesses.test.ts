import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PreviousToolCall } from '../../core/problem.ts';
import { collectWrongGuesses, compareWithTruth, findGuess } from './guesses.ts';

describe('memory of guesses', () => {
  const call = (
    stage: string,
    data: PreviousToolCall['result']['data'],
    tool = 'SubmitAnswer',
  ): PreviousToolCall => ({
    tool,
    args: {},
    stage,
    result: { text: '', ...(data ? { data } : {}) },
  });

  test('reads wrong answers of the open part only', () => {
    const previous = [
      call('part1', { verdict: 'too-high', answer: '50', source: 'site' }),
      call('part1', { verdict: 'right', answer: '40' }),
      call('part2', { verdict: 'wrong', answer: 'x' }),
      call('part2', { verdict: 'empty', answer: '' }),
      call('part2', undefined),
      call('part2', { verdict: 'wrong', answer: 'y' }, 'RunGeneratedCode'),
    ];
    expect(collectWrongGuesses(previous, 'part1')).toEqual([{ verdict: 'too-high', answer: '50' }]);
    expect(collectWrongGuesses(previous, 'part2')).toEqual([{ verdict: 'wrong', answer: 'x' }]);
  });

  test('never blocks the truth, and blocks what was told', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.array(fc.bigInt()), fc.bigInt(), (truth, answers, next) => {
        const estimates = answers.flatMap((answer) => {
          const verdict = compareWithTruth(String(answer), String(truth));
          return verdict === 'right' ? [] : [{ answer: String(answer), verdict }];
        });
        expect(findGuess(estimates, String(truth))).toBeNull();
        for (const estimate of estimates)
          expect(findGuess(estimates, estimate.answer)).toBe(estimate.verdict);
        const remembered = findGuess(estimates, String(next));
        if (remembered) expect(remembered).toBe(compareWithTruth(String(next), String(truth)));
      }),
      { seed: 1 },
    );
  });

  test('words are only equal or not', () => {
    expect(compareWithTruth('abc', 'abd')).toBe('wrong');
    expect(compareWithTruth('007', '7')).toBe('wrong');
    expect(findGuess([{ answer: 'abc', verdict: 'wrong' }], 'abd')).toBeNull();
    expect(findGuess([{ answer: '9', verdict: 'too-high' }], 'abd')).toBeNull();
  });
});
