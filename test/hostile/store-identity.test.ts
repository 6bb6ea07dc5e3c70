/** A store that is trusted and is then overwritten in place, as `cp -r` and `unzip -o` do: inode and birth time stay the same. */
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { trustRenewal } from '../../src/open/trust/trust.ts';
import { readIdentity } from '../../src/store/connections.ts';
import { call } from '../cli/process.ts';
import { newPlace, type Place, polya } from '../cli/shell.ts';

/** A user with a script of one reply, and no word of trust. */
function newUser(): Place & { readonly ask: readonly string[]; readonly store: string } {
  const { folder, env } = newPlace();
  mkdirSync(env.HOME ?? '');
  const script = join(env.HOME ?? '', 'script.json');
  writeFileSync(script, JSON.stringify({ roles: { solver: { '': [{ text: '42' }] } } }));
  const ask = ['ask', 'What?', '--model', `scripted:${script}`];
  return { folder, env: { ...env, POLYA_TRUST: '' }, ask, store: join(folder, '.polya/polya.db') };
}

async function userWithRun() {
  const user = newUser();
  expect(await polya(user, user.ask)).toMatchObject({ code: 0 });
  return user;
}

/** The file stays the same one. */
function overwrite(file: string, content: Uint8Array): void {
  const { ino, birthtimeMs } = statSync(file);
  writeFileSync(file, content);
  expect(statSync(file)).toMatchObject({ ino, birthtimeMs });
}

const isRefused = { code: 2, err: expect.stringMatching(/You have not trusted .*polya\.db/) };

test('a store of somebody else over it is asked about, and only shown', async () => {
  const [user, stranger] = [await userWithRun(), await userWithRun()];
  overwrite(user.store, readFileSync(stranger.store));
  expect(await polya(user, ['runs', 'fork', 'last'])).toMatchObject(isRefused);
  expect(await polya(user, user.ask)).toMatchObject(isRefused);
  expect(await polya(user, ['runs', 'list'])).toMatchObject({ code: 0 });
  expect(await polya(user, ['trust', '--yes'])).toMatchObject({ code: 0 });
  expect(await polya(user, user.ask)).toMatchObject({ code: 0 });
});

test.each([
  ['that knows no identity yet', 'DROP TABLE identity; PRAGMA user_version = 5'],
  ['whose identity was removed', 'DELETE FROM identity'],
  ['with another table of that name', 'DROP TABLE identity; CREATE TABLE identity (number)'],
])('a store %s over it is asked about', async (_, change) => {
  const [user, stranger] = [await userWithRun(), await userWithRun()];
  {
    using database = new DatabaseSync(stranger.store);
    database.exec(change);
  }
  overwrite(user.store, readFileSync(stranger.store));
  expect(await polya(user, ['runs', 'fork', 'last'])).toMatchObject(isRefused);
});

test('a copy that somebody got earlier is asked about when it lies over the store again', async () => {
  const user = await userWithRun();
  const earlier = readFileSync(user.store);
  for (let run = 0; run < 2; run += 1) expect(await polya(user, user.ask)).toMatchObject({ code: 0 });
  overwrite(user.store, earlier);
  expect(await polya(user, user.ask)).toMatchObject(isRefused);
});

test('an earlier version’s store stays trusted, and gets an identity with the next run', async () => {
  const user = await userWithRun();
  rmSync(join(user.env.HOME ?? '', '.config'), { recursive: true });
  {
    using database = new DatabaseSync(user.store);
    database.exec('DROP TABLE identity; PRAGMA user_version = 5');
  }
  expect(await polya(user, ['trust', '--yes'])).toMatchObject({ code: 0 });
  for (let run = 0; run < 2; run += 1) expect(await polya(user, user.ask)).toMatchObject({ code: 0 });
  expect(readIdentity(user.store)).toMatch(/^[0-9a-f]{32}$/);
});

test('a kill between the record and the store takes no trust away', async () => {
  const user = await userWithRun();
  const home = join(user.folder, '.polya');
  // What a killed process has recorded for a store that it did not come to change.
  for (const after of ['1', '2'])
    expect(trustRenewal(home, user.env, { before: readIdentity(user.store), after })).toBe(true);
  expect(await polya(user, user.ask)).toMatchObject({ code: 0 });
  expect(trustRenewal(home, user.env, { before: '2', after: '3' })).toBe(false);
});

test('processes that start at once, in a new folder too, leave a store that is trusted', {
  timeout: 120_000,
}, async () => {
  const user = newUser();
  for (let round = 0; round < 2; round += 1) {
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(user, user.ask)));
    expect(answers.map(({ code, err }) => (code === 0 ? 0 : err))).toEqual([0, 0, 0, 0, 0]);
  }
  const copy = join(user.folder, 'copy');
  cpSync(join(user.folder, '.polya'), copy, { recursive: true });
  const elsewhere = { ...user, env: { ...user.env, POLYA_HOME: copy } };
  expect(await polya(elsewhere, user.ask)).toMatchObject(isRefused);
});
