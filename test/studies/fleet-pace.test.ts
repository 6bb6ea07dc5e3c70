/** One pace over all hosts: how many calls a minute, how many at once, and a complaint that holds all of them back. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../src/io/clock.ts';
import type { PaceLimits } from '../../src/run/pacing/lane.ts';
import { Pacer } from '../../src/run/pacing/pacer.ts';
import { SharedLanes } from '../../src/run/pacing/shared-lanes.ts';
import type { Turn } from '../../src/run/pacing/turn.ts';
import { thisProcess } from '../../src/store/owner.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { bySql, newStoreUrl } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { giveOut } from './fleet-giver.ts';
import { type Place, setOfFleet, startHost } from './fleet-world.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

type Request = { readonly host: string; readonly atMs: number; readonly response: ServerResponse };

/** A provider that answers when it is told to, and two hosts that ask it. */
async function twoHosts(limits: PaceLimits, slots: number, answer: (made: readonly Request[]) => void) {
  const made: Request[] = [];
  const provider = { atOnce: 0, most: 0 };
  const server = createServer((request, response) => {
    provider.most = Math.max(provider.most, ++provider.atOnce);
    response.once('finish', () => {
      provider.atOnce -= 1;
    });
    made.push({ host: request.url ?? '', atMs: performance.now(), response });
    answer(made);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const place: Place = {
    folder: temporaryFolder(),
    url: await newStoreUrl(),
    leaseMs: 600_000,
    paced: { url, limits },
  };
  for (let host = 0; host < 2; host += 1) {
    const { signal, ended } = startHost(place, slots);
    ends.push(() => {
      signal('SIGKILL');
      return ended;
    });
  }
  return { place, made, provider };
}

const hostsOf = (made: readonly Request[]): number => new Set(made.map(({ host }) => host)).size;
const waitingIn = async ({ url }: Place): Promise<number> =>
  (await bySql(url, `SELECT name FROM lanes WHERE state::json #> '{waiting,0}' IS NOT NULL`)).length;

test('two hosts together make no more calls a minute, and at once, than the pace that is stated', async () => {
  // Ten at once, then one a second.
  const limits = { requestsPerMinute: 60, callsAtOnce: 3 };
  const { place, made, provider } = await twoHosts(limits, 2, (requests) => {
    // Held until both hosts ask.
    if (hostsOf(requests) === 2) for (const { response } of requests) response.end('yes');
  });
  const startMs = performance.now();
  const { handle } = await giveOut(place, setOfFleet(4, 4));
  expect(await handle.done).toBe('done');
  expect(made).toHaveLength(16);
  expect(provider.most).toBeLessThanOrEqual(3);
  for (const [index, { atMs }] of made.entries())
    expect(index + 1, `${atMs - startMs} ms`).toBeLessThanOrEqual(10 + (atMs - startMs) / 1_000 + 1);
});

test('what one host is told by a provider that refuses it holds the other back', async () => {
  const { place, made } = await twoHosts({}, 1, (requests) => {
    if (requests.length < 2) return;
    if (requests.length > 2) return requests.at(-1)?.response.end('yes');
    requests[0]?.response.writeHead(429, { 'retry-after': '800' }).end('Slow down.');
  });
  const { world } = await giveOut(place, setOfFleet(2, 3));
  const held = `SELECT 1 FROM lanes WHERE (state::json #>> '{lane,heldUntilMs}')::float8 > 0`;
  await until(async () => (await bySql(place.url, held)).length > 0);
  expect(hostsOf(made)).toBe(2);
  made[1]?.response.end('yes');
  await until(() => waitingIn(place));
  expect(made).toHaveLength(2);
  // As if the time had come.
  await bySql(place.url, 'UPDATE lanes SET state = NULL');
  await until(async () => (await world.store.list()).some(({ ended }) => ended));
  expect(made.length).toBeGreaterThanOrEqual(4);
});

test('processes that wait take turns, and what a dead one held is free', async () => {
  const url = await newStoreUrl();
  const store = await openPostgresStore({ url, leaseMs: 600_000 });
  ends.push(() => store.close());
  const lines = [{ name: 'm/*', limits: { callsAtOnce: 1 }, fits: () => true }];
  const given: { name: string; turn: Turn }[] = [];
  const processes = new Map<string, (name: string) => void>();
  for (const run of ['a', 'b']) {
    const first = { events: [], blobs: [], durable: false };
    await store.create({ id: run, createdAtMs: 1, parent: null, summary: {}, owner: thisProcess() }, first);
    const pacer = new Pacer({ clock: systemClock, lines, shared: new SharedLanes(store) });
    const request = {
      model: 'm/x',
      run,
      tokens: 1,
      signal: new AbortController().signal,
      onWait: () => undefined,
    };
    processes.set(run, (name) => void pacer.turn(request).then((turn) => given.push({ name, turn })));
    ends.push(() => pacer.close());
  }
  const [askA, askB] = [processes.get('a'), processes.get('b')];
  askA?.('a1');
  await until(() => given.length === 1);
  askB?.('b1');
  await until(() => waitingIn({ folder: '', url }));
  askA?.('a2');
  given[0]?.turn.end({ kind: 'ok', tokens: null });
  await until(() => given.length === 2);
  await store.release({ runId: 'b', epoch: 1, owner: thisProcess() });
  await until(() => given.length === 3);
  expect(given.map(({ name }) => name)).toEqual(['a1', 'b1', 'a2']);
});
