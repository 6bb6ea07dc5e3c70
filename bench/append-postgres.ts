/**
 * A journal event through the store on Postgres, awaited as an effect awaits it, against a prepared insert of the same row
 * into the same table by the same client: one turn to the server each, in a cluster of its own.
 */
import { chmodSync } from 'node:fs';
import { Client } from 'pg';
import type { EventRow } from '../src/core/store.ts';
import { thisProcess } from '../src/store/owner.ts';
import { addressOf } from '../src/store/postgres/address.ts';
import { openPostgresStore } from '../src/store/postgres/store.ts';
import { sumOf } from '../src/store/rows.ts';
import { startCluster, startServer, stopServer, urlIn } from '../test/support/postgres.ts';
import { replyOf, shortEvent, toRow } from './append.ts';
import { type Bench, contest, type Row, timedEach } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';

const cases = [
  { what: 'event of 200 B', make: shortEvent },
  { what: 'model reply of 1 KB', make: replyOf(1_000) },
];
const turns = 60;

export const appendPostgres: Bench = {
  name: 'append-postgres',
  async run() {
    using folder = temporaryFolder();
    chmodSync(folder.path, 0o711);
    startCluster(folder.path, process.pid);
    // Tests have no use for a commit that waits for the disk; users have.
    stopServer(folder.path, 'fast');
    startServer(folder.path, '-c fsync=on');
    const rows: Row[] = [];
    try {
      for (const [index, each] of cases.entries())
        rows.push(await measure(each, urlIn({ folder: folder.path, socket: folder.path }, `bench_${index}`)));
    } finally {
      stopServer(folder.path, 'fast');
    }
    return rows;
  },
};

const insert = `INSERT INTO events (run_key, seq, at, branch, ordinal, attempt, kind, body, sum)
  VALUES (0, $1, $2, $3, $4, $5, $6, $7, $8)`;

async function measure({ what, make }: (typeof cases)[number], url: string): Promise<Row> {
  const store = await openPostgresStore({ url, connections: 1 });
  const client = new Client({ connectionString: addressOf(url).connectionString });
  await client.connect();
  const run = { id: 'run', createdAtMs: Date.now(), parent: null, summary: {}, owner: thisProcess() };
  const ownership = await store.create(run, { events: [], blobs: [], durable: false });
  let [ours, floor] = [0, 0];
  const next = (count: number): EventRow[] =>
    Array.from({ length: turns }, (_, index) => toRow(make(index), count + index + 1));
  const result = await contest({
    rounds: 15,
    ours: () => {
      const made = next(ours);
      ours += turns;
      return timedEach(turns, async () => {
        for (const row of made) await store.append(ownership, { events: [row], blobs: [], durable: false });
      });
    },
    floor: () => {
      const made = next(floor);
      floor += turns;
      return timedEach(turns, async () => {
        for (const row of made) {
          const { seq, atMs, branch, ordinal, attempt, kind, body } = row;
          const values = [seq, atMs, branch, ordinal, attempt, kind, body, sumOf(row)];
          await client.query({ name: 'insert', text: insert, values });
        }
      });
    },
  });
  await store.close();
  await client.end();
  return {
    what,
    unit: 'µs',
    against: 'one raw insert of the same row',
    ...result,
    aim: { of: 'ratio', atMost: 2 },
  };
}
