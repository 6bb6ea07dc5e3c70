/** The SQLite store: the suite of every store, and what can be wrong with a file. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { JournalError, UnavailableError } from '../../src/core/errors.ts';
import type { Store } from '../../src/core/store.ts';
import { lazyStore } from '../../src/store/lazy.ts';
import { thisProcess } from '../../src/store/owner.ts';
import { schemaVersion } from '../../src/store/schema.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { coded } from '../support/coded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { batch, describeStore } from './conformance.ts';

const open = (file: string): Store => openSqliteStore({ file, now: () => Date.now() });
const deadOwner = { ...thisProcess(), startedAt: thisProcess().startedAt.replace(/\d+$/, '1') };

describeStore('sqlite', async () => {
  const file = join(temporaryFolder(), 'polya.db');
  return {
    open: async () => open(file),
    living: thisProcess(),
    dead: deadOwner,
    close: async () => undefined,
  };
});

describeStore('sqlite, opened when it is needed', async () => {
  const file = join(temporaryFolder(), 'polya.db');
  return {
    open: async () => lazyStore(() => open(file)),
    living: thisProcess(),
    dead: deadOwner,
    close: async () => undefined,
  };
});

test('a store that is not needed makes no file', async () => {
  const file = join(temporaryFolder(), 'polya.db');
  await lazyStore(() => open(file)).close();
  expect(existsSync(file)).toBe(false);
});

const oneRun = (id = 'a') => ({
  id,
  createdAtMs: 1,
  parent: null,
  summary: {},
  owner: deadOwner,
});

test('what many runs append in one turn is one transaction', async () => {
  const file = join(temporaryFolder(), 'polya.db');
  const store = open(file);
  const ids = Array.from({ length: 20 }, (_, at) => `run-${at}`);
  const owned = await Promise.all(ids.map((id) => store.create(oneRun(id), batch([1]))));
  const before = commitsInLog(file);
  await Promise.all(owned.map((each) => store.append(each, batch([2], { durable: true }))));
  expect(commitsInLog(file) - before).toBe(1);
  await store.close();
});

/** Of the frames of SQLite's log, those that name the size of the file end a transaction. */
function commitsInLog(file: string): number {
  const log = readFileSync(`${file}-wal`);
  let commits = 0;
  for (let at = 32; at < log.length; at += 24 + 4096) if (log.readUInt32BE(at + 4) > 0) commits += 1;
  return commits;
}

describe('a file', () => {
  test('of a newer Polya is read and not written', async () => {
    const file = join(temporaryFolder(), 'polya.db');
    const store = open(file);
    await store.create(oneRun(), batch([1, 2]));
    await store.close();
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA user_version = ${schemaVersion + 1}`);
    database.close();

    const newer = open(file);
    expect((await newer.events('a')).length).toBe(2);
    expect((await newer.list()).length).toBe(1);
    for (const call of [
      () => newer.create(oneRun('b'), batch([1])),
      () => newer.acquire('a', thisProcess()),
      () => newer.delete('a'),
      () => newer.post('a', { kind: 'tell', text: '', atMs: 0 }),
    ]) {
      await expect(call()).rejects.toThrow(JournalError);
      await expect(call()).rejects.toThrow(coded('database-newer'));
    }
    await newer.close();
  });

  test('that is no database is told so at once, and is left as it is', () => {
    const file = join(temporaryFolder(), 'polya.db');
    writeFileSync(file, 'Dear diary, '.repeat(500));
    expect(() => open(file)).toThrow(JournalError);
    expect(() => open(file)).toThrow(coded('database-unreadable'));
  });

  test('that cannot be had is told so', () => {
    const folder = temporaryFolder();
    expect(() => open(join(folder, 'no', 'such', 'polya.db'))).toThrow(UnavailableError);
    mkdirSync(join(folder, 'folder.db'));
    expect(() => open(join(folder, 'folder.db'))).toThrow(coded('database-unreadable'));
  });

  test('with a blob of a form that nobody wrote is told so', async () => {
    const file = join(temporaryFolder(), 'polya.db');
    const store = open(file);
    await store.create(oneRun(), batch([1]));
    const database = new DatabaseSync(file);
    database.exec("INSERT INTO blobs (hash, data) VALUES ('h', 7)");
    database.close();
    await expect(store.blobs(['h'])).rejects.toThrow('unknown form');
    await store.close();
  });

  test('is found in order by another store that is opened meanwhile', async () => {
    const file = join(temporaryFolder(), 'polya.db');
    const [first, second] = [open(file), open(file)];
    await first.create(oneRun('a'), batch([1]));
    await second.create(oneRun('b'), batch([1]));
    expect((await first.list()).length).toBe(2);
    await Promise.all([first.close(), second.close()]);
    await first.close();
  });
});

test("a journal is its user's alone, whatever folder it lies in", async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const file = join(folder, 'polya.db');
  const store = openSqliteStore({ file, now: () => 1 });
  await store.create(oneRun(), batch([1]));
  expect(readdirSync(folder).length).toBeGreaterThan(0);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
  await store.close();
});

test('a file that an earlier version left open to others is closed to them', async () => {
  const file = join(temporaryFolder(), 'polya.db');
  const before = open(file);
  await before.create(oneRun('before'), batch([1]));
  await before.close();
  chmodSync(file, 0o644);
  const store = open(file);
  await store.list();
  expect(statSync(file).mode & 0o777, 'looking').toBe(0o644);
  await store.create(oneRun(), batch([1]));
  for (const each of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(each).mode & 0o777).toBe(0o600);
  await store.close();
});

test('a read-only file that others may read is closed to them by a write, and stays read-only', async () => {
  const file = join(temporaryFolder(), 'polya.db');
  const before = open(file);
  await before.create(oneRun('before'), batch([1]));
  await before.close();
  chmodSync(file, 0o444);
  const store = open(file);
  // Root may write it all the same.
  await store.create(oneRun(), batch([1])).catch(() => null);
  await store.close();
  expect(statSync(file).mode & 0o777).toBe(0o400);
});

test("no row of whispers is left at the run's end, nor when its owner lets go", async () => {
  const file = join(temporaryFolder(), 'polya.db');
  const store = open(file);
  const rows = (): number => {
    const database = new DatabaseSync(file);
    const found = Number(database.prepare('SELECT count(*) AS n FROM whispers').get()?.n);
    database.close();
    return found;
  };
  const ending = await store.create(oneRun('a'), batch([1]));
  await store.publish(ending, 'one');
  await store.append(ending, batch([2]));
  expect(rows()).toBe(1);
  await store.append(ending, batch([3], { ended: true }));
  expect(rows()).toBe(0);

  const first = await store.create(oneRun('b'), batch([1]));
  const second = await store.acquire('b', thisProcess());
  await store.publish(second, 'two');
  // Who has lost the run does not silence the one who has it.
  await store.release(first);
  expect(rows()).toBe(1);
  await store.release(second);
  expect(rows()).toBe(0);
  await store.close();
});

test('a run whose row is damaged is named, those beside it are listed', async () => {
  const file = join(temporaryFolder(), 'polya.db');
  const store = open(file);
  for (const id of ['whole', 'torn', 'named']) await store.create(oneRun(id), batch([1]));
  await store.close();
  const database = new DatabaseSync(file);
  database.exec(`UPDATE runs SET created_at = -1 WHERE id = 'torn'`);
  database.exec(`UPDATE runs SET summary = '{' WHERE id = 'named'`);
  database.close();
  const again = open(file);
  await expect(again.get('torn')).rejects.toThrow();
  await expect(again.list()).rejects.toMatchObject({ whole: [{ id: 'whole' }] });
  await expect(again.list({ limit: 5 })).rejects.toMatchObject({ whole: [{ id: 'whole' }] });
  expect(await again.get('whole')).toMatchObject({ id: 'whole' });
  await again.close();
});
