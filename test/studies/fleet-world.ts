/** Hosts of a fleet: processes with one Postgres, each of which takes the others for another machine's. */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet, WorkerInfo } from '../../src/core/fleet.ts';
import type { ModelReply } from '../../src/core/model.ts';
import type { SandboxInfo } from '../../src/core/sandbox.ts';
import type { Store } from '../../src/core/store.ts';
import { systemClock } from '../../src/io/clock.ts';
import type { PaceLimits } from '../../src/run/pacing/lane.ts';
import { Pacer } from '../../src/run/pacing/pacer.ts';
import { SharedLanes } from '../../src/run/pacing/shared-lanes.ts';
import type { Runtime } from '../../src/run/world.ts';
import { defaultRunLimits } from '../../src/sandbox/limits.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { platformIn } from '../../src/studies/fleet/host.ts';
import { Spool } from '../../src/studies/fleet/spool.ts';
import { modelOf, type OddOptions, said } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { graded, rowOf, setOfRows, setWorld } from './sets.ts';

/** Long enough for a busy machine to renew it every two seconds, and short enough to wait for. */
export const leaseMs = 3_000;
const usualCallMs = 25;
/** A token of output costs this, and each reply says how many it has. */
const price = { inputUsdPerMillion: 1, cachedInputUsdPerMillion: 0.1, outputUsdPerMillion: 2 };

export type Place = {
  readonly folder: string;
  readonly url: string;
  /** An HTTP server that takes a call and answers with what is said; without it calls are answered in the host itself. */
  readonly provider?: string;
  readonly leaseMs?: number;
  /** How long a call takes. */
  readonly callMs?: number;
  /** Whether a stop breaks a call off, as it does those of providers; default: it is answered all the same. */
  readonly breaksOff?: boolean;
  /** A provider over HTTP, and the pace that is stated for it. */
  readonly paced?: { readonly url: string; readonly limits: PaceLimits };
};

export const rowsOfFleet = (count: number, calls: number) =>
  Array.from({ length: count }, (_, n) => rowOf({ name: `row ${n}`, settings: { calls } }));

export const setOfFleet = (count: number, calls: number, more: Parameters<typeof setOfRows>[1] = {}) =>
  setOfRows(rowsOfFleet(count, calls), more);

/** Every call that reaches the "provider" leaves a line in a file outside, which survives any kill. */
export async function hostWorld(
  { folder, url, provider, paced, callMs = usualCallMs, breaksOff = false, ...place }: Place,
  host: string,
  { quietMs, ...more }: OddOptions & { readonly quietMs?: number } = {},
): Promise<Runtime & { store: Store; fleet: Fleet }> {
  const lease = { leaseMs: place.leaseMs ?? leaseMs };
  const store = await openPostgresStore({ url, ...lease, ...(quietMs === undefined ? {} : { quietMs }) });
  const fleet = await store.fleet?.();
  if (!fleet) throw new Error('The store gives nothing out.');
  const model = modelOf(
    async (request, { run, signal }) => {
      const asked = JSON.stringify(request.messages);
      if (provider) {
        // A cut network may bring it much later than it was sent.
        const headers = { 'x-sent-ms': `${Date.now()}` };
        const reply = await fetch(provider, { method: 'POST', body: `${run} ${asked}`, headers, signal });
        return await reply.text();
      }
      appendFileSync(join(folder, 'outside.log'), `${run} ${asked}\n`);
      if (paced) return askProvider(paced.url, host);
      await sleep(callMs, undefined, breaksOff ? { signal } : {});
      return replyTo(asked);
    },
    { kind: 'live', price },
  );
  const world = setWorld(model, {
    folder: temporaryFolder(),
    family: graded,
    wrapStore: () => store,
    ...more,
  });
  const lines = [{ name: 'test/*', limits: paced?.limits ?? {}, fits: () => true }];
  const pacer = new Pacer({ clock: systemClock, lines, shared: new SharedLanes(store) });
  // No process of this machine: whether it lives, its lease alone tells.
  const owner = { pid: process.pid, startedAt: `${host}/${process.pid}/1`, host };
  return { ...world, owner, fleet, store, ...(paced ? { pacer } : {}) };
}

async function askProvider(url: string, host: string): Promise<ModelReply> {
  const response = await fetch(`${url}/${host}`);
  const text = await response.text();
  if (response.ok) return said(text);
  const retryAfterMs = Number(response.headers.get('retry-after')) * 1_000;
  const error = { kind: 'rate-limit', message: text, retryable: true, retryAfterMs } as const;
  return { ok: false, error, usage: null };
}

/** Of its words alone: a call that is made again has the same reply. */
export function replyTo(asked: string): string {
  return `said ${asked.length} `.padEnd(300, '.');
}

/** In a folder of the host's own. */
export function spoolOf({ folder }: Place, host: string, tell: (line: string) => void): Spool {
  const owner = { pid: process.pid, startedAt: `${host}/${process.pid}/1`, host };
  return new Spool({ folder: join(folder, 'late', host), owner, livesHere: () => null, tell });
}

export function factsOf(host: string, more: Partial<WorkerInfo> = {}): Omit<WorkerInfo, 'runs'> {
  return {
    ...{
      id: `${host}-${process.pid}`,
      host,
      boot: host,
      pid: process.pid,
      codeVersion: 'test',
      slots: 2,
      processor: 'x',
    },
    isolation: 'none',
    toolchains: [platformIn(toyInfo)],
    providers: ['test'],
    code: [],
    only: [],
    ...more,
  };
}

/** What hosts say of their programs: they run none. */
export const toyInfo: SandboxInfo = {
  backend: 'toy',
  version: '1',
  isolation: 'none',
  toolchains: [],
  limits: defaultRunLimits,
  compileLimits: defaultRunLimits,
  enforcement: {
    wallMs: '',
    cpuMs: '',
    memoryBytes: '',
    processes: '',
    openFiles: '',
    fileBytes: '',
    diskBytes: '',
    outputBytes: '',
  },
};

export const madeCalls = (place: Place): string[] => linesOf(place, 'outside.log');

function linesOf({ folder }: Place, name: string): string[] {
  const log = join(folder, name);
  return (existsSync(log) ? readFileSync(log, 'utf8') : '').split('\n').filter(Boolean);
}

export type Host = {
  readonly name: string;
  readonly pid: number;
  signal(name: NodeJS.Signals): void;
  readonly ended: Promise<number | NodeJS.Signals | null>;
};

let hosts = 0;

/** `inside`: a command that starts it where it is to be. */
export function startHost(place: Place, slots = 2, inside: readonly string[] = []): Host {
  hosts += 1;
  const name = `host${hosts}`;
  const script = join(import.meta.dirname, 'fleet-child.ts');
  const command = [...inside, process.execPath, script, JSON.stringify(place), name, `${slots}`];
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code)),
  );
  return { name, pid: child.pid ?? 0, ended, signal: (signal) => void child.kill(signal) };
}
