/**
 * One program on cases of a contest, as a search wants to know it: what each case came to, in the order in which they were
 * asked for. What programs wrote is kept for a while (session-outputs.ts), and best known scores are: nothing else of it
 * stands in the workspace, whose history and versions are those of its user.
 */
import type { Folder } from '../../../core/io.ts';
import type { EffectContext } from '../../../core/problem.ts';
import type { CaseOutcome, ProgramEvaluation } from '../../../core/program.ts';
import { leadingNumbers } from '../compare/features.ts';
import { inputHash, toolsDoNotBuild, toolsGone } from '../evaluation.ts';
import { type CaseReport, evaluate, ToolsDoNotBuild } from '../judge/evaluate.ts';
import { addToBest } from '../records/best.ts';
import type { CaseRecord } from '../records/history.ts';
import type { Workspace } from '../workspace.ts';
import { type CaseInputs, inputsNamed } from './case-inputs.ts';
import type { AhcDesk } from './desk.ts';
import type { Facts } from './facts.ts';
import { keepSessionOutputs, type SessionOutputs } from './session-outputs.ts';

export type Measuring = {
  readonly desk: AhcDesk;
  readonly facts: Facts;
  /** The workspace's folder. */
  readonly path: string;
};

export type Measured = { readonly source: string; readonly names: readonly string[] };

type Context = Pick<EffectContext, 'io' | 'signal'>;
type Work = Measuring &
  Context & { readonly workspace: Workspace; readonly source: string; readonly inputs: CaseInputs };
type Done = { readonly record: CaseRecord; readonly outcome: CaseOutcome };

export type Measurement = ProgramEvaluation & {
  /** What is known of the official ones among these cases by now. */
  readonly best: Readonly<Record<string, number>>;
};

/** Without names: only whether it compiles. Throws where it was broken off. */
export async function measureProgram(
  measuring: Measuring,
  { source, names }: Measured,
  { io, signal }: Context,
): Promise<Measurement> {
  const { desk, facts, path } = measuring;
  const workspace = desk.openWorkspace(path);
  const inputs = await inputsNamed({ ...measuring, workspace }, names, { sandbox: io.sandbox, signal });
  const done = new Map<string, Done>();
  const evaluated = await run({ ...measuring, workspace, source, inputs, io, signal }, done);
  signal.throwIfAborted();
  const { compiled, compile, backend } = evaluated;
  const official = [...done.values()].flatMap(({ record }) =>
    inputs.isOfficial(record.name) ? [record] : [],
  );
  return {
    compiled,
    message: compiled ? '' : shortened(compile?.digest || compile?.stderr.text || compile?.verdict || ''),
    cases: compiled ? names.map((name) => outcomeNamed(name, done)) : [],
    backend,
    best: await bestAfter(workspace, facts, official),
  };
}

/** Relative scores live from it, so what a search finds counts for its user's own programs as well. */
async function bestAfter(
  { folder }: Workspace,
  { contest }: Facts,
  records: readonly CaseRecord[],
): Promise<Record<string, number>> {
  if (records.length === 0) return {};
  const { best } = await addToBest(folder, contest.direction, records);
  const known = records.flatMap((each) => {
    const score = best.of(each);
    return score === null ? [] : [[each.name, score] as const];
  });
  return Object.fromEntries(known);
}

async function run({ desk, facts, workspace, source, inputs, io, signal }: Work, done: Map<string, Done>) {
  const { contest } = facts;
  const { config, id, folder } = workspace;
  const crate = await desk.crateOf(workspace, contest.tools?.sha256 ?? '');
  if (contest.tools && !crate) throw toolsGone(folder.path, id);
  const outputs = await outputsOf(desk, folder, source);
  const texts = new Map<string, string>();
  const jobs = jobsOf(workspace, desk.cores);
  const options = {
    contest,
    source,
    crate,
    cases: casesOf(inputs, texts),
    jobs,
    turns: desk.queue.enter(jobs),
    compileTimeoutMs: Number(config.get('docker.compilation_timeout')) * 1000,
    caseTimeoutMs: Number(config.get('docker.execution_timeout')) * 1000,
  };
  const onCase = async (report: CaseReport) => {
    const input = texts.get(report.name) ?? '';
    texts.delete(report.name);
    const outcome = outcomeOf(report, input, facts);
    done.set(report.name, { record: recordOf(outcome, inputHash(desk.hashText, input)), outcome });
    await outputs.add(report.name, report.output);
  };
  return evaluate(io.sandbox, options, onCase, signal).catch((error: unknown) => {
    throw error instanceof ToolsDoNotBuild ? toolsDoNotBuild(error, id) : error;
  });
}

async function outputsOf(
  { hashText, recent }: AhcDesk,
  folder: Folder,
  text: string,
): Promise<SessionOutputs> {
  const source = hashText(text);
  const before = recent.indexOf(source);
  if (before >= 0) recent.splice(before, 1);
  recent.push(source);
  recent.splice(0, Math.max(0, recent.length - mostRecent));
  return keepSessionOutputs(folder, { source, recent });
}

const mostRecent = 1_000;

/** `evaluation.jobs`, else one a core. */
function jobsOf({ config }: Workspace, cores: number): number {
  const jobs = config.get('evaluation.jobs');
  return typeof jobs === 'number' ? jobs : cores;
}

/** Read when their turn comes, and kept until their result is there. */
async function* casesOf({ names, read }: CaseInputs, texts: Map<string, string>) {
  for (const name of names) {
    const input = await read(name);
    texts.set(name, input);
    yield { name, input };
  }
}

function outcomeOf(report: CaseReport, input: string, { features: names }: Facts): CaseOutcome {
  const { name, verdict, score, message, cpuMs, wallMs, peakMemoryBytes } = report;
  return {
    ...{ name, verdict, score, message, features: featuresOf(input, names) },
    cpuMs: rounded(cpuMs),
    wallMs: rounded(wallMs),
    memoryBytes: peakMemoryBytes,
    ...(verdict === 'AC' ? {} : { input: beginningOf(input) }),
  };
}

const shownCharacters = 400;

function beginningOf(input: string): string {
  return input.length <= shownCharacters ? input : `${input.slice(0, shownCharacters)}…`;
}

/** A journal holds many of them. */
function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function featuresOf(input: string, names: readonly string[]): CaseOutcome['features'] {
  const numbers = leadingNumbers(input);
  const pairs = names.flatMap((name, at) => {
    const number = numbers[at];
    return number === undefined ? [] : [[name, number] as const];
  });
  return Object.fromEntries(pairs);
}

function recordOf(outcome: CaseOutcome, input: string): CaseRecord {
  const { name, verdict, score, cpuMs, wallMs, memoryBytes } = outcome;
  return { name, input, verdict, score, cpuMs, wallMs, memoryBytes };
}

function outcomeNamed(name: string, done: ReadonlyMap<string, Done>): CaseOutcome {
  const found = done.get(name);
  if (found) return found.outcome;
  throw new Error(`The case ${name} has no result.`);
}

const mostWords = 4_000;

function shortened(words: string): string {
  return words.length <= mostWords ? words : `${words.slice(0, mostWords)}…`;
}
