/**
 * Runs of the ensemble and its strategies over a real store: a question of the family qa, a model whose replies stand by
 * branch and role, a sandbox of words unless the test brings one.
 */
import { chainAgent } from '../../src/agents/ensemble/chain.ts';
import { ensemble } from '../../src/agents/ensemble/ensemble.ts';
import { programAgent } from '../../src/agents/ensemble/program.ts';
import { reactAgent } from '../../src/agents/ensemble/react.ts';
import { openAnswers } from '../../src/answers/index.ts';
import type { Agent } from '../../src/core/agent.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Model, ModelReply, ModelRequest } from '../../src/core/model.ts';
import type { Family } from '../../src/core/problem.ts';
import { qaFamily } from '../../src/families/qa/family.ts';
import { ensembleNotesOf } from '../../src/notes/ensemble.ts';
import { hashText } from '../../src/run/hash.ts';
import { replayRun } from '../../src/run/replay.ts';
import { type RunSpec, startRun } from '../../src/run/start.ts';
import { modelOf, said } from './odd.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { toyInfo } from './toy-sandbox.ts';
import { eventsOf, type ToyWorldOptions, toyWorld } from './world.ts';

export const ensembleAgents = [ensemble, programAgent, chainAgent, reactAgent] as unknown as readonly Agent[];

const answers = await openAnswers();

export const questions: Family = qaFamily({
  answers,
  readBytes: async () => new Uint8Array(),
  stampOf: async () => null,
  absolute: (path) => path,
  hashText,
});

/** By branch (`planner` and `solver` of the root are themselves), others as `chain-1/reviewer`; the last line for ever. */
export type Lines = Readonly<Record<string, readonly (string | ModelReply | JsonObject)[]>>;

export type Asked = { readonly place: string; readonly request: ModelRequest };

/** A place without lines fails as a script does that has come to its end. */
export function speaker(lines: Lines, asked: Asked[] = [], more: Partial<Model> = {}): Model {
  return modelOf((request, { role, branch, index }) => {
    const place = role === 'solver' ? branch || role : [branch, role].filter(Boolean).join('/');
    asked.push({ place, request });
    const own = lines[place] ?? [];
    const line = own[Math.min(index, own.length - 1)];
    if (line === undefined) return failure('script-exhausted', `nothing is written for ${place}`);
    if (typeof line === 'string') return said(line);
    if ('ok' in line) return line as ModelReply;
    return { ...(said(JSON.stringify(line)) as Extract<ModelReply, { ok: true }>), object: line };
  }, more);
}

export function failure(
  kind: Extract<ModelReply, { ok: false }>['error']['kind'],
  message: string = kind,
): ModelReply {
  return { ok: false, error: { kind, message, retryable: false }, usage: null };
}

export const refusal: ModelReply = {
  ...(said('no') as Extract<ModelReply, { ok: true }>),
  finish: 'refusal',
};

/** What the toy sandbox prints. */
export const prints = (text: string): string => `\`\`\`python\nsay ${text}\n\`\`\``;
export const states = (text: string): string => `It is $${text}$.\n\nFinal answer: ${text}`;
export const planned = (recommendation: string, problemType = 'Math'): JsonObject => ({
  problemType,
  plan: 'Add, then halve.',
  recommendation,
});

export type Played = {
  readonly lines: Lines;
  readonly agent?: string;
  readonly settings?: JsonObject;
  readonly limits?: RunSpec['limits'];
  readonly spec?: Partial<RunSpec>;
  readonly world?: Partial<ToyWorldOptions>;
  readonly model?: Partial<Model>;
};

export async function played({ lines, agent = 'ensemble', settings = {}, limits = {}, ...more }: Played) {
  const asked: Asked[] = [];
  const world = toyWorld({
    folder: temporaryFolder(),
    model: speaker(lines, asked, more.model),
    agents: ensembleAgents,
    families: [questions],
    sandboxInfo: toyInfo,
    ...more.world,
  });
  const end = await (await startRun(world, { ...questionRun, agent, settings, limits, ...more.spec })).done;
  const events = await eventsOf(world, 'run');
  const replay = await replayRun(world, 'run');
  await world.store.close();
  const of = (place: string) => asked.filter((each) => each.place === place).map(({ request }) => request);
  return { end, events, notes: ensembleNotesOf(events), asked, of, replay };
}

export const questionRun: RunSpec = {
  id: 'run',
  family: 'qa',
  problem: { question: 'What is half of 80 and 4?', answer: '42' },
  agent: 'ensemble',
  models: { default: 'test/odd' },
  seed: 'a seed',
};

/** All words of a request. */
export const wordsOf = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages ?? []);
