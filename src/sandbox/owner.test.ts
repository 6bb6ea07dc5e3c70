import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
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

test('slots that are held at once are different users, and come back', () => {
  const slots = [acquireSlot(folder), acquireSlot(folder), acquireSlot(folder)];
  expect(new Set(slots.map(({ uid }) => uid)).size).toBe(3);
  expect(slots.every(({ uid }) => uid > 60_000 && uid < 61_184)).toBe(true);
  expect(readdirSync(folder)).toHaveLength(3);
  for (const slot of slots) slot.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('only the slots of the dead are free to be swept', async () => {
  const mine = acquireSlot(folder);
  symlinkSync(await deadOwner(), join(folder, '60599'));
  symlinkSync('no owner', join(folder, '60598'));
  const dead = deadSlots(folder);
  expect(dead.map(({ uid }) => uid)).toEqual([60_599]);
  for (const slot of dead) slot.remove();
  expect(readdirSync(folder).sort()).toEqual(['60598', String(mine.uid)]);
});

test('when all are held, the message says so', () => {
  for (let uid = 60_600; uid < 61_100; uid++) symlinkSync(ownerName(), join(folder, String(uid)));
  expect(() => acquireSlot(folder)).toThrow(/All 500 users for sandboxed programs are in use/);
});
