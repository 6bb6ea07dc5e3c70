/** Rows that workers of several hosts bring to their ends: killed, paused, stopped, withdrawn, and under one budget. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { foldRun } from '../../src/core/fold.ts';
import { createJournal } from '../../src/run/start.ts';
import { needsOf } from '../../src/studies/fleet/fits.ts';
import { RowAssigner } from '../../src/studies/fleet/given-rows.ts';
import { work } from '../../src/studies/fleet/worker.ts';
import { beginSet, prepareRows } from '../../src/studies/run-set/execute.ts';
import { readRows } from '../../src/studies/run-set/rows.ts';
import { bySql, newStoreUrl } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { eventsOf, normalise } from '../support/world.ts';
import { giveOut } from './fleet-giver.ts';
import {
  factsOf,
  type Host,
  hostWorld,
  madeCalls,
  type Place,
  replyTo,
  setOfFleet,
  startHost,
} from './fleet-world.ts';

const started: Host[] = [];
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
  for (const host of started) {
    host.signal('SIGCONT');
    host.signal('SIGKILL');
  }
  await Promise.all(started.splice(0).map(({ ended }) => ended));
});

async function newPlace(): Promise<Place> {
  return { folder: temporaryFolder(), url: await newStoreUrl() };
}

function newHost(place: Place, slots?: number): Host {
  const host = startHost(place, slots);
  started.push(host);
  return host;
}

const seed = 20_261_123;
const kills = Number(process.env.POLYA_KILLS ?? 5);

function seeded(): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('hosts are killed and paused: nothing is lost, nothing that was settled is paid twice', async () => {
  const [rows, calls] = [8 + 2 * kills, 8];
  const place = await newPlace();
  const set = setOfFleet(rows, calls, { budget: { costUsd: 100 } });
  const hosts = [newHost(place), newHost(place)];
  const { world, handle } = await giveOut(place, set);
  const chance = seeded();
  const resumed: Promise<void> | null = null;
  for (let kill = 1; kill <= kills; kill += 1) {
    const after = Math.floor((rows * calls * (kill - chance())) / (kills + 1));
    await until(() => madeCalls(place).length >= after);
    const at = Math.floor(chance() * hosts.length);
    // One is paused until its runs are another's, and finds that out when it goes on.
    const [paused] = kill === 2 ? hosts.splice(at, 1) : [];
    paused?.signal('SIGSTOP');
    if (paused)
      void until(() => madeCalls(place).length >= rows * calls).then(() => paused.signal('SIGCONT'));
    else hosts.splice(at, 1)[0]?.signal('SIGKILL');
    hosts.push(newHost(place));
  }
  expect(await handle.done).toBe('done');
  await resumed;

  const results = await readRows(world.store, set);
  const made = madeCalls(place);
  let possiblyBilled = 0;
  for (const { runId, view } of results) {
    expect(view?.totals.modelCalls, runId).toBe(calls);
    possiblyBilled += foldRun(await eventsOf(world, runId)).possiblyBilled;
  }
  expect(new Set(made).size).toBe(rows * calls);
  expect(
    made.length - rows * calls,
    'a call that was made twice was in flight, and is told',
  ).toBeLessThanOrEqual(possiblyBilled);
  const alone = await hostWorld(await newPlace(), 'alone');
  const one = setOfFleet(1, calls, { budget: set.plan.budget });
  await (await beginSet(alone, one, { prepared: await prepareRows(alone, one) })).done;
  const whole = normalise(await eventsOf(alone, 'set-1'));
  for (const { runId } of results) {
    const text = normalise(await eventsOf(world, runId)).map((line) => line.replaceAll(runId, 'set-1'));
    expect(text, runId).toEqual(whole);
  }
  await until(async () => (await world.fleet.queuedRuns('set')).length === 0);
});

test('a host that is stopped lets its runs go at once, and a set that is stopped takes its rows back', async () => {
  // Held: however slow this process is, the rows do not end meanwhile.
  const provider = await heldProvider();
  const place = { ...(await newPlace()), provider: provider.url };
  const set = setOfFleet(4, 40);
  provider.answer(20);
  const host = newHost(place, 4);
  const { world, handle } = await giveOut(place, set);
  await until(() => provider.asked.length >= 24);
  const worker = await until(async () => (await world.fleet.workers())[0]);
  expect(worker).toMatchObject({ host: host.name, slots: 4 });
  host.signal('SIGTERM');
  expect(await host.ended).toBe(0);
  expect(await world.fleet.workers()).toEqual([]);
  for (const { state, view } of await readRows(world.store, set)) {
    expect(state).toBe('interrupted');
    expect(view?.end).toBeNull();
  }
  provider.answer(10);
  newHost(place, 2);
  await until(() => provider.asked.length >= 36);
  handle.stop();
  expect(await handle.done).toBeNull();
  await expect.poll(() => world.fleet.queuedRuns('set')).toEqual([]);
  expect(await world.store.getSet('set')).toMatchObject({ owner: null, ending: null });
  // With what is missing, and only that.
  provider.answer(Number.POSITIVE_INFINITY);
  const again = await giveOut(place, set, 'resume');
  expect(await again.handle.done).toBe('done');
  const rows = await readRows(world.store, set);
  for (const { runId, view } of rows) {
    // One that the stop met in flight is made again, and told.
    const { possiblyBilled } = foldRun(await eventsOf(world, runId));
    expect(view?.totals.modelCalls, runId).toBeGreaterThanOrEqual(40);
    expect(view?.totals.modelCalls, runId).toBeLessThanOrEqual(40 + possiblyBilled);
  }
  expect(new Set(provider.asked).size).toBe(4 * 40);
});

/** A provider that answers as many calls more as it is told to, and holds the others. */
async function heldProvider() {
  const asked: string[] = [];
  let most = 0;
  const server = createServer(async (request, response) => {
    const asking = await text(request);
    asked.push(asking);
    if (asked.length <= most) response.end(replyTo(asking.slice(asking.indexOf(' ') + 1)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  const answer = (more: number): void => {
    most = asked.length + more;
  };
  return { url: `http://127.0.0.1:${port}/`, asked, answer };
}

test('processes that race for the last cents spend no more than there is', async () => {
  const place = await newPlace();
  // Each call is bounded by its whole room, and costs a third of the smallest.
  const costUsd = 0.02;
  const set = setOfFleet(12, 50, { budget: { costUsd } });
  for (let host = 0; host < 3; host += 1) newHost(place, 4);
  const { world, handle } = await giveOut(place, set);
  const client = new Client({ connectionString: place.url });
  await client.connect();
  let isOver = false;
  void handle.done.then(() => {
    isOver = true;
  });
  let most = 0;
  const look = async () => {
    most = Math.max(most, await committedUsd(client, place));
  };
  await until(async () => {
    await look();
    return isOver;
  });
  expect(await handle.done).toBe('budget');
  await look();
  await client.end();
  expect(most).toBeGreaterThan(costUsd / 2);
  expect(most).toBeLessThanOrEqual(costUsd + 1e-9);
  expect(await world.fleet.budgetRejection('set')).toMatchObject({ limit: 'costUsd', max: costUsd });
});

/** At one moment, in all journals: what was paid, and for calls in flight what they may cost at most. */
async function committedUsd(client: Client, { url }: Place): Promise<number> {
  const schema = new URL(url.replace('@/', '@localhost/')).searchParams.get('schema');
  const { rows } = await client.query(
    `SELECT run_key, kind, branch, ordinal, attempt, body FROM ${schema}.events WHERE kind LIKE 'model-%' ORDER BY seq`,
  );
  const usd = new Map<string, number>();
  for (const { run_key, kind, branch, ordinal, attempt, body } of rows) {
    const { reserve, usage, status } = JSON.parse(body);
    const key = `${run_key} ${branch} ${ordinal} ${attempt}`;
    if (kind === 'model-request') usd.set(key, reserve.costUsd);
    else if (usage) usd.set(key, usage.costUsd);
    else if (status !== 'cancelled') usd.delete(key);
  }
  return [...usd.values()].reduce((sum, each) => sum + each, 0);
}

test('a row that a worker has begun is given out before those that wait', async () => {
  const place = await newPlace();
  const world = await hostWorld(place, 'giver');
  for (const { header } of (await prepareRows(world, setOfFleet(3, 1))).values()) {
    const { runId } = header;
    const { ownership } = await createJournal(world, header, null);
    await world.fleet.enqueue({ runId, setId: 'set', fromSeq: 1, needs: needsOf(header) });
    const note = {
      seq: 2,
      atMs: 1,
      branch: '',
      ordinal: null,
      attempt: 0,
      kind: 'note',
      body: '{}',
    } as const;
    if (runId === 'set-3') await world.store.append(ownership, { events: [note], blobs: [], durable: false });
    await world.store.release(ownership);
  }
  expect((await world.fleet.open(2)).map(({ runId, hasBegun }) => [runId, hasBegun])).toEqual([
    ['set-3', true],
    ['set-1', false],
  ]);
});

test('a slot is kept for a row whose host is silent, and it goes on before what waits', async () => {
  const place = { ...(await newPlace()), leaseMs: 600_000 };
  const world = await hostWorld(place, 'giver');
  for (const { header } of (await prepareRows(world, setOfFleet(2, 1))).values()) {
    const { runId } = header;
    const { ownership } = await createJournal(world, header, null);
    if (runId === 'set-2') await world.store.release(ownership);
    await world.fleet.enqueue({
      runId,
      setId: 'set',
      fromSeq: runId === 'set-1' ? 0 : 1,
      needs: needsOf(header),
    });
  }
  const facts = factsOf('worker', { slots: 1 });
  const announced = () => world.fleet.announce({ ...facts, runs: [] });
  expect(await announced()).toMatchObject({ silent: 0 });
  await bySql(
    place.url,
    `UPDATE runs SET lease_until = clock_timestamp() + interval '150 s' WHERE id = 'set-1'`,
  );
  const { silent, freeInMs } = await announced();
  expect([silent, freeInMs]).toEqual([1, expect.any(Number)]);
  expect(freeInMs).toBeLessThanOrEqual(150_000);

  const worker = await hostWorld(place, 'worker');
  let [looks, beats] = [0, 0];
  const fleet: typeof worker.fleet = {
    ...worker.fleet,
    open: (limit) => worker.fleet.open(limit).finally(() => (looks += 1)),
    announce: (facts) => worker.fleet.announce(facts).finally(() => (beats += 1)),
  };
  const ending = new AbortController();
  const done = work(worker, { fleet, facts, signal: ending.signal, tell: () => undefined });
  await until(() => beats > 0);
  const before = looks;
  await until(() => looks > before + 1);
  const waiting = () => world.store.get('set-2');
  expect((await waiting())?.lastSeq).toBe(1);
  await bySql(place.url, `UPDATE runs SET lease_until = clock_timestamp() WHERE id = 'set-1'`);
  await until(async () => ((await waiting())?.lastSeq ?? 0) > 1);
  expect(await world.store.get('set-1')).toMatchObject({ ended: true });
  ending.abort();
  await done;
  for (const { store } of [worker, world]) await store.close();
});

test('a row that cannot go on is told, and one that fits no worker waits', async () => {
  const place = await newPlace();
  const { plan } = setOfFleet(3, 3, {});
  const set = { id: 'set', createdAtMs: 1, plan };
  const world = await hostWorld(place, 'giver');
  const failures: string[] = [];
  const prepared = await prepareRows(world, set);
  const runner = new RowAssigner(world, set, prepared, {
    fleet: world.fleet,
    needsOf: async (index) => ({
      family: 'odd',
      codeVersion: 'test',
      isolation: null,
      toolchains: [],
      code: [],
      files: [],
      // Nobody can take the last one.
      providers: index === 2 ? ['nowhere'] : ['test'],
    }),
    onAlone: () => undefined,
  });
  const observer = { onFailure: (_index: number, { message }: Error) => void failures.push(message) };
  const handle = await beginSet(world, set, { prepared, runner, observer });
  await until(async () => (await world.fleet.queuedRuns('set')).length === 3);
  await world.fleet.fail('set-1', 'Its journal is damaged.');
  newHost(place);
  await until(() => failures.length > 0);
  expect(failures).toEqual(['Its journal is damaged.']);
  await until(async () => (await world.store.get('set-2'))?.ended === true);
  expect((await world.store.get('set-3'))?.lastSeq).toBe(1);
  handle.stop();
  expect(await handle.done).toBeNull();
});
