/** The result of an evaluation: sums, groups, comparison, cases worth a look; and how steady this machine's times are. */
import { type Sandbox, type SandboxInfo, unsafeLabel } from '../../../core/sandbox.ts';
import { seededChance } from '../../../core/seeded-chance.ts';
import type { TestedProgram } from '../../../families/ahc/evaluation.ts';
import { grouped } from '../../../families/ahc/features.ts';
import type { CaseRecord } from '../../../families/ahc/records/history.ts';
import type { Contest as AhcContest } from '../../../families/ahc/workspace.ts';
import { compareVersions, nearLimit, pointsOf, slowest, summaryOf, worst } from '../compare/summary.ts';

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
  edges,
}: {
  readonly contest: AhcContest;
  readonly evaluation: TestedProgram;
  readonly group?: GroupChoice | null;
  readonly noise?: Noise | null;
  /** How many of the worst were asked for. */
  readonly edges?: number | undefined;
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
    worst: worst(cases, scale, edges ?? shownEdges),
    isWorstAsked: edges !== undefined,
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
    message: evaluation.note?.message ?? null,
    tag: evaluation.note?.tag ?? null,
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

export type Noise = ReturnType<typeof noiseOf>;

const runs = 8;

/** It looks at no clock: it takes as long as the machine needs. */
const work = `int main() {
  volatile unsigned long long sum = 1;
  for (int step = 0; step < 6000000; step++) sum = sum * 6364136223846793005ULL + 1;
  return 0;
}
`;

/** Of the same short work, several times, as many at once as the cases of an evaluation. */
export async function measureNoise(
  sandbox: Sandbox,
  jobs: number | undefined,
  signal: AbortSignal,
): Promise<Noise | null> {
  const { executable } = await sandbox.build({ language: 'cpp', source: work }, signal);
  if (!executable) return null;
  const cpu: number[] = [];
  const wall: number[] = [];
  const cases = Array.from({ length: Math.max(runs, 2 * (jobs ?? 1)) }, (_, index) => ({ name: `${index}` }));
  await sandbox.batch(
    { executable, cases, workers: jobs },
    ({ step }) => {
      cpu.push(step.cpuMs);
      wall.push(step.wallMs);
    },
    signal,
  );
  return cpu.length < 2 ? null : noiseOf(cpu, wall);
}

export function noiseOf(cpu: readonly number[], wall: readonly number[]) {
  const [leastMs, mostMs] = [Math.min(...cpu), Math.max(...cpu)];
  return {
    runs: cpu.length,
    leastMs,
    mostMs,
    // On the wall a case waits for its turn on a core as well.
    leastWallMs: Math.min(...wall),
    mostWallMs: Math.max(...wall),
    /** How much more CPU time than the fastest the slowest took, as a part of 1. */
    spread: leastMs > 0 ? mostMs / leastMs - 1 : 0,
  };
}
