/** What a search leaves in a workspace beside its journal: bounded, and without room on the disk simply less. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UnavailableError } from '../../src/core/errors.ts';
import type { Folder } from '../../src/core/io.ts';
import type { CaseOutcome } from '../../src/core/program.ts';
import { layout } from '../../src/families/ahc/layout.ts';
import { keepSessionOutputs } from '../../src/families/ahc/problem/measure.ts';
import { bestAfter } from '../../src/families/ahc/records/best.ts';
import { openFolder } from '../../src/io/folder.ts';
import { newPlace } from '../cli/shell.ts';

const full = async (): Promise<never> => {
  throw new UnavailableError({ code: 'disk-full', what: 'The disk is full.' });
};

test('outputs are kept of the last hundred programs of this process, and of some others', async () => {
  const folder = openFolder(newPlace().folder);
  const recent = new Map<string, number>();
  for (let other = 0; other < 302; other += 1)
    mkdirSync(join(folder.path, layout.sessionOutputs, `other${String(other).padStart(3, '0')}`), {
      recursive: true,
    });
  for (let mine = 0; mine < 103; mine += 1) {
    const outputs = await keepSessionOutputs(folder, `mine${mine}`, recent);
    await outputs.add('0000', '', 'out');
    // Run again, it is one of the last.
    if (mine > 0 && mine % 50 === 0) await keepSessionOutputs(folder, 'mine0', recent);
  }
  await (await keepSessionOutputs(folder, 'mine102', recent)).add('0001', '', 'x'.repeat(1_000_001));
  const there = await folder.foldersIn(layout.sessionOutputs);
  const mine = there.filter((name) => name.startsWith('mine'));
  expect([mine.length, mine.includes('mine0'), mine.includes('mine1'), mine.includes('mine3')]).toEqual([
    100,
    true,
    false,
    false,
  ]);
  expect(there.length - mine.length).toBe(300);
  expect(await folder.files(`${layout.sessionOutputs}/mine102`)).toEqual(['0000.out']);
});

test('outputs that are large are kept of fewer programs: together they have a bound', async () => {
  const written: string[] = [];
  const removed: string[] = [];
  const folder: Folder = {
    ...openFolder(newPlace().folder),
    write: async (path) => void written.push(path),
    remove: async (path) => void removed.push(path),
  };
  const recent = new Map<string, number>();
  const large = 'x'.repeat(1_000_000);
  for (let program = 0; program < 6; program += 1) {
    const outputs = await keepSessionOutputs(folder, `p${program}`, recent);
    for (let each = 0; each < 50; each += 1) await outputs.add(`000${each}`, '', large);
  }
  expect(written).toHaveLength(300);
  // 50 million characters each: two fit beside one that grows.
  expect(removed).toEqual(['p0', 'p1', 'p2'].map((name) => `${layout.sessionOutputs}/${name}`));
  const outputs = await keepSessionOutputs(folder, 'huge', recent);
  for (let each = 0; each < 200; each += 1) await outputs.add(`000${each}`, '', large);
  expect(written).toHaveLength(300 + 128);
});

test('a full disk keeps neither outputs nor best scores, and holds nobody up', async () => {
  const real = openFolder(newPlace().folder);
  const folder: Folder = { ...real, write: full, append: full };
  await (await keepSessionOutputs(folder, 'mine', new Map())).add('0000', '', 'out');
  const record: CaseOutcome = {
    name: '1',
    inputHash: 'hash',
    verdict: 'AC',
    score: 7,
    cpuMs: 1,
    wallMs: 2,
    memoryBytes: 3,
    message: '',
    features: {},
  };
  expect(await bestAfter(folder, 'maximise', [record])).toEqual({ 1: 7 });
  expect(await bestAfter(real, 'maximise', [record])).toEqual({ 1: 7 });
  expect(await bestAfter(real, 'maximise', [{ ...record, score: 5 }])).toEqual({ 1: 7 });
  const broken: Folder = { ...real, write: () => Promise.reject(new Error('no')) };
  await expect((await keepSessionOutputs(broken, 'mine', new Map())).add('0000', '', 'out')).rejects.toThrow(
    'no',
  );
});
