/** The project's own cases, gold answers and word problems, in the forms that public data have. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkCases, openAnswers } from '../../src/answers/index.ts';
import { readCases } from '../../src/apps/qa/answer-cases.ts';
import { linesOfJson } from '../support/json-lines.ts';
import { holdGolds, ownGolds } from './golds.ts';
import { expectGoldsFound, type WordProblem } from './word-problems.ts';

const answers = await openAnswers();
const own = (name: string) => join(import.meta.dirname, '../data', name);

test('agrees with a person on all cases, and calls nothing equal that is not', () => {
  const checked = checkCases(readCases(own('answer-cases.jsonl')), answers);
  expect(checked).toMatchObject({ cases: 53, right: 53, falseEquals: [], falseDifferences: [] });
});

describe('gold answers of the kinds that competitions have', () => {
  holdGolds(ownGolds, answers, { sameToAPerson: ['0.625 | \\frac{5}{8}'] });
});

test('every gold answer of a word problem is found, and is the number that it is', () => {
  expectGoldsFound(linesOfJson(own('word-problems.jsonl')) as WordProblem[], answers);
});
