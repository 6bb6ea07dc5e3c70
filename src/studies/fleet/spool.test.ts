/** What a process left in its spool, the next one of its host takes over: by files, over a store of one machine. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { EventRow, Ownership, Store } from '../../core/store.ts';
import { thisProcess } from '../../store/owner.ts';
import { openSqliteStore } from '../../store/sqlite.ts';
import { Spool } from './spool.ts';

const owner = thisProcess();
const event = (seq: number, kind: EventRow['kind'], ordinal: number): EventRow => ({
  seq,
  atMs: seq,
  branch: '',
  ordinal,
  attempt: 0,
  kind,
  body: '{"status":"ok","usage":{"tokens":null,"costUsd":0.25}}',
});
const late = (ownership: Ownership, ordinal: number) => ({
  ownership,
  afterSeq: 2,
  row: event(2 + ordinal, 'model-response', ordinal),
  blobs: [{ hash: 'h', text: 'what was said' }],
});

async function newRun(): Promise<{ store: Store; ownership: Ownership }> {
  const store = openSqliteStore({ file: join(temporaryFolder(), 'polya.db'), now: () => Date.now() });
  const first = {
    events: [event(1, 'model-request', 1), event(2, 'model-request', 2)],
    blobs: [],
    durable: true,
  };
  const run = { id: 'r', createdAtMs: 1, parent: null, summary: {}, owner };
  return { store, ownership: await store.create(run, first) };
}

function spoolIn(folder: string, livesHere: boolean | null) {
  const lines: string[] = [];
  const spool = new Spool({
    folder,
    owner,
    livesHere: () => livesHere,
    tell: (line) => void lines.push(line),
  });
  return { spool, told: lines };
}

const nothing = () => false;

test('what a dead process left is settled, one reply after the other, and once', async () => {
  const folder = join(temporaryFolder(), 'late');
  const { store, ownership } = await newRun();
  const { spool } = spoolIn(folder, null);
  spool.keep(late(ownership, 1));
  spool.keep(late(ownership, 2));
  await store.release(ownership);
  const other = spoolIn(folder, true);
  await other.spool.settle(store, nothing);
  expect((await store.events('r')).length, 'its process lives').toBe(2);
  const next = spoolIn(folder, false);
  expect(next.spool.has('r')).toBe(true);
  await next.spool.settle(store, (run) => run === 'r');
  expect((await store.events('r')).length, 'it is at work').toBe(2);
  await next.spool.settle(store, nothing);
  expect((await store.events('r')).map(({ seq, ordinal }) => [seq, ordinal])).toEqual([
    ...[[1, 1] as const, [2, 2] as const],
    ...[[3, 1] as const, [4, 2] as const],
  ]);
  expect((await store.blobs(['h'])).get('h')).toBe('what was said');
  expect((await store.get('r'))?.owner).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
  // As if it had died before it could remove its file.
  spoolIn(folder, null).spool.keep(late(ownership, 2));
  const repeated = spoolIn(folder, false);
  await repeated.spool.settle(store, nothing);
  expect((await store.events('r')).length).toBe(4);
  expect(repeated.told.join()).toContain('in its journal now');
});

test('a run that another has gone on with: the reply is told with what it cost, and kept', async () => {
  const folder = join(temporaryFolder(), 'late');
  const { store, ownership } = await newRun();
  const { spool, told } = spoolIn(folder, null);
  spool.keep(late(ownership, 1));
  await store.release(ownership);
  await store.release(await store.acquire('r', owner));
  await spool.settle(store, nothing);
  expect((await store.events('r')).length).toBe(2);
  expect(told.at(-1)).toMatch(/came too late.*possibly billed.*\$0\.2500/);
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.told\.json$/)]);
  expect(spoolIn(folder, false).spool.has('r')).toBe(false);
});

test('what cannot be kept or read is told', async () => {
  const folder = join(temporaryFolder(), 'late');
  const { ownership } = await newRun();
  const { spool, told } = spoolIn(folder, null);
  const huge = { ...late(ownership, 1), row: { ...event(3, 'model-response', 1), atMs: Number.NaN } };
  spool.keep({
    ...huge,
    get blobs(): never {
      throw new Error('no room');
    },
  });
  expect(told.join()).toMatch(/lost, possibly billed: no room/);
  writeFileSync(join(folder, 'x.late.json'), '{');
  expect(spoolIn(folder, false).told.join()).toContain('x.late.json cannot be read');
});
