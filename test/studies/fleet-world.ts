/** Hosts of a fleet: processes with one Postgres, each of which takes the others for another machine's. */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet, WorkerFacts } from '../../src/core/fleet.ts';
import type { ModelReply } from '../../src/core/model.ts';
import type { Store } from '../../src/core/store.ts';
import { systemClock } from '../../src/io/clock.ts';
import type { PaceLimits } from '../../src/run/pacing/lane.ts';
import { Pacer } from '../../src/run/pacing/pacer.ts';
import { SharedLanes } from '../../src/run/pacing/shared-lanes.ts';
import type { World } from '../../src/run/world.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { needsOf } from '../../src/studies/fleet/fits.ts';
import { GivenRows } from '../../src/studies/fleet/given-rows.ts';
import { beginSet, prepareRows, resumeSet } from '../../src/studies/run-set/execute.ts';
import type { RunSet } from '../../src/studies/run-set/plan.ts';
import { modelOf, type OddOptions, said } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventsOf } from '../support/world.ts';
import { rowOf, setOfRows, setWorld } from './sets.ts';

/** Long enough for a busy machine to renew it every two seconds, and short enough to wait for. */
export const leaseMs = 3_000;
/** A token of output costs this, and each reply says how many it has. */
const price = { inputUsdPerMillion: 1, cachedInputUsdPerMillion: 0.1, outputUsdPerMillion: 2 };

export type Place = {
  readonly folder: string;
  readonly url: string;
  /** How long a call takes. */
  readonly callMs?: number;
  /** For what must not depend on how fast the machine is, and in which no host is lost. */
  readonly longLease?: boolean;
  /** Where models are asked over HTTP, and the pace that is stated for it. */
  readonly provider?: { readonly url: string; readonly limits: PaceLimits };
};

export const rowsOfFleet = (count: number, calls: number) =>
  Array.from({ length: count }, (_, n) => rowOf({ name: `row ${n}`, settings: { calls } }));

export const setOfFleet = (count: number, calls: number, more: Parameters<typeof setOfRows>[1] = {}) =>
  setOfRows(rowsOfFleet(count, calls), more);

/** Every call that reaches the "provider" leaves a line in a file outside, which survives any kill. */
export async function hostWorld(
  { folder, url, provider, callMs = 25, longLease }: Place,
  host: string,
  { quietMs, ...more }: OddOptions & { readonly quietMs?: number } = {},
): Promise<World & { store: Store; fleet: Fleet }> {
  const lease = { leaseMs: longLease ? 600_000 : leaseMs };
  const store = await openPostgresStore({ url, ...lease, ...(quietMs === undefined ? {} : { quietMs }) });
  const fleet = await store.fleet?.();
  if (!fleet) throw new Error('The store gives nothing out.');
  const model = modelOf(
    async (request, { run }) => {
      const asked = JSON.stringify(request.messages);
      appendFileSync(join(folder, 'outside.log'), `${run} ${asked}\n`);
      if (provider) return askProvider(provider.url, host);
      await sleep(callMs);
      return `${request.messages.length} ${asked.length} `.padEnd(300, '.');
    },
    { kind: 'live', price },
  );
  const world = setWorld(model, { folder: temporaryFolder(), wrapStore: () => store, ...more });
  const lines = [{ name: 'test/*', limits: provider?.limits ?? {}, fits: () => true }];
  const pacer = new Pacer({ clock: systemClock, lines, shared: new SharedLanes(store) });
  // No process of this machine: whether it lives, its lease alone tells.
  const owner = { pid: process.pid, startedAt: `${host}/${process.pid}/1`, host };
  return { ...world, owner, fleet, store, ...(provider ? { pacer } : {}) };
}

async function askProvider(url: string, host: string): Promise<ModelReply> {
  const response = await fetch(`${url}/${host}`);
  const text = await response.text();
  if (response.ok) return said(text);
  const retryAfterMs = Number(response.headers.get('retry-after')) * 1_000;
  const error = { kind: 'rate-limit', message: text, retryable: true, retryAfterMs } as const;
  return { ok: false, error, usage: null };
}

/** By the host that is none of the workers. */
export async function giveOut(
  place: Place,
  set: RunSet,
  how: 'begin' | 'resume' = 'begin',
  more: Parameters<typeof hostWorld>[2] = {},
  wrap: (store: Store) => Store = (store) => store,
) {
  const world = await hostWorld(place, 'giver', more);
  wrap(world.store);
  const prepared = await prepareRows(world, set);
  const headerOf = async (index: number) => {
    const [first] = await eventsOf(world, `${set.id}-${index + 1}`);
    return prepared.get(index)?.header ?? (first?.kind === 'run-start' ? first.body : null);
  };
  const runner = new GivenRows(world, set, prepared, {
    fleet: world.fleet,
    needsOf: async (index) => {
      const header = prepared.get(index)?.header ?? (await headerOf(index));
      if (!header) throw new Error('It has no header.');
      return needsOf(header);
    },
    onAlone: () => undefined,
  });
  const work = { prepared, runner };
  const handle = await (how === 'begin' ? beginSet(world, set, work) : resumeSet(world, set, work));
  return { world, handle };
}

export function factsOf(host: string, more: Partial<WorkerFacts> = {}): Omit<WorkerFacts, 'runs'> {
  return {
    ...{ id: `${host}-${process.pid}`, host, boot: host, pid: process.pid, codeVersion: 'test', slots: 2 },
    ...{ isolation: null, toolchains: [], providers: ['test'], only: [] },
    ...more,
  };
}

export function madeCalls({ folder }: Place): string[] {
  const log = join(folder, 'outside.log');
  return (existsSync(log) ? readFileSync(log, 'utf8') : '').split('\n').filter(Boolean);
}

export type Host = {
  readonly name: string;
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<number | NodeJS.Signals | null>;
};

let hosts = 0;

export function startHost(place: Place, slots = 2): Host {
  hosts += 1;
  const name = `host${hosts}`;
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'fleet-child.ts'), JSON.stringify(place), name, `${slots}`],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  );
  return { name, ended, signal: (signal) => void child.kill(signal) };
}
