/**
 * A process that works on a store: `node store-child.ts FILE fill|append|hold RUN [COUNT]`, FILE being one of SQLite or the
 * address of a Postgres. It prints one line of JSON
 * when it has done so; `hold` then stays until its stdin ends.
 */
import { thisProcess } from '../../src/store/owner.ts';
import { isPostgresAddress } from '../../src/store/postgres/address.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';

// Only now, when everything is loaded: the clone may be closed to this user.
const uid = Number(process.env.POLYA_TEST_UID ?? 0);
if (uid > 0) {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}

const [file = '', what = '', run = '', count = '0'] = process.argv.slice(2);
const isServer = isPostgresAddress(file);
const store = isServer
  ? await openPostgresStore({ url: file })
  : openSqliteStore({ file, now: () => Date.now() });
const event = (seq: number, body: string) =>
  ({ seq, atMs: seq, branch: '', ordinal: null, attempt: 0, kind: 'note', body }) as const;
const first = { events: [event(1, '{}')], blobs: [], durable: false };
const created = { id: run, createdAtMs: 1, parent: null, summary: {}, owner: thisProcess() };

const owned = await store.create(created, first);
let last = 1;
let problem = '';

async function append(body: string, text: string): Promise<void> {
  const blobs = [
    { hash: `${run}-${last}`, text },
    { hash: 'common', text: 'common' },
  ];
  await store.append(owned, { events: [event(last + 1, body)], blobs, durable: last % 10 === 0 });
  last += 1;
}

try {
  if (what === 'fill') for (;;) await append(JSON.stringify('x'.repeat(3000)), String(last));
  if (what === 'append') while (last < Number(count)) await append(`{"n":${last}}`, `blob ${last}`);
} catch (error) {
  problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
console.log(JSON.stringify({ last, problem, pid: process.pid }));
if (what === 'hold') process.stdin.resume();
else await store.close();
