/** A store of version 2, which knew no run-sets: it is brought up to date with all that it holds. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { thisProcess } from '../../src/store/owner.ts';
import { schemaVersion } from '../../src/store/schema.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { coded } from '../support/coded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const owner = thisProcess();
const event = {
  seq: 1,
  atMs: 5,
  branch: '',
  ordinal: null,
  attempt: 0,
  kind: 'note',
  body: '{"kind":"a","data":{},"index":0}',
} as const;

async function olderStore(): Promise<string> {
  const file = join(temporaryFolder(), 'polya.db');
  const store = openSqliteStore({ file, now: () => 1 });
  const run = { id: 'old', createdAtMs: 1, parent: null, summary: { agent: 'x' }, owner };
  const ownership = await store.create(run, {
    events: [event],
    blobs: [{ hash: 'h', text: 'words' }],
    durable: true,
  });
  await store.release(ownership);
  await store.close();
  const database = new DatabaseSync(file);
  database.exec('DROP TABLE run_sets; PRAGMA user_version = 2');
  database.close();
  return file;
}

test('it holds its runs, and takes run-sets from then on', async () => {
  const file = await olderStore();
  const store = openSqliteStore({ file, now: () => 2 });
  expect(await store.events('old')).toEqual([event]);
  expect(await store.listSets()).toEqual([]);
  const set = { id: 'set', createdAtMs: 2, plan: { name: 'x' }, owner };
  const ownership = await store.createSet(set);
  await expect(store.createSet(set)).rejects.toThrow(coded('run-set-exists'));
  await expect(store.acquireSet('set', owner, {})).rejects.toThrow(coded('run-owned'));
  await store.heartbeatSet(ownership);
  await store.releaseSet(ownership, { reason: 'done' });
  expect(await store.getSet('set')).toEqual({ ...set, ending: { reason: 'done' }, owner: null });
  const later = await store.acquireSet('set', owner, { name: 'y' });
  expect(await store.getSet('set')).toMatchObject({ plan: { name: 'y' }, ending: null, owner });
  await expect(store.heartbeatSet(ownership), 'the earlier owner').rejects.toThrow(
    'belongs to another process',
  );
  await store.releaseSet(later, null);
  await expect(store.acquireSet('none', owner, {})).rejects.toThrow(coded('no-such-set'));
  await store.close();
  const database = new DatabaseSync(file);
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: schemaVersion });
  database.close();
});
