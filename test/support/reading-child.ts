/**
 * A process that reads a store as somebody else: `node reading-child.ts FILE RUN`. It prints one line of JSON: which
 * runs there are, how many events, and what came of trying to write.
 */
import { openSqliteStore } from '../../src/store/sqlite.ts';

// Only now, when everything is loaded: the clone may be closed to this user.
const uid = Number(process.env.POLYA_TEST_UID ?? 0);
if (uid > 0) {
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}

const [file = '', run = ''] = process.argv.slice(2);
const store = openSqliteStore({ file, now: () => Date.now() });
const runs = (await store.list()).map(({ id }) => id);
const events = (await store.events(run)).length;
const refused = await store.post(run, { kind: 'tell', text: 'x', atMs: 1 }).then(
  () => null,
  (error: unknown) => String(error),
);
console.log(JSON.stringify({ runs, events, refused }));
await store.close();
