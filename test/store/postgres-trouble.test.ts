/** The store on Postgres among processes, hosts and broken lines: what was journaled stands once, and one owner writes. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Owner, Store } from '../../src/core/store.ts';
import { thisProcess } from '../../src/store/owner.ts';
import { schemaVersion } from '../../src/store/postgres/schema.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { coded } from '../support/coded.ts';
import { type Line, lineTo } from '../support/line.ts';
import {
  bySql,
  newStoreUrl,
  sharedCluster,
  startCluster,
  startServer,
  stopServer,
  urlIn,
} from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { batch, row } from './conformance.ts';

const leaseMs = 600_000;
const open: Store[] = [];
const lines: Line[] = [];

async function opened(url: string, lease = leaseMs): Promise<Store> {
  const store = await openPostgresStore({ url, leaseMs: lease });
  open.push(store);
  return store;
}

/** The store at the end of a line of its own. */
async function throughLine(url: string, lease = leaseMs): Promise<{ store: Store; line: Line }> {
  const line = await lineTo(join((await sharedCluster()).socket, '.s.PGSQL.5432'));
  lines.push(line);
  const schema = new URLSearchParams(url.slice(url.indexOf('?'))).get('schema');
  const store = await opened(`postgres://polya@127.0.0.1:${line.port}/polya?schema=${schema}`, lease);
  return { store, line };
}

afterEach(async () => {
  for (const line of lines.splice(0)) line.close();
  for (const store of open.splice(0)) await store.close();
});

const oneRun = (id = 'a', owner: Owner = thisProcess()) => ({
  id,
  createdAtMs: 1,
  parent: null,
  summary: {},
  owner,
});
const elsewhere: Owner = { pid: 1, startedAt: 'another boot/another machine/123', host: 'w2' };
const seqs = async (store: Store): Promise<number[]> => (await store.events('a')).map(({ seq }) => seq);

const child = (args: readonly string[]) => {
  const script = join(import.meta.dirname, '../support/store-child.ts');
  const running = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const told = new Promise<{ last: number; problem: string; pid: number }>((resolve) =>
    running.stdout.once('data', (data) => resolve(JSON.parse(String(data)))),
  );
  return { running, told };
};

test('processes that open a store at once make its tables once, and what they append at once is whole', async () => {
  const url = await newStoreUrl();
  const children = ['a', 'b', 'c'].map((run) => child([url, 'append', run, '100']));
  for (const { told } of children) expect(await told).toMatchObject({ last: 100, problem: '' });
  const store = await opened(url);
  for (const run of ['a', 'b', 'c']) {
    expect((await store.events(run)).length).toBe(100);
    expect((await store.blobs(await store.blobNames(run))).size).toBe(100);
  }
});

test('a run is refused while its process lives, and is free when that is dead, whatever its lease', async () => {
  const url = await newStoreUrl();
  const { running, told } = child([url, 'hold', 'a']);
  await told;
  running.kill('SIGKILL');
  const store = await opened(url);
  await until(async () => (await store.get('a'))?.owner === null);
  expect((await store.acquire('a', thisProcess())).epoch).toBe(2);
});

test('an owner on another host lives as long as its lease, by the clock of the database, and writes nothing after it', async () => {
  const url = await newStoreUrl();
  const store = await opened(url);
  const owned = await store.create(oneRun('a', elsewhere), batch([1]));
  await expect(store.acquire('a', thisProcess())).rejects.toThrow(coded('run-owned', 'process 1 on w2'));
  expect((await store.get('a'))?.owner).toEqual(elsewhere);
  const brief = await opened(url, 1);
  await brief.heartbeat(owned);
  await until(async () => (await store.get('a'))?.owner === null);
  await store.heartbeat(owned);
  expect((await store.get('a'))?.owner, 'nobody has taken it meanwhile').toEqual(elsewhere);
  await brief.heartbeat(owned);
  await until(async () => (await store.get('a'))?.owner === null);
  const taken = await store.acquire('a', thisProcess());
  await expect(brief.heartbeat(owned)).rejects.toThrow(coded('ownership-lost'));
  await expect(brief.append(owned, batch([2]))).rejects.toThrow(coded('ownership-lost'));
  await store.append(taken, batch([2]));
});

test('a run-set on another host is free after its lease', async () => {
  const url = await newStoreUrl();
  const store = await opened(url);
  const brief = await opened(url, 1);
  await brief.createSet({ id: 's', createdAtMs: 1, plan: {}, owner: elsewhere });
  await until(async () => (await store.getSet('s'))?.owner === null);
  expect((await store.acquireSet('s', thisProcess(), {})).epoch).toBe(2);
});

test('what is written and whose receipt is lost is found again, once', async () => {
  const url = await newStoreUrl();
  const { store, line } = await throughLine(url);
  const losing = async <T>(words: string, work: () => Promise<T>): Promise<T> => {
    const before = line.lost();
    line.loseAnswerTo(words);
    const result = await work();
    expect(line.lost(), words).toBe(before + 1);
    return result;
  };
  const owned = await losing('INSERT INTO runs', () => store.create(oneRun(), batch([1])));
  await losing('UPDATE runs SET', () =>
    store.append(owned, batch([2, 3], { blobs: [{ hash: 'h', text: 'h' }] })),
  );
  await losing('INSERT INTO mail', () => store.post('a', { kind: 'tell', text: 'once\0', atMs: 1 }));
  await losing('owner_pid = NULL', () => store.release(owned).catch(() => undefined));
  const again = await losing('COMMIT', () => store.acquire('a', thisProcess()));
  await store.append(again, batch([4]));
  expect(await seqs(store)).toEqual([1, 2, 3, 4]);
  expect((await store.mail('a', 0)).map(({ text }) => text)).toEqual(['once\0']);
  const set = { id: 's', createdAtMs: 1, plan: {}, owner: thisProcess() };
  const ofSet = await losing('INSERT INTO run_sets', () => store.createSet(set));
  await store.releaseSet(ofSet, null);
  await losing('COMMIT', () => store.acquireSet('s', thisProcess(), {}));
  await store.release(again);
  await losing('COMMIT', () => store.delete('a'));
  expect(await store.get('a')).toBeNull();
});

test('a cut line is waited for', async () => {
  const url = await newStoreUrl();
  const { store, line } = await throughLine(url);
  const owned = await store.create(oneRun(), batch([1]));
  line.cut();
  const [appending, reading] = [store.append(owned, batch([2])), store.events('a')];
  line.mend();
  await appending;
  expect((await reading).length).toBeGreaterThan(0);
  expect(await seqs(store)).toEqual([1, 2]);
});

test('a server that is restarted, and one that crashes, pass unnoticed', async () => {
  const folder = temporaryFolder('pg');
  startCluster(folder, process.pid);
  const store = await opened(urlIn({ folder, socket: folder }, 'polya'));
  const owned = await store.create(oneRun(), batch([1]));
  for (const [index, how] of (['fast', 'immediate'] as const).entries()) {
    stopServer(folder, how);
    const appending = store.append(owned, batch([index + 2]));
    startServer(folder);
    await appending;
  }
  expect(await seqs(store)).toEqual([1, 2, 3]);
  await store.close();
  stopServer(folder, 'fast');
});

test('an owner whose line stays cut gives up before its lease ends, and is told why', async () => {
  const url = await newStoreUrl();
  const { store, line } = await throughLine(url, 1_500);
  const owned = await store.create(oneRun('a', elsewhere), batch([1]));
  line.cut();
  await expect(store.append(owned, batch([2]))).rejects.toMatchObject({ code: 'database-lost', exitCode: 3 });
  const other = await opened(url);
  await until(async () => (await other.get('a'))?.owner === null);
  const taken = await other.acquire('a', thisProcess());
  line.mend();
  await expect(store.append(owned, batch([2]))).rejects.toThrow(coded('ownership-lost'));
  await other.append(taken, batch([2]));
});

test('an owner that reads a receipt only when its run is another’s is told so: it makes no call that was to follow', async () => {
  const url = await newStoreUrl();
  const { store, line } = await throughLine(url, 1_500);
  const other = await opened(url);
  const owned = await store.create(oneRun('a', elsewhere), batch([1]));
  line.hold();
  const appending = store.append(owned, batch([2])).then(
    () => null,
    (error: unknown) => error,
  );
  await until(async () => (await seqs(other)).length === 2);
  await until(async () => (await other.get('a'))?.owner === null);
  await other.append(await other.acquire('a', thisProcess()), batch([3]));
  line.pass();
  // On a machine that is slow the store is given up before.
  const code = expect.stringMatching(/^(?:ownership-lost|database-slow)$/);
  expect(await appending).toMatchObject({ code });
  expect(await seqs(other)).toEqual([1, 2, 3]);
});

test('one bit in a row is found by its sum; what is changed by hand is no damage', async () => {
  const url = await newStoreUrl();
  const store = await opened(url);
  await store.create(oneRun(), batch([1, 2, 3, 4]));
  await bySql(url, `UPDATE events SET body = '{"by":"hand"}' WHERE seq = 2`);
  expect((await store.events('a'))[1]?.body).toBe('{"by":"hand"}');
  await bySql(
    url,
    'ALTER TABLE events DISABLE TRIGGER events_by_hand',
    `UPDATE events SET body = '{"n":7}' WHERE seq = 3`,
  );
  expect(await seqs(store)).toEqual([1, 2]);
  await expect(store.events('a', 2)).rejects.toThrow(coded('journal-damaged', 'event 3'));
});

test('rows of runs and blobs that nobody wrote are told, those beside them are read', async () => {
  const url = await newStoreUrl();
  const store = await opened(url);
  const text = 'long '.repeat(1000);
  for (const id of ['whole', 'torn'])
    await store.create(oneRun(id), batch([1], { blobs: [{ hash: id, text }] }));
  await bySql(url, `UPDATE runs SET summary = '{' WHERE id = 'torn'`);
  await bySql(url, `UPDATE blobs SET data = 'x' WHERE hash = 'torn'`);
  await expect(store.list()).rejects.toMatchObject({ whole: [{ id: 'whole' }] });
  await expect(store.get('torn')).rejects.toThrow(coded('database-damaged'));
  expect([...(await store.blobs(['whole', 'torn'])).keys()]).toEqual(['whole']);
  await bySql(url, `UPDATE runs SET summary = '{"x":"' || repeat('x', 5000000) || '"}' WHERE id = 'torn'`);
  await expect(store.list()).rejects.toMatchObject({ whole: [{ id: 'whole' }] });
  await expect(store.get('torn')).rejects.toThrow(coded('database-damaged'));
  await bySql(
    url,
    'ALTER TABLE events DISABLE TRIGGER events_by_hand',
    `UPDATE events SET body = repeat('x', 268435457) WHERE run_key = (SELECT key FROM runs WHERE id = 'whole')`,
    `UPDATE blobs SET data = convert_to(repeat('x', 268435457), 'UTF8'), packed = false WHERE hash = 'torn'`,
  );
  await expect(store.events('whole')).rejects.toThrow(coded('journal-damaged', 'larger than any'));
  expect([...(await store.blobs(['whole', 'torn'])).keys()]).toEqual(['whole']);
  await bySql(url, 'DROP TABLE mail');
  await expect(store.mail('whole', 0)).rejects.toThrow(coded('database-damaged'));
});

test('a schema of a newer Polya is read and not written', async () => {
  const url = await newStoreUrl();
  await (await opened(url)).create(oneRun(), batch([1, 2]));
  await bySql(url, `UPDATE schema_version SET version = ${schemaVersion + 1}`);
  const newer = await opened(url);
  expect(await seqs(newer)).toEqual([1, 2]);
  for (const call of [
    () => newer.create(oneRun('b'), batch([1])),
    () => newer.acquire('a', thisProcess()),
    () => newer.post('a', { kind: 'tell', text: '', atMs: 0 }),
  ])
    await expect(call()).rejects.toThrow(coded('database-newer'));
});

test('no mail is missed by who reads on from the last, however many post at once', async () => {
  const url = await newStoreUrl();
  const stores = [await opened(url), await opened(url)];
  await stores[0]?.create(oneRun(), batch([1]));
  const texts = Array.from({ length: 60 }, (_, index) => `mail ${index}`);
  const posted = Promise.all(
    texts.map((text, index) => stores[index % 2]?.post('a', { kind: 'tell', text, atMs: index })),
  );
  const read: string[] = [];
  let last = 0;
  await until(async () => {
    for (const { id, text } of (await stores[1]?.mail('a', last)) ?? []) {
      read.push(text);
      last = id;
    }
    return read.length >= texts.length;
  });
  await posted;
  expect(read.toSorted()).toEqual(texts.toSorted());
});

test('a blob that is deleted with its last run while another refers to it is there for that one', async () => {
  const url = await newStoreUrl();
  const [one, other] = [await opened(url), await opened(url)];
  for (let round = 0; round < 15; round += 1) {
    const old = await one.create(oneRun(`old ${round}`), batch([1], { blobs: [{ hash: 'h', text: 'h' }] }));
    await one.release(old);
    await Promise.all([
      one.delete(`old ${round}`),
      other.create(oneRun(`new ${round}`), batch([1], { blobs: [{ hash: 'h', text: 'h' }] })),
    ]);
    expect((await other.blobs(['h'])).size, `round ${round}`).toBe(1);
    await other.release({ runId: `new ${round}`, epoch: 1, owner: thisProcess() });
    await other.delete(`new ${round}`);
  }
});

test('no text can break a statement: ids, words and bodies of any kind', async () => {
  const store = await opened(await newStoreUrl());
  expect(await store.get('a\0b')).toBeNull();
  await expect(store.events('a\0b')).rejects.toThrow(coded('no-such-run'));
  expect((await store.blobs(['a\0b', `'; DROP TABLE runs`])).size).toBe(0);
  const id = `x'; DROP TABLE runs; --`;
  const odd = { ...row(1, '{"t":"\\\\x00"}'), branch: `{"a",NULL,\\"b'}` };
  await store.create(oneRun(id), { ...batch([]), events: [odd] });
  expect(await store.events(id)).toEqual([odd]);
});
