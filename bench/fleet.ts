/**
 * Several hosts on one Postgres, each a process: events they append, rows that sleep, how soon a row is taken and a stop is
 * seen, against bare Postgres (FOR UPDATE SKIP LOCKED) and, with POLYA_BENCH_BULLMQ=1, bare BullMQ in a temporary folder.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Store } from '../src/core/store.ts';
import { addressOf } from '../src/store/postgres/address.ts';
import { beginSet, prepareRows } from '../src/studies/run-set/execute.ts';
import { count as countOf } from '../src/text/format.ts';
import { giveOut } from '../test/studies/fleet-giver.ts';
import { hostWorld, type Place, setOfFleet } from '../test/studies/fleet-world.ts';
import { setWorld } from '../test/studies/sets.ts';
import { modelOf } from '../test/support/odd.ts';
import { bySql, startCluster, startServer, stopServer, urlIn } from '../test/support/postgres.ts';
import { runFolderVariable } from '../test/support/temporary-folder.ts';
import { until } from '../test/support/until.ts';
import { appendPostgres } from './append-postgres.ts';
import { type Asked, type Bench, contest, type Row, timed } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';

const hosts = [1, 2, 4, 8];
const [slots, rowsOfHost, rowMs, trials] = [2, 8, 1_000, 60];
const atMost85 = { of: 'ratio', atMost: 1 / 0.85 } as const;

export const fleet: Bench = {
  name: 'fleet',
  note: 'All hosts are processes of this machine: with more of them than processors, what it does itself is measured, too.',
  async run(asked) {
    using folder = temporaryFolder();
    chmodSync(folder.path, 0o711);
    // For the worlds of the tests.
    process.env[runFolderVariable] = folder.path;
    startCluster(folder.path, process.pid);
    stopServer(folder.path, 'fast');
    startServer(folder.path, '-c fsync=on -c max_connections=200');
    let schemas = 0;
    const newPlace = (): Place => {
      schemas += 1;
      const url = urlIn({ folder: folder.path, socket: folder.path }, `bench_${schemas}`);
      return { folder: folder.path, url, callMs: rowMs, leaseMs: 600_000 };
    };
    try {
      return await rowsOf(newPlace, folder.path, asked);
    } finally {
      stopServer(folder.path, 'fast');
    }
  },
};

async function rowsOf(newPlace: () => Place, folder: string, asked: Asked): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of hosts)
    rows.push(row(`events appended, ${countOf(count, 'host')}`, '/s', await appends(newPlace(), count)));
  rows.push(...(await latencies(newPlace())));
  const bullmq = bullmqIn(folder);
  for (const mode of ['polya', 'skip-locked', ...(bullmq ? ['bullmq'] : [])]) {
    let alone = 0;
    for (const count of hosts) {
      const perHost = (await throughput(mode, { ...newPlace(), bullmq }, count)) / count;
      alone ||= perHost;
      const against = { against: 'one host', floor: alone, ratio: alone / perHost };
      const aim = mode === 'polya' && count === 8 ? atMost85 : null;
      rows.push({
        ...row(`rows of 1 s a host, ${mode}, ${countOf(count, 'host')}`, '/s', perHost),
        ...against,
        aim,
      });
    }
  }
  rows.push(await onOneHost(newPlace), ...(await appendPostgres.run(asked)));
  return rows;
}

function row(what: string, unit: string, measured: number): Row {
  return { what, unit, measured, floor: null, against: '', ratio: null, aim: null };
}

type Child = { readonly process: ChildProcess; next(): Promise<string> };

function start(mode: string, place: object, host: number): Child {
  const script = join(import.meta.dirname, 'fleet-child.ts');
  const args = [script, mode, JSON.stringify(place), `host${host}`, `${slots}`];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const said: string[] = [];
  child.stdout.on('data', (data) => said.push(...String(data).trim().split('\n')));
  return { process: child, next: async () => String(await until(() => said.shift())) };
}

/** Starts so many, and ends them when the work is done. */
async function withHosts<T>(
  mode: string,
  place: object,
  count: number,
  work: (children: readonly Child[]) => Promise<T>,
) {
  const children = Array.from({ length: count }, (_, host) => start(mode, place, host));
  try {
    await Promise.all(children.map((child) => child.next()));
    return await work(children);
  } finally {
    for (const child of children) child.process.kill('SIGKILL');
  }
}

const appends = (place: Place, count: number): Promise<number> =>
  withHosts('append', place, count, async (children) => {
    for (const child of children) child.process.stdin?.write('go');
    const made = await Promise.all(children.map((child) => child.next()));
    return made.reduce((sum, each) => sum + Number(each), 0) / 5;
  });

/** Rows a second. */
async function throughput(
  mode: string,
  place: Place & { bullmq: string | null },
  count: number,
): Promise<number> {
  const total = count * rowsOfHost;
  if (mode === 'polya') await (await hostWorld(place, 'first')).store.close();
  if (mode === 'skip-locked')
    await bySql(
      place.url,
      `CREATE SCHEMA ${addressOf(place.url).schema}`,
      'CREATE TABLE jobs (id serial PRIMARY KEY, done boolean NOT NULL DEFAULT false)',
    );
  // BullMQ has a schema of its own.
  const url = mode === 'bullmq' ? place.url.replace(/&schema=\w+/, '') : place.url;
  const queue = mode === 'bullmq' && place.bullmq ? await bullmqQueue(place.bullmq, url) : null;
  const round = async (rows: number, name: string): Promise<void> => {
    if (queue) return queue.round(rows);
    if (mode === 'polya') {
      const { world, handle } = await giveOut(place, { ...setOfFleet(rows, 1), id: name });
      await handle.done;
      return world.store.close();
    }
    await bySql(place.url, `INSERT INTO jobs SELECT FROM generate_series(1, ${rows})`);
    await until(
      async () => (await bySql(place.url, 'SELECT 1 FROM jobs WHERE NOT done LIMIT 1')).length === 0,
      50,
    );
  };
  const ms = await withHosts(mode, { ...place, url }, count, async () => {
    // Hosts work for days: what a process compiles with its first rows is not counted.
    await round(2 * slots * count, 'warm');
    return timed(() => round(total, 'set'));
  });
  await queue?.close();
  return (total * 1_000) / ms;
}

/** From the offer to the first event of the host that takes it; from the stop to the end of the run. */
async function latencies(place: Place): Promise<Row[]> {
  await (await hostWorld(place, 'first')).store.close();
  const [claims, cancels]: number[][] = [[], []];
  await withHosts('polya', { ...place, callMs: 600_000, breaksOff: true }, 1, async () => {
    for (let trial = 0; trial < trials; trial += 1) {
      const set = { ...setOfFleet(1, 1), id: `set${trial}` };
      const offeredMs = Date.now();
      const { world, handle } = await giveOut(place, set);
      claims?.push((await firstAt(world.store, `${set.id}-1`, 'model-request')) - offeredMs);
      const stoppedMs = Date.now();
      await world.store.post(`${set.id}-1`, { kind: 'stop', text: '', atMs: stoppedMs });
      cancels?.push((await firstAt(world.store, `${set.id}-1`, 'run-end')) - stoppedMs);
      await handle.done;
      await world.store.close();
    }
  });
  const at = (values: readonly number[] = [], part: number) =>
    values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;
  return [
    row('a row given out, until its first call: median', 'ms', at(claims, 0.5)),
    row('… 99th percentile', 'ms', at(claims, 0.99)),
    row('a stop, until the run has ended: median', 'ms', at(cancels, 0.5)),
    row('… 99th percentile', 'ms', at(cancels, 0.99)),
  ];
}

async function firstAt(store: Store, run: string, kind: string): Promise<number> {
  const found = () => store.events(run).then((events) => events.find((event) => event.kind === kind));
  return (await until(() => found().catch(() => undefined))).atMs;
}

/** A set of 20 rows of 5 calls, done in this process. */
async function onOneHost(newPlace: () => Place): Promise<Row> {
  const model = modelOf(() => 'yes');
  const set = setOfFleet(20, 5);
  const once = async (world: Parameters<typeof beginSet>[0]): Promise<number> => {
    const ms = await timed(
      async () => (await beginSet(world, set, { prepared: await prepareRows(world, set) })).done,
    );
    await world.store.close();
    return ms;
  };
  const result = await contest({
    ours: async () => once(await hostWorld(newPlace(), 'alone', { model })),
    floor: () => once(setWorld(model)),
    rounds: 5,
  });
  return { ...row('a set of 20 rows of 5 calls on one host', 'ms', 0), ...result, against: 'SQLite' };
}

/** Where it can be imported from; null: nobody asked for it, or it cannot be had. */
function bullmqIn(folder: string): string | null {
  if (!process.env.POLYA_BENCH_BULLMQ) {
    console.error('Without BullMQ: POLYA_BENCH_BULLMQ=1 installs it in a temporary folder.');
    return null;
  }
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', 'bullmq@6.7.0', 'pg@8'], {
    cwd: folder,
    stdio: 'ignore',
  });
  return pathToFileURL(join(folder, 'node_modules/bullmq/dist/cjs/index.js')).href;
}

async function bullmqQueue(bullmq: string, url: string) {
  const { withBackend, createPostgresBackend } = (await import(bullmq)).default;
  const { Queue } = withBackend(createPostgresBackend);
  const connection = { connectionString: url, schema: 'bullmq', migrate: true };
  const queue = new Queue('rows', { connection });
  await queue.waitUntilReady();
  return {
    async round(rows: number): Promise<void> {
      const before = await queue.getCompletedCount();
      await queue.addBulk(Array.from({ length: rows }, () => ({ name: 'row', data: {} })));
      await until(async () => (await queue.getCompletedCount()) - before >= rows, 50);
    },
    close: (): Promise<void> => queue.close(),
  };
}
