/** What an evaluation came to: sums, groups, what it is compared with, and the cases that somebody should look at. Pure. */

import type { Contest as AhcContest } from '../../../families/ahc/contest.ts';
import type { DoneCase, Evaluation } from '../../../families/ahc/evaluation.ts';
import type { Group } from '../../../families/ahc/features.ts';
import type { CaseRecord } from '../../../families/ahc/records/history.ts';
import type { Comparison } from '../compare/paired.ts';
import type { Summary } from '../compare/summary.ts';
import type { AhcWorkbench } from '../load/workbench.ts';
import type { Noise } from './noise.ts';

export type Compared = { readonly name: string; readonly comparison: Comparison };

export type TestResult = {
  readonly contest: AhcContest;
  readonly evaluation: Evaluation;
  readonly summary: Summary;
  readonly groups: { readonly by: string; readonly of: readonly GroupResult[] } | null;
  readonly compared: Compared | null;
  readonly noise: Noise | null;
  readonly slowest: readonly CaseRecord[];
  readonly worst: readonly CaseRecord[];
  readonly nearLimit: readonly CaseRecord[];
};

export type GroupResult = {
  readonly label: string;
  readonly summary: Summary;
  readonly comparison: Comparison | null;
};

function groupResults(
  groups: readonly Group<DoneCase>[],
  summaryOf: (cases: readonly DoneCase[]) => Summary,
  compareOf: ((cases: readonly DoneCase[]) => Comparison) | null,
): readonly GroupResult[] {
  return groups.map(({ label, members }) => ({
    label,
    summary: summaryOf(members),
    comparison: compareOf?.(members) ?? null,
  }));
}

/** A number of the input, by its place. */
export type GroupChoice = { readonly name: string; readonly index: number };

const shownEdges = 5;

export function resultOf(
  ahc: AhcWorkbench,
  {
    contest,
    evaluation,
    group,
    noise,
    compared,
  }: {
    readonly contest: AhcContest;
    readonly evaluation: Evaluation;
    readonly group: GroupChoice | null;
    readonly noise: Noise | null;
    readonly compared: { readonly name: string; readonly cases: readonly CaseRecord[] } | null;
  },
): TestResult {
  const { cases, best } = evaluation;
  const scale = { direction: contest.direction, best };
  const summaryOf = (some: readonly CaseRecord[]) => ahc.summaryOf(some, scale);
  const compare =
    compared &&
    ((some: readonly CaseRecord[]) =>
      ahc.compare(some, compared.cases, { ...scale, scoring: contest.scoring }));
  const members = group && ahc.grouped(cases, ({ numbers }) => numbers[group.index]);
  return {
    contest,
    evaluation,
    summary: summaryOf(cases),
    groups: group && members && { by: group.name, of: groupResults(members, summaryOf, compare) },
    compared: compared && compare && { name: compared.name, comparison: compare(cases) },
    noise,
    slowest: ahc.slowest(cases, 3),
    worst: ahc.worst(cases, scale, shownEdges),
    nearLimit: ahc.nearLimit(cases, contest.timeLimitMs, noise?.spread ?? 0),
  };
}
