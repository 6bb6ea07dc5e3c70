/** The SQLite store among processes: two that write at once, one that has died or been replaced, a disk that is full. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Owner, Store } from '../../src/core/store.ts';
import { thisProcess } from '../../src/store/owner.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { coded } from '../support/coded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { batch } from './conformance.ts';

const script = join(import.meta.dirname, '../support/store-child.ts');
const open = (file: string): Store => openSqliteStore({ file, now: () => Date.now() });
const newFile = (): string => join(temporaryFolder(), 'polya.db');

type Told = { last: number; problem: string; pid: number };

function child(args: readonly string[]): { running: ChildProcess; told: Promise<Told> } {
  const running = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const told = new Promise<Told>((resolve) =>
    running.stdout?.once('data', (data) => resolve(JSON.parse(String(data)) as Told)),
  );
  return { running, told };
}

test('two processes that append at once lose nothing', async () => {
  const file = newFile();
  const count = 300;
  const children = ['a', 'b'].map((run) => child([file, 'append', run, String(count)]));
  for (const { told } of children) expect(await told).toMatchObject({ last: count, problem: '' });
  const store = open(file);
  for (const run of ['a', 'b']) {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    expect((await store.events(run)).map(({ seq }) => seq)).toEqual(numbers);
    const hashes = numbers.slice(0, -1).map((n) => `${run}-${n}`);
    expect((await store.blobs([...hashes, 'common'])).size).toBe(count);
  }
  await store.close();
});

test('a run is refused while the process that owns it lives, and not when it is dead', async () => {
  const file = newFile();
  const { running, told } = child([file, 'hold', 'a']);
  const { pid } = await told;
  const store = open(file);
  await expect(store.acquire('a', thisProcess())).rejects.toThrow(coded('run-owned', `${pid}`));
  running.kill('SIGKILL');
  await until(async () => (await store.get('a'))?.owner === null);
  await store.acquire('a', thisProcess());
  await store.close();
});

test('a corpse that nobody has buried owns nothing', async () => {
  const file = newFile();
  // The shell becomes a program that never asks what became of its child.
  const shell = spawn(
    'sh',
    ['-c', '"$0" "$@" < /dev/null & exec sleep 30', process.execPath, script, file, 'append', 'a', '2'],
    {
      stdio: 'ignore',
    },
  );
  const store = open(file);
  await until(async () => ((await store.get('a'))?.lastSeq ?? 0) === 2);
  await until(async () => (await store.get('a'))?.owner === null);
  await store.acquire('a', thisProcess());
  shell.kill('SIGKILL');
  await store.close();
});

test('a process that got the number of a dead one is not taken for it', async () => {
  const store = open(newFile());
  const recycled: Owner = { ...thisProcess(), startedAt: thisProcess().startedAt.replace(/\d+$/, '1') };
  await store.create({ id: 'a', createdAtMs: 1, parent: null, summary: {}, owner: recycled }, batch([1]));
  expect((await store.get('a'))?.owner).toBeNull();
  await store.close();
});

test('a process of another machine lives as long as its heart beats', async () => {
  let nowMs = 1_000_000;
  const store = openSqliteStore({ file: newFile(), now: () => nowMs });
  const elsewhere: Owner = { pid: 1, startedAt: 'another boot/another machine/123' };
  const run = { id: 'a', createdAtMs: 1, parent: null, summary: {}, owner: elsewhere };
  const owned = await store.create(run, batch([1]));
  nowMs += 29_000;
  await store.heartbeat(owned);
  nowMs += 29_000;
  await expect(store.acquire('a', thisProcess())).rejects.toThrow(coded('run-owned', '1'));
  nowMs += 2_000;
  const taken = await store.acquire('a', thisProcess());
  expect(taken.epoch).toBe(2);
  await expect(store.heartbeat(owned)).rejects.toThrow(coded('ownership-lost'));
  await store.close();
});

function fillIn(file: string, before: string, wrap: readonly string[] = []): Told | null {
  const command = `${before} && "$0" "$@"`;
  const [program = 'sh', ...args] = [
    ...wrap,
    'sh',
    '-c',
    command,
    process.execPath,
    script,
    file,
    'fill',
    'a',
  ];
  const { stdout } = spawnSync(program, args, { encoding: 'utf8' });
  return stdout ? (JSON.parse(stdout) as Told) : null;
}

test('a file that may not grow is told, and what was journaled is whole', async () => {
  const file = newFile();
  const told = fillIn(file, 'ulimit -f 800');
  expect(told?.problem).toMatch(/^UnavailableError: The disk of .* cannot be written/);
  expect(told?.last).toBeGreaterThan(5);
  const store = open(file);
  expect((await store.events('a')).map(({ seq }) => seq).at(-1)).toBe(told?.last);
  const owned = await store.acquire('a', thisProcess());
  await store.append(owned, batch([(told?.last ?? 0) + 1]));
  await store.close();
});

test('a full disk is told, and what was journaled is whole', async () => {
  const [folder, kept] = [temporaryFolder(), temporaryFolder()];
  // The small disk is seen by the child alone, which is root there; it leaves a copy of what it holds.
  const copy = `trap 'cp ${folder}/* ${kept}' EXIT`;
  const told = fillIn(join(folder, 'polya.db'), `mount -t tmpfs -o size=512k tmpfs ${folder} && ${copy}`, [
    'unshare',
    '--map-root-user',
    '--mount',
  ]);
  expect(told?.problem).toMatch(/^UnavailableError: The disk of .* is full/);
  const store = open(join(kept, 'polya.db'));
  expect((await store.events('a')).length).toBe(told?.last);
  await store.close();
});

/** Root may write everywhere: the child becomes somebody else. */
const asNobody = process.getuid?.() === 0 ? { POLYA_TEST_UID: '65534' } : {};

test('a folder that may not be written is told', async () => {
  const file = newFile();
  const store = open(file);
  await store.close();
  chmodSync(join(file, '..'), 0o555);
  const args = [script, file, 'append', 'a', '2'];
  const env = { ...process.env, ...asNobody };
  const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/UnavailableError: .* cannot be opened for writing/);
});

describe('a read-only folder', () => {
  const reader = join(import.meta.dirname, '../support/reading-child.ts');
  const read = (file: string) => {
    const env = { ...process.env, ...asNobody };
    return spawnSync(process.execPath, [reader, file, 'a'], { encoding: 'utf8', env });
  };
  const makeReadOnly = (file: string): void => {
    const folder = join(file, '..');
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
    chmodSync(folder, 0o555);
  };
  const told = { runs: ['a'], events: 2, refused: expect.stringMatching(/cannot be opened for writing/) };
  const oneRun = { id: 'a', createdAtMs: 1, parent: null, summary: {}, owner: thisProcess() };

  test('cannot be written and can be read', async () => {
    const file = newFile();
    const store = open(file);
    await store.create(oneRun, batch([1, 2]));
    await store.close();
    makeReadOnly(file);
    const { stdout, stderr } = read(file);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(told);
  });

  test('is read with what still stands in the log beside the file', async () => {
    const file = newFile();
    const store = open(file);
    await store.create(oneRun, batch([1, 2]));
    makeReadOnly(file);
    const { stdout, stderr } = read(file);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(told);
    await store.close();
  });

  test('is not read where a part of it would be missing', async () => {
    const [file, copy] = [newFile(), newFile()];
    const store = open(file);
    await store.create(oneRun, batch([1, 2]));
    for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${copy}${end}`);
    await store.close();
    makeReadOnly(copy);
    expect(read(copy).stderr).toMatch(/UnavailableError: .* cannot be opened for writing/);
  });
});
