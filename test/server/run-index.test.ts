/** The list of a store with many runs: what begins, goes on, ends or is deleted is seen, though not every row is read again. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunQuery } from '../../src/notes/run-list.ts';
import { Reader } from '../../src/server/reader.ts';
import { RunIndex } from '../../src/server/run-index.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const all: RunQuery = {
  words: '',
  facets: {},
  sinceHours: null,
  sort: 'newest first',
  offset: 0,
  limit: 10,
};
const owner = { pid: process.pid, startedAt: '1' };
const ended = {
  outcome: 'solved',
  aliveMs: 1,
  spent: { modelCalls: 1, tokens: null, knownTokens: 7, costUsd: null, knownCostUsd: 0 },
};

test('of 2,600 runs, changes are seen with the rows that can have changed; deletions by the next look at all', async () => {
  let nowMs = 0;
  const store = openSqliteStore({ file: join(temporaryFolder(), 'polya.db'), now: () => nowMs });
  const make = async (id: string, isEnded: boolean) => {
    const ownership = await store.create(
      { id, createdAtMs: 1, parent: null, summary: { title: id }, owner },
      { events: [], blobs: [], durable: false },
    );
    const end = () =>
      store.append(ownership, {
        events: [],
        blobs: [],
        durable: false,
        summary: { title: id, ...ended },
        ended: true,
      });
    if (isEnded) await end();
    await store.release(ownership);
    return end;
  };
  for (let index = 0; index < 2_600; index += 1)
    await make(`run-${String(index).padStart(4, '0')}`, index !== 0);
  let rows = 0;
  const list: typeof store.list = async (filter) => {
    const found = await store.list(filter);
    rows += found.length;
    return found;
  };
  const counted = new Proxy(store, {
    get: (_, name: keyof typeof store) => (name === 'list' ? list : store[name]?.bind(store)),
  });
  const index = new RunIndex(counted, new Reader(counted), () => nowMs);
  await index.refresh();
  expect(rows).toBe(2_600);
  expect(index.counts).toEqual({ runs: 2_600, running: 0, waiting: 0, unread: 1 });
  const { totals, groups, facets } = await index.list(all);
  expect(totals).toMatchObject({ runs: 2_600, unread: 1, states: { solved: 2_599, interrupted: 1 } });
  expect(totals).toMatchObject({ unknownCost: 2_599, unknownTokens: 2_599, knownTokens: 2_599 * 7 });
  expect(groups.filter(({ count }) => count > 0)).toEqual([
    { head: 'Interrupted', count: 1 },
    { head: 'Ended', count: 2_599 },
  ]);
  expect(facets.state).toEqual([
    ['interrupted', 1],
    ['solved', 2_599],
  ]);
  await index.read();
  expect(index.counts.unread).toBe(0);

  rows = 0;
  await make('new', true);
  const { version } = index;
  await index.refresh();
  expect(rows).toBeLessThan(300);
  expect(index.version).toBeGreaterThan(version);
  expect((await index.list({ ...all, words: 'NEW' })).runs.map(({ id }) => id)).toEqual(['new']);

  // The oldest run ends: it is none of the newest, and none of those that have not ended.
  const ownership = await store.acquire('run-0000', owner);
  await store.append(ownership, {
    events: [],
    blobs: [],
    durable: false,
    summary: { ...ended },
    ended: true,
  });
  await store.release(ownership);
  await index.refresh();
  expect((await index.list(all)).totals.states).toEqual({ solved: 2_601 });

  await store.delete('run-0001');
  nowMs += 60_000;
  await index.refresh();
  expect(index.counts.runs).toBe(2_600);
  await store.close();
});
