/** A copy of one store in another, both ways: what was copied is resumed, forked and told as it was, and half a copy is refused. */
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Store } from '../../src/core/store.ts';
import { copyStore } from '../../src/run/copy.ts';
import { hashText } from '../../src/run/hash.ts';
import { thisProcess } from '../../src/store/owner.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { polya } from '../cli/shell.ts';
import { unpackFolder } from '../fixtures/folder.ts';
import { coded } from '../support/coded.ts';
import { newStoreUrl } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { batch, row } from './conformance.ts';

const owner = thisProcess();
const file = (): string => join(temporaryFolder(), 'polya.db');
const sqlite = (path = file()): Store => openSqliteStore({ file: path, now: () => Date.now() });
const postgres = async (url?: string): Promise<Store> =>
  openPostgresStore({ url: url ?? (await newStoreUrl()), leaseMs: 600_000 });

const words = 'words '.repeat(500);
const run = (id: string, parent: { run: string; seq: number } | null = null) => ({
  id,
  createdAtMs: 5,
  parent,
  summary: { title: id },
  owner,
});

const end = (seq: number) => ({
  ...batch([], { ended: true }),
  events: [{ ...row(seq), kind: 'run-end' as const }],
});

/** Two runs, a fork of a deleted one, mail that was read and mail that was not, and a set. */
async function filled(store: Store): Promise<Store> {
  const named = { ...row(2, `{"blob":"${hashText(words)}"}`) };
  const blobs = [{ hash: hashText(words), text: words }];
  const a = await store.create(run('a'), { ...batch([]), events: [row(1), named], blobs });
  const b = await store.create(run('b', { run: 'a', seq: 2 }), batch([3]));
  const gone = await store.create(run('gone'), batch([1]));
  const c = await store.create(run('c', { run: 'gone', seq: 1 }), end(2));
  for (const text of ['read', 'unread']) await store.post('b', { kind: 'tell', text, atMs: 7 });
  await store.post('b', { kind: 'stop', text: '', atMs: 8 });
  const [first] = await store.mail('b', 0);
  const received = { status: 'ok', result: { messages: ['read'], lastId: first?.id } };
  await store.append(b, {
    ...batch([]),
    events: [{ ...row(4, JSON.stringify(received)), kind: 'inbox' }],
  });
  for (const each of [a, b, gone, c]) await store.release(each);
  await store.delete('gone');
  const set = await store.createSet({ id: 's', createdAtMs: 1, plan: { name: 's' }, owner });
  await store.releaseSet(set, { reason: 'done' });
  return store;
}

async function told(store: Store) {
  const rows = await store.list();
  return Promise.all(
    rows.map(async ({ heartbeatAtMs: _, parent: __, host: ___, ...rest }) => ({
      ...rest,
      events: await store.events(rest.id),
      names: (await store.blobNames(rest.id)).toSorted(),
    })),
  );
}

test.each([
  ['a file to a server', async () => filled(sqlite()), postgres],
  ['a server to a file', async () => filled(await postgres()), async () => sqlite()],
])('from %s: all is there, and copied again it is left as it is', async (_what, from, to) => {
  const [source, target] = [await from(), await to()];
  // Its own mail has taken numbers already.
  expect(await copyStore(source, target, owner)).toEqual({ runs: 3, continued: 0, alreadyThere: 0, sets: 1 });
  expect(await told(target)).toEqual(await told(source));
  expect(await target.get('b')).toMatchObject({ parent: { run: 'a', seq: 2 }, owner: null });
  expect(await target.blobs([hashText(words)])).toEqual(await source.blobs([hashText(words)]));
  expect(await target.getSet('s')).toEqual(await source.getSet('s'));
  const last = (await source.mail('b', 0))[0]?.id ?? 0;
  expect(
    (await target.mail('b', last)).map(({ text }) => text),
    'what the journal has read is not read again',
  ).toEqual(['unread']);
  await target.post('b', { kind: 'tell', text: 'later', atMs: 9 });
  expect((await target.mail('b', last)).map(({ text }) => text)).toEqual(['unread', 'later']);
  expect(await copyStore(source, target, owner)).toMatchObject({ runs: 0, alreadyThere: 3 });
  expect((await target.mail('b', 0)).length).toBe(2);

  const again = await source.acquire('b', owner);
  await source.append(again, { ...end(5), summary: { title: 'went on' } });
  await source.release(again);
  expect(await copyStore(source, target, owner)).toMatchObject({ continued: 1, alreadyThere: 2 });
  expect(await target.get('b')).toMatchObject({ lastSeq: 5, ended: true, summary: { title: 'went on' } });
  await Promise.all([source.close(), target.close()]);
});

test('a store of which not all can be copied is refused before the first run is: damaged, at work, or another one', async () => {
  const [path, target] = [file(), await postgres()];
  const source = await filled(sqlite(path));
  const held = await source.acquire('c', owner);
  await expect(copyStore(source, target, owner)).rejects.toThrow(coded('copy-refused', 'at work'));
  await source.release(held);
  const database = new DatabaseSync(path);
  database.exec(
    `DROP TRIGGER events_by_hand; UPDATE events SET body = '{"torn":1}' WHERE seq = 2 AND run_key = 1`,
  );
  database.close();
  await expect(copyStore(source, target, owner)).rejects.toThrow(coded('copy-refused', 'event 2'));
  expect(await target.list()).toEqual([]);
  const other = await filled(sqlite());
  await target.release(await target.create(run('a'), batch([1, 2])));
  await expect(copyStore(other, target, owner)).rejects.toThrow(coded('copy-refused', 'not the same'));
  await Promise.all([source.close(), other.close(), target.close()]);
});

test('journals of earlier versions are copied to a server and replayed there, and come back as they were', async () => {
  const folder = temporaryFolder();
  unpackFolder(join(import.meta.dirname, '../fixtures/journals/ensemble/whole.folder.gz'), folder);
  const [database = ''] = globSync(join(folder, '{,*/,.*/}polya.db'));
  const url = await newStoreUrl();
  const trusted = { POLYA_TRUST: '1' };
  const here = { folder, env: { ...trusted, POLYA_HOME: dirname(database) } };
  const there = { folder, env: { ...trusted, POLYA_HOME: join(folder, 'none'), POLYA_STORE: url } };
  const back = { folder, env: { ...trusted, POLYA_HOME: join(folder, 'back') } };
  expect(await polya(here, ['store', 'copy', dirname(database), url])).toMatchObject({ code: 0 });
  const listed = await polya(here, ['runs', 'list', '--json']);
  expect(JSON.parse((await polya(there, ['runs', 'list', '--json'])).out)).toEqual(JSON.parse(listed.out));
  expect((await polya(there, ['store', 'check'])).out).toContain('all whole');
  expect((await polya(there, ['runs', 'replay', 'last'])).code).toBe(0);
  expect((await polya(there, ['store', 'check', '--salvage', 'saved'])).code).toBe(0);
  expect(JSON.parse((await polya(here, ['store', 'copy', url, 'back', '--json'])).out)).toMatchObject({
    to: join(folder, 'back'),
  });
  expect(JSON.parse((await polya(back, ['runs', 'list', '--json'])).out)).toEqual(JSON.parse(listed.out));
  expect(await polya(here, ['store', 'copy', 'nowhere', 'back'])).toMatchObject({ code: 2 });
  expect(await polya(here, ['store', 'copy', 'back', 'back'])).toMatchObject({ code: 2 });
});
