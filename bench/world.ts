/**
 * A world for benches: a real store in a temporary folder, and everything else as cheap as can be. No sandbox, no
 * network, no grading; one problem of one stage, with the tools that a bench gives it.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Agent } from '../src/core/agent.ts';

import type { JsonObject } from '../src/core/json.ts';
import type { Model } from '../src/core/model.ts';
import type { Family, ProblemSpec, Tool } from '../src/core/problem.ts';
import type { Sandbox } from '../src/core/sandbox.ts';
import { systemClock } from '../src/io/clock.ts';
import { type RunSpec, startRun } from '../src/run/start.ts';
import type { Runtime } from '../src/run/world.ts';
import { thisProcess } from '../src/store/owner.ts';
import { openSqliteStore } from '../src/store/sqlite.ts';
import { noSandbox, unreachable } from '../test/support/no-sandbox.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type BenchWorld = Runtime & {
  readonly file: string;
  /** Moves what lies in SQLite's log into the file. */
  checkpoint(): void;
} & AsyncDisposable;

export type BenchWorldOptions = {
  readonly agent: Agent;
  readonly model: Model;
  readonly tools?: readonly Tool[];
  readonly sandbox?: Sandbox;
  /** A database to begin with. */
  readonly copyOf?: string;
};

export function openWorld({ agent, model, tools = [], sandbox, copyOf }: BenchWorldOptions): BenchWorld {
  const folder = temporaryFolder();
  const file = join(folder.path, 'polya.db');
  if (copyOf) copyFileSync(copyOf, file);
  const store = openSqliteStore({ file, now: Date.now });
  return {
    file,
    checkpoint: () => {
      using database = new DatabaseSync(file);
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    store,
    io: {
      http: { request: unreachable },
      files: { read: unreachable, write: unreachable, append: unreachable },
      clock: systemClock,
      chance: { next: () => 0.5 },
      sandbox: sandbox ?? noSandbox,
    },
    owner: thisProcess(),
    codeVersion: 'bench',
    retry: { maxRetries: 0, firstWaitMs: 1, maxWaitMs: 1 },
    agent: async () => agent,
    family: async () => familyOf(tools),
    model: async () => model,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A run from its start to its end; one that ends in an error would measure something else. */
export async function runToEnd(world: Runtime, id: string, settings: JsonObject = {}): Promise<void> {
  const { done } = await startRun(world, await specOf(world, id, settings));
  const { outcome, error } = await done;
  if (outcome === 'error') throw new Error(`The run ended in an error: ${error?.message}`);
}

export async function specOf(world: Runtime, id: string, settings: JsonObject = {}): Promise<RunSpec> {
  const { name } = await world.agent('');
  return { id, family: 'bench', problem: {}, agent: name, settings, models: { default: 'bench' } };
}

function familyOf(tools: readonly Tool[]): Family {
  const spec: ProblemSpec = {
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
  return { name: 'bench', load: async () => spec, open: () => ({ spec, tools }) };
}
