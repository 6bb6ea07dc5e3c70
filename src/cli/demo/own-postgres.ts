/** A Postgres for the length of a demo: a cluster in a folder, reached by a socket in it alone. Both go with the process. */
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { UnavailableError } from '../../core/errors.ts';
import type { Shell } from '../contract.ts';
import { type Kept, kept } from './kept.ts';

const run = promisify(execFile);
const debian = '/usr/lib/postgresql';
/** Postgres refuses root. */
const nobody = 65534;
const lookEveryMs = 100;
/** What is thrown away need not survive a loss of power. */
const making = `"$1/initdb" -D "$2" -U polya -A trust -E UTF8 --locale=C --no-sync >/dev/null || exit
exec "$1/postgres" -D "$2" -c listen_addresses= -c unix_socket_directories="$3" -c fsync=off`;

/** The folder of its programs. Debian keeps those of a server out of the PATH. Throws `UnavailableError`. */
export function postgresPrograms({ PATH = '' }: Shell['env'], root = debian): string {
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((each) => join(root, each, 'bin')), ...PATH.split(delimiter)];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')));
  if (found !== undefined) return found;
  throw new UnavailableError({
    code: 'no-postgres',
    what: 'There is no Postgres on this machine for the demo to start.',
    why: `No initdb was found in ${root} or in the PATH.`,
    fix: 'Install it: `apt install postgresql` on Debian and Ubuntu. The demo makes a cluster of its own and leaves others alone.',
  });
}

/** `folder` is its own, and removed when it ends. Resolves when it takes connections. */
export async function startPostgres(
  { env, isRoot }: Pick<Shell, 'env' | 'isRoot'>,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly url: string; readonly server: Kept }> {
  const programs = postgresPrograms(env);
  const own = join(folder, 'pg');
  mkdirSync(own, { mode: 0o700 });
  if (isRoot) {
    chmodSync(folder, 0o711);
    chownSync(own, nobody, nobody);
  }
  const user = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--'];
  const asUser = (...words: readonly string[]) => [...(isRoot ? user : []), ...words];
  const words = asUser('sh', '-c', making, 'sh', programs, join(own, 'data'), own);
  const server = kept(words, { folder: '/', removes: folder });
  const [look = '', ...how] = asUser(join(programs, 'pg_isready'), '-q', '-h', own);
  while (!(await run(look, how, { cwd: '/' }).then(Boolean, () => false))) {
    if (server.hasEnded()) {
      const words = { what: 'The Postgres of the demo did not start.', why: server.said().trim() };
      throw new UnavailableError({ code: 'postgres-not-started', ...words });
    }
    if (signal.aborted) await server.end();
    signal.throwIfAborted();
    await sleep(lookEveryMs);
  }
  return { url: `postgres://polya@/postgres?host=${own}`, server };
}
