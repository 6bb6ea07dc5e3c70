/** The site's accounts on a disk that is full, or in a folder that may not be written: told, and not a defect. */
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UnavailableError } from '../../src/core/errors.ts';
import { explainLockError, inTransaction } from '../../src/io/exclusive.ts';
import { sharedTurns } from '../../src/io/spacing.ts';
import { openLedger } from '../../src/practice/ledger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('cannot rollback - no transaction is active: SQLite had rolled back by itself', () => {
  const folder = temporaryFolder('full');
  openLedger(folder).close();
  // A file may not grow beyond this many blocks of 1024 bytes: what a full disk is to SQLite.
  const fill = `
    import { openLedger } from ${JSON.stringify(join(import.meta.dirname, '../../src/practice/ledger.ts'))};
    const ledger = openLedger(${JSON.stringify(folder)});
    try {
      for (let user = 0; user < 100000; user += 1) ledger.sessionFor('user ' + user + 'x'.repeat(500), '');
      console.log('nothing');
    } catch (error) {
      console.log(error.name + ': ' + error.message);
    }`;
  const { stdout } = spawnSync(
    'sh',
    ['-c', 'ulimit -f 200; trap "" XFSZ; exec "$0" --input-type=module -e "$1"', process.execPath, fill],
    { encoding: 'utf8' },
  );
  expect(stdout).toMatch(/^UnavailableError: .*practice\.sqlite cannot be read or written/);
});

test('an error of the work itself is rolled back and passed on', async () => {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (n INTEGER)');
  const work = (): never => {
    database.exec('INSERT INTO t VALUES (1)');
    throw new Error('on purpose');
  };
  expect(() => inTransaction(database, work)).toThrow('on purpose');
  expect(database.prepare('SELECT count(*) AS n FROM t').get()?.n).toBe(0);
  const alreadyRolledBack = (): never => {
    database.exec('ROLLBACK');
    throw new Error('the first cause');
  };
  expect(() => inTransaction(database, alreadyRolledBack)).toThrow('the first cause');
  expect(() => explainLockError('x.sqlite', () => database.exec('nonsense'))).toThrow(UnavailableError);
  expect(() =>
    explainLockError('x.sqlite', () => {
      throw new TypeError('ours');
    }),
  ).toThrow(TypeError);
});

test("accounts and turns are their user's alone", async () => {
  const folder = temporaryFolder('private');
  const old = join(folder, 'practice.sqlite');
  writeFileSync(old, '', { mode: 0o644 });
  openLedger(folder).close();
  await sharedTurns(join(folder, 'turns.sqlite'))('host', 0, 1);
  for (const name of ['practice.sqlite', 'turns.sqlite']) {
    expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
  }
});

test('a folder that cannot be made is told, and is no defect', () => {
  expect(() => openLedger('/etc/passwd/practice')).toThrow(UnavailableError);
});
