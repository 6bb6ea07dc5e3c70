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

/** A number of the input, by its place. */
export type GroupChoice = { readonly name: string; readonly index: number };

const shownEdges = 5;

export type TestResult = ReturnType<typeof resultOf>;

export function resultOf({
  contest,
  evaluation,
  group = null,
  noise = null,
  compared = null,
}: {
  readonly contest: AhcContest;
  readonly evaluation: TestedProgram;
  readonly group?: GroupChoice | null;
  readonly noise?: Noise | null;
  readonly compared?: { readonly name: string; readonly cases: readonly CaseRecord[] } | null;
}) {
  const { cases, best } = evaluation;
  const { direction, scoring, timeLimitMs } = contest;
  const scale = { direction, best };
  const compare = (some: readonly CaseRecord[], others: readonly CaseRecord[]) =>
    // The same two lists give the same interval, today and tomorrow.
    compareVersions(some, others, { ...scale, scoring, random: seededChance('polya ahc').next });
  const groups = group && grouped(cases, ({ numbers }) => numbers[group.index]);
  return {
    contest,
    evaluation,
    summary: summaryOf(cases, scale),
    groups: groups && {
      by: group.name,
      of: groups.map(({ label, members }) => ({
        label,
        summary: summaryOf(members, scale),
        comparison: compared && compare(members, compared.cases),
      })),
    },
    compared: compared && { name: compared.name, comparison: compare(cases, compared.cases) },
    noise,
    slowest: slowest(cases, 3),
    worst: worst(cases, scale, shownEdges),
    nearLimit: nearLimit(cases, timeLimitMs, noise?.spread ?? 0),
  };
}

export function testJson(
  { contest, evaluation, summary, groups, compared, noise, ...edges }: TestResult,
  about: { readonly workspace: string; readonly warnings: readonly string[]; readonly info: SandboxInfo },
) {
  const { version, backend, compile, compiled, asked, cases, best, improved } = evaluation;
  const { id, title, direction, scoring, isInteractive, timeLimitMs, memoryLimitBytes } = contest;
  const named = (list: readonly CaseRecord[]) => list.map(({ name }) => name);
  return {
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
      points: pointsOf(each, { direction, best }),
    })),
    improved,
    slowest: named(edges.slowest),
    worst: named(edges.worst),
    nearLimit: named(edges.nearLimit),
    groups,
    against: compared && { name: compared.name, ...compared.comparison },
    noise,
    warnings: about.warnings,
  };
}
