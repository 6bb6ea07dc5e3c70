/** Public data: the cases of Math-Verify, the gold answers of MATH-500 and of GSM8K. */
import { describe, expect, test } from 'vitest';
import { checkCases, openAnswers } from '../../src/answers/index.ts';
import { readCases } from '../../src/apps/qa/answer-cases.ts';
import { sharedFile, sharedLines } from '../support/shared-data.ts';
import { expectNothingLost } from './chatter.ts';
import { holdGolds } from './golds.ts';
import { holdNearMisses } from './near-misses.ts';
import { expectGoldsFound, type WordProblem } from './word-problems.ts';

const answers = await openAnswers();

test('agrees with the cases of Math-Verify, and calls nothing equal that is not', () => {
  const checked = checkCases(readCases(sharedFile('answer-equivalence/cases.jsonl')), answers);
  expect(checked.cases).toBe(141);
  expect(checked.falseEquals).toEqual([]);
  expect(checked.right / checked.cases).toBeGreaterThanOrEqual(0.99);
});

describe('the gold answers of MATH-500', () => {
  const rows = sharedLines('math500/test-first-250.jsonl') as { answer: string }[];
  const golds = rows.map(({ answer }) => answer);

  test('are all there', () => {
    expect(golds).toHaveLength(250);
  });

  test('are found in chatter of any style', () => expectNothingLost(golds, answers));

  const sameToAPerson = ['120 | 120^\\circ', '30 | 30^\\circ', '5 | x=5', '90 | 90^\\circ'];
  holdGolds(golds, answers, { sameToAPerson });
  holdNearMisses(golds, answers, 5);
});

test('every gold answer of GSM8K is found, and is the number that it is', () => {
  const rows = sharedLines('gsm8k/test-first-600.jsonl') as WordProblem[];
  expect(rows).toHaveLength(600);
  expectGoldsFound(rows, answers);
  expectNothingLost(
    rows.map(({ answer }) => answer.split('####')[1]?.trim() ?? ''),
    answers,
  );
});
