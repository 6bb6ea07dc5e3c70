/** What is told at once (NOTIFY) is a hint: all goes on where hints are lost, and hints alone carry where nobody looks. */
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import type { Store } from '../../src/core/store.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { work } from '../../src/studies/fleet/worker.ts';
import { agentOf, answered } from '../support/odd.ts';
import { bySql, newStoreUrl } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { giveOut } from './fleet-giver.ts';
import { factsOf, hostWorld, setOfFleet } from './fleet-world.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const agent = agentOf(async (run) => answered(await run.ask('What now?')));
const longMs = 3_600_000;

test.each(['lost', 'alone'] as const)(
  'stop, answer, an offer and a withdrawn one are seen: hints %s',
  async (how) => {
    const place = { folder: temporaryFolder(), url: await newStoreUrl(), leaseMs: 600_000 };
    const wrapStore = (store: Store): Store =>
      how === 'alone'
        ? store
        : Object.assign(store, { hints: async () => ({ quietMs: 100, on: () => () => undefined }) });
    const more = { agent, quietMs: longMs };
    const world = await hostWorld(place, 'worker', more);
    wrapStore(world.store);
    const stopping = new AbortController();
    const facts = factsOf('worker', { slots: 4 });
    let announced = 0;
    const fleet: typeof world.fleet = {
      ...world.fleet,
      // What it would find when it announces itself is no hint.
      async announce(facts) {
        announced += 1;
        if (how === 'alone' && announced > 1) await once(stopping.signal, 'abort');
        return world.fleet.announce(facts);
      },
    };
    const done = work(world, { fleet, facts, signal: stopping.signal, tell: () => undefined });
    ends.push(async () => {
      stopping.abort();
      await done;
      await world.store.close();
    });
    const isListening = async (): Promise<boolean> => (await world.store.hints?.())?.quietMs != null;
    await until(isListening);

    const { world: giver, handle } = await giveOut(place, setOfFleet(3, 1), 'begin', more, wrapStore);
    ends.push(() => giver.store.close());
    const asks = async (run: string): Promise<boolean> =>
      (await giver.store.events(run).catch(() => [])).some(({ kind }) => kind === 'ask');
    for (const run of ['set-1', 'set-2', 'set-3']) await until(() => asks(run));
    const ends3 = (run: string) => until(async () => (await giver.store.get(run))?.ended);
    await giver.store.post('set-1', { kind: 'answer', text: 'go on', atMs: 1 });
    await ends3('set-1');
    if (how === 'alone') {
      const schema = new URLSearchParams(place.url.slice(place.url.indexOf('?'))).get('schema');
      const listeners = `FROM pg_stat_activity WHERE query = 'LISTEN ${schema}'`;
      await bySql(place.url, `SELECT pg_terminate_backend(pid) ${listeners}`);
      await until(async () => (await bySql(place.url, `SELECT 1 ${listeners}`)).length === 2);
    }
    await giver.store.post('set-2', { kind: 'stop', text: '', atMs: 1 });
    await ends3('set-2');
    await until(async () => (await giver.fleet.queuedRuns('set')).length === 1);
    handle.stop();
    expect(await handle.done).toBeNull();
    await until(async () => (await giver.store.get('set-3'))?.owner === null);
  },
);

test('who listens takes one of the connections', async () => {
  const url = await newStoreUrl();
  const store = await openPostgresStore({ url: `${url}&application_name=few`, connections: 2 });
  ends.push(() => store.close());
  const hints = await store.hints?.();
  hints?.on(() => undefined);
  await until(() => hints?.quietMs);
  await Promise.all(Array.from({ length: 20 }, () => store.list()));
  const text = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'few'`;
  expect(await bySql(url, text)).toHaveLength(2);
  const single = await openPostgresStore({ url, connections: 1 });
  ends.push(() => single.close());
  expect(await single.hints?.()).toBeNull();
});
