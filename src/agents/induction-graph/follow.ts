/**
 * Follows a graph of one hypothesis to its end, or to where the model or a limit lets it go no further: then it hands in
 * what it had. It knows that a hypothesis has candidates, and nothing of what nodes do.
 */
import { END } from '@langchain/langgraph';
import { deadEndOf, type Line } from './asking.ts';
import type { Candidate, Finished, Status } from './state.ts';
import { type Graph, walk } from './walk.ts';

type Hypothesis = { readonly status: Status; readonly candidates: readonly Candidate[] };
type Work<State> = (line: Line, state: State) => Promise<Partial<State>>;

/** Makes a node of the graph from its work. */
export type NodeMaker<State> = (work: Work<State>) => (state: State) => Promise<Partial<State>>;

export type Course<State> = {
  readonly first: State;
  /** To how many nodes it may come. */
  readonly visits: number;
  compile(node: NodeMaker<State>): Graph<State>;
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
