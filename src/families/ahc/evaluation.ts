/**
 * One evaluation of a program over cases: compiled once, judged case by case, with what it wrote kept. `testProgram` is the
 * one of a user, which the records of the workspace remember as a version; a search has its own (problem/measure.ts). What
 * is shown of it, and to whom, is the caller's business.
 */
import { UnavailableError, UserError } from '../../core/errors.ts';
import type { Clock, Folder } from '../../core/io.ts';
import type { Sandbox } from '../../core/sandbox.ts';
import { findInputs, type Inputs, selectCases } from './cases.ts';
import { featureNames } from './features.ts';
import { type ProgramSource, ToolsDoNotBuild } from './judge/build.ts';
import { type Evaluated, type EvaluateOptions, evaluate, type OnJudged } from './judge/evaluate.ts';
import { layout } from './layout.ts';
import { addToBest, type BestScores, readBest } from './records/best.ts';
import { appendEvaluation, type EvaluationRecord, readHistory, testLine } from './records/history.ts';
import {
  keepOutputs,
  type OutputKeeper,
  outputFileOf,
  registerVersion,
  sourceFileOf,
  type Version,
} from './records/versions.ts';
import { readContest, readCrate, type Workspace } from './workspace.ts';

export type ProgramWork = Omit<EvaluateOptions, 'cases' | 'compileTimeoutMs' | 'caseTimeoutMs'> & {
  readonly workspace: Workspace;
  readonly sandbox: Sandbox;
  /** The cases in their order, and how each is read when its turn comes. */
  readonly names: readonly string[];
  read(name: string): Promise<string>;
  readonly outputs: OutputKeeper;
};

export async function evaluateProgram(
  { workspace, sandbox, names, read, outputs, ...program }: ProgramWork,
  onJudged: OnJudged,
  signal: AbortSignal,
): Promise<Evaluated> {
  const { config, id } = workspace;
  const cases = async function* () {
    for (const name of names) yield { name, input: await read(name) };
  };
  const options = {
    ...program,
    cases: cases(),
    compileTimeoutMs: Number(config.get('docker.compilation_timeout')) * 1000,
    caseTimeoutMs: Number(config.get('docker.execution_timeout')) * 1000,
  };
  const onCase: OnJudged = async (judged, texts) => {
    await outputs.add(judged.name, judged.inputHash ?? '', texts.output);
    return onJudged(judged, texts);
  };
  return evaluate(sandbox, options, onCase, signal).catch((error: unknown) => {
    throw error instanceof ToolsDoNotBuild ? toolsDoNotBuild(error, id) : error;
  });
}

/** `evaluation.jobs`; undefined: one a core. */
export function jobsOf({ config }: Workspace): number | undefined {
  const jobs = config.get('evaluation.jobs');
  return typeof jobs === 'number' ? jobs : undefined;
}

export type EvaluationContext = Pick<ProgramWork, 'workspace' | 'sandbox' | 'hashText' | 'machine'> & {
  readonly clock: Pick<Clock, 'now'>;
};

/** `file`: as its user named it. */
export type NamedSource = ProgramSource & { readonly file: string };

/** Everything that an evaluation needs, found before the first program is run. */
export type Prepared = Pick<ProgramWork, 'contest' | 'crate' | 'names'> & {
  /** Names of the numbers that an input begins with. */
  readonly features: readonly string[];
  readonly inputs: Inputs;
  readonly best: BestScores;
  readonly warnings: readonly string[];
};

/** `cases`: `0-99,120`; absent: all. */
export async function prepare(workspace: Workspace, cases?: string): Promise<Prepared> {
  const { folder, id } = workspace;
  const contest = await readContest(workspace);
  const crate = await readCrate(workspace);
  if (contest.tools && !crate) throw missingToolsError(workspace);
  const inputs = await findInputs(folder, id);
  const names = cases === undefined ? inputs.names : selectCases([...inputs.names, ...inputs.made], cases);
  const { keptAside, ...best } = await readBest(folder, contest.direction);
  const isScored = Boolean(contest.isInteractive ? contest.tools?.tester : contest.tools?.judge);
  const warnings: string[] = [];
  if (inputs.areSamples)
    warnings.push('There are no inputs of the official tools: these are the samples of the statement.');
  if (!isScored) warnings.push('No official tool scores here: only how a program ends is looked at.');
  if (keptAside !== null)
    warnings.push(`The best known scores could not be read; the file was put aside as ${keptAside}.`);
  const features = featureNames(await folder.read(layout.inputFormat));
  return { contest, crate, inputs, names, features, best, warnings };
}

/** What became of a program that its user tested, with what its records say of it. */
export type TestedProgram = Evaluated & {
  /** With the file that was run, which need not be the one where this source was seen first. */
  readonly version: Version;
  readonly asked: number;
  /** The best scores, this evaluation included. */
  readonly best: BestScores;
  /** Cases whose best known score it made better. */
  readonly improved: readonly string[];
  readonly note?: TestNote;
};

export type TestWatcher = { onBegin?(version: Version): void; readonly onCase?: OnJudged };

/** What its user says of a version. */
type TestNote = Partial<Pick<EvaluationRecord, 'message' | 'tag'>>;

type TestedWork = {
  readonly prepared: Prepared;
  readonly program: NamedSource;
  readonly jobs?: number;
  readonly note?: TestNote;
};

/** `jobs`: cases at once, where it is not as configured. */
export async function testProgram(
  { clock, ...context }: EvaluationContext,
  { prepared, program, jobs = jobsOf(context.workspace), note }: TestedWork,
  watcher: TestWatcher,
  signal: AbortSignal,
): Promise<TestedProgram> {
  const { file, source, language = 'cpp', files } = program;
  const { contest, crate, names, features, inputs } = prepared;
  const { direction, scoring } = contest;
  const { folder } = context.workspace;
  const hash = context.hashText(source);
  await expectRecords(folder, hash);
  const seen = { text: source, hash, file, language, atMs: clock.now() };
  // Told by the file that is run now; it may have been another's program first.
  const version = { ...(await registerVersion(folder, seen)), file };
  watcher.onBegin?.(version);
  const isComplete = names.length === inputs.names.length;
  const history = (await readHistory(folder)).values.map((evaluation) => evaluation.source);
  // The one that was evaluated last at the end.
  const recent = [...new Set(history.reverse())].reverse();
  const outputs = await keepOutputs(folder, { source: hash, recent, isWhole: isComplete });
  const evaluated = await evaluateProgram(
    {
      ...context,
      contest,
      crate,
      features,
      source,
      language,
      files,
      names,
      read: inputs.read,
      outputs,
      jobs,
    },
    (judged, texts) => watcher.onCase?.(judged, texts),
    signal,
  );
  const { backend, compiled, cases } = evaluated;
  const { best, improved } = await addToBest(folder, direction, cases);
  const requested = names.length;
  const run = { ...note, atMs: clock.now(), file, source: hash };
  const record = { ...run, direction, scoring, backend, compiled, asked: requested, cases };
  await appendEvaluation(folder, record);
  await folder.append(layout.experiments, testLine(version.name, record));
  return { ...evaluated, version, asked: requested, best, improved, note };
}

/** What cannot be kept is to be known before hours of cases, and not after them. */
async function expectRecords(folder: Folder, hash: string): Promise<void> {
  const { history, versionList, best, bestLog, experiments } = layout;
  const shared = [history, versionList, best, bestLog, experiments];
  for (const name of [...shared, sourceFileOf(hash), outputFileOf(hash)]) await folder.tryWrite(name);
}

export function missingToolsError({ folder, id }: Workspace): UserError {
  return new UserError({
    code: 'tools-gone',
    what: `The official tools are not in ${folder.path}.`,
    why: 'problem/contest.json says that there are some.',
    fix: `Run \`polya ahc init ${id}\` again: it brings what is missing.`,
  });
}

function toolsDoNotBuild({ message }: ToolsDoNotBuild, id: string): UnavailableError {
  return new UnavailableError({
    code: 'tools-do-not-build',
    what: 'The official tools do not build here.',
    why: message.trim() || 'The compiler said nothing.',
    fix: `\`polya doctor\` tells whether cargo works; \`polya ahc init ${id}\` brings what is missing of the tools: move ${layout.crate} away where it was changed.`,
  });
}
