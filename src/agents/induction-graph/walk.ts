/**
 * Drives a graph of LangGraph to its end, with what the engine must not do switched off: no checkpointer (the journal
 * lies under it), no retries (the run makes them), no tracing to anybody's server. It knows nothing of what nodes do.
 */
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';

/** What of a compiled graph is used. */
export type Graph<State> = {
  invoke(
    state: State,
    config: { recursionLimit: number; callbacks: BaseCallbackHandler[] },
  ): Promise<unknown>;
};

/** `visits`: to how many nodes it may come; the engine's own limit of 25 would end a graph of nine steps. */
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
