/**
 * The evaluation of a search: what each case came to, in the order in which they were asked for, as journals have it. The
 * workspace keeps the best known scores, and for a while what programs wrote (`HASH/CASE.out`, by the hash of the source);
 * its history and versions are those of its user. Without room on the disk nothing is kept, and the search goes on.
 */
import { UnavailableError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import type { EffectContext, Evaluation } from '../../../core/problem.ts';
import type { CaseOutcome, ProgramEvaluation, ProgramTask } from '../../../core/program.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import { evaluateProgram, jobsOf, missingToolsError } from '../evaluation.ts';
import { shortened } from '../judge/evaluate.ts';
import { layout } from '../layout.ts';
import { bestAfter } from '../records/best.ts';
import type { OutputKeeper } from '../records/versions.ts';
import type { ContestInfo } from './facts.ts';
import { freshNames, inputsNamed } from './fresh.ts';
import { partsAt } from './sent.ts';
import type { AhcServices } from './services.ts';

/** A problem whose programs are evaluated. */
export type ContestProblem = {
  readonly services: AhcServices;
  readonly facts: ContestInfo;
  /** The workspace's folder. */
  readonly path: string;
};

/** The capability `program`: what a search over programs is given of a contest. */
export function programTask(problem: ContestProblem): ProgramTask {
  const { contest, template, cases, best } = problem.facts;
  const { direction, scoring, timeLimitMs, tools } = contest;
  return {
    language: 'cpp',
    direction,
    scoring,
    template,
    cases,
    best,
    timeLimitMs,
    casesAtOnce: problem.services.cores,
    fresh: tools?.generator ? freshNames : undefined,
    async evaluate(source, names, context): Promise<Evaluation> {
      const { evaluation } = await measureProgram(problem, { source, names }, context);
      return { score: meanScore(evaluation), data: evaluation };
    },
  };
}

/** Null unless every case has a score: what is a mean over some of them is none over all. */
function meanScore({ cases }: ProgramEvaluation): number | null {
  const scores = cases.flatMap(({ score }) => (score === null ? [] : [score]));
  return scores.length === cases.length ? mean(scores) : null;
}

type MeasureRequest = {
  readonly source: string;
  readonly names: readonly string[];
  /** Whether so many cases will do; missing: all are run. */
  readonly isEnough?: (done: number) => boolean;
};

/**
 * Without names: only whether it compiles. `best`: the best known scores of the official ones among these cases by now.
 * Throws where it was broken off.
 */
export async function measureProgram(
  { services: input, facts, path }: ContestProblem,
  { source, names: requests, isEnough = () => false }: MeasureRequest,
  { io, signal }: Pick<EffectContext, 'io' | 'signal'>,
): Promise<{ evaluation: ProgramEvaluation; best: Readonly<Record<string, number>> }> {
  const { sandbox } = io;
  const services = partsAt(input, io);
  const { hashText, queue, recent, cores, machine } = services;
  const { contest } = facts;
  const workspace = await services.openWorkspace(path);
  const { folder } = workspace;
  const crate = contest.tools && (await services.crateOf(workspace, contest.tools.sha256));
  if (contest.tools && !crate) throw missingToolsError(workspace);
  const jobs = jobsOf(workspace) ?? cores;
  const turns = queue.enter(jobs);
  const { names, isOfficial, read } = await inputsNamed(
    { folder, contest, crate, sandbox, turns, signal },
    { names: requests, id: workspace.id },
  );
  const outcomes = new Map<string, CaseOutcome>();
  // On another host nobody looks at them.
  const outputs = io.userFolder
    ? { add: async () => undefined }
    : await keepSessionOutputs(folder, hashText(source), recent);
  const { compiled, compile, backend, cases } = await evaluateProgram(
    {
      workspace,
      sandbox,
      hashText,
      contest,
      crate,
      source,
      names,
      read,
      outputs,
      jobs,
      turns,
      machine,
      features: facts.features,
    },
    (judged) => {
      outcomes.set(judged.name, judged);
      return isEnough(outcomes.size) ? 'stop' : undefined;
    },
    signal,
  );
  signal.throwIfAborted();
  const missing = requests.find((name) => !outcomes.has(name));
  if (compiled && missing !== undefined && !isEnough(outcomes.size))
    throw new Error(`The case ${missing} has no result.`);
  const reason = compile?.digest || compile?.stderr.text || compile?.verdict || '';
  const official = cases.filter(({ name }) => isOfficial(name));
  return {
    evaluation: {
      compiled,
      message: compiled ? '' : shortened(reason, mostWords),
      cases: compiled ? requests.flatMap((name) => outcomes.get(name) ?? []) : [],
      backend,
    },
    best: await bestAfter(folder, contest.direction, official),
  };
}

const mostWords = 4_000;

/** Longer ones are made again when they are to be shown. */
const mostCharacters = 1_000_000;
/** Of this process; and of others, of which some may be dead. */
const mostOwn = 100;
const mostOwnCharacters = 128_000_000;
const mostStrange = 300;

export async function keepSessionOutputs(
  folder: Folder,
  source: string,
  recent: AhcServices['recent'],
): Promise<OutputKeeper> {
  const before = recent.get(source) ?? 0;
  recent.delete(source);
  recent.set(source, before);
  const old = oldestEntries(recent, source);
  const strangers = (await folder.foldersIn(layout.sessionOutputs)).filter((name) => !recent.has(name));
  const surplus = strangers.slice(0, Math.max(0, strangers.length - mostStrange));
  for (const name of new Set([...old, ...surplus])) await folder.remove(`${layout.sessionOutputs}/${name}`);
  return {
    async add(name, _input, output) {
      const characters = (recent.get(source) ?? 0) + output.length;
      if (output.length > mostCharacters || characters > mostOwnCharacters) return;
      if (recent.has(source)) recent.set(source, characters);
      const file = `${layout.sessionOutputs}/${source}/${name}.out`;
      await folder.write(file, output, { isLasting: false }).catch((error: unknown) => {
        if (!(error instanceof UnavailableError)) throw error;
      });
    },
  };
}

/** The oldest, until the others are few enough, and small enough together. */
function oldestEntries(recent: AhcServices['recent'], newest: string): readonly string[] {
  const old: string[] = [];
  let characters = [...recent.values()].reduce((sum, each) => sum + each, 0);
  for (const [source, own] of recent) {
    if (source === newest || (recent.size <= mostOwn && characters <= mostOwnCharacters)) break;
    recent.delete(source);
    characters -= own;
    old.push(source);
  }
  return old;
}
