/** A Postgres with TLS: reached where its certificate and name are right, else refused, with what to do and no password. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { thisProcess } from '../../src/store/owner.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { startCluster, startServer, stopServer } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { batch } from './conformance.ts';

const canary = 'canary-tls-0123456789';
const nobody = 65534;
let [folder, port] = ['', 0];

const openssl = (...args: readonly string[]): void =>
  void execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });

function authority(name: string): void {
  openssl(
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`],
  );
}

/** For `localhost` alone, signed by `ours`. */
function serverCertificate(): void {
  openssl(
    ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=localhost'],
    ...['-keyout', 'server.key', '-out', 'server.csr'],
  );
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost');
  openssl(
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'ours.pem', '-CAkey', 'ours.key', '-CAcreateserial'],
    ...['-days', '2', '-extfile', 'names', '-out', 'server.pem'],
  );
  if (process.getuid?.() === 0) chownSync(join(folder, 'server.key'), nobody, nobody);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

beforeAll(async () => {
  folder = temporaryFolder('pg');
  startCluster(folder, process.pid);
  stopServer(folder, 'fast');
  authority('ours');
  authority('another');
  serverCertificate();
  appendFileSync(join(folder, 'data', 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 trust\n');
  port = await freePort();
  const files = `-c ssl_cert_file=${folder}/server.pem -c ssl_key_file=${folder}/server.key`;
  startServer(folder, `-c listen_addresses=127.0.0.1 -c port=${port} -c ssl=on ${files}`);
});

afterAll(() => stopServer(folder, 'fast'));

const at = (host: string, query: string): string =>
  `postgres://polya:${canary}@${host}:${port}/polya?${query}`;
const verified = (ca: string): string => `sslmode=verify-full&sslrootcert=${join(folder, ca)}`;

async function refusal(url: string): Promise<{ code: string; message: string }> {
  const error = await openPostgresStore({ url }).then(
    () => expect.unreachable('it was opened'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error) || !('code' in error)) throw error;
  expect(
    JSON.stringify([error, { ...error }, error.message, error.stack, String(error.cause)]),
  ).not.toContain(canary);
  return { code: String(error.code), message: error.message };
}

test('the right name with the right authority: journals are written over TLS', async () => {
  const store = await openPostgresStore({ url: at('localhost', verified('ours.pem')) });
  const run = { id: 'a', createdAtMs: 1, parent: null, summary: {}, owner: thisProcess() };
  await store.append(await store.create(run, batch([1])), batch([2]));
  expect((await store.events('a')).length).toBe(2);
  await store.close();
});

test('another authority', async () => {
  expect(await refusal(at('localhost', verified('another.pem')))).toEqual({
    code: 'database-tls',
    message: expect.stringMatching(/certificate.*sslrootcert/),
  });
});

test('another name than that of the certificate', async () => {
  expect(await refusal(at('127.0.0.1', verified('ours.pem')))).toEqual({
    code: 'database-tls',
    message: expect.stringMatching(/127\.0\.0\.1.*docs\/fleet\.md/),
  });
});

test('a server that demands TLS and is asked without', async () => {
  expect(await refusal(at('localhost', ''))).toEqual({
    code: 'database-tls',
    message: expect.stringMatching(/no encryption.*sslmode/),
  });
});

test('a file of the authority that is not there', async () => {
  expect(await refusal(at('localhost', verified('no-such.pem')))).toEqual({
    code: 'database-tls',
    message: expect.stringContaining('no-such.pem'),
  });
});
