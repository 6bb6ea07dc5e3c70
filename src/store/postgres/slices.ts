/** Slices of work and their files, on Postgres. A lease is kept by the clock of the database; a result stays until it is taken. */
import { deflateSync } from 'node:zlib';
import { z } from 'zod';
import type { Slices, StoredSlice } from '../../core/slices.ts';
import { unpackText } from '../rows.ts';
import type { Result, Server } from './server.ts';

const taken = z.object({ body: z.json(), files: z.record(z.string(), z.string()) });

/** A slice that ended so many workers is given to no other. */
const mostTakes = 3;

const leaseOf = (leaseMs: number): string => `clock_timestamp() + ${leaseMs} * interval '1 ms'`;

/** Renews the leases of the worker `$1`. */
export const renewal = (leaseMs: number): string =>
  `UPDATE slices SET lease_until = ${leaseOf(leaseMs)} WHERE worker = $1 AND result IS NULL AND failure IS NULL RETURNING name`;

/** What the worker `$1` may have. Nobody waits for one whose asker is silent. */
export const openSlices = (leaseMs: number): string =>
  `$1 = ANY (workers) AND result IS NULL AND failure IS NULL AND takes < ${mostTakes}
   AND asked_at > clock_timestamp() - ${leaseMs} * interval '1 ms'`;

export function postgresSlices(server: Server, leaseMs: number): Slices {
  const ask = (text: string, values: readonly unknown[] = []): Promise<Result> =>
    server.steadily(() => server.ask({ text, values }));
  const lease = leaseOf(leaseMs);
  return {
    async lacking(hashes) {
      // What an asker left that never came again, and what nobody named for an hour.
      await ask(`DELETE FROM slices WHERE asked_at < clock_timestamp() - interval '1 hour'`);
      await ask(
        `DELETE FROM slice_files WHERE used_at < clock_timestamp() - interval '1 hour' AND hash <> ALL ($1)`,
        [hashes],
      );
      const text = 'UPDATE slice_files SET used_at = clock_timestamp() WHERE hash = ANY ($1) RETURNING hash';
      const there = new Set((await ask(text, [hashes])).rows.map(({ hash }) => hash));
      return hashes.filter((hash) => !there.has(hash));
    },
    async putFile(hash, bytes) {
      await ask(
        `INSERT INTO slice_files (hash, data, used_at) VALUES ($1, $2, clock_timestamp())
         ON CONFLICT (hash) DO UPDATE SET used_at = clock_timestamp()`,
        [hash, Buffer.from(bytes)],
      );
    },
    async files(hashes) {
      const { rows } = await ask('SELECT hash, data FROM slice_files WHERE hash = ANY ($1)', [hashes]);
      return new Map(
        rows.flatMap(({ hash, data }) => (data instanceof Uint8Array ? [[String(hash), data]] : [])),
      );
    },
    async offer(slices, workers) {
      const texts = slices.map(({ body, files }) => JSON.stringify({ body, files }));
      const { rows } = await ask(
        `WITH offered AS (INSERT INTO slices (name, family, slice, workers, asked_at)
           SELECT given.*, $4::text[], clock_timestamp() FROM unnest($1::text[], $2::text[], $3::text[]) AS given
         ON CONFLICT (name) DO UPDATE SET workers = $4, asked_at = clock_timestamp()
         RETURNING name, lease_until > clock_timestamp() AS held, result, failure, xmax = 0 AS is_new)
         SELECT name, held, result, failure, CASE WHEN is_new THEN pg_notify(current_schema(), 'slices')::text END FROM offered`,
        [slices.map(({ name }) => name), slices.map(({ family }) => family), texts, workers],
      );
      return rows.map(({ name, held, result, failure }) => ({
        name: String(name),
        isHeld: held === true,
        result: result === null ? null : unpackText(result),
        failure: failure === null ? null : String(failure),
      }));
    },
    async withdraw(names) {
      await ask('DELETE FROM slices WHERE name = ANY ($1)', [names]);
    },
    async take(workerId, limit) {
      const { rows } = await ask(
        `UPDATE slices SET worker = $1, takes = takes + 1, lease_until = ${lease} WHERE name IN (
           SELECT name FROM slices WHERE ${openSlices(leaseMs)} AND coalesce(lease_until < clock_timestamp(), true)
           ORDER BY key LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING name, family, slice`,
        [workerId, limit],
      );
      return rows.map(({ name, family, slice }): StoredSlice => {
        const { body, files } = taken.parse(JSON.parse(String(slice)));
        return { name: String(name), family: String(family), body, files };
      });
    },
    async finish(name, end) {
      const result = 'result' in end ? deflateSync(end.result, { level: 1 }) : null;
      const failure = 'failure' in end ? end.failure.replaceAll('\0', '') : null;
      await ask(
        `WITH done AS (UPDATE slices SET result = $2, failure = $3, lease_until = NULL
           WHERE name = $1 AND result IS NULL AND failure IS NULL RETURNING name)
         SELECT pg_notify(current_schema(), 'slice ' || name) FROM done`,
        [name, result, failure],
      );
    },
  };
}
