/**
 * One evaluation from a file to its report: what `polya ahc test` does. The table
 * grows on standard output while cases run; what programs wrote goes where `--out` says. That it can be written to is seen
 * before anything is run; what goes wrong later ends no evaluation, and is told at its end.
 */
import { accessSync, constants, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Shell } from '../../../cli/contract.ts';
import { Screen } from '../../../cli/screen.ts';
import { ExplainedError, exitCodes, UserError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import type { SandboxInfo } from '../../../core/sandbox.ts';
import { findInputs, missingCases } from '../../../families/ahc/cases.ts';
import {
  type EvaluationContext,
  jobsOf,
  type Prepared,
  prepare,
  type TestedProgram,
  testProgram,
} from '../../../families/ahc/evaluation.ts';
import { featureIndex } from '../../../families/ahc/features.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { generateCases } from '../../../families/ahc/problem/fresh.ts';
import { casesOfVersion, readHistory } from '../../../families/ahc/records/history.ts';
import { findVersion, isVersionName, readVersions } from '../../../families/ahc/records/versions.ts';
import { readContest, readCrate } from '../../../families/ahc/workspace.ts';
import { openFolder } from '../../../io/folder.ts';
import { makeFolder } from '../../../io/write-whole.ts';
import { asCalled, count, grouped } from '../../../text/format.ts';
import { systemReason } from '../../../text/system-reason.ts';
import { pointsOf } from '../compare/summary.ts';
import { contestText } from '../words.ts';
import { type PahcerSettings, pahcerFile, readPahcer } from '../workspace/pahcer.ts';
import { type FoundProgram, findProgram, missingLibrary } from '../workspace/program.ts';
import { hint, tellJson, warn } from '../workspace.ts';
import { CaseRows, reportText } from './report.ts';
import { resultOf, type TestResult, testJson } from './result.ts';

/** All that can be wrong with what was asked for is said before the first program is compiled. */
export async function testOnce(job: TestJob, signal: AbortSignal): Promise<number> {
  const { shell, context, options } = job;
  refuseTag(options.tag);
  const program = programOf(job);
  const pahcer = readPahcer(context.workspace.folder.path);
  const question = options.cases ?? pahcer?.cases ?? undefined;
  if (question !== undefined) await makeCases(job, question, signal);
  const found = await prepare(context.workspace, question);
  if (pahcer) tellPahcer(shell, { ...pahcer, cases: options.cases ? null : pahcer.cases }, found);
  const { group, features } = groupIn(found.features, options.group);
  const prepared = { ...found, features };
  const rival = await findRival(job, program, prepared);
  for (const warning of prepared.warnings) warn(shell, warning);
  const outputs = options.out === undefined ? null : openOutputs(shell.folder, options.out);
  const olds = await casesOfRival(job, rival, prepared, signal);
  if (olds === null) return exitCodes.unsolved;
  const evaluation = await evaluateShown(job, { prepared, program }, outputs, signal);
  if (!evaluation.compiled) return tellCompileError(job, evaluation, prepared);
  const compared = rival && olds.cases ? { name: rival.name, cases: olds.cases } : null;
  const edges = options.worst;
  const result = resultOf({ contest: prepared.contest, evaluation, group, compared, edges });
  const failure = outputs?.failure;
  tell(job, result, failure ? [...prepared.warnings, failure.message] : prepared.warnings);
  if (failure) warn(shell, failure.message);
  if (failure) return failure.exitCode;
  const { cases } = evaluation;
  const isComplete = cases.length === evaluation.asked && cases.every(({ verdict }) => verdict === 'AC');
  return isComplete ? exitCodes.ok : exitCodes.unsolved;
}

/** Throws `UserError` for one that --vs could not tell from something else. */
function refuseTag(tag: string | undefined): void {
  if (tag === undefined || (tag.trim() !== '' && !isVersionName(tag))) return;
  const what = tag.trim() === '' ? 'The tag is empty.' : `${tag} is the name of a version, and no tag.`;
  throw new UserError({ code: 'text-empty', what, fix: 'Name it otherwise, as in --tag wide-beam.' });
}

/** More than anybody waits for. */
const mostMade = 100_000;

/** Numbers beyond the official inputs are made by the official generator; where there is none, that is said. */
async function makeCases({ shell, context }: TestJob, text: string, signal: AbortSignal): Promise<void> {
  const { workspace, sandbox } = context;
  const { folder, id } = workspace;
  const { names, made, areSamples } = await findInputs(folder, id);
  const missing = missingCases([...names, ...made], text, mostMade + 1);
  if (missing.length > mostMade) {
    throw new UserError({
      code: 'too-large',
      what: `--cases names more than ${grouped(mostMade)} inputs that are not there.`,
      why: 'Nobody waits for so many to be made.',
      fix: `There are ${count(names.length + made.length, 'input')}. Name a smaller range, as in --cases 0-29999.`,
    });
  }
  if (areSamples || missing.length === 0) return;
  const [{ tools }, crate] = [await readContest(workspace), await readCrate(workspace)];
  const generator = tools?.generator ?? null;
  if (generator === null || crate === null) {
    const what = `There are ${count(names.length + made.length, 'input')}, and no generator to make`;
    return warn(
      shell,
      `${what} ${grouped(missing.length)} more that --cases names: those that are there are run.`,
    );
  }
  let done = 0;
  const screen = new Screen(shell.err, () => `${done} of ${missing.length} inputs made`);
  hint(shell, `Making ${count(missing.length, 'input')} from their numbers as seeds, in ${layout.made} …`);
  const onMade = (each: number) => {
    done = each;
  };
  await generateCases({ folder, sandbox, crate, generator, signal }, missing, onMade).finally(() =>
    screen.close(),
  );
}

/** Which settings of `pahcer_config.toml` are used, and which are not. */
function tellPahcer(shell: Shell, { direction, hasOwnScore, cases }: PahcerSettings, { contest }: Prepared) {
  const seeds = cases === null ? '' : ` Its seeds are run: ${cases}; --cases names others.`;
  hint(shell, `${pahcerFile} is read.${seeds}`);
  if (direction !== null && direction !== contest.direction)
    warn(
      shell,
      `${pahcerFile} says ${direction}, and here ${contest.direction} holds; \`polya ahc config contest.direction ${direction}\` changes that.`,
    );
  if (hasOwnScore)
    warn(
      shell,
      `score_regex of ${pahcerFile} is not used: scores are read as the official tools print them.`,
    );
}

/** Throws `UserError` where there is no such program. */
export function programOf({ shell, context, options, file }: Omit<TestJob, 'info'>): FoundProgram {
  return findProgram(shell, { workspace: context.workspace, file, include: options.include });
}

/** The number that the groups go by, under the name that the statement's input format gives it, or by its position. */
function groupIn(names: readonly string[], question: string | undefined) {
  if (question === undefined) return { group: null, features: names };
  const index = featureIndex(names, question);
  const unnamed = Array.from({ length: Math.max(0, index + 1 - names.length) }, (_, at) => at + names.length);
  const features = [...names, ...unnamed.map((at) => `number ${at + 1}`)];
  return { group: features[index] ?? null, features };
}

async function evaluateShown(
  job: TestJob,
  { prepared, program }: { readonly prepared: Prepared; readonly program: FoundProgram },
  outputs: TestOutputs | null,
  signal: AbortSignal,
): Promise<TestedProgram> {
  const { shell, context, options } = job;
  const { contest, best } = prepared;
  const jobs = jobsOf(context.workspace) ?? readPahcer(context.workspace.folder.path)?.jobs ?? undefined;
  const begunMs = performance.now();
  const showsAll = options.rows === true || prepared.names.length <= fewCases;
  const rows = new CaseRows({
    names: prepared.names,
    showsAll,
    paint: shell.out.paint,
    pointsOf: (done) =>
      best.of(done) === null ? null : pointsOf(done, { direction: contest.direction, best }),
    elapsedMs: () => performance.now() - begunMs,
  });
  const screen = new Screen(shell.err, () => rows.status);
  const show = (lines: readonly string[]): void => {
    if (options.json || lines.length === 0) return;
    // A status line on the same terminal must not be left in the table.
    if (shell.out.isTerminal) screen.clear();
    shell.out.write(`${lines.join('\n')}\n`);
  };
  try {
    const evaluation = await testProgram(
      context,
      { prepared, program, note: { message: options.message, tag: options.tag }, jobs },
      {
        onBegin: ({ name, file }) =>
          show([`${name} of ${file}, ${contestText(contest)}`, ...(showsAll ? [rows.head] : [])]),
        onCase: async (judged, { output }) => {
          show(rows.add(judged));
          await outputs?.add(judged.name, output);
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

/** Up to this many cases, each one has a row. */
const fewCases = 20;

type TestOutputs = ReturnType<typeof openOutputs>;

/** Throws `UserError` where nothing can be written. */
export function openOutputs(
  from: string,
  out: string,
  open: (path: string) => Pick<Folder, 'write'> = openFolder,
) {
  const place = resolve(from, out);
  try {
    makeFolder(place);
    accessSync(place, constants.W_OK);
  } catch (error) {
    throw new UserError({
      code: 'folder-unwritable',
      what: `--out ${out} is no folder that can be written to.`,
      why: systemReason(error),
      fix: 'Name another folder; it is made where there is none.',
    });
  }
  const folder = open(place);
  let failure: ExplainedError | null = null;
  return {
    /** The first thing that went wrong. */
    get failure() {
      return failure;
    },
    async add(name: string, output: string): Promise<void> {
      try {
        await folder.write(`${name}.txt`, output, { isLasting: false });
      } catch (error) {
        if (!(error instanceof ExplainedError)) throw error;
        failure ??= error;
      }
    },
  };
}

function tell({ shell, context, info, options }: TestJob, result: TestResult, warnings: readonly string[]) {
  const workspace = context.workspace.folder.path;
  if (options.json) tellJson(shell, testJson(result, { workspace, warnings, info }));
  else shell.out.write(`\n${reportText(shell.out, result)}`);
}

/** CE: the compiler's words, and what they may mean. */
export function tellCompileError(job: TestJob, evaluation: TestedProgram, prepared: Prepared): number {
  const { shell, options } = job;
  const { compile, version } = evaluation;
  const isTimedOut = compile?.verdict === 'wall' || compile?.verdict === 'cpu';
  const silent = isTimedOut
    ? 'The compiler was ended by docker.compilation_timeout: `polya ahc config docker.compilation_timeout SECONDS`.'
    : 'The compiler said nothing.';
  const digest = compile?.digest || compile?.stderr.text.trim() || asCalled(silent, shell);
  const hint = missingLibrary(digest);
  shell.err.write(`${digest}\n`);
  if (hint) warn(shell, hint);
  shell.err.write(`${shell.err.paint('bad', `${version.name} of ${version.file}: CE, nothing was run.`)}\n`);
  if (options.json) {
    const warnings = hint ? [...prepared.warnings, hint] : prepared.warnings;
    tell(job, resultOf({ contest: prepared.contest, evaluation }), warnings);
  }
  return exitCodes.unsolved;
}

export type TestOptions = {
  readonly cases?: string;
  readonly rows?: boolean;
  readonly worst?: number;
  readonly message?: string;
  readonly tag?: string;
  readonly vs?: string;
  readonly group?: string;
  readonly out?: string;
  readonly include?: readonly string[];
  readonly json?: boolean;
};

export type TestJob = {
  readonly shell: Shell;
  readonly context: EvaluationContext;
  readonly info: SandboxInfo;
  readonly file: string | undefined;
  readonly options: TestOptions;
};

type Rival = Awaited<ReturnType<typeof findRival>>;

/** What is compared with: results that are there, or a program that is run first. Throws `UserError`. */
async function findRival(job: TestJob, program: FoundProgram, prepared: Prepared) {
  const { context, options } = job;
  if (options.vs === undefined) return null;
  const vs = await taggedVersion(context.workspace.folder, options.vs);
  // A name without an ending that is no file either is a version or a tag that is not there.
  if (!isVersionName(vs) && (vs.includes('.') || existsSync(resolve(job.shell.folder, vs)))) {
    const other = programOf({ ...job, file: vs });
    if (other.source === program.source) {
      throw new UserError({
        code: 'same-program',
        what: `${vs} is the same program.`,
        fix: 'Name another file, or an earlier version: `polya ahc history` shows them.',
      });
    }
    return { name: other.file, cases: null, program: other };
  }
  const { folder } = context.workspace;
  const own = context.hashText(program.source);
  const versions = await readVersions(folder);
  if (vs === 'last' && versions.length > 0 && versions.every(({ source }) => source === own)) {
    hint(job.shell, 'There is no other version to compare with yet: change the program, and test it again.');
    return null;
  }
  const version = await findVersion(folder, vs, own);
  const selected = new Set(prepared.names);
  const all = casesOfVersion((await readHistory(folder)).values, version.source);
  const cases = all.filter(({ name }) => selected.has(name));
  if (cases.length > 0) return { name: version.name, cases, program: null };
  throw new UserError({
    code: 'no-common-cases',
    what: `${version.name} was not run on any of these cases.`,
    why: 'Versions are compared on the cases that both were run on.',
    fix: `Choose other cases, or name the file of the other version: it is run as well.`,
  });
}

/** A tag is as good as the name of the version that got it last. */
async function taggedVersion(folder: Folder, vs: string): Promise<string> {
  const tagged = (await readHistory(folder)).values.findLast(({ tag }) => tag === vs);
  const versions = tagged ? await readVersions(folder) : [];
  return versions.find(({ source }) => source === tagged?.source)?.name ?? vs;
}

/** Null where the other program does not compile. */
async function casesOfRival(job: TestJob, rival: Rival, prepared: Prepared, signal: AbortSignal) {
  if (!rival?.program) return { cases: rival?.cases ?? null };
  const { shell, context } = job;
  const { program } = rival;
  let done = 0;
  const screen = new Screen(shell.err, () => `${program.file}: ${done} of ${prepared.names.length}`);
  const onCase = () => {
    done += 1;
  };
  const evaluation = await testProgram(context, { prepared, program }, { onCase }, signal).finally(() =>
    screen.close(),
  );
  if (evaluation.compiled) return { cases: evaluation.cases };
  tellCompileError(job, evaluation, prepared);
  return null;
}
