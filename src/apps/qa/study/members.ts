/**
 * What a vote is worth against its members: how good each strategy would have been alone, by its first sample of each
 * run, how often the ensemble was right where it was wrong, and the other way round. Pure.
 */
import {
  type Accuracy,
  accuracyOf,
  addSpent,
  type Chances,
  type Comparison,
  compare,
  type Spent,
  spentPlus,
} from './compare.ts';
import type { Measured, Member } from './measure.ts';

export type StrategyReport = {
  readonly strategy: string;
  readonly samples: number;
  readonly answered: number;
  /** Why the others have no answer, and how often. */
  readonly failures: Readonly<Record<string, number>>;
  /** Of its samples; those without an answer are wrong. */
  readonly accuracy: Accuracy;
  readonly spent: Spent;
  /** Runs whose vote would have ended otherwise without it. */
  readonly decisive: number;
  /** Runs in which the answer that was handed in is one of its own. */
  readonly handedIn: number;
  readonly repairs: number;
  /** Right alone, by its first sample, against the ensemble; null where there is no ensemble. */
  readonly alone: Comparison | null;
};

export type VoteReport = {
  readonly runs: number;
  /** How often each way of deciding came about, and how often it was right. */
  readonly decidedBy: readonly { readonly by: string; readonly runs: number; readonly right: number }[];
  /** A member had the right answer, and the ensemble handed in none or another. */
  readonly lostRight: number;
  readonly extraSamples: number;
  /** Broken off, or never asked. */
  readonly sparedSamples: number;
  /** They have answered, when the vote was decided already. */
  readonly lateSamples: number;
  /** An estimate; null where nobody knows. */
  readonly savedTokens: number | null;
  /** Planner, self-correction, and samples that were broken off. */
  readonly beside: Spent;
  readonly unknownRecommendations: number;
};

export function strategyReports(runs: readonly Measured[], chances: Chances): readonly StrategyReport[] {
  const names = [...new Set(runs.flatMap(({ members }) => members.map(({ strategy }) => strategy)))];
  return names.map((strategy) => {
    const samples = runs.flatMap((run) => ofStrategy(run, strategy).map((member) => ({ run, member })));
    const graded = samples.map(({ run, member }) => ({ question: run.question, isRight: member.isRight }));
    return {
      strategy,
      samples: samples.length,
      answered: samples.filter(({ member }) => member.answer !== null).length,
      failures: counted(samples.flatMap(({ member }) => member.failed ?? [])),
      accuracy: accuracyOf(graded),
      spent: addSpent(samples.map(({ member }) => member.spent)),
      decisive: runs.filter(({ decisive }) => decisive.includes(strategy)).length,
      handedIn: runs.filter((run) => isHandedIn(run, strategy)).length,
      repairs: samples.reduce((sum, { member }) => sum + member.repairs, 0),
      alone: aloneIn(runs, strategy, chances),
    };
  });
}

/** How often each of them is there. */
export function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Null where no run voted. */
export function voteReport(runs: readonly Measured[]): VoteReport | null {
  const voted = runs.filter(({ decision }) => decision !== null);
  if (voted.length === 0) return null;
  const ways = [...new Set(voted.map(({ decision }) => decision?.by ?? ''))].sort();
  const late = voted.reduce((sum, run) => sum + lateIn(run), 0);
  const saved = voted.map(({ vote }) => (vote ? vote.savedTokensEstimate : 0));
  return {
    runs: voted.length,
    decidedBy: ways.map((by) => {
      const decided = voted.filter(({ decision }) => decision?.by === by);
      return { by, runs: decided.length, right: decided.filter(({ isRight }) => isRight === true).length };
    }),
    lostRight: voted.filter(
      ({ isRight, members }) => isRight === false && members.some((member) => member.isRight === true),
    ).length,
    extraSamples: voted.reduce((sum, { vote }) => sum + (vote?.extra ?? 0), 0),
    sparedSamples: voted.reduce((sum, { vote }) => sum + (vote?.spared.length ?? 0), 0) - late,
    lateSamples: late,
    savedTokens: saved.includes(null) ? null : saved.reduce((sum: number, each) => sum + (each ?? 0), 0),
    beside: besideIn(voted),
    unknownRecommendations: voted.filter(({ plan }) => plan !== null && plan.recommended !== 'stated').length,
  };
}

/** The vote calls them spared, for it knows nothing of their answers. */
function lateIn({ members, vote }: Measured): number {
  if (!vote || vote.spared.length === 0) return 0;
  const counted = new Set(vote.clusters.flatMap(({ samples }) => samples));
  const late = members.filter(({ answer, number }) => answer !== null && !counted.has(number));
  return Math.min(late.length, vote.spared.length);
}

function ofStrategy({ members }: Measured, strategy: string): readonly Member[] {
  return members.filter((member) => member.strategy === strategy);
}

function isHandedIn({ decision, members }: Measured, strategy: string): boolean {
  const numbers = decision?.samples ?? [];
  return members.some((member) => member.strategy === strategy && numbers.includes(member.number));
}

/** Runs that have no sample of it say nothing: it was not asked, or broken off when the vote was decided. */
function aloneIn(runs: readonly Measured[], strategy: string, chances: Chances): Comparison | null {
  const pairs = runs.flatMap((run) => {
    const [first] = run.decision ? ofStrategy(run, strategy) : [];
    return first ? [{ run, first }] : [];
  });
  if (pairs.length === 0) return null;
  // A run is a pair of its own: its first sample and its outcome belong to the same draw.
  const keyed = (pick: (pair: (typeof pairs)[number]) => boolean | null) =>
    pairs.map((pair) => ({ question: pair.run.runId, isRight: pick(pair) }));
  return compare(
    keyed(({ first }) => first.isRight),
    keyed(({ run }) => run.isRight),
    chances,
  );
}

function besideIn(runs: readonly Measured[]): Spent {
  const all = addSpent(runs.map(({ spent }) => spent));
  const inside = addSpent(runs.flatMap(({ members }) => members.map(({ spent }) => spent)));
  const beside = spentPlus(all, -1, inside);
  return { ...beside, costUsd: Math.max(0, beside.costUsd), timeMs: 0 };
}
