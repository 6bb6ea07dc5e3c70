/**
 * Whole replies of solvers of proofs and of their graders: what a careful reader takes from each is what the loop takes, or it
 * asks about the reply.
 */
import { expect, test } from 'vitest';
import { sectionFrom } from '../../src/agents/kit/sections.ts';
import { draftIn } from '../../src/agents/proof/attempt.ts';
import { readReport } from '../../src/agents/proof/grader.ts';
import type { Json } from '../../src/core/json.ts';
import { bare, type Case, casesOf, missesIn } from './suite.ts';

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  typeof one === 'string' && typeof other === 'string'
    ? bare(one) === bare(other)
    : JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

// A refusal, or what was cut off, is told by the provider; no section is in what is neither.
const isWhole = ({ takes }: Case): boolean => takes.why !== 'refusal' && takes.why !== 'truncated';

test('of solvers: the solution and the rebuttal', () => {
  const cases = casesOf('verify-loop', 'solver').filter(isWhole);
  expect(cases.length).toBeGreaterThanOrEqual(30);
  const isRead = ({ reply, takes }: Case): boolean => {
    const draft = draftIn(reply);
    const rebuttal = draft?.rebuttal ?? sectionFrom(reply, 'Rebuttal');
    const proof = draft && sectionFrom(draft.text, 'Detailed Solution');
    if ('solution' in takes && !isSame(proof, takes.solution)) return false;
    return !('rebuttal' in takes) || isSame(rebuttal, takes.rebuttal);
  };
  expect(missesIn(cases, isRead)).toEqual([]);
});

test('of graders, in words: none passes a proof that a careful reader would not pass', () => {
  const cases = [...casesOf('verify-loop', 'grader'), ...casesOf('proof-grader', 'grader')];
  expect(cases.length).toBeGreaterThanOrEqual(80);
  const isRead = ({ reply, takes }: Case): boolean => {
    const report = readReport({ text: reply, object: undefined }, { grading: 'verdict', passPoints: 7 });
    return !report?.pass || takes.verdict === 'complete' || takes.verdict === 'correct';
  };
  expect(missesIn(cases, isRead)).toEqual([]);
});
