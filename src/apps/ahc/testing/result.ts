/** What an evaluation came to: sums, groups, what it is compared with, and the cases that are worth a look. Pure. */

import { type SandboxInfo, unsafeLabel } from '../../../core/sandbox.ts';
import { seededChance } from '../../../core/seeded-chance.ts';
import type { TestedCase, TestedProgram } from '../../../families/ahc/evaluation.ts';
import { type Group, grouped } from '../../../families/ahc/features.ts';
import type { CaseRecord } from '../../../families/ahc/records/history.ts';
import type { Contest as AhcContest } from '../../../families/ahc/workspace.ts';
import { harmlessJson } from '../../../text/format.ts';
import { type Comparison, compareVersions } from '../compare/paired.ts';
import { nearLimit, pointsOf, type Summary, slowest, summaryOf, worst } from '../compare/summary.ts';
import type { Noise } from './noise.ts';

type Compared = { readonly name: string; readonly comparison: Comparison };

export type TestResult = {
  readonly contest: AhcContest;
  readonly evaluation: TestedProgram;
  readonly summary: Summary;
  readonly groups: { readonly by: string; readonly of: readonly GroupResult[] } | null;
  readonly compared: Compared | null;
  readonly noise: Noise | null;
  readonly slowest: readonly CaseRecord[];
  readonly worst: readonly CaseRecord[];
  readonly nearLimit: readonly CaseRecord[];
};

type GroupResult = {
  readonly label: string;
  readonly summary: Summary;
  readonly comparison: Comparison | null;
};

function groupResults(
  groups: readonly Group<TestedCase>[],
  summaryOf: (cases: readonly TestedCase[]) => Summary,
  compareOf: ((cases: readonly TestedCase[]) => Comparison) | null,
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

export function resultOf({
  contest,
  evaluation,
  group,
  noise,
  compared,
}: {
  readonly contest: AhcContest;
  readonly evaluation: TestedProgram;
  readonly group: GroupChoice | null;
  readonly noise: Noise | null;
  readonly compared: { readonly name: string; readonly cases: readonly CaseRecord[] } | null;
}): TestResult {
  const { cases, best } = evaluation;
  const scale = { direction: contest.direction, best };
  const sum = (some: readonly CaseRecord[]) => summaryOf(some, scale);
  const compare =
    compared &&
    ((some: readonly CaseRecord[]) =>
      // The same two lists give the same interval, today and tomorrow.
      compareVersions(some, compared.cases, {
        ...{ ...scale, scoring: contest.scoring },
        random: seededChance('polya ahc').next,
      }));
  const members = group && grouped(cases, ({ numbers }) => numbers[group.index]);
  return {
    contest,
    evaluation,
    summary: sum(cases),
    groups: group && members && { by: group.name, of: groupResults(members, sum, compare) },
    compared: compared && compare && { name: compared.name, comparison: compare(cases) },
    noise,
    slowest: slowest(cases, 3),
    worst: worst(cases, scale, shownEdges),
    nearLimit: nearLimit(cases, contest.timeLimitMs, noise?.spread ?? 0),
  };
}

export function testJson(
  result: TestResult,
  about: { readonly workspace: string; readonly warnings: readonly string[]; readonly info: SandboxInfo },
): string {
  const { contest, evaluation, summary, groups, compared, noise, slowest, worst, nearLimit } = result;
  const { version, backend, compile, compiled, asked, cases, best, improved } = evaluation;
  const scale = { direction: contest.direction, best };
  const named = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  const { id, title, direction, scoring, isInteractive, timeLimitMs, memoryLimitBytes } = contest;
  const document = {
    workspace: about.workspace,
    contest: { id, title, direction, scoring, isInteractive, timeLimitMs, memoryLimitBytes },
    version: { name: version.name, source: version.source, file: version.file },
    backend,
    label: unsafeLabel(about.info),
    verdict: compiled ? null : 'CE',
    compile: compile && {
      verdict: compile.verdict,
      cached: compile.cached,
      digest: compile.digest,
      wallMs: compile.wallMs,
    },
    asked,
    summary,
    cases: cases.map((each) => ({
      ...each,
      best: best.of(each),
      points: pointsOf(each, scale),
    })),
    improved,
    slowest: named(slowest),
    worst: named(worst),
    nearLimit: named(nearLimit),
    groups: groups && { by: groups.by, of: groups.of },
    against: compared && { name: compared.name, ...compared.comparison },
    noise,
    warnings: about.warnings,
  };
  return `${harmlessJson(document, 2)}\n`;
}
