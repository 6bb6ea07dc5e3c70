/** Answers by chance: what is unequal by construction is never called equal, what is equal nearly always is. */
import { expect } from 'vitest';
import { type Answers, extract } from '../../src/answers/index.ts';
import { seeded } from './seeded.ts';
import { changed, exactValue, randomAnswer, rendered } from './trees.ts';

export function holdTrees(answers: Answers, { seed, times }: { seed: number; times: number }): void {
  const chance = seeded(seed);
  const pick = <T>(items: readonly T[]): T => items[chance(items.length)] as T;
  const maker = { chance, pick };
  const falseEquals: string[] = [];
  const missed: string[] = [];
  for (let tried = 0; tried < times; ) {
    const gold = randomAnswer(maker);
    const other = changed(gold, maker);
    if (exactValue(gold) === exactValue(other)) continue;
    tried += 1;
    const [a, b, c] = [rendered(gold, maker), rendered(other, maker), rendered(gold, maker)];
    const verdict = answers.equal(a, b);
    if (verdict.equal) falseEquals.push(`${a} | ${b} | ${verdict.rule}: ${verdict.gold} ~ ${verdict.answer}`);
    const found = extract(
      `First I had ${a}. So it is $\\boxed{${b}}$.\n\nNote: if it were otherwise, the answer would be ${a}.`,
    );
    if (found.answer && answers.equal(a, found.answer).equal) falseEquals.push(`${a} | in a reply: ${b}`);
    if (!answers.equal(a, c).equal) missed.push(`${a} | ${c}`);
  }
  expect(falseEquals).toEqual([]);
  expect(missed.length / times, missed.slice(0, 20).join('\n')).toBeLessThanOrEqual(0.03);
}
