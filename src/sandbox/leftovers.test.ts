import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { findDeadCgroups } from './cgroup.ts';
import { cellName, findLeftovers, findOtherVersions, removeAll, sweepLeftovers } from './leftovers.ts';
import { ownerName, processNamespace } from './owner.ts';
import type { StagingArea } from './staging.ts';

const isRoot = process.getuid?.() === 0;
const dead = `${spawnSync('true').pid}-1`;
const draftId = '00000000-0000-0000-0000-000000000000';
const children: ChildProcess[] = [];
/** `ended` is listened to from its start: another Polya on this machine may sweep at any moment what has no owner. */
type Sleeper = ChildProcess & { readonly ended: Promise<unknown[]> };
let folder = '';
let staging: StagingArea;

beforeEach(() => {
  folder = temporaryFolder('leftovers');
  const path = (name: string) => join(folder, name);
  mkdirSync(path('slots'));
  staging = {
    folder,
    slotsFolder: path('slots'),
    runner: path('runner-aa'),
    filter: path('filter-aa'),
    passwd: path('passwd-aa'),
  };
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A cell is known by the first word of its command line. */
function cell(owner: string, uid?: number): Promise<Sleeper> {
  return sleeper(cellName(owner), uid);
}

async function sleeper(argv0: string, uid?: number): Promise<Sleeper> {
  const child = spawn('sleep', ['60'], {
    argv0,
    stdio: 'ignore',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  children.push(child);
  const ended = once(child, 'exit');
  await once(child, 'spawn');
  return Object.assign(child, { ended });
}

const isAlive = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;
const here = () => findLeftovers(staging, isRoot).filter(({ name }) => name.startsWith(folder));
const names = (found: readonly { kind: string; name: string }[]) =>
  found.map(({ kind, name }) => `${kind} ${name.slice(folder.length + 1)}`).sort();

describe('what is left of the dead', () => {
  test('cells that outlived their maker are ended, others are not', async () => {
    const [left, local] = [await cell(dead), await cell(ownerName())];
    const found = findLeftovers(staging, isRoot).filter(({ name }) => name === String(left.pid));
    sweepLeftovers(staging, isRoot);
    expect(await left.ended).toEqual([null, 'SIGKILL']);
    // It is gone already: whoever comes late has removed nothing.
    expect(removeAll(found)).toEqual([]);
    expect(isAlive(local)).toBe(true);
    expect(cellName()).toMatch(new RegExp(`^polya-cell-${ownerName()}@\\d+$`));
  });

  // A Polya on the machine saw the cells of one in a container, took their owner's number for one of its own, and ended them.
  test('cells of a Polya in a container are left to it, and so is their user', async () => {
    const theirs = await sleeper(cellName(dead, 4_026_532_999));
    expect(findLeftovers(staging, isRoot).map(({ name }) => name)).not.toContain(String(theirs.pid));
    sweepLeftovers(staging, isRoot);
    expect(isAlive(theirs)).toBe(true);
  });

  test('pipes and drafts go, those in use and young ones stay', () => {
    for (const owner of [dead, ownerName()]) {
      const ofPair = join(folder, 'pipes', `${owner}-1`);
      mkdirSync(ofPair, { recursive: true });
      writeFileSync(join(ofPair, 'in'), '');
      // As it is made: its owner cannot list it either.
      chmodSync(ofPair, 0o311);
    }
    const longAgo = new Date(Date.now() - 3_600_000);
    for (const name of ['old', 'young']) writeFileSync(join(folder, `${name}.${draftId}`), '');
    utimesSync(join(folder, `old.${draftId}`), longAgo, longAgo);
    const missing = [`draft old.${draftId}`, `pipes pipes/${dead}-1`];
    expect(names(removeAll(here()))).toEqual(missing);
    expect(names(here())).toEqual([]);
    expect(readdirSync(join(folder, 'pipes'))).toEqual([`${ownerName()}-1`]);
    expect(existsSync(join(folder, `young.${draftId}`))).toBe(true);
  });

  test('users of the dead are free again; where there are none to give, none is looked for', () => {
    symlinkSync(dead, join(folder, 'slots', '61050'));
    symlinkSync(ownerName(), join(folder, 'slots', '61051'));
    writeFileSync(join(folder, 'slots', '61052'), 'no link');
    expect(names(findLeftovers(staging, false).filter(({ name }) => name.startsWith(folder)))).toEqual([]);
    const found = findLeftovers(staging, true).filter(({ name }) => name.startsWith(folder));
    expect(names(removeAll(found))).toEqual(['user slots/61050']);
    expect(readdirSync(join(folder, 'slots')).sort()).toEqual(['61051', '61052']);
  });

  test('what runs as such a user is ended, unless a living Polya has given it again', {
    tags: ['root'],
  }, async () => {
    const [orphan, input] = [61_053, 61_054];
    const [left, local] = [await sleeper('orphan', orphan), await cell(ownerName(), input)];
    for (const uid of [orphan, input]) symlinkSync(dead, join(folder, 'slots', String(uid)));
    sweepLeftovers(staging, true);
    expect(await left.ended).toEqual([null, 'SIGKILL']);
    expect(isAlive(local)).toBe(true);
  });

  // Two that swept at once: the slower freed a user that was in use again, and ended whoever had it.
  test('what another swept and a third took meanwhile is not touched any more', {
    tags: ['root'],
  }, async () => {
    const uid = 61_055;
    const slot = join(folder, 'slots', String(uid));
    symlinkSync(dead, slot);
    const user = await sleeper('of whoever has the user', uid);
    const theirs = [slot, String(user.pid)];
    const found = findLeftovers(staging, true).filter(({ name }) => theirs.includes(name));
    expect(found.map(({ kind }) => kind)).toEqual(['process', 'user']);
    rmSync(slot);
    symlinkSync(ownerName(), slot);
    expect(removeAll(found)).toEqual([]);
    expect(readlinkSync(slot)).toBe(ownerName());
    expect(isAlive(user)).toBe(true);
  });

  // One that nobody has entered yet is empty, and so could be removed from under a cell.
  test('control groups of the dead go; those of the living, and of a Polya in a container, stay', () => {
    const namespace = processNamespace();
    const groups = [`polya-${dead}-0`, `polya-${dead}-1@${namespace}`];
    const siblings = [`polya-${dead}-2@1`, `polya-${ownerName()}-3@${namespace}`, `polya-${ownerName()}-4`];
    for (const name of [...groups, ...siblings]) mkdirSync(join(folder, 'groups', name), { recursive: true });
    const removed = removeAll(findDeadCgroups({ folders: [join(folder, 'groups')] }));
    expect(names(removed)).toEqual(groups.map((name) => `cgroup groups/${name}`));
    expect(readdirSync(join(folder, 'groups')).sort()).toEqual(siblings.sort());
  });

  test('files of other versions are found, where anything was staged', () => {
    for (const name of ['runner-aa', 'runner-bb', 'filter-bb', 'passwd-no', 'note'])
      writeFileSync(join(folder, name), '');
    expect(names(findOtherVersions(staging))).toEqual(['staged file filter-bb', 'staged file runner-bb']);
    const nowhere = { ...staging, folder: join(folder, 'nowhere') };
    expect(findOtherVersions(nowhere)).toEqual([]);
    expect(findLeftovers(nowhere, false).filter(({ name }) => name.startsWith(folder))).toEqual([]);
  });
});
