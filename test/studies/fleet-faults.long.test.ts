/**
 * Rows on three hosts, each in a network of its own, with a Postgres that has a replica: hosts are killed, paused and cut off,
 * the database is restarted, crashes, and is replaced by its replica. `POLYA_KILLS=200` makes more of that.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { foldRun } from '../../src/core/fold.ts';
import { beginSet, prepareRows } from '../../src/studies/run-set/execute.ts';
import { readRows } from '../../src/studies/run-set/rows.ts';
import { type Network, type NetworkHost, openNetwork } from '../support/network.ts';
import {
  bySql,
  crashServer,
  promoteServer,
  startCluster,
  startReplica,
  startServer,
  stopServer,
  urlIn,
} from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { eventsOf, normalise } from '../support/world.ts';
import { giveOut } from './fleet-giver.ts';
import { type Host, hostWorld, leaseMs, type Place, rowsOfFleet, startHost } from './fleet-world.ts';
import { setOfRows } from './sets.ts';

const faults = Number(process.env.POLYA_KILLS ?? 20);
const seed = Number(process.env.POLYA_SEED ?? 20_261_123);
const calls = 12;
const usdPerCall = (10 + 2 * 300) / 1e6;

const kinds = [
  ...Array(6).fill('kill'),
  ...Array(3).fill('pause'),
  ...Array(3).fill('short cut'),
  ...Array(3).fill('long cut'),
  ...Array(2).fill('restart'),
  ...Array(2).fill('crash'),
  'fail-over',
] as const;

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

function seeded(): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A Postgres with a replica that has what is committed, and the way to it, which follows the one that takes writes. */
class Database {
  readonly #outside: string;
  #primary: string;
  #replica = '';

  constructor(outside: string) {
    this.#outside = outside;
    this.#primary = temporaryFolder('pg');
    startCluster(this.#primary, process.pid);
    endings.push(() => this.close());
  }

  async open(): Promise<void> {
    this.#lead();
    await this.#follow();
  }

  get url(): string {
    return urlIn({ folder: this.#primary, socket: this.#primary }, 'faults');
  }

  restart(how: 'fast' | 'immediate'): void {
    stopServer(this.#primary, how);
    startServer(this.#primary);
  }

  async failOver(): Promise<void> {
    crashServer(this.#primary);
    promoteServer(this.#replica);
    this.#primary = this.#replica;
    this.#lead();
    await this.#follow();
  }

  close(): void {
    for (const folder of [this.#replica, this.#primary]) if (folder) stopServer(folder, 'immediate');
  }

  #lead(): void {
    const file = join(this.#outside, 'server.txt');
    writeFileSync(`${file}.new`, join(this.#primary, '.s.PGSQL.5432'));
    renameSync(`${file}.new`, file);
  }

  async #follow(): Promise<void> {
    this.#replica = temporaryFolder('pg');
    startReplica(this.#primary, this.#replica, process.pid);
    const follows = `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`;
    await until(async () => (await bySql(this.url, follows)).length > 0);
    // From now on what is committed is there, too.
    await bySql(this.url, `ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()');
  }
}

/** `atMs`: when it was sent. */
type Call = { readonly atMs: number; readonly run: string; readonly asked: string };

function callsIn(folder: string): readonly Call[] {
  const log = join(folder, 'calls.log');
  const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
  return text
    .slice(0, text.lastIndexOf('\n'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

test('nothing that was settled is paid twice, nothing is lost, no budget is exceeded', {
  tags: ['root'],
  timeout: 300_000 + faults * 30_000,
}, async () => {
  const folder = temporaryFolder();
  const network = await openNetwork(3);
  endings.push(() => network.close());
  const database = new Database(folder);
  await database.open();
  await startOutside(network, folder);
  const place: Place = {
    folder,
    url: `postgres://polya@${network.address}/polya?schema=faults`,
    provider: `http://${network.address}:8080/`,
  };
  const near = { folder, url: urlIn({ folder, socket: folder }, 'faults') };
  const rows = 2 * faults;
  const whole = setOfRows(rowsOfFleet(rows, calls), { budget: { costUsd: 100 } });
  const scarceUsd = (faults * calls * usdPerCall) / 2;
  const scarce = {
    ...setOfRows(rowsOfFleet(faults, calls), { budget: { costUsd: scarceUsd } }),
    id: 'scarce',
  };
  const given = [await giveOut(near, whole), await giveOut(near, scarce)] as const;
  const machines = network.hosts.map((host) => new Machine(place, host));

  const chance = seeded();
  const moved: Moved[] = [];
  const deck: string[] = [];
  const started = performance.now();
  for (let fault = 1; fault <= faults; fault += 1) {
    const after = Math.floor((rows * calls * (fault - chance(100) / 100)) / (faults + 1));
    await until(() => callsIn(folder).length >= after);
    if (deck.length === 0) deck.push(...kinds);
    const [kind = ''] = deck.splice(chance(deck.length), 1);
    const machine = machines[chance(machines.length)];
    console.log(`${Math.round(performance.now() - started)} ms, after ${after} calls: ${kind}`);
    if (kind === 'kill') moved.push(...((await machine?.kill(database)) ?? []));
    else if (kind === 'pause') await machine?.pause(leaseMs + 500 + chance(2_000));
    else if (kind === 'short cut') await machine?.cut(200 + chance(leaseMs - 1_500));
    else if (kind === 'long cut') await machine?.cut(leaseMs + 500 + chance(2_000));
    else if (kind === 'restart') database.restart('fast');
    else if (kind === 'crash') database.restart('immediate');
    else await database.failOver();
  }
  expect(await given[0].handle.done).toBe('done');
  expect(await given[1].handle.done).toBe('budget');

  const { world } = given[0];
  const made = callsIn(folder);
  const alone = await hostWorld(
    { folder: temporaryFolder(), url: urlIn({ folder, socket: folder }, 'alone') },
    'alone',
  );
  const one = setOfRows(rowsOfFleet(1, calls), { budget: whole.plan.budget });
  await (await beginSet(alone, one, { prepared: await prepareRows(alone, one) })).done;
  const uninterrupted = normalise(await eventsOf(alone, 'set-1'));
  let [possiblyBilled, resumed] = [0, 0];
  const goneOnMs: number[] = [];
  for (const { runId } of await readRows(world.store, whole)) {
    const events = await eventsOf(world, runId);
    resumed += events.filter(({ kind }) => kind === 'run-resume').length;
    const text = normalise(events).map((line) => line.replaceAll(runId, 'set-1'));
    expect(text, runId).toEqual(uninterrupted);
    for (const { run, afterSeq, leaseEndMs } of moved) {
      const next = run === runId && events.find(({ seq }) => seq > afterSeq);
      if (next) goneOnMs.push(next.atMs - leaseEndMs);
    }
    const ofRun = made.filter(({ run }) => run === runId);
    const settled = events.filter(
      ({ kind, body }) => kind === 'model-response' && 'status' in body && body.status === 'ok',
    );
    const asked = [...new Set(ofRun.map((call) => call.asked))];
    expect(asked.length, 'nothing is lost').toBe(calls);
    for (const [index, { atMs }] of settled.entries()) {
      const again = ofRun.filter((call) => call.asked === asked[index] && call.atMs > atMs);
      expect(again, `${runId}: what was settled is not asked for again`).toEqual([]);
    }
    const told = foldRun(events).possiblyBilled;
    possiblyBilled += told;
    expect(ofRun.length - calls, `${runId}: what was asked for twice is told`).toBeLessThanOrEqual(told);
  }
  const spentUsd = made.filter(({ run }) => run.startsWith('scarce')).length * usdPerCall;
  expect(spentUsd).toBeLessThanOrEqual(scarceUsd);
  const twice = made.filter(({ run }) => run.startsWith('set')).length - rows * calls;
  goneOnMs.sort((a, b) => a - b);
  const told = existsSync(join(folder, 'told.log')) ? readFileSync(join(folder, 'told.log'), 'utf8') : '';
  const late = (words: string) => told.split('\n').filter((line) => line.includes(words)).length;
  console.log(
    `${faults} faults in ${Math.round((performance.now() - started) / 1000)} s: ${rows} rows, ${rows * calls} calls, ${resumed - rows} lives ended early; ` +
      `${twice} calls in flight made twice, ${possiblyBilled} told as possibly billed; of ${scarceUsd.toFixed(4)} USD ${spentUsd.toFixed(4)} spent; ` +
      `spool: ${late('cannot be journaled now')} kept, ${late('in its journal now')} settled, ${late('too late')} told; ` +
      `rows of killed hosts went on after the lease by ms: ${goneOnMs.at(goneOnMs.length >> 1)} in the middle, ${goneOnMs.at(-1)} at most, of ${goneOnMs.length}`,
  );
});

async function startOutside({ inside, address }: Network, folder: string): Promise<void> {
  const [program = '', ...args] = [
    ...inside,
    process.execPath,
    join(import.meta.dirname, 'fleet-outside-child.ts'),
  ];
  const child = spawn(program, [...args, folder, address], { stdio: ['ignore', 'ignore', 'inherit'] });
  endings.push(() => child.kill('SIGKILL'));
  await until(() => existsSync(join(folder, 'ready')));
}

/** A run that was begun and that its host could not go on with, and until when nobody else could. */
type Moved = { readonly run: string; readonly afterSeq: number; readonly leaseEndMs: number };

/** A worker that ends is started again, as systemd does: one that begins while the database is away says so and ends. */
class Machine {
  readonly #place: Place;
  readonly #network: NetworkHost;
  #host: Host;
  #isOver = false;

  constructor(place: Place, network: NetworkHost) {
    this.#place = place;
    this.#network = network;
    this.#host = this.#start();
    endings.push(async () => {
      this.#isOver = true;
      this.#host.signal('SIGCONT');
      this.#host.signal('SIGKILL');
      await this.#host.ended;
    });
  }

  #start(): Host {
    const host = startHost(this.#place, 2, this.#network.inside);
    void host.ended.then(async (how) => {
      if (how !== 'SIGKILL') console.log(`${host.name} ended with ${how}`);
      await sleep(500);
      if (!this.#isOver) this.#host = this.#start();
    });
    return host;
  }

  async kill({ url }: Database): Promise<readonly Moved[]> {
    const { pid, ended } = this.#host;
    this.#host.signal('SIGKILL');
    await ended;
    const owned = await bySql(
      url,
      `SELECT id, last_seq, extract(epoch FROM lease_until) * 1000 AS ends FROM faults.runs WHERE owner_pid = ${pid} AND last_seq > 1`,
    );
    return owned.map((row) => {
      const { id, last_seq, ends } = row as Record<string, unknown>;
      return { run: String(id), afterSeq: Number(last_seq), leaseEndMs: Number(ends) };
    });
  }

  async pause(forMs: number): Promise<void> {
    this.#host.signal('SIGSTOP');
    await sleep(forMs);
    this.#host.signal('SIGCONT');
  }

  async cut(forMs: number): Promise<void> {
    this.#network.cut();
    await sleep(forMs);
    this.#network.mend();
  }
}
