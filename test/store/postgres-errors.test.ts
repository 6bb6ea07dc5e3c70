/** What a person is told who cannot have a store on Postgres, and that no password gets into a word of it. */

import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournals } from '../../src/open/journals.ts';
import { thisProcess } from '../../src/store/owner.ts';
import { addressOf } from '../../src/store/postgres/address.ts';
import { explainError, isCorruption, isTransient } from '../../src/store/postgres/errors.ts';
import { passwordIn } from '../../src/store/postgres/server.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { coded } from '../support/coded.ts';
import { bySql, newStoreUrl, sharedCluster } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { batch } from './conformance.ts';

const canary = 'canary-pg-0123456789';

async function failure(url: string): Promise<Record<string, unknown> & { message: string }> {
  const error = await openPostgresStore({ url }).then(
    () => expect.unreachable('it was opened'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw error;
  const told = JSON.stringify([error, { ...error }, error.message, error.stack, String(error.cause)]);
  expect(told).not.toContain(canary);
  return { ...error, message: error.message };
}

const socket = async (): Promise<string> => `host=${(await sharedCluster()).socket}`;

test('a server that is not there', async () => {
  const away = `postgres://me:${canary}@127.0.0.1:9/polya`;
  expect(await failure(away)).toMatchObject({ code: 'database-unreachable', exitCode: 3 });
  expect(await failure(`postgres://me:${canary}@/polya?host=/nowhere`)).toMatchObject({
    code: 'database-unreachable',
    message: expect.stringContaining('postgres://me@/polya?host=/nowhere'),
  });
  expect(await failure(`postgres://me:${canary}@no-such-host.invalid/polya`)).toMatchObject({
    code: 'database-unreachable',
  });
});

test('something else that listens there is no Postgres', async () => {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  expect(await failure(`postgres://me:${canary}@127.0.0.1:${port}/polya`)).toMatchObject({ exitCode: 3 });
  server.close();
});

test('a wrong password, one that is missing, a user that is not known', async () => {
  const url = await newStoreUrl();
  await bySql(url, `DROP ROLE IF EXISTS guarded`, `CREATE ROLE guarded LOGIN PASSWORD 'right'`);
  for (const user of [`guarded:${canary}`, 'guarded', `nobody-of-them:${canary}`])
    expect(await failure(`postgres://${user}@/polya?${await socket()}`)).toMatchObject({
      code: 'database-login-refused',
      exitCode: 3,
    });
});

test('a database that is not there', async () => {
  expect(await failure(`postgres://polya:${canary}@/elsewhere?${await socket()}`)).toMatchObject({
    code: 'database-missing',
    message: expect.stringContaining('elsewhere'),
  });
});

test('a user who may not make tables, who may use them with the least rights, and who may only read', async () => {
  const url = await newStoreUrl();
  const schema = addressOf(url).schema;
  const as = async (user: string): Promise<string> =>
    `postgres://${user}:${canary}@/polya?${await socket()}&schema=${schema}`;
  const drop = (user: string): string =>
    `DO $$ BEGIN IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${user}') THEN DROP OWNED BY ${user}; DROP ROLE ${user}; END IF; END $$`;
  await bySql(url, drop('least'), drop('looker'), 'CREATE ROLE least LOGIN', 'CREATE ROLE looker LOGIN');
  expect(await failure(await as('least'))).toMatchObject({ code: 'database-no-rights', exitCode: 3 });
  await (await openPostgresStore({ url })).close();
  await bySql(
    url,
    `GRANT USAGE ON SCHEMA ${schema} TO least, looker`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO least`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO looker`,
  );
  const run = { id: 'a', createdAtMs: 1, parent: null, summary: {}, owner: thisProcess() };
  const least = await openPostgresStore({ url: await as('least') });
  const owned = await least.create(run, batch([1], { blobs: [{ hash: 'h', text: 'h' }] }));
  await least.append(owned, batch([2], { ended: true }));
  await least.post('a', { kind: 'tell', text: 'x', atMs: 1 });
  await least.publish(owned, 'x');
  const looker = await openPostgresStore({ url: await as('looker') });
  expect((await looker.events('a')).length).toBe(2);
  await expect(looker.post('a', { kind: 'tell', text: 'x', atMs: 1 })).rejects.toThrow(
    coded('database-no-rights'),
  );
  await least.release(owned);
  await least.delete('a');
  await Promise.all([least.close(), looker.close()]);
});

test('a server that is read-only, and one that takes no more connections', async () => {
  const url = await newStoreUrl();
  await bySql(
    url,
    'DROP ROLE IF EXISTS crowded',
    'CREATE ROLE crowded LOGIN CONNECTION LIMIT 0',
    'GRANT ALL ON DATABASE polya TO crowded',
  );
  const options = encodeURIComponent('-c default_transaction_read_only=on');
  expect(await failure(`${url}&options=${options}`)).toMatchObject({
    code: 'database-read-only',
    exitCode: 3,
  });
  expect(await failure(`postgres://crowded@/polya?${await socket()}`)).toMatchObject({
    code: 'database-connections',
  });
  await (await openPostgresStore({ url })).close();
  const standby = await openPostgresStore({ url: `${url}&options=${options}` });
  expect(await standby.list()).toEqual([]);
  await expect(
    standby.createSet({ id: 's', createdAtMs: 1, plan: {}, owner: thisProcess() }),
  ).rejects.toThrow(coded('database-read-only'));
  await standby.close();
});

test('TLS where the server has none', async () => {
  const url = `postgres://polya:${canary}@/polya?${await socket()}&sslmode=verify-full`;
  expect(['database-tls', 'database-unreachable']).toContain((await failure(url)).code);
});

test('the file of passwords is read as libpq reads it, unless others can read it', async () => {
  const folder = await socket();
  const url = await newStoreUrl();
  await bySql(url, `DROP ROLE IF EXISTS guarded`, `CREATE ROLE guarded LOGIN PASSWORD '${canary}'`);
  const file = join(temporaryFolder(), 'pgpass');
  const place = { host: '/run/pg', port: 5432, database: 'a:b', user: 'me' };
  const lines =
    '# localhost:*:*:*:no\n\nh:5432:*:me:no\n*:5433:*:*:no\nlocalhost:*:a\\:b:me:p\\:\\\\:q\n*:*:*:*:late\n';
  expect(passwordIn(lines, place)).toBe('p:\\:q');
  expect(passwordIn(lines, { ...place, user: 'other' })).toBe('late');
  expect(passwordIn('h:*:*:*:no', place)).toBeNull();
  const before = process.env.PGPASSFILE;
  process.env.PGPASSFILE = file;
  try {
    const filed = `postgres://guarded@/polya?${folder}`;
    expect((await failure(filed)).message).toContain(`${file} is not there`);
    writeFileSync(file, `*:*:polya:guarded:${canary}\n`, { mode: 0o644 });
    expect((await failure(filed)).message).toContain('others can read it (chmod 600)');
    chmodSync(file, 0o600);
    // It is let in, and may make nothing.
    expect(await failure(filed)).toMatchObject({ code: 'database-no-rights' });
  } finally {
    if (before === undefined) delete process.env.PGPASSFILE;
    else process.env.PGPASSFILE = before;
  }
});

test('each mode of TLS that verifies is told to `pg` by the one name that it does not warn of', () => {
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    expect(addressOf(`postgres://db/polya?sslmode=${mode}`).connectionString).toContain(
      'sslmode=verify-full',
    );
  const plain = addressOf('postgres://db/polya?sslmode=require&uselibpqcompat=true');
  expect(plain.connectionString).toContain('sslmode=require');
});

test.each([
  ['53100', 'disk-full', false],
  ['58030', 'disk-failed', false],
  ['53200', 'database-failed', false],
  ['57014', 'database-slow', true],
  ['57P01', 'database-lost', true],
  ['57P03', 'database-unreachable', true],
  ['08006', 'database-lost', true],
  ['40P01', null, true],
  ['XX001', 'database-damaged', false],
  ['42P01', 'database-damaged', false],
  // Half of the tables are there, the schema may not be looked into, a setting is not known.
  ['42P07', 'database-damaged', false],
  ['3F000', 'database-no-rights', false],
  ['42704', 'database-too-old', false],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'database-tls', false],
])('code %s is told as %s', (code, told, isPassing) => {
  const address = addressOf(`postgres://me:${canary}@db/polya`);
  const error = Object.assign(new Error(`it failed with ${canary}`), { code });
  const found = explainError(error, address);
  expect(isTransient(error)).toBe(isPassing);
  expect(isCorruption(error)).toBe(code === 'XX001');
  expect(String(found)).not.toContain(canary);
  if (told) expect(found).toEqual(coded(told, 'db/polya'));
});

test('what `pg` says without a code is told too', () => {
  const address = addressOf('postgres://db/polya');
  for (const [message, code] of [
    ['Query read timeout', 'database-slow'],
    ['timeout expired', 'database-unreachable'],
    ['Connection terminated unexpectedly', 'database-lost'],
    ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', 'database-login-refused'],
    ['The server does not support SSL connections', 'database-tls'],
  ] as const)
    expect(explainError(new Error(message), address)).toEqual(coded(code));
  const both = new AggregateError([Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })]);
  expect(explainError(both, address)).toEqual(coded('database-unreachable', 'refused'));
  const own = new Error('a defect');
  expect(explainError(own, address)).toBe(own);
});

test.each([
  `postgres://me:${canary}/x@db/polya`,
  `postgres://me:${canary}%zz@db/polya`,
  `postgres://me:${canary}@db/polya?schema=No;Good`,
  `mysql://me:${canary}@db/polya`,
  `${canary}`,
])('an address that cannot be read is not repeated: %#', (address) => {
  const env = { POLYA_STORE: address };
  for (const read of [() => addressOf(address), () => openJournals({ folder: temporaryFolder(), env })]) {
    expect(read).toThrow(coded('store-address-invalid'));
    try {
      read();
    } catch (error) {
      expect(`${error} ${JSON.stringify(error)}`).not.toContain(canary);
    }
  }
});

test('an address of several hosts is told to be one', () => {
  for (const hosts of ['a,b', 'a:5432,b:5433'])
    expect(() =>
      addressOf(`postgres://me:x,${canary}@${hosts}/polya?target_session_attrs=read-write`),
    ).toThrow(coded('store-address-invalid', 'several hosts'));
  expect(addressOf('postgres://me:x,y@db/polya').name).toBe('postgres://me@db/polya');
});

test.each([
  ['postgres://db/polya', 'postgres://db/polya'],
  [`postgres://me:a%2F${canary}@db:5433/polya?sslmode=verify-full`, 'postgres://me@db:5433/polya'],
  [
    `postgresql://me:a%2F${canary}@/polya?host=/run/pg&schema=mine`,
    'postgres://me@/polya?host=/run/pg&schema=mine',
  ],
  [`postgres://db/polya?user=me&password=a%2F${canary}`, 'postgres://me@db/polya'],
])('the name of a store has no password: %s', (url, name) => {
  const address = addressOf(url);
  expect(address.name).toBe(name);
  expect(address.hide(`x a%2F${canary} a/${canary} y`)).not.toContain(url.includes(canary) ? canary : '!');
});
