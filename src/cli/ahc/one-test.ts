/** One evaluation from a file to its report: what `polya ahc test` does once, and with `--watch` again and again. */
import { resolve } from 'node:path';
import { exitCodes, UserError } from '../../core/errors.ts';
import type { SandboxInfo } from '../../core/sandbox.ts';
import type { AhcWorkbench, CaseRecord, Desk, DoneCase, Evaluation, Prepared } from '../../index.ts';
import { Screen } from '../screen.ts';
import type { Shell } from '../shell.ts';
import { asCalled, harmless } from '../text.ts';
import { type Found, findCandidate, missingLibrary } from './candidate.ts';
import { CaseRows } from './case-rows.ts';
import { warn } from './desk.ts';
import { testJson } from './test-json.ts';
import { groupResults, reportText, type TestResult } from './test-report.ts';
import { contestText } from './words.ts';

export type TestOptions = {
  readonly cases?: string;
  readonly vs?: string;
  readonly group?: string;
  readonly out?: string;
  readonly include?: readonly string[];
  readonly json?: boolean;
};

export type TestJob = {
  readonly shell: Shell;
  readonly ahc: AhcWorkbench;
  readonly desk: Desk;
  readonly info: SandboxInfo;
  readonly file: string | undefined;
  readonly options: TestOptions;
};

const shownEdges = 5;

/** All that can be wrong with what was asked for is said before the first program is compiled. */
export async function testOnce(job: TestJob, signal: AbortSignal): Promise<number> {
  const { shell, ahc, desk, options } = job;
  const candidate = findCandidate(shell, { ...job, ...includeOf(options) });
  const prepared = await ahc.prepare(desk, choiceOf(options));
  const group = await groupOf(job);
  const rival = await findRival(job, candidate, prepared);
  for (const warning of prepared.warnings) warn(shell, warning);
  const olds = await casesOfRival(job, { rival, prepared }, signal);
  if (olds === null) return exitCodes.unsolved;
  const evaluation = await evaluateShown(job, { candidate, prepared }, signal);
  if (!evaluation.compiled) return tellCompileError(job, evaluation, prepared);
  const noise = signal.aborted
    ? null
    : await ahc.measureNoise(desk.sandbox, ahc.jobsOf(desk.workspace), signal);
  const { contest } = prepared;
  const scale = { direction: contest.direction, best: evaluation.best };
  const compareWith = (old: readonly CaseRecord[]) => (cases: readonly CaseRecord[]) =>
    ahc.compare(cases, old, { ...scale, scoring: contest.scoring });
  const { cases } = evaluation;
  const result: TestResult = {
    contest,
    evaluation,
    summary: ahc.summaryOf(cases, scale),
    groups: group && {
      by: group.name,
      of: groupResults(
        ahc.grouped(cases, ({ numbers }) => numbers[group.index]),
        (members) => ahc.summaryOf(members, scale),
        olds.cases && compareWith(olds.cases),
      ),
    },
    compared: olds.cases && rival && { name: rival.name, comparison: compareWith(olds.cases)(cases) },
    noise,
    slowest: ahc.slowest(cases, 3),
    worst: ahc.worst(cases, scale, shownEdges),
    nearLimit: ahc.nearLimit(cases, contest.timeLimitMs, noise?.spread ?? 0),
  };
  tell(job, result, prepared);
  const isWhole = cases.length === evaluation.asked && cases.every(({ verdict }) => verdict === 'AC');
  return isWhole ? exitCodes.ok : exitCodes.unsolved;
}

function includeOf({ include }: TestOptions) {
  return include ? { include } : {};
}

function choiceOf({ cases }: TestOptions) {
  return cases === undefined ? {} : { cases };
}

async function groupOf({ ahc, desk, options }: TestJob): Promise<{ name: string; index: number } | null> {
  if (options.group === undefined) return null;
  const names = await ahc.featuresOf(desk.workspace);
  const index = ahc.featureIndex(names, options.group);
  return { name: names[index] ?? `number ${index + 1}`, index };
}

/** What is compared with: results that are there, or a program that is run first. */
type Rival = {
  readonly name: string;
  readonly cases: readonly CaseRecord[] | null;
  readonly program: Found | null;
};

async function findRival(job: TestJob, candidate: Found, prepared: Prepared): Promise<Rival | null> {
  const { shell, ahc, desk, options } = job;
  const { vs } = options;
  if (vs === undefined) return null;
  if (!ahc.isVersionName(vs)) {
    const program = findCandidate(shell, { ...job, file: vs, ...includeOf(options) });
    if (program.source === candidate.source) throw sameProgram(vs);
    return { name: program.file, cases: null, program };
  }
  const { folder } = desk.workspace;
  const version = await ahc.findVersion(folder, vs, desk.hashText(candidate.source));
  const cases = ahc.casesOfVersion((await ahc.readHistory(folder)).values, version.source);
  const chosen = new Set(prepared.names);
  if (!cases.some(({ name }) => chosen.has(name))) throw nothingInCommon(version.name);
  return { name: version.name, cases: cases.filter(({ name }) => chosen.has(name)), program: null };
}

function sameProgram(vs: string): UserError {
  return new UserError({
    what: `${vs} is the same program.`,
    fix: 'Name another file, or an earlier version: `polya ahc history` shows them.',
  });
}

function nothingInCommon(name: string): UserError {
  return new UserError({
    what: `${name} was not run on any of these cases.`,
    why: 'Versions are compared on the cases that both were run on.',
    fix: `Choose other cases, or name the file of the other version: it is run as well.`,
  });
}

/** Null where the other program does not compile. */
async function casesOfRival(
  job: TestJob,
  { rival, prepared }: { readonly rival: Rival | null; readonly prepared: Prepared },
  signal: AbortSignal,
): Promise<{ readonly cases: readonly CaseRecord[] | null } | null> {
  if (!rival?.program) return { cases: rival?.cases ?? null };
  const { shell, ahc, desk } = job;
  const { program } = rival;
  let done = 0;
  const screen = new Screen(shell.err, () => `${program.file}: ${done} of ${prepared.names.length}`);
  const counted = {
    onCase: () => {
      done += 1;
    },
  };
  const evaluation = await ahc
    .testProgram(desk, { prepared, candidate: program, ...ahc.jobsOf(desk.workspace) }, counted, signal)
    .finally(() => screen.close());
  if (evaluation.compiled) return { cases: evaluation.cases };
  tellCompileError(job, evaluation, prepared);
  return null;
}

async function evaluateShown(
  job: TestJob,
  { candidate, prepared }: { readonly candidate: Found; readonly prepared: Prepared },
  signal: AbortSignal,
): Promise<Evaluation> {
  const { shell, ahc, desk, options } = job;
  const { contest, best } = prepared;
  const begunMs = performance.now();
  const rows = new CaseRows({
    names: prepared.names,
    paint: shell.out.paint,
    pointsOf: (done) =>
      best.of(done) === null ? null : ahc.pointsOf(done, { direction: contest.direction, best }),
    elapsedMs: () => performance.now() - begunMs,
  });
  const screen = new Screen(shell.err, () => rows.status);
  const show = (lines: readonly string[]): void => {
    if (options.json || lines.length === 0) return;
    // A status line on the same terminal must not be left in the table.
    if (shell.out.isTerminal) screen.clear();
    shell.out.write(`${lines.join('\n')}\n`);
  };
  const outputs = options.out === undefined ? null : ahc.openFolder(resolve(shell.folder, options.out));
  try {
    const evaluation = await ahc.testProgram(
      desk,
      { prepared, candidate, ...ahc.jobsOf(desk.workspace) },
      {
        onBegin: ({ name, file }) => show([`${name} of ${file}, ${contestText(contest)}`, rows.head]),
        onCase: async (done: DoneCase) => {
          show(rows.add(done));
          await outputs?.write(`${done.name}.txt`, done.output);
        },
      },
      signal,
    );
    show(rows.rest());
    return evaluation;
  } finally {
    screen.close();
  }
}

function tell(
  { shell, ahc, desk, info, options }: TestJob,
  result: TestResult,
  { warnings }: Prepared,
): void {
  const workspace = desk.workspace.folder.path;
  if (options.json) shell.out.write(testJson(ahc, result, { workspace, warnings, info }));
  else shell.out.write(`\n${reportText(shell.out, ahc, result)}`);
}

/** CE: the compiler's words, and what they may mean. */
function tellCompileError(job: TestJob, evaluation: Evaluation, prepared: Prepared): number {
  const { shell, ahc, options } = job;
  const { compile, version } = evaluation;
  const late = compile?.verdict === 'wall' || compile?.verdict === 'cpu';
  const silent = late
    ? 'The compiler was ended by docker.compilation_timeout: `polya ahc config docker.compilation_timeout SECONDS`.'
    : 'The compiler said nothing.';
  const digest = compile?.digest || compile?.stderr.text.trim() || asCalled(silent, shell);
  const hint = missingLibrary(digest);
  shell.err.write(`${harmless(digest)}\n`);
  if (hint) warn(shell, hint);
  shell.err.write(`${shell.err.paint('bad', `${version.name} of ${version.file}: CE, nothing was run.`)}\n`);
  if (options.json) {
    const { contest } = prepared;
    const summary = ahc.summaryOf([], { direction: contest.direction, best: evaluation.best });
    const none = { groups: null, compared: null, noise: null, slowest: [], worst: [], nearLimit: [] };
    tell(
      job,
      { contest, evaluation, summary, ...none },
      { ...prepared, warnings: [...prepared.warnings, ...(hint ? [hint] : [])] },
    );
  }
  return exitCodes.unsolved;
}
