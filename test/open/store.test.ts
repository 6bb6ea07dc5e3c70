/** The store that somebody else named: found from anywhere, whatever this process has for its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournals } from '../../src/open/journals.ts';
import { environmentOf, storeOf } from '../../src/open/store.ts';
import { newStoreUrl } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a session of a contest on Postgres was told as crashed where POLYA_STORE was not set: its store is found by name', async () => {
  const folder = temporaryFolder('store');
  const { name } = storeOf(folder, { POLYA_STORE: await newStoreUrl() });
  const env = environmentOf(name, {});
  expect(storeOf(folder, env).name).toBe(name);
  const polya = openJournals({ folder, env });
  expect(await polya.world.store.listSets()).toEqual([]);
  await polya.close();
});

test('the password of this environment is kept where it leads to the same store', () => {
  const here = { POLYA_STORE: 'postgres://polya:secret@db.example/polya' };
  expect(environmentOf('postgres://polya@db.example/polya', here)).toEqual(here);
  expect(environmentOf('postgres://polya@other.example/polya', here).POLYA_STORE).not.toContain('secret');
});

test('a session in a folder stays there where POLYA_STORE names a server; a folder that is gone is none', () => {
  const home = temporaryFolder('store');
  const here = { POLYA_STORE: 'postgres://polya@db.example/polya' };
  expect(environmentOf(home, here)).toEqual(here);
  writeFileSync(join(home, 'polya.db'), '');
  expect(storeOf(home, environmentOf(home, here)).name).toBe(home);
});
