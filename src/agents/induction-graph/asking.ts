/**
 * How a hypothesis asks models, and how its graph is followed to its end, or to where a model or a limit lets it go no
 * further: then it hands in what it had. What is wrong with the world rather than with one reply (an outage, no sandbox)
 * is thrown on: the run can be resumed when it is over.
 */
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { END } from '@langchain/langgraph';
import type { Run } from '../../core/agent.ts';
import { describeCut, describeModelRefusal, requireReply } from '../../core/cut-off.ts';
import { ContextOverflow, EffectFailed, LimitReached } from '../../core/errors.ts';
import { isCutOff, type Message, type ModelSuccess, type TextPart } from '../../core/model.ts';
import type { Examples, Grid, Problem } from '../../core/problem.ts';
import { gridText, note } from '../../notes/induction.ts';
import { oneLine } from '../../text/format.ts';
import {
  describeCutReply,
  modelSettings,
  type OutputForm,
  type ReplyReading,
  requestReading,
} from '../kit/asking.ts';
import type { InductionSettings, inductionRoles } from './settings.ts';
import { type Candidate, type Finished, type Outputs, type Status, verify } from './state.ts';
import { type SamplesMessage, text } from './words.ts';

export type Line = {
  readonly run: Run;
  readonly problem: Problem;
  /** As this hypothesis sees them: turned, mirrored, in other colours. */
  readonly examples: Examples;
  readonly settings: InductionSettings;
  readonly samples: SamplesMessage;
  /** From 1; of how many. */
  readonly number: number;
  readonly count: number;
  /** What its user said meanwhile; common to all. */
  readonly hints: string[];
  /** A grid as this hypothesis sees it, as the task has it. */
  restore(grid: Grid): Grid;
};

type Question<T> = {
  readonly role: (typeof inductionRoles)[number];
  readonly messages: readonly Message[];
  readonly form: OutputForm;
  /** Of a complete reply; `again`: how often it was asked for once more. */
  read(reply: ModelSuccess, retryCount: number): ReplyReading<T>;
};

/** A hypothesis cannot go on; what it has made so far counts. */
class DeadEnd extends Error {
  readonly isRefusal: boolean;

  constructor(message: string, isRefusal = false) {
    super(message);
    this.name = 'DeadEnd';
    this.isRefusal = isRefusal;
  }
}

export async function requestReply<T>(
  line: Line,
  { role, messages, form, read }: Question<T>,
): Promise<{ readonly value: T; readonly messages: readonly Message[] }> {
  const { run, settings } = line;
  const output = settings.replies === 'structured' ? form : undefined;
  const wished = modelSettings({ ...settings, reasoningEffort: settings.reasoning });
  const received = await requestReading<T, ModelSuccess>({
    messages,
    repairs: settings.repairs,
    async request(turns) {
      const answered = await run.generate(role, { messages: turns, output, settings: wished });
      const reply = answered.ok && isCutOff(answered) ? answered : requireReply(answered);
      if (reply.finish === 'refusal') throw new DeadEnd(describeModelRefusal(reply), true);
      return reply;
    },
    read,
    onUnread: (problem, reply) => note(run, 'unreadable', { role, problem: describeCut(reply) ?? problem }),
    repairPrompt: (problem) => run.prompt('again', { problem }),
  });
  const { reading, reply } = received;
  if (reading.ok) return { value: reading.value, messages: received.messages };
  const why = isCutOff(reply) ? describeCutReply({}, reply) : reading.problem;
  throw new DeadEnd(`The ${role}'s reply cannot be used. ${why}`);
}

/** Below the instructions: the labelled lines that a reply consists of, where it is no JSON. */
export function inText({ run, settings }: Line, form: string): string {
  return settings.replies === 'text' ? `\n\n${run.prompt(form)}` : '';
}

/** For all lines but the first. */
export function alternativeLineHint({ run, number, count }: Line): TextPart[] {
  return number > 1 ? [text(run.prompt('another', { number: `${number}`, count: `${count}` }))] : [];
}

/** What ends a hypothesis and not the run, as the end of it. */
export function deadEndOf(
  error: unknown,
): Required<Pick<Finished, 'detail' | 'isRefused' | 'isContextFull'>> | null {
  const isContextFull = error instanceof ContextOverflow;
  if (error instanceof DeadEnd) return { detail: error.message, isRefused: error.isRefusal, isContextFull };
  const isEnd =
    error instanceof LimitReached || (error instanceof EffectFailed && !error.effectError.unavailable);
  return isEnd ? { detail: error.message, isRefused: false, isContextFull } : null;
}

/** Turned back from the hypothesis's view to the task's own. */
export function recordGrids({ restore }: Line, grids: readonly (Grid | null)[]): (string | null)[] {
  return grids.map((grid) => grid && gridText(restore(grid)));
}

type Hypothesis = { readonly status: Status; readonly candidates: readonly Candidate[] };

/** A graph: how it begins, and how it is compiled of nodes that are made of their work. */
type Course<State> = {
  readonly first: State;
  /** To how many nodes it may come. */
  readonly visits: number;
  compile(
    node: (
      work: (line: Line, state: State) => Promise<Partial<State>>,
    ) => (state: State) => Promise<Partial<State>>,
  ): Graph<State>;
  finished(state: State): Finished;
};

export async function follow<State extends Hypothesis>(
  line: Line,
  { first, visits, compile, finished }: Course<State>,
): Promise<Finished> {
  let latest = first;
  const graph = compile((work) => async (state) => {
    const update = await work(line, state);
    latest = { ...state, ...update };
    return update;
  });
  try {
    await walk(graph, first, visits);
    return finished(latest);
  } catch (error) {
    const deadEnd = deadEndOf(error);
    if (!deadEnd) throw error;
    const status = latest.candidates.some(({ passed }) => passed) ? 'completed' : 'failed';
    return { ...finished(latest), status, ...deadEnd };
  }
}

/** To this node as long as the hypothesis lives. */
export function goOn<Node extends string>(node: Node): (state: Hypothesis) => Node | typeof END {
  return ({ status }) => (status === 'running' ? node : END);
}

/** Holds what a step made against the train pairs, and says whether the hypothesis goes on. `errors`: of test inputs. */
export function verified(
  { run, examples, settings, restore }: Line,
  { step, candidates: before }: { readonly step: number; readonly candidates: readonly Candidate[] },
  outputs: Outputs,
  { mostSteps, errors = [] }: { readonly mostSteps: number; readonly errors?: readonly (string | null)[] },
) {
  const verification = verify(examples, outputs.train);
  const { score } = verification;
  const missing = outputs.test.indexOf(null);
  const passed = verification.passed && missing < 0;
  const test = outputs.test.map((grid) => grid && restore(grid));
  const candidates = [...before, { step, passed, score, test }];
  const hasPassed = candidates.some((candidate) => candidate.passed);
  const end: Status = hasPassed ? 'completed' : 'failed_max_steps';
  const isEnough = passed && settings.afterPass === 'exit';
  const status: Status = isEnough || step >= mostSteps ? end : 'running';
  note(run, 'verifier', { step, passed: verification.passed, score, pairs: [...verification.pairs], status });
  const why = oneLine(errors[missing] ?? '').slice(-200);
  const detail =
    verification.passed && !passed
      ? `The train pairs are reproduced, but there is no output of test ${missing + 1}${why && `: ${why}`}.`
      : '';
  return { verification, candidates, status, detail };
}

type Graph<State> = {
  invoke(
    state: State,
    config: { recursionLimit: number; callbacks: BaseCallbackHandler[] },
  ): Promise<unknown>;
};

/**
 * Drives a graph of LangGraph to its end, with what the engine must not do switched off: no checkpointer (the journal
 * lies under it), no retries (the run makes them), no tracing to a server. `visits`: to how many nodes it may come; the
 * engine's own limit of 25 would end a graph of nine steps.
 */
export async function walk<State>(graph: Graph<State>, state: State, visits: number): Promise<void> {
  try {
    await graph.invoke(state, { recursionLimit: visits + 1, callbacks: [new NoTracer(), noConsole()] });
  } catch (error) {
    // The engine writes the id of its task into every error that it lets through.
    if (error instanceof Error) Reflect.deleteProperty(error, 'pregelTaskId');
    throw error;
  }
}

/** It also prints every state where the environment says so, unless it finds a handler without a name: its own test. */
function noConsole(): BaseCallbackHandler {
  const handler = new NoTracer();
  Reflect.set(handler, 'name', undefined);
  return handler;
}

/** The engine adds a tracer that sends every state to a server, where the environment says so, unless it finds one. */
class NoTracer extends BaseCallbackHandler {
  override name = 'langchain_tracer';
  override ignoreLLM = true;
  override ignoreChain = true;
  override ignoreAgent = true;
  override ignoreRetriever = true;
  override ignoreCustomEvent = true;

  /** The engine asks its tracer for this before each node: there is no tree to be sent. */
  getRunTreeWithTracingConfig(): undefined {
    return undefined;
  }
}
