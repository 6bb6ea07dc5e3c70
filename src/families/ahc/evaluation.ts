/**
 * Evaluates a program in a workspace: registers its version, runs it over the cases, keeps scores, outputs and history.
 * What is shown of it, and to whom, is for whoever calls.
 */
import { UnavailableError, UserError } from '../../core/errors.ts';
import type { Clock } from '../../core/io.ts';
import type { CompileResult, Sandbox } from '../../core/sandbox.ts';
import { chooseCases, findInputs, type Inputs } from './cases.ts';
import type { Contest } from './contest.ts';
import { leadingNumbers } from './features.ts';
import { type CaseReport, evaluate, type TestCase, ToolsDoNotBuild } from './judge/evaluate.ts';
import { layout } from './layout.ts';
import { addToBest, type BestScores, readBest } from './records/best.ts';
import { testLine } from './records/experiments.ts';
import { appendEvaluation, type CaseRecord, type EvaluationRecord, readHistory } from './records/history.ts';
import {
  keepOutputs,
  outputFileOf,
  registerVersion,
  sourceFileOf,
  type Version,
} from './records/versions.ts';
import { readContest, readCrate, type Workspace } from './workspace.ts';

export type Desk = {
  readonly workspace: Workspace;
  readonly sandbox: Sandbox;
  readonly clock: Pick<Clock, 'now'>;
  hashText(text: string): string;
};

export type Candidate = {
  /** As its user named it. */
  readonly file: string;
  /** One file: what it includes is in it. */
  readonly source: string;
};

export type CaseChoice = {
  /** `0-99,120`; default: all. */
  readonly cases?: string;
  readonly jobs?: number;
};

/** Everything that an evaluation needs, found before the first program is run. */
export type Prepared = {
  readonly contest: Contest;
  readonly crate: Awaited<ReturnType<typeof readCrate>>;
  readonly inputs: Inputs;
  /** The cases that were chosen. */
  readonly names: readonly string[];
  readonly best: BestScores;
  readonly warnings: readonly string[];
};

export async function prepare(
  { workspace }: Pick<Desk, 'workspace'>,
  { cases }: Pick<CaseChoice, 'cases'>,
): Promise<Prepared> {
  const { folder, id } = workspace;
  const contest = await readContest(workspace);
  const crate = await readCrate(workspace);
  if (contest.tools && !crate) throw toolsGone(folder.path, id);
  const inputs = await findInputs(folder, id);
  const names = chooseCases(inputs.names, cases);
  const { keptAside, ...best } = await readBest(folder, contest.direction);
  const isScored = Boolean(contest.isInteractive ? contest.tools?.tester : contest.tools?.judge);
  const warnings = [
    inputs.areSamples
      ? 'There are no inputs of the official tools: these are the samples of the statement.'
      : null,
    isScored ? null : 'No official tool scores here: only how a program ends is looked at.',
    keptAside === null
      ? null
      : `The best known scores could not be read; the file was put aside as ${keptAside}.`,
  ].filter((each) => each !== null);
  return { contest, crate, inputs, names, best, warnings };
}

export type DoneCase = CaseRecord & {
  readonly message: string;
  readonly output: string;
  /** The numbers that its input begins with. */
  readonly numbers: readonly number[];
};

export type Evaluation = {
  /** With the file that was run, which need not be the one where this source was seen first. */
  readonly version: Version;
  readonly backend: string;
  readonly compile: CompileResult | null;
  readonly compiled: boolean;
  readonly asked: number;
  /** In the order of their names; fewer than asked for where it was broken off. */
  readonly cases: readonly DoneCase[];
  /** With what this evaluation added to it. */
  readonly best: BestScores;
  /** Cases whose best known score it made better. */
  readonly improved: readonly string[];
};

export type Watcher = {
  onBegin?(version: Version): void;
  onCase?(done: DoneCase): unknown;
};

export async function testProgram(
  desk: Desk,
  {
    prepared,
    candidate,
    jobs,
  }: { readonly prepared: Prepared; readonly candidate: Candidate; readonly jobs?: number },
  watcher: Watcher,
  signal: AbortSignal,
): Promise<Evaluation> {
  const { workspace, sandbox, clock, hashText } = desk;
  const { contest, crate, names } = prepared;
  const { folder, config } = workspace;
  const hash = hashText(candidate.source);
  const seen = { text: candidate.source, hash, file: candidate.file, atMs: clock.now() };
  await expectRecords(workspace, seen);
  // Told by the file that is run now; it may have been another's program first.
  const version = { ...(await registerVersion(folder, seen)), file: candidate.file };
  watcher.onBegin?.(version);
  const outputs = await keepOutputs(folder, {
    source: version.source,
    recent: await recentSources(workspace),
    isWhole: names.length === prepared.inputs.names.length,
  });
  const about = new Map<string, Pick<DoneCase, 'input' | 'numbers'>>();
  const done: DoneCase[] = [];
  const evaluated = await evaluate(
    sandbox,
    {
      contest,
      source: candidate.source,
      crate,
      cases: casesOf(desk, prepared, about),
      ...(jobs === undefined ? {} : { jobs }),
      compileTimeoutMs: Number(config.get('docker.compilation_timeout')) * 1000,
      caseTimeoutMs: Number(config.get('docker.execution_timeout')) * 1000,
    },
    async (report) => {
      const each = doneOf(report, about);
      done.push(withoutOutput(each));
      await outputs.add(each.name, each.input, each.output);
      return watcher.onCase?.(each);
    },
    signal,
  ).catch((error: unknown) => {
    throw error instanceof ToolsDoNotBuild ? toolsDoNotBuild(error, workspace.id) : error;
  });
  const cases = done.sort((a, b) => (a.name < b.name ? -1 : 1));
  const { best, improved } = await addToBest(folder, contest.direction, cases);
  const record: EvaluationRecord = {
    atMs: clock.now(),
    file: candidate.file,
    source: hash,
    direction: contest.direction,
    scoring: contest.scoring,
    backend: evaluated.backend,
    compiled: evaluated.compiled,
    asked: names.length,
    cases,
  };
  await appendEvaluation(folder, record);
  await folder.append(layout.experiments, testLine(version.name, record));
  const { backend, compile, compiled } = evaluated;
  return { version, backend, compile, compiled, asked: names.length, cases, best, improved };
}

/** What cannot be kept is to be known before hours of cases, and not after them. */
async function expectRecords({ folder }: Workspace, { hash }: { readonly hash: string }): Promise<void> {
  const { history, versionList, best, bestLog, experiments } = layout;
  const shared = [history, versionList, best, bestLog, experiments];
  for (const name of [...shared, sourceFileOf(hash), outputFileOf(hash)]) {
    await folder.tryWrite(name);
  }
}

/** The one that was evaluated last at the end. */
async function recentSources({ folder }: Workspace): Promise<readonly string[]> {
  const { values } = await readHistory(folder);
  return [...new Set(values.map(({ source }) => source).reverse())].reverse();
}

/** Read when their turn comes: a thousand inputs need not be in memory at once. */
async function* casesOf(
  { hashText }: Desk,
  { inputs, names }: Prepared,
  about: Map<string, Pick<DoneCase, 'input' | 'numbers'>>,
): AsyncGenerator<TestCase> {
  for (const name of names) {
    const input = await inputs.read(name);
    about.set(name, { input: inputHash(hashText, input), numbers: leadingNumbers(input) });
    yield { name, input };
  }
}

/** Short: it tells inputs of the same name from one another, nothing more. */
export function inputHash(hashText: (text: string) => string, input: string): string {
  return hashText(input).slice(0, 8);
}

function doneOf(
  report: CaseReport,
  about: ReadonlyMap<string, Pick<DoneCase, 'input' | 'numbers'>>,
): DoneCase {
  const { peakMemoryBytes, ...rest } = report;
  return { ...rest, memoryBytes: peakMemoryBytes, ...(about.get(report.name) ?? { input: '', numbers: [] }) };
}

/** It is on disk, and a thousand of them need not be in memory. */
function withoutOutput(done: DoneCase): DoneCase {
  return { ...done, output: '' };
}

export function toolsGone(path: string, id: string): UserError {
  return new UserError({
    code: 'tools-gone',
    what: `The official tools are not in ${path}.`,
    why: 'problem/contest.json says that there are some.',
    fix: `Run \`polya ahc init ${id}\` again: it brings what is missing.`,
  });
}

export function toolsDoNotBuild({ message }: ToolsDoNotBuild, id: string): UnavailableError {
  return new UnavailableError({
    code: 'tools-do-not-build',
    what: 'The official tools do not build here.',
    why: message.trim() || 'The compiler said nothing.',
    fix: `\`polya doctor\` tells whether cargo works; \`polya ahc init ${id}\` brings what is missing of the tools: move ${layout.crate} away where it was changed.`,
  });
}
