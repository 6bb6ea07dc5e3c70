import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { isDeadOwner, ownerName } from './owner.ts';
import { acquireSlot, deadSlots } from './slots.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder('slots');
});

async function deadOwner(): Promise<string> {
  const child = spawn('/bin/cat');
  const name = ownerName(child.pid);
  expect(isDeadOwner(name)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return name;
}

test('an owner is dead when its process ended, or another has its number', async () => {
  expect(isDeadOwner(ownerName())).toBe(false);
  expect(isDeadOwner(await deadOwner())).toBe(true);
  expect(isDeadOwner(`${process.pid}-1`)).toBe(true);
  expect(isDeadOwner('something else')).toBe(false);
});

test('a corpse that nobody buries is dead', async () => {
  // The shell becomes a program that never asks what became of its child.
  const script = 'sleep 300 & echo $!; exec sleep 300';
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const [said] = await once(parent.stdout, 'data');
    const name = ownerName(Number(String(said)));
    expect(isDeadOwner(name)).toBe(false);
    await until(() => readFileSync(`/proc/${parent.pid}/cmdline`, 'utf8').startsWith('sleep'));
    process.kill(Number(String(said)), 'SIGKILL');
    await until(() => isDeadOwner(name));
  } finally {
    parent.kill('SIGKILL');
  }
});

// Whoever had all its files open took the living for dead, and would have ended their programs.
test('an owner that cannot be looked at now is not dead, and who cannot look keeps its own name', () => {
  const script = `
import { openSync } from 'node:fs';
const { isDeadOwner, ownerName } = await import(process.argv[1]);
const [before, files] = [ownerName(), []];
try { for (;;) files.push(openSync('/dev/null')); } catch {}
process.stdout.write(JSON.stringify([files.length > 0, isDeadOwner(process.argv[2]), ownerName() === before]));`;
  const module = join(import.meta.dirname, 'owner.ts');
  const node = [process.execPath, '--input-type=module', '-e', script, module, ownerName()];
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -n 100; exec "$@"', 'sh', ...node], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual([true, false, true]);
});

// Each saw that nobody ran as the user yet: the programs of both were counted together, and one ended those of the other.
test('two that lock in different places at once get different users', async () => {
  const redirect = temporaryFolder('slots');
  const slots = await Promise.all([folder, redirect, folder, redirect].map(acquireSlot));
  expect(new Set(slots.map(({ uid }) => uid)).size).toBe(4);
  for (const slot of slots) slot.release();
  for (const place of [folder, redirect]) expect(readdirSync(place)).toEqual([]);
});

test('slots that are held at once are different users, and come back', async () => {
  const slots = [await acquireSlot(folder), await acquireSlot(folder), await acquireSlot(folder)];
  expect(new Set(slots.map(({ uid }) => uid)).size).toBe(3);
  expect(slots.every(({ uid }) => uid > 60_000 && uid < 61_184)).toBe(true);
  expect(readdirSync(folder)).toHaveLength(3);
  for (const slot of slots) slot.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('only the slots of the dead are free to be swept', async () => {
  const mine = await acquireSlot(folder);
  symlinkSync(await deadOwner(), join(folder, '60599'));
  symlinkSync('no owner', join(folder, '60598'));
  const dead = deadSlots(folder);
  expect(dead.map(({ uid }) => uid)).toEqual([60_599]);
  for (const slot of dead) slot.remove();
  expect(readdirSync(folder).sort()).toEqual(['60598', String(mine.uid)]);
});

test('users come back as often as they are wanted; when all are held, the message says so', async () => {
  const hold = (uid: number) => symlinkSync(ownerName(), join(folder, String(uid)));
  for (let uid = 60_600; uid < 61_088; uid++) hold(uid);
  for (let times = 0; times < 13; times++) (await acquireSlot(folder)).release();
  for (let uid = 61_088; uid < 61_100; uid++) hold(uid);
  await expect(acquireSlot(folder)).rejects.toThrow(/All 500 users for sandboxed programs are in use/);
});
