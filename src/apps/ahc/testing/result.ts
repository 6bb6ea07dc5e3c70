/** The result of an evaluation: sums, groups, comparison, and cases worth a look. */

import type { CaseOutcome } from '../../../core/program.ts';
import { type SandboxInfo, unsafeLabel } from '../../../core/sandbox.ts';
import { seededChance } from '../../../core/seeded-chance.ts';
import type { TestedProgram } from '../../../families/ahc/evaluation.ts';
import { grouped } from '../../../families/ahc/features.ts';
import type { Contest as AhcContest } from '../../../families/ahc/workspace.ts';
import { compareVersions, nearLimit, pointsOf, slowest, summaryOf, worst } from '../compare/summary.ts';

const shownEdges = 5;

export type TestResult = ReturnType<typeof resultOf>;

export function resultOf({
  contest,
  evaluation,
  group = null,
  compared = null,
  edges,
}: {
  readonly contest: AhcContest;
  readonly evaluation: TestedProgram;
  /** The name of the number of the input that the groups go by. */
  readonly group?: string | null;
  /** How many of the worst were asked for. */
  readonly edges?: number | undefined;
  readonly compared?: { readonly name: string; readonly cases: readonly CaseOutcome[] } | null;
}) {
  const { cases, best } = evaluation;
  const { direction, scoring, timeLimitMs } = contest;
  const scale = { direction, best };
  const compare = (some: readonly CaseOutcome[], others: readonly CaseOutcome[]) =>
    // The same two lists give the same interval, today and tomorrow.
    compareVersions(some, others, { ...scale, scoring, random: seededChance('polya ahc').next });
  const groups = group === null ? null : grouped(cases, ({ features }) => features[group]);
  return {
    contest,
    evaluation,
    summary: summaryOf(cases, scale),
    groups: groups && {
      by: group ?? '',
      of: groups.map(({ label, members }) => ({
        label,
        summary: summaryOf(members, scale),
        comparison: compared && compare(members, compared.cases),
      })),
    },
    compared: compared && { name: compared.name, comparison: compare(cases, compared.cases) },
    slowest: slowest(cases, 3),
    worst: worst(cases, scale, edges ?? shownEdges),
    isWorstAsked: edges !== undefined,
    nearLimit: nearLimit(cases, timeLimitMs),
  };
}

export function testJson(
  { contest, evaluation, summary, groups, compared, ...edges }: TestResult,
  subject: { readonly workspace: string; readonly warnings: readonly string[]; readonly info: SandboxInfo },
) {
  const { version, backend, compile, compiled, asked, cases, best, improved } = evaluation;
  const { id, title, direction, scoring, isInteractive, timeLimitMs, memoryLimitBytes } = contest;
  const named = (list: readonly CaseOutcome[]) => list.map(({ name }) => name);
  return {
    workspace: subject.workspace,
    contest: { id, title, direction, scoring, isInteractive, timeLimitMs, memoryLimitBytes },
    version: { name: version.name, source: version.source, file: version.file },
    message: evaluation.note?.message ?? null,
    tag: evaluation.note?.tag ?? null,
    backend,
    label: unsafeLabel(subject.info),
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
      points: pointsOf(each, { direction, best }),
    })),
    improved,
    slowest: named(edges.slowest),
    worst: named(edges.worst),
    nearLimit: named(edges.nearLimit),
    groups,
    against: compared && { name: compared.name, ...compared.comparison },
    warnings: subject.warnings,
  };
}
