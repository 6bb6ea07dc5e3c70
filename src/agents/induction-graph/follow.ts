/**
 * Follows a graph of one hypothesis to its end, or to where the model or a limit lets it go no further: then it hands in
 * what it had. It knows that a hypothesis has candidates, and nothing of what nodes do.
 */
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { END } from '@langchain/langgraph';
import { note } from '../../notes/induction.ts';
import { deadEndOf, type Line } from './asking.ts';
import { type Candidate, type Finished, type Outputs, type Status, verify } from './state.ts';

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

/** Holds what a step made against the train pairs, and says whether the hypothesis goes on. */
export function verified(
  { run, examples, settings, restore }: Line,
  { step, candidates: before }: { readonly step: number; readonly candidates: readonly Candidate[] },
  made: Outputs,
  mostSteps: number,
) {
  const verification = verify(examples, made.train);
  const { passed, score } = verification;
  const test = made.test.map((grid) => grid && restore(grid));
  const candidates = [...before, { step, passed, score, test }];
  const hasPassed = candidates.some((candidate) => candidate.passed);
  const end: Status = hasPassed ? 'completed' : 'failed_max_steps';
  const isEnough = passed && settings.afterPass === 'exit';
  const status: Status = isEnough || step >= mostSteps ? end : 'running';
  note(run, 'verifier', { step, passed, score, pairs: [...verification.pairs], status });
  return { verification, candidates, status };
}

/** What of a compiled graph is used. */
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
