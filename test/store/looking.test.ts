/** Looking at a store writes nothing, and nothing is asked of or written into a file that is no store of Polya. */
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/core/store.ts';
import { thisProcess } from '../../src/store/owner.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { newPlace, polya } from '../cli/shell.ts';
import { coded } from '../support/coded.ts';
import { contentsOf } from '../support/contents.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { batch } from './conformance.ts';

const open = (file: string): Store => openSqliteStore({ file, now: () => Date.now() });
const oneRun = (id: string) => ({ id, createdAtMs: 1, parent: null, summary: {}, owner: thisProcess() });

async function storeWith(...ids: readonly string[]): Promise<string> {
  const file = join(temporaryFolder(), 'polya.db');
  const store = open(file);
  for (const id of ids) await store.release(await store.create(oneRun(id), batch([1])));
  await store.close();
  return file;
}

async function look(store: Store): Promise<readonly string[]> {
  await store.listSets();
  await store.mail('a', 0).catch(() => []);
  await store.tail('a').catch(() => null);
  return (await store.list()).map(({ id }) => id);
}

test('a store that was opened while another process created it shows the runs that follow', async () => {
  const file = join(temporaryFolder(), 'polya.db');
  // A log without a table: what a reader sees between the first page of the log and the first commit.
  using creating = new DatabaseSync(file);
  creating.exec('PRAGMA journal_mode = WAL; CREATE TABLE early (id); DROP TABLE early');
  const reader = open(file);
  expect(await reader.list()).toEqual([]);
  const writer = open(file);
  await writer.create(oneRun('a'), batch([1]));
  expect((await reader.list()).map(({ id }) => id)).toEqual(['a']);
  await reader.close();
  await writer.close();
});

test('lists, events and mail are read, and the folder is as it was', async () => {
  const file = await storeWith('a');
  chmodSync(file, 0o644);
  const before = contentsOf(join(file, '..'));
  const store = open(file);
  expect(await look(store)).toEqual(['a']);
  expect(await store.events('a')).toHaveLength(1);
  expect(contentsOf(join(file, '..'))).toEqual(before);
  await store.close();
  expect(contentsOf(join(file, '..'))).toEqual(before);
});

test('a store that does not exist yet is empty, and is made by the first write alone', async () => {
  const folder = temporaryFolder();
  const made: string[] = [];
  const file = join(folder, 'polya.db');
  const hooks = { beforeWriting: () => made.push('before'), onCreated: () => made.push('created') };
  const store = openSqliteStore({ file, now: () => 1, ...hooks });
  expect(await look(store)).toEqual([]);
  expect([readdirSync(folder), made]).toEqual([[], []]);
  await store.create(oneRun('a'), batch([1]));
  expect(made).toEqual(['before', 'created']);
  expect(await look(store)).toEqual(['a']);
  await store.close();
});

test('who looks sees what another process writes meanwhile, and after it', async () => {
  const file = await storeWith('a');
  const looking = open(file);
  expect(await look(looking)).toEqual(['a']);
  const writing = open(file);
  await writing.create(oneRun('b'), batch([1]));
  expect(await look(looking)).toEqual(['b', 'a']);
  await writing.create(oneRun('c'), batch([1]));
  expect(await look(looking)).toEqual(['c', 'b', 'a']);
  await writing.close();
  expect(await look(looking)).toEqual(['c', 'b', 'a']);
  await looking.close();
});

test('a file of an older Polya is brought up to date by a write, not by looking', async () => {
  const file = await storeWith('a');
  const version = (): unknown => {
    using database = new DatabaseSync(file, { readOnly: true });
    return database.prepare('PRAGMA user_version').get()?.user_version;
  };
  {
    using database = new DatabaseSync(file);
    database.exec(
      'DROP TABLE identity; DROP TABLE run_sets; DROP TABLE whispers; PRAGMA user_version = 1; PRAGMA application_id = 0',
    );
  }
  const store = open(file);
  expect(await look(store)).toEqual(['a']);
  expect(version()).toBe(1);
  await store.create(oneRun('b'), batch([1]));
  expect(version()).toBe(6);
  await store.close();
});

describe('a file of another program', () => {
  const others: readonly (readonly [string, string])[] = [
    ['with tables of its own', 'CREATE TABLE bookmarks (url TEXT)'],
    ['with a version of its own', 'CREATE TABLE bookmarks (url TEXT); PRAGMA user_version = 4'],
    ['with tables of our names', 'CREATE TABLE runs (id TEXT); PRAGMA user_version = 4'],
    ['with an id of its own', 'PRAGMA application_id = 7'],
  ];

  test.each(others)('%s is neither read nor changed', async (_, sql) => {
    const place = newPlace();
    const home = join(place.folder, '.polya');
    mkdirSync(home);
    {
      using database = new DatabaseSync(join(home, 'polya.db'));
      database.exec(sql);
    }
    const before = contentsOf(home);
    const trusting = { ...place, env: { ...place.env, POLYA_TRUST: '1' } };
    for (const argv of [['runs', 'list'], ['cost'], ['store', 'check']]) {
      const { code, err } = await polya(trusting, argv);
      expect({ code, err }).toEqual({ code: 4, err: expect.stringMatching(/another program/) });
    }
    expect(contentsOf(home)).toEqual(before);
    writeFileSync(join(place.folder, 's.json'), '{"roles":{"solver":{"":[{"text":"42"}]}}}');
    expect(await polya(trusting, ['ask', 'What?', '--model', 'scripted:s.json'])).toMatchObject({
      code: 4,
      err: expect.stringContaining('another program'),
    });
    using database = new DatabaseSync(join(home, 'polya.db'), { readOnly: true });
    expect(database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get()).toBeUndefined();
  });
});

test.each([
  ['view in the place of a table', 'ALTER TABLE mail RENAME TO old; CREATE VIEW mail AS SELECT * FROM old'],
  ['view of its own', 'CREATE VIEW runs_too AS SELECT * FROM runs'],
  ['trigger', 'CREATE TRIGGER more AFTER INSERT ON runs BEGIN DELETE FROM runs; END'],
  ['virtual table', 'CREATE VIRTUAL TABLE words USING fts5(word)'],
  ['index over an expression', 'CREATE INDEX slow ON runs(length(summary))'],
  ['changed table', 'DROP TABLE mail; CREATE TABLE mail (id, run_key, at, kind, text AS (hex(zeroblob(9))))'],
])('a store with a %s of somebody else is refused before it runs', async (_, sql) => {
  const file = await storeWith('a');
  {
    using database = new DatabaseSync(file);
    database.exec(sql);
  }
  expect(() => open(file)).toThrow(coded('database-foreign'));
});

test('a table that its user added does no harm', async () => {
  const file = await storeWith('a');
  {
    using database = new DatabaseSync(file);
    database.exec('CREATE TABLE notes (text TEXT); ANALYZE');
  }
  const store = open(file);
  expect(await look(store)).toEqual(['a']);
  await store.create(oneRun('b'), batch([1]));
  await store.close();
});

test('a summary and an event that are too large to be ours are damaged, and the rest is read', async () => {
  const file = await storeWith('a', 'b');
  {
    using database = new DatabaseSync(file);
    database.exec(`UPDATE runs SET summary = '{"x":"' || hex(zeroblob(3000000)) || '"}' WHERE id = 'a'`);
  }
  const store = open(file);
  await expect(store.list()).rejects.toMatchObject({ whole: [{ id: 'b' }] });
  await store.close();
});

describe('no link is followed', () => {
  test.each(['.polya', '.polya/polya.db', '.polya/polya.db-wal'])('from %s', async (name) => {
    const place = newPlace();
    const elsewhere = temporaryFolder();
    const target = name === '.polya' ? elsewhere : join(elsewhere, 'target.db');
    if (name !== '.polya') mkdirSync(join(place.folder, '.polya'));
    if (name.endsWith('.db')) {
      using database = new DatabaseSync(target);
      database.exec('CREATE TABLE bookmarks (url TEXT)');
    } else writeFileSync(join(elsewhere, name === '.polya' ? 'polya.db' : 'target.db'), 'x');
    if (name.endsWith('-wal')) writeFileSync(join(place.folder, '.polya/polya.db'), 'x');
    symlinkSync(target, join(place.folder, name));
    const before = contentsOf(elsewhere);
    writeFileSync(join(place.folder, 's.json'), '{"roles":{"solver":{"":[{"text":"42"}]}}}');
    const trusting = { ...place, env: { ...place.env, POLYA_TRUST: '1' } };
    for (const argv of [
      ['runs', 'list'],
      ['ask', 'What?', '--model', 'scripted:s.json'],
    ])
      expect(await polya(trusting, argv), argv[0]).toMatchObject({
        code: 2,
        err: expect.stringContaining('is a link'),
      });
    expect(contentsOf(elsewhere)).toEqual(before);
  });

  test('to a file of git that does not exist yet', async () => {
    const place = newPlace();
    const target = join(temporaryFolder(), 'made');
    mkdirSync(join(place.folder, '.polya'));
    symlinkSync(target, join(place.folder, '.polya/.gitignore'));
    writeFileSync(join(place.folder, 's.json'), '{"roles":{"solver":{"":[{"text":"42"}]}}}');
    const { code, err } = await polya(place, ['ask', 'What?', '--model', 'scripted:s.json']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('.gitignore is a link') });
    expect(statSync(target, { throwIfNoEntry: false })).toBeUndefined();
  });
});
