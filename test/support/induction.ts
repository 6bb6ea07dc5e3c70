/**
 * Small tasks of grids, and runs of the induction graph over them with a model that is one function. Two tasks: `mirror`
 * turns left and right round, `grow` puts a row of the first colour below.
 */
import { inductionGraph } from '../../src/agents/induction-graph/induction-graph.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Model, ModelCall, ModelReply, ModelRequest } from '../../src/core/model.ts';
import type { Examples, Family, Grid } from '../../src/core/problem.ts';
import { sameGrid } from '../../src/grids/grid.ts';
import { foldInduction } from '../../src/notes/induction.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { familyOf, modelOf, oddRun } from './odd.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { eventsOf, type ToyWorldOptions, toyWorld } from './world.ts';

export const mirrored = (grid: Grid): Grid => grid.map((row) => row.toReversed());

export const mirror: Examples = {
  pairs: [
    { input: [[1, 0, 0]], output: [[0, 0, 1]] },
    {
      input: [
        [2, 3],
        [4, 5],
      ],
      output: [
        [3, 2],
        [5, 4],
      ],
    },
  ],
  queries: [
    [[7, 8, 9]],
    [
      [6, 0],
      [0, 6],
    ],
  ],
};

/** Graded by the attempts' first grids; a family of odd tasks whose examples a test gives. */
export function exampleFamily(examples: Examples = mirror, solve: (grid: Grid) => Grid = mirrored): Family {
  return familyOf({
    examples,
    async grade({ answer }) {
      const attempts = answer?.type === 'grids' ? answer.attempts : [];
      const isRight = (query: Grid, at: number): boolean =>
        attempts[at]?.some((attempt) => sameGrid(attempt, solve(query))) ?? false;
      return { correct: examples.queries.every(isRight), explanation: 'compared' };
    },
  });
}

export type Asked = { readonly request: ModelRequest; readonly call: ModelCall };

export type Induced = {
  readonly settings?: JsonObject;
  readonly examples?: Examples;
  readonly limits?: JsonObject;
  readonly model?: Partial<Model>;
  readonly world?: Partial<ToyWorldOptions>;
  /** What its user says as soon as it has begun. */
  readonly told?: readonly string[];
};

export type Answering = (asked: Asked) => string | ModelReply | object | Promise<object>;

/** Runs it to its end, and replays it: that comes out the same, always. */
export async function induced(answer: Answering, options: Induced = {}) {
  const asked: Asked[] = [];
  const model = modelOf(async (request, call) => {
    asked.push({ request, call });
    const said = await answer({ request, call });
    if (typeof said === 'string' || 'ok' in said) return said as string | ModelReply;
    return structured(said);
  }, options.model);
  const world = toyWorld({
    folder: temporaryFolder(),
    model,
    agents: [inductionGraph],
    families: [exampleFamily(options.examples)],
    ...options.world,
  });
  const spec = oddRun({
    agent: 'induction-graph',
    settings: { hypotheses: 1, anotherRule: false, ...options.settings },
    limits: { ...options.limits },
  });
  const { done: ended } = await startRun(world, spec);
  for (const text of options.told ?? []) await world.store.post('run', { kind: 'tell', text, atMs: 1 });
  const end = await ended;
  const events = await eventsOf(world, 'run');
  const replay = await replayRun(world, 'run');
  await world.store.close();
  const rolesAsked = asked.map(({ call }) => call.role);
  return { end, events, asked, rolesAsked, replay, view: foldInduction(events) };
}

export function structured(object: object): ModelReply {
  const text = JSON.stringify(object);
  return {
    ok: true,
    message: { role: 'assistant', content: [{ type: 'text', text }] },
    finish: 'stop',
    object: JSON.parse(text),
    usage: { tokens: { input: 100, cachedInput: 40, output: 20, reasoning: 5 }, costUsd: null },
  };
}

export function instruct(instruction: string, more: object = {}): object {
  return { instruction, revises: null, done: false, rationale: 'because', confidence: 'high', ...more };
}

export const done = instruct('', { done: true });

/** What the generator sends for these outputs, in the usual form. */
export function outputs(
  train: readonly (Grid | null)[],
  test: readonly (Grid | null)[],
  status = 'changed',
): object {
  const written = (grid: Grid | null, at: number) => ({
    sample: at + 1,
    grid: grid === null ? null : grid.map((row) => row.join(' ')).join('\n'),
  });
  return { status, train_outputs: train.map(written), test_outputs: test.map(written) };
}

export function solvedBy(examples: Examples, rule: (grid: Grid) => Grid): object {
  return outputs(
    examples.pairs.map(({ input }) => rule(input)),
    examples.queries.map(rule),
  );
}

/** All that a request says, in one text. */
export function wordsOf({ request }: Asked): string {
  return request.messages
    .map(({ content }) =>
      typeof content === 'string'
        ? content
        : content.map((part) => ('text' in part ? part.text : `[${part.type}]`)).join('\n'),
    )
    .join('\n---\n');
}
