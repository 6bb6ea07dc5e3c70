/**
 * One program on cases of a contest, as a search wants to know it: what each case came to, in the order in which they were
 * asked for. What programs wrote is kept for a while (session-outputs.ts), and best known scores are (known-best.ts):
 * nothing else of it stands in the workspace, whose history and versions are those of its user.
 */
import type { CaseOutcome, ProgramEvaluation } from '../../../core/program.ts';
import { inputHash, toolsDoNotBuild } from '../evaluation.ts';
import { type CaseReport, evaluate, ToolsDoNotBuild } from '../judge/evaluate.ts';
import { bestAfter } from '../records/best.ts';
import type { CaseRecord } from '../records/history.ts';
import { type CaseInputs, inputsNamed } from './fresh.ts';
import { outcomeOf, recordOf } from './outcome.ts';
import { keepSessionOutputs } from './session-outputs.ts';
import { beginWork, type Context, type Measuring, type Work } from './work.ts';

export type Measured = {
  readonly source: string;
  readonly names: readonly string[];
  /** Whether so many cases will do; missing: all are run. */
  readonly isEnough?: ((done: number) => boolean) | undefined;
};

export type Measurement = ProgramEvaluation & {
  /** What is known of the official ones among these cases by now. */
  readonly best: Readonly<Record<string, number>>;
};

const never = () => false;

type Done = { readonly record: CaseRecord; readonly outcome: CaseOutcome };

/** Without names: only whether it compiles. Throws where it was broken off. */
export async function measureProgram(
  measuring: Measuring,
  { source, names, isEnough = never }: Measured,
  context: Context,
): Promise<Measurement> {
  const work = await beginWork(measuring, context);
  const inputs = await inputsNamed(work, names);
  const done = new Map<string, Done>();
  const { compiled, compile, backend } = await judgeAll(work, { source, inputs, done, isEnough });
  context.signal.throwIfAborted();
  const official = [...done.values()].flatMap(({ record }) =>
    inputs.isOfficial(record.name) ? [record] : [],
  );
  return {
    compiled,
    message: compiled ? '' : shortened(compile?.digest || compile?.stderr.text || compile?.verdict || ''),
    cases: compiled ? outcomesOf(names, done, isEnough) : [],
    backend,
    best: await bestAfter(work.workspace, work.facts, official),
  };
}

type Judging = {
  readonly source: string;
  readonly inputs: CaseInputs;
  readonly done: Map<string, Done>;
  readonly isEnough: (done: number) => boolean;
};

async function judgeAll(work: Work, { source, inputs, done, isEnough }: Judging) {
  const { desk, facts, workspace, crate, jobs, turns, io, signal } = work;
  const { config, id, folder } = workspace;
  const outputs = await keepSessionOutputs(folder, desk.hashText(source), desk.recent);
  const texts = new Map<string, string>();
  const onCase = async (report: CaseReport) => {
    const input = texts.get(report.name) ?? '';
    texts.delete(report.name);
    const outcome = outcomeOf(report, input, facts);
    done.set(report.name, { record: recordOf(outcome, inputHash(desk.hashText, input)), outcome });
    await outputs.add(report.name, report.output);
    return isEnough(done.size) ? 'stop' : undefined;
  };
  const options = {
    ...{ contest: facts.contest, source, crate, jobs, turns, cases: casesOf(inputs, texts) },
    compileTimeoutMs: Number(config.get('docker.compilation_timeout')) * 1000,
    caseTimeoutMs: Number(config.get('docker.execution_timeout')) * 1000,
  };
  return evaluate(io.sandbox, options, onCase, signal).catch((error: unknown) => {
    throw error instanceof ToolsDoNotBuild ? toolsDoNotBuild(error, id) : error;
  });
}

/** Read when their turn comes, and kept until their result is there. */
async function* casesOf({ names, read }: CaseInputs, texts: Map<string, string>) {
  for (const name of names) {
    const input = await read(name);
    texts.set(name, input);
    yield { name, input };
  }
}

/** All of them, unless it was said that those which are there will do. */
function outcomesOf(
  names: readonly string[],
  done: ReadonlyMap<string, Done>,
  isEnough: (done: number) => boolean,
): CaseOutcome[] {
  const missing = names.find((name) => !done.has(name));
  if (missing !== undefined && !isEnough(done.size)) throw new Error(`The case ${missing} has no result.`);
  return names.flatMap((name) => done.get(name)?.outcome ?? []);
}

const mostWords = 4_000;

function shortened(words: string): string {
  return words.length <= mostWords ? words : `${words.slice(0, mostWords)}…`;
}
