/**
 * Whole replies of solvers of proofs and of their graders: what a careful reader takes from each is what the loop takes. Of the
 * last fifty, 41 were read so at first.
 */
import { expect, test } from 'vitest';
import { sectionFrom } from '../../src/agents/kit/sections.ts';
import { draftOf } from '../../src/agents/proof/attempt.ts';
import { claimIn } from '../../src/agents/proof/confession.ts';
import { leftOpenIn, summaryOf, verdictIn } from '../../src/agents/proof/grader.ts';
import type { Json } from '../../src/core/json.ts';
import { bare, type Case, casesOf, missesIn } from './suite.ts';

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  typeof one === 'string' && typeof other === 'string'
    ? bare(one) === bare(other)
    : JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

// A refusal, or what was cut off, is told by the provider; no section is in what is neither.
/** What stands beside "none" may take it back: then a question is asked. */
const unclear = ({ leftOpen }: Case['takes']) => (leftOpen === 'none' ? null : leftOpen);

const isWhole = ({ takes }: Case): boolean => takes.why !== 'refusal' && takes.why !== 'truncated';

test('of solvers: the solution, the rebuttal, and what they say of its completeness', () => {
  const cases = casesOf('verify-loop', 'solver').filter(isWhole);
  expect(cases.length).toBeGreaterThanOrEqual(30);
  const isRead = ({ reply, takes }: Case): boolean => {
    const draft = draftOf(reply, { isStrict: true, problem: '' });
    const rebuttal = draft?.rebuttal ?? sectionFrom(reply, 'Rebuttal');
    if ('solution' in takes && !isSame(draft?.proof, takes.solution)) return false;
    if ('rebuttal' in takes && !isSame(rebuttal, takes.rebuttal)) return false;
    // Beside "complete" other words may take it back: then graders read the line.
    const { says } = claimIn(draft?.text ?? '');
    const isForGraders = says === null && takes.completeness === 'complete';
    return !('completeness' in takes) || isForGraders || says === takes.completeness;
  };
  expect(missesIn(cases, isRead)).toEqual([]);
});

test('of graders: the summary of a report, which the solver is sent', () => {
  const cases = [...casesOf('verify-loop', 'grader'), ...casesOf('proof-grader', 'grader')];
  const reports = cases.filter(({ takes }) => 'summary' in takes);
  expect(reports.length).toBeGreaterThanOrEqual(10);
  expect(missesIn(reports, ({ reply, takes }) => isSame(summaryOf(reply), takes.summary))).toEqual([]);
});

test('of graders: the verdict, and what they quote as left open, as far as it stands in the solution', () => {
  const cases = casesOf('verify-loop', 'grader').filter(({ form }) => form === 'verdict-line');
  expect(cases.length).toBeGreaterThanOrEqual(20);
  const isRead = ({ reply, question, takes }: Case): boolean =>
    verdictIn(reply) === takes.verdict &&
    [takes.leftOpen, unclear(takes)].some((open) => isSame(leftOpenIn(reply, question) as Json, open));
  expect(missesIn(cases, isRead)).toEqual([]);
});
