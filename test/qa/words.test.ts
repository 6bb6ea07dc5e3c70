/** Scores, votes and notes in words: what nobody knows is said to be unknown, and nothing is wider than 100 columns. */
import { describe, expect, test } from 'vitest';
import { scoreText } from '../../src/apps/qa/score-text.ts';
import type { Measured } from '../../src/apps/qa/study/measure.ts';
import type { Report, StrategyReport, SystemReport, VoteReport } from '../../src/apps/qa/study/report.ts';
import { nothingSpent } from '../../src/apps/qa/study/spent.ts';
import { voteText } from '../../src/apps/qa/vote-text.ts';
import type { Output } from '../../src/cli/contract.ts';
import type { Comparison } from '../../src/core/statistics/graded.ts';
import { noPaint } from '../../src/text/paint.ts';

const output: Output = {
  write: () => undefined,
  isTerminal: false,
  columns: 100,
  paint: noPaint,
  isClosed: false,
};
const live = { default: { spec: 'openai/gpt', kind: 'live', price: null } } as const;
const accuracy = { questions: 10, runs: 20, right: 8, share: 0.4, interval: { low: 0.2, high: 0.6 } };
const spent = { ...nothingSpent, calls: 30, tokens: 12_345, costUsd: 1.5, timeMs: 40_000 };
const compared: Comparison = {
  questions: 10,
  first: 0.4,
  second: 0.5,
  difference: 0.1,
  interval: { low: -0.1, high: 0.3 },
  onlyFirst: 1,
  onlySecond: 2,
  test: 'permutation',
  p: 0.0004,
};
const strategy: StrategyReport = {
  ...{
    strategy: 'program',
    samples: 20,
    answered: 18,
    failures: { steps: 1, 'no-answer': 1, 'cut-off': 1 },
    cuts: { 'The reply was cut off at its limit of tokens.': 1 },
    accuracy,
    spent,
    decisive: 7,
    handedIn: 9,
    repairs: 3,
  },
  alone: compared,
};
const vote: VoteReport = {
  runs: 20,
  decidedBy: [
    { by: 'plurality', runs: 2, right: 1 },
    { by: 'vote', runs: 18, right: 7 },
  ],
  lostRight: 3,
  extraSamples: 4,
  sparedSamples: 5,
  lateSamples: 1,
  savedTokens: null,
  beside: { ...nothingSpent, calls: 22 },
  unknownRecommendations: 2,
};
const system: SystemReport = {
  name: 'ensemble',
  models: live,
  runs: 20,
  accuracy,
  rightOnce: 6,
  spent,
  possiblyBilled: 2,
  ...{
    outcomes: { solved: 8, limit: 10, error: 2 },
    ungraded: 2,
    reasons: [],
    twins: 0,
    groups: [],
    strategies: [strategy],
    vote,
  },
};
const told = (report: Partial<Report>) =>
  scoreText(output, { systems: [system], comparisons: [], ...report });

describe('a score', () => {
  test('says what a table of numbers would hide', () => {
    const text = told({});
    expect(text).toMatch(/ensemble +10 +20 +8 +40\.0% \(20\.0–60\.0\) +12,345 +\$1\.50 +2\.0 s/);
    expect(text).toMatch(/6 of 10 questions right at least once/);
    expect(text).toMatch(/2 runs ended ungraded \(8 solved, 10 limit, 2 error\) and count for nothing/);
    expect(text).toMatch(/10 runs of 20 ended at a limit/);
    expect(text).toMatch(/2 calls broken off or lost may have been billed/);
    const free = { default: { spec: 'scripted/x', kind: 'script', price: null } } as const;
    expect(told({ systems: [{ ...system, models: free }] })).not.toMatch(/billed/);
    expect(text).toMatch(/program +20 +18 +8 +40\.0% \(20\.0–60\.0\) +7 /);
    expect(text).toMatch(/program +10 +40\.0% +50\.0% +2 +1 +<0\.001/);
    expect(text).toMatch(
      /program without an answer: the reply was cut off at its limit of tokens \(1\), all steps were taken \(1\), no answer was found in the reply \(1\)/,
    );
    expect(text).toMatch(/decided by: plurality 2 \(1 right\), vote 18 \(7 right\)/);
    expect(text).toMatch(/in 3 wrong runs a member had the right answer/);
    expect(text).toMatch(/5 samples broken off or never asked, .*: an unknown number of tokens saved/);
    expect(text).toMatch(/1 sample answered when the vote was decided already/);
    expect(text).toMatch(/4 samples more asked where it was close/);
    expect(text).toMatch(/2 plans without a known recommendation/);
  });

  test('tells unknown costs and tokens as unknown, alone and beside what is known', () => {
    const unknown = { ...nothingSpent, calls: 3, callsOfUnknownTokens: 3, callsOfUnknownCost: 3 };
    expect(told({ systems: [{ ...system, spent: unknown }] })).toMatch(/ unknown +unknown +0\.0 s/);
    const partly = { ...spent, callsOfUnknownTokens: 1, callsOfUnknownCost: 1 };
    expect(told({ systems: [{ ...system, spent: partly }] })).toMatch(/at least 12,345 +at least \$1\.50/);
  });

  test('of nothing that was graded is no accuracy', () => {
    const none = { questions: 0, runs: 0, right: 0, share: null, interval: null };
    const ungraded = { ...strategy, accuracy: none, alone: null };
    const text = told({ systems: [{ ...system, accuracy: none, strategies: [ungraded], ungraded: 0 }] });
    expect(text).toMatch(/not graded/);
    expect(text).toMatch(/there are no gold answers/);
    expect(text).toMatch(/decided by: plurality 2, vote 18\n/);
    const few = { ...accuracy, interval: null };
    expect(told({ systems: [{ ...system, accuracy: few }] })).toMatch(/40\.0% \(too few\)/);
  });
});

const text = (of: string) => ({ type: 'text', text: of }) as const;
const member = {
  number: 1,
  name: 'program-1',
  strategy: 'program',
  failed: null,
  repairs: 1,
  review: null,
  answer: '7',
  isRight: true,
  spent,
} as const;
const measured = {
  gold: '7',
  plan: { problemType: '', recommendation: 'reasoning', recommended: 'unknown' },
  members: [
    member,
    { ...member, number: 2, strategy: 'chain', repairs: 0, review: 'changed', answer: '8', isRight: false },
    { ...member, number: 3, strategy: 'react', repairs: 0, answer: null, isRight: false, failed: 'steps' },
  ],
  vote: {
    clusters: [{ answer: text('7'), samples: [1], weight: 1 }],
    explanation: 'Nobody won.',
    spared: [{ strategy: 'chain', begun: false }],
    savedTokensEstimate: 90,
  },
  decision: { by: 'plurality', explanation: 'Most votes.', answer: text('7'), samples: [1] },
  decisive: ['program'],
} as unknown as Measured;

test('a vote is told with each sample, its vote and what became of it', () => {
  const told = voteText(output, measured);
  expect(told).toMatch(/program +7 +7 +yes +12,345 +1 repair/);
  expect(told).toMatch(/chain +8 +– +no +12,345 +review: changed/);
  expect(told).toMatch(/react +– +– +no +12,345 +all steps were taken/);
  expect(told).toMatch(/Plan: no type, use reasoning \(the recommendation is unknown\)/);
  expect(told).toMatch(/Spared: 1 sample, the vote being decided, about 90 tokens saved/);
  expect(told).toMatch(/Decisive: program/);
  const ungraded = voteText(output, { ...measured, gold: null, decisive: [], vote: null });
  expect(ungraded).not.toMatch(/right|Decisive|Vote/);
  expect(voteText(output, { ...measured, members: [], plan: null, vote: null, decision: null })).toBe('');
});
