/** Public data: the cases of Math-Verify, the gold answers of MATH-500 and of GSM8K. */
import { describe, expect, test } from 'vitest';
import { checkCases, extract, openAnswers } from '../../src/answers/index.ts';
import { newWork } from '../../src/answers/limits.ts';
import { readingsOf } from '../../src/answers/parse/read.ts';
import { readCases } from '../../src/apps/qa/answer-cases.ts';
import { sharedFile, sharedLines } from '../support/shared-data.ts';
import { seeded } from './seeded.ts';

const answers = await openAnswers();

test('agrees with the cases of Math-Verify, and calls nothing equal that is not', () => {
  const checked = checkCases(readCases(sharedFile('answer-equivalence/cases.jsonl')), answers);
  expect(checked.cases).toBe(141);
  expect(checked.falseEquals).toEqual([]);
  expect(checked.right / checked.cases).toBeGreaterThanOrEqual(0.99);
});

describe('the gold answers of MATH-500', () => {
  const golds = (sharedLines('math500/test-first-250.jsonl') as { answer: string }[]).map(
    ({ answer }) => answer,
  );
  const different = [...new Set(golds)];

  test('each parses, and equals itself in other clothes', () => {
    expect(golds).toHaveLength(250);
    for (const gold of golds) {
      const { first } = readingsOf(gold, true, newWork());
      expect(first.kind === 'text' && !/^\\text\{[a-zA-Z]+\}$/.test(gold), gold).toBe(false);
      for (const reply of [gold, `$${gold}$`, ` ${gold} . `, `\\boxed{${gold}}`, `\\left(${gold}\\right)`]) {
        if (reply.startsWith('\\left') && !/^[\da-z+-]+$/.test(gold)) continue;
        expect(answers.equal(gold, reply), `${gold} | ${reply}`).toMatchObject({ equal: true });
      }
    }
  });

  test('1,000 pairs of different ones are unequal, but for those that a person calls equal', () => {
    const next = seeded(500);
    const found = new Set<string>();
    for (let pair = 0; pair < 1_000; ) {
      const [a, b] = [next(different.length), next(different.length)].map((at) => different[at] ?? '');
      if (a === undefined || b === undefined || a === b) continue;
      pair += 1;
      if (answers.equal(a, b).equal) found.add([a, b].sort().join(' | '));
    }
    for (const pair of found) expect(sameToAPerson).toContain(pair);
  });

  test('what a person calls equal among all of them', () => {
    const found: string[] = [];
    for (const [at, a] of different.entries()) {
      for (const b of different.slice(at + 1))
        if (answers.agree(a, b).equal) found.push([a, b].sort().join(' | '));
    }
    expect(found.sort()).toEqual([...sameToAPerson].sort());
  });
});

const sameToAPerson: readonly string[] = ['120 | 120^\\circ', '30 | 30^\\circ', '5 | x=5', '90 | 90^\\circ'];

test('every gold answer of GSM8K is found, and is the number that it is', () => {
  const rows = sharedLines('gsm8k/test-first-600.jsonl') as { answer: string }[];
  expect(rows).toHaveLength(600);
  for (const { answer } of rows) {
    const gold = answer.split('####')[1]?.trim() ?? '';
    const found = extract(answer, { profile: 'number' });
    expect(found.answer?.text).toBe(gold);
    expect(answers.equal(gold.replaceAll(',', ''), found.answer ?? '')).toMatchObject({ equal: true });
  }
});
