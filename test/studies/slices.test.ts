/** Slices of work on several hosts: done by another when one is killed, kept to one class of processor, else done by nobody. */
import { afterEach, expect, test } from 'vitest';
import type { WorkerFacts } from '../../src/core/fleet.ts';
import type { Json } from '../../src/core/json.ts';
import type { Slice, SlicedWork } from '../../src/core/slices.ts';
import { type ElsewhereOptions, FleetElsewhere } from '../../src/studies/fleet/elsewhere.ts';
import { work } from '../../src/studies/fleet/worker.ts';
import { modelOf } from '../support/odd.ts';
import { bySql, newStoreUrl } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { giveOut } from './fleet-giver.ts';
import {
  begunSlices,
  factsOf,
  type Host,
  hostWorld,
  type Place,
  setOfFleet,
  startHost,
  toyInfo,
} from './fleet-world.ts';
import { graded } from './sets.ts';

/** On a slow machine nobody counts as gone who is there. */
const longLeaseMs = 300_000;
const never = new AbortController().signal;
const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => void (await Promise.all(endings.splice(0).map((end) => end()))));

const newPlace = async (): Promise<Place> => ({ folder: temporaryFolder(), url: await newStoreUrl() });

function newHost(place: Place): Host {
  const host = startHost(place);
  endings.push(() => {
    host.signal('SIGKILL');
    return host.ended;
  });
  return host;
}

/** A worker of this process. */
async function begin(place: Place, host: string, more: Partial<WorkerFacts> = {}): Promise<void> {
  const world = await hostWorld({ ...place, leaseMs: longLeaseMs }, host);
  const ending = new AbortController();
  const facts = factsOf(host, more);
  const done = work(world, { fleet: world.fleet, facts, signal: ending.signal, tell: () => undefined });
  endings.push(async () => {
    ending.abort();
    await done;
    await world.store.close();
  });
  await until(async () => (await world.fleet.workers()).some(({ id }) => id === facts.id));
}

async function asking(place: Place, more: Partial<ElsewhereOptions> = {}) {
  const world = await hostWorld({ ...place, leaseMs: longLeaseMs }, 'giver');
  endings.push(() => world.store.close());
  const told: string[] = [];
  const elsewhere = new FleetElsewhere({
    ...{ store: world.store, sandbox: { info: async () => toyInfo }, codeVersion: 'test' },
    ...{ processor: 'x', tell: (line: string) => told.push(line), patienceMs: 600_000 },
    ...more,
  });
  return { elsewhere, told, fleet: world.fleet };
}

function workOf(
  count: number,
  more: { body?: object; files?: Slice['files']; enough?: number } = {},
): SlicedWork {
  const { body = {}, files = { one: Buffer.from('1'), two: Buffer.from('22') }, enough } = more;
  return {
    ...{ family: 'odd', languages: [] },
    slices: async () => Array.from({ length: count }, (_, n) => ({ body: { ...body, n } as Json, files })),
    isEnough: (results) => enough !== undefined && results.filter(Boolean).length >= enough,
  };
}

const resultsOf = (count: number, processor?: string) => ({
  results: Array.from({ length: count }, (_, n) => ({ n, bytes: [1, 2] })),
  processor,
});
const rowsIn = async ({ url }: Place, table: string) => (await bySql(url, `SELECT * FROM ${table}`)).length;

test('a host that is killed with slices in hand: another does them, and the results come in their order', async () => {
  const place = await newPlace();
  const { elsewhere, told, fleet } = await asking(place);
  const first = newHost(place);
  await until(async () => (await fleet.workers()).length === 1);
  const given = elsewhere.do(workOf(6, { body: { hangs: first.name } }), never);
  await until(() => begunSlices(place).length >= 2);
  const second = newHost(place);
  await until(() => begunSlices(place).some((line) => line.startsWith(second.name)));
  first.signal('SIGKILL');
  expect(await given).toEqual(resultsOf(6));
  const begun = begunSlices(place);
  expect(begun.filter((line) => line.startsWith(first.name))).toHaveLength(2);
  expect(begun.filter((line) => line.startsWith(second.name))).toHaveLength(6);
  expect(told).toEqual([]);
  expect(await rowsIn(place, 'slices')).toBe(0);
  expect(await rowsIn(place, 'slice_files')).toBe(2);
});

test('all slices of a work go to one class of processor: the one of the host that asks, and else always the same', async () => {
  const place = await newPlace();
  await begin(place, 'other', { processor: 'y', slots: 4 });
  const { elsewhere } = await asking(place);
  expect(await elsewhere.do(workOf(3), never)).toEqual(resultsOf(3, 'y'));
  await begin(place, 'third', { processor: 'z', slots: 9 });
  expect(await elsewhere.do(workOf(3), never)).toEqual(resultsOf(3, 'y'));
  expect(new Set(begunSlices(place).map((line) => line.split(' ')[0]))).toEqual(new Set(['other']));
  await begin(place, 'same', { processor: 'x', slots: 1, only: ['odd-evaluation'] });
  expect(await elsewhere.do(workOf(3), never)).toEqual(resultsOf(3));
  expect(begunSlices(place).filter((line) => line.startsWith('same'))).toHaveLength(3);
  expect(begunSlices(place).filter((line) => line.startsWith('third'))).toEqual([]);
});

test('nobody who can do it: it stays, and says why where workers are there', async () => {
  const place = await newPlace();
  const { elsewhere, told, fleet } = await asking(place, { patienceMs: 0 });
  const neverAsked = { ...workOf(1), slices: () => Promise.reject(new Error('Nobody is there.')) };
  expect(await elsewhere.do(neverAsked, never)).toBeNull();
  const unfit = [{ only: ['odd'] }, { toolchains: [] }, { isolation: 'sandbox' }, { codeVersion: 'older' }];
  for (const [at, more] of unfit.entries())
    await fleet.announce({ ...factsOf(`unfit${at}`, more), runs: [] });
  expect(await elsewhere.do(neverAsked, never)).toBeNull();
  expect(told).toEqual([]);
  // It says that it lives, and takes nothing.
  await fleet.announce({ ...factsOf('busy'), runs: [] });
  expect(await elsewhere.do(workOf(2), never)).toBeNull();
  const large = { tool: new Uint8Array(65 * 2 ** 20) };
  expect(await elsewhere.do(workOf(2, { files: large }), never)).toBeNull();
  expect(await elsewhere.do(workOf(2, { files: large }), never)).toBeNull();
  expect(told).toEqual([
    'Evaluated on this host: the workers are busy with other things.',
    'Evaluated on this host: a slice has 65 MB of files, of 64 at most.',
  ]);
  expect(await rowsIn(place, 'slices')).toBe(0);
  expect(await rowsIn(place, 'slice_files')).toBe(2);
});

test('one that fails is told, one that is enough ends the others, and one that is broken off is withdrawn', async () => {
  const place = await newPlace();
  await begin(place, 'one', { slots: 2 });
  const { elsewhere, told, fleet } = await asking(place);
  expect(await elsewhere.do(workOf(1, { body: { fails: 'No room.' } }), never)).toBeNull();
  expect(told).toEqual(['Evaluated on this host: one: No room.']);
  const some = await elsewhere.do(workOf(5, { enough: 1 }), never);
  expect(some?.results.filter(Boolean).length).toBeGreaterThan(0);
  const stopping = new AbortController();
  const given = elsewhere.do(workOf(1, { body: { hangs: 'all' } }), stopping.signal);
  given.catch(() => undefined);
  await until(async () =>
    (await fleet.workers()).some(({ runs }) => runs.join().includes('odd-evaluation ')),
  );
  stopping.abort(new Error('Stopped.'));
  await expect(given).rejects.toThrow('Stopped.');
  expect(await rowsIn(place, 'slices')).toBe(0);
  await until(async () => (await fleet.workers()).every(({ runs }) => runs.length === 0));
});

test('rows and slices that wait together: no more are in hand than there are slots, and both are done', async () => {
  const place = { ...(await newPlace()), leaseMs: longLeaseMs };
  const gate = Promise.withResolvers<string>();
  const family = { ...graded, doSlice: () => gate.promise };
  const model = modelOf(() => gate.promise, { kind: 'live' });
  const facts = factsOf('worker');
  const { world, handle } = await giveOut(place, setOfFleet(6, 1));
  endings.push(() => world.store.close());
  const slices = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, family: 'odd', body: {}, files: {} }));
  const states = () => world.fleet.slices.offer(slices, [facts.id]);
  await states();
  await until(async () => (await world.fleet.offers('set')).length === 6);
  const worker = await hostWorld(place, 'worker', { family, model });
  const inHand: number[] = [];
  const fleet: typeof worker.fleet = {
    ...worker.fleet,
    announce(facts) {
      inHand.push(facts.runs.length);
      return worker.fleet.announce(facts);
    },
  };
  const ending = new AbortController();
  const done = work(worker, { fleet, facts, signal: ending.signal, tell: () => undefined });
  endings.push(async () => {
    ending.abort();
    await done;
    await worker.store.close();
  });
  await until(() => inHand.filter((count) => count >= facts.slots).length > 1);
  gate.resolve('done');
  expect(await handle.done).toBe('done');
  await until(async () => (await states()).every(({ result }) => result === '"done"'));
  expect(Math.max(...inHand)).toBe(facts.slots);
});
