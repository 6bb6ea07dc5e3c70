/** The relation of gold and reply on cases of our own, and on those of Math-Verify; every verdict says why. */
import { describe, expect, test } from 'vitest';
import { openAnswers } from '../../src/answers/index.ts';
import {
  algebra,
  collections,
  numbers,
  type OwnCase,
  percentAndUnits,
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
