/**
 * A Postgres of the tests' own: Debian's programs, a cluster in the folder of the run, reached by a socket alone, as an
 * ordinary user. The first test that asks starts it, all workers share it, and it dies with the process of the suite.
 * Each test has a schema of its own.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { addressOf } from '../../src/store/postgres/address.ts';
import { runFolderVariable } from './temporary-folder.ts';
import { until } from './until.ts';

/** Postgres refuses root. */
const nobody = 65534;

export type Cluster = {
  readonly folder: string;
  /** Also the folder of its socket. */
  readonly socket: string;
};

/** The one that all tests share. */
export async function sharedCluster(): Promise<Cluster> {
  const folder = join(process.env[runFolderVariable] ?? '', 'pg');
  const ready = join(folder, 'ready');
  const isOurs = mkdirSync(folder, { recursive: true }) !== undefined;
  if (isOurs) {
    // Its parent is gone with this file of tests; the process of the suite is not.
    startCluster(folder, process.ppid);
    writeFileSync(ready, '');
  }
  await until(() => existsSync(ready));
  return { folder, socket: folder };
}

let schemas = 0;

/** An address where nothing is yet. */
export async function newStoreUrl(): Promise<string> {
  schemas += 1;
  return urlIn(await sharedCluster(), `t${process.pid}_${schemas}`);
}

export function urlIn({ socket }: Cluster, schema: string, database = 'polya'): string {
  return `postgres://polya@/${database}?host=${socket}&schema=${schema}`;
}

/** Returns when it takes connections. It ends when the process `livesWith` has ended. */
export function startCluster(folder: string, livesWith: number): void {
  const data = join(folder, 'data');
  const isRoot = process.getuid?.() === 0;
  chmodSync(folder, 0o711);
  if (isRoot) chownSync(folder, nobody, nobody);
  asUser(['initdb', '-D', data, '-U', 'polya', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
  // One user has to give a password.
  const login = 'local all guarded scram-sha-256\nlocal all all trust\nlocal replication all trust\n';
  writeFileSync(join(data, 'pg_hba.conf'), login);
  startServer(folder);
  asUser(['createdb', '-h', folder, '-U', 'polya', 'polya']);
  endWith(folder, livesWith);
}

function endWith(folder: string, livesWith: number): void {
  // Watched from outside: a killed suite leaves no server behind. It may be restarted meanwhile.
  const look = `number=$(head -1 ${pidFile(folder)}) && server=$number`;
  const watch = `while [ -d /proc/${livesWith} ] && sleep 0.5; do ${look}; done; kill -QUIT $server`;
  spawn('sh', ['-c', watch], { detached: true, stdio: 'ignore' }).unref();
}

/** What a store knows nothing of: users, rights, what somebody does by hand. In the schema of the address. */
export async function bySql(url: string, ...statements: readonly string[]): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: addressOf(url).connectionString });
  await client.connect();
  try {
    let rows: readonly unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/** When the folder of the run goes. */
export async function endSharedCluster(runFolder: string): Promise<void> {
  const file = pidFile(join(runFolder, 'pg'));
  if (!existsSync(file)) return;
  process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGQUIT');
  await until(() => !existsSync(file));
}

const pidFile = (folder: string): string => join(folder, 'data', 'postmaster.pid');

export function startServer(folder: string, more = ''): void {
  const settings = `-c listen_addresses='' -c unix_socket_directories=${folder} -c fsync=off -c max_connections=80 ${more}`;
  const log = join(folder, 'log');
  asUser(['pg_ctl', '-w', '-D', join(folder, 'data'), '-l', log, '-o', settings, 'start']);
}

/** `how` as `pg_ctl` takes it: `fast` breaks off what is connected, `immediate` is a crash. */
export function stopServer(folder: string, how: 'fast' | 'immediate'): void {
  asUser(['pg_ctl', '-w', '-D', join(folder, 'data'), '-m', how, 'stop']);
}

/** As if its machine had lost its power: nothing of it says good-bye. */
export function crashServer(folder: string): void {
  const pid = Number(readFileSync(pidFile(folder), 'utf8').split('\n')[0]);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  for (const each of [pid, ...children.map(Number)]) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It ended with the first.
    }
  }
}

/** Starts a copy of a server that follows it, by its own socket in its own folder, until it is promoted. */
export function startReplica(of: string, folder: string, livesWith: number): void {
  const data = join(folder, 'data');
  chmodSync(folder, 0o711);
  if (process.getuid?.() === 0) chownSync(folder, nobody, nobody);
  asUser(['pg_basebackup', '-h', of, '-U', 'polya', '-D', data, '-R', '-X', 'stream', '-c', 'fast', '-N']);
  // Nobody follows it yet, and it is to find its server again at once.
  const own = "synchronous_standby_names = ''\nwal_retrieve_retry_interval = '200ms'\n";
  appendFileSync(join(data, 'postgresql.auto.conf'), own);
  startServer(folder);
  endWith(folder, livesWith);
}

export function promoteServer(folder: string): void {
  asUser(['pg_ctl', '-w', '-D', join(folder, 'data'), 'promote']);
}

function asUser([program = '', ...args]: readonly string[]): void {
  const command = [join(binaries(), program), ...args];
  const user = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--'];
  const [first = '', ...rest] = process.getuid?.() === 0 ? ['setpriv', ...user, ...command] : command;
  // Its own working folder may be closed to that user; a server must not keep the output of a test open.
  execFileSync(first, rest, { cwd: '/', stdio: 'ignore' });
}

/** Debian keeps those of a server out of the PATH. */
function binaries(): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) throw new Error('There is no Postgres: ./polya setup installs it.');
  return join(root, newest, 'bin');
}
