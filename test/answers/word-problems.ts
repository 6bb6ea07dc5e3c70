/** Answers in the form of GSM8K: steps, and the number behind `####`. */
import { expect } from 'vitest';
import { type Answers, extract } from '../../src/answers/index.ts';

export type WordProblem = { readonly question: string; readonly answer: string };

export function expectGoldsFound(rows: readonly WordProblem[], answers: Answers): void {
  for (const { answer } of rows) {
    const gold = answer.split('####')[1]?.trim() ?? '';
    const found = extract(answer, { profile: 'number' });
    expect(found.answer?.text).toBe(gold);
    expect(answers.equal(gold.replaceAll(',', ''), found.answer ?? '')).toMatchObject({ equal: true });
  }
}
