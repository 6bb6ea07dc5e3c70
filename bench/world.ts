/**
 * A world for benches: a real store in a temporary folder, and everything else as cheap as can be. No sandbox, no
 * network, no grading; a problem whose tool answers at once.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '../src/core/agent.ts';
import { UnavailableError } from '../src/core/errors.ts';
import type { Model } from '../src/core/model.ts';
import type { Family, ProblemFace, Tool } from '../src/core/problem.ts';
import { systemClock } from '../src/io/clock.ts';
import { type RunSpec, startRun } from '../src/run/start.ts';
import type { World } from '../src/run/world.ts';
import { thisProcess } from '../src/store/owner.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';

export type BenchWorld = World & { readonly file: string } & AsyncDisposable;

export type BenchWorldOptions = {
  readonly agent: Agent;
  readonly model: Model;
  readonly tools?: readonly Tool[];
};

export function openWorld({ agent, model, tools = [] }: BenchWorldOptions): BenchWorld {
  const folder = mkdtempSync(join(tmpdir(), 'polya-bench-'));
  const file = join(folder, 'polya.db');
  const store = openSqliteStore({ file, now: () => Date.now() });
  return {
    file,
    store,
    io: {
      http: { request: unreachable },
      files: { read: unreachable, write: unreachable },
      clock: systemClock,
      chance: { next: () => 0.5 },
      sandbox: { info: unreachable, exec: unreachable },
    },
    owner: thisProcess(),
    codeVersion: 'bench',
    retry: { maxRetries: 0, firstWaitMs: 1, maxWaitMs: 1 },
    agent: () => agent,
    family: () => familyOf(tools),
    model: async () => model,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export function specOf(agent: Agent, id: string, settings: RunSpec['settings'] = {}): RunSpec {
  return { id, family: 'bench', problem: {}, agent: agent.name, settings, models: { default: 'bench' }, seed: 'seed' };
}

/** From start to end; anything but a happy end makes the bench worthless. */
export async function runToEnd(world: World, spec: RunSpec): Promise<void> {
  const { outcome, error } = await (await startRun(world, spec)).done;
  if (outcome === 'error') throw new Error(`The run ended in an error: ${error?.message}`);
}

const unreachable = async (): Promise<never> => {
  throw new UnavailableError({ what: 'There is no such thing in a bench.' });
};

function familyOf(tools: readonly Tool[]): Family {
  const face: ProblemFace = {
    family: 'bench',
    id: 'bench-1',
    title: 'Bench',
    reference: {},
    contentHash: 'bench',
    statement: [{ type: 'text', text: 'Go on until you are told to stop.' }],
    brief: { task: 'go on', answerFormat: 'none', criteria: 'none', environment: '' },
    stages: ['only'],
    detail: {},
  };
  return { name: 'bench', pose: async () => face, open: () => ({ face, tools }) };
}
