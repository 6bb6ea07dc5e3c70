/** The tables of the store on Postgres, made and brought up to date under a lock. A newer schema is left as it is. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Owner } from '../../core/store.ts';
import { isAliveOnThisHost } from '../owner.ts';
import { isCode } from './errors.ts';
import type { Query, Server } from './server.ts';

export const schemaVersion = 2;

/** `versions/N.sql` brings a schema from version N - 1 to N. One that has been released is never edited. */
function stepTo(version: number): string {
  return readFileSync(join(import.meta.dirname, 'versions', `${version}.sql`), 'utf8');
}

const noSuchTable = '42P01';

/** 0: there are no tables of ours yet. */
async function versionOf(request: Query): Promise<number> {
  try {
    const { rows } = await request({ text: 'SELECT version FROM schema_version' });
    return Number(rows[0]?.version ?? 0);
  } catch (error) {
    if (isCode(error, noSuchTable)) return 0;
    throw error;
  }
}

/** Whether the schema is a newer Polya's, which is read and not written. Many may come here at once, on many hosts. */
export async function migrate(server: Server): Promise<{ readonly isNewer: boolean }> {
  const found = await versionOf(server.ask);
  if (found >= schemaVersion) return { isNewer: found > schemaVersion };
  const { schema } = server.address;
  return server.transaction(async (request) => {
    await request({ text: `SELECT pg_advisory_xact_lock(hashtext('polya ${schema}'))` });
    // Not asked for where it is there: its user may have no right to make one.
    const { rows } = await request({
      text: 'SELECT 1 FROM pg_namespace WHERE nspname = $1',
      values: [schema],
    });
    if (rows.length === 0) await request({ text: `CREATE SCHEMA ${schema}` });
    await request({ text: 'CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)' });
    const before = await versionOf(request);
    if (before === 0) await request({ text: 'INSERT INTO schema_version VALUES (0)' });
    for (let version = before + 1; version <= schemaVersion; version += 1) {
      await request({ text: stepTo(version) });
      await request({ text: 'UPDATE schema_version SET version = $1', values: [version] });
    }
    return { isNewer: before > schemaVersion };
  });
}

/** What both tables with owners have. `leased`: the lease holds, by the clock of the database. */
export const ownerColumns = {
  owner_pid: z.number().nullable(),
  owner_started_at: z.string().nullable(),
  owner_host: z.string().nullable(),
  epoch: z.number(),
  leased: z.boolean().nullable(),
};

export const selectOwner = (table: string): string =>
  `${table}.owner_pid, ${table}.owner_started_at, ${table}.owner_host, ${table}.epoch,
   ${table}.lease_until > clock_timestamp() AS leased`;

export type OwnerRecord = z.infer<z.ZodObject<typeof ownerColumns>>;

/** Null where there is none, its lease is over, or it was a process of this machine that is dead. */
export function liveOwner(record: OwnerRecord): Owner | null {
  const { owner_pid: pid, owner_started_at: startedAt, owner_host: host, leased } = record;
  if (pid === null || startedAt === null || leased !== true) return null;
  const owner = { pid, startedAt, ...(host === null ? {} : { host }) };
  return isAliveOnThisHost(owner) === false ? null : owner;
}

/** As they are written. Who is of this machine does not say its name. */
export function ownerValues({ pid, startedAt, host = hostname() }: Owner): readonly [number, string, string] {
  return [pid, startedAt, host];
}

/** Whether it is the same process. */
export function isSame(one: Owner | null, other: Owner): boolean {
  return one?.pid === other.pid && one.startedAt === other.startedAt;
}
