/** What a workspace remembers of evaluations: versions, history, best known scores; also when several processes write. */

import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CaseOutcome } from '../../src/core/program.ts';
import { layout } from '../../src/families/ahc/layout.ts';
import { addToBest, readBest } from '../../src/families/ahc/records/best.ts';
import {
  appendEvaluation,
  casesOfVersion,
  type EvaluationRecord,
  newSessionRows,
  readHistory,
  testLine,
} from '../../src/families/ahc/records/history.ts';
import {
  findVersion,
  keepOutputs,
  keptOutput,
  readSource,
  readVersions,
  registerVersion,
} from '../../src/families/ahc/records/versions.ts';
import { openFolder } from '../../src/io/folder.ts';
import { coded } from '../support/coded.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const base = temporaryFolder('records');
let number = 0;
let folder = openFolder(base);
beforeEach(() => {
  number += 1;
  mkdirSync(join(base, `${number}`, '.ahc'), { recursive: true });
  folder = openFolder(join(base, `${number}`));
});

const record = (name: string, score: number | null, inputHash = 'i'): CaseOutcome => ({
  name,
  inputHash,
  message: '',
  features: {},
  verdict: score === null ? 'TLE' : 'AC',
  score,
  cpuMs: 1.3,
  wallMs: 2,
  memoryBytes: 3,
});

describe('versions', () => {
  const seen = (hash: string) => ({ text: `// ${hash}\n`, hash, file: `${hash}.cpp`, atMs: 1 });

  test('are numbered as they come, one for each source', async () => {
    for (const hash of ['a', 'b', 'a', 'c']) await registerVersion(folder, seen(hash));
    const versions = await readVersions(folder);
    expect(versions.map(({ name, source }) => `${name} ${source}`)).toEqual(['v1 a', 'v2 b', 'v3 c']);
    expect((await registerVersion(folder, seen('b'))).name).toBe('v2');
    const [first] = versions;
    expect(first && (await readSource(folder, first))).toBe('// a\n');
  });

  test('are found by name, or as the last one that is another', async () => {
    await expect(findVersion(folder, 'last')).rejects.toThrow(coded('no-such-version'));
    for (const hash of ['a', 'b']) await registerVersion(folder, seen(hash));
    expect((await findVersion(folder, 'last')).name).toBe('v2');
    expect((await findVersion(folder, 'last', 'b')).name).toBe('v1');
    await expect(findVersion(folder, 'v9')).rejects.toThrow(coded('no-such-version', 'v1'));
  });
});

describe('a history', () => {
  const evaluation = (source: string, cases: readonly CaseOutcome[]): EvaluationRecord => ({
    atMs: 5,
    file: 'main.cpp',
    source,
    direction: 'maximise',
    scoring: 'absolute',
    backend: 'bubblewrap',
    compiled: true,
    asked: cases.length,
    cases,
  });

  test('gives back what was added', async () => {
    const one = evaluation('a', [record('0', 7), record('1', null)]);
    await appendEvaluation(folder, one);
    const cases = one.cases.map((each) => ({ ...each, cpuMs: 1.3 }));
    expect(await readHistory(folder)).toEqual({ values: [{ ...one, cases }], damaged: 0 });
  });

  test('skips what cannot be read, also the half line of a process that was killed', async () => {
    await appendEvaluation(folder, evaluation('a', [record('0', 7)]));
    const file = join(folder.path, layout.history);
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"format":9}\n{"format":1,"atMs"`);
    await appendEvaluation(folder, evaluation('b', [record('0', 8)]));
    const { values, damaged } = await readHistory(folder);
    expect([values.map(({ source }) => source), damaged]).toEqual([['a', 'b'], 2]);
  });

  test('is told to people in experiments.log, a line each, whatever a file is called', () => {
    const two = evaluation('a', [record('0', 7), record('1', null)]);
    expect(testLine('v1', two)).toMatch(
      /^1970-01-01T00:00:00\.005Z test v1 main\.cpp: 2 cases, .*, total 7$/,
    );
    expect(testLine('v2', { ...two, asked: 5, file: 'a\nb' })).toContain('test v2 a?b: 2 of 5 cases, ');
    expect(testLine('v3', { ...two, compiled: false, cases: [] })).toMatch(/ test v3 main\.cpp: CE$/);
  });

  test('of a session is told once when it first begins, and once for each end', () => {
    const row = ['night', '2026-01-01T00:00:00.000Z', '', '', '0', '{"status":"running"}', '', ''];
    const begun = 'session night running: no score, generation 0';
    expect(newSessionRows('', row, 'beginning')).toBe(begun);
    const log = `T session nights stopped: no score, generation 1\nT ${begun}\n`;
    expect(newSessionRows(log, row, 'beginning')).toBeNull();
    const ended = row.with(3, '12').with(4, '3').with(5, '{"status":"stopped"}');
    const end = 'session night stopped: best 12, generation 3';
    expect(newSessionRows(log, ended, 'end')).toBe(end);
    expect(newSessionRows(`${log}T ${end}\n`, ended, 'end')).toBeNull();
    expect(newSessionRows(`${log}T ${end}\n`, ended.with(4, '4'), 'end')).toContain('generation 4');
  });

  test('knows of a version each case as it was seen last, and each input as a case of its own', () => {
    const past = [
      evaluation('a', [record('0', 7), record('1', 1)]),
      evaluation('b', [record('0', 9)]),
      evaluation('a', [record('0', 8), record('0', 5, 'other')]),
    ];
    const found = casesOfVersion(past, 'a').map(({ name, inputHash, score }) => [name, inputHash, score]);
    expect(found).toEqual([
      ['0', 'i', 8],
      ['0', 'other', 5],
      ['1', 'i', 1],
    ]);
  });
});

describe('best known scores', () => {
  test('become better and never worse, by case and input', async () => {
    expect((await addToBest(folder, 'minimise', [record('0', 7), record('1', null)])).improved).toEqual([
      '0',
    ]);
    expect((await addToBest(folder, 'minimise', [record('0', 9)])).improved).toEqual([]);
    expect((await addToBest(folder, 'minimise', [record('0', 5), record('0', 1, 'other')])).improved).toEqual(
      ['0', '0'],
    );
    const best = await readBest(folder, 'minimise');
    expect([
      best.of(record('0', null)),
      best.of(record('0', null, 'other')),
      best.of(record('1', null)),
      best.size,
    ]).toEqual([5, 1, null, 2]);
  });

  test('of the other direction are not taken over', async () => {
    await addToBest(folder, 'minimise', [record('0', 7)]);
    expect((await readBest(folder, 'maximise')).size).toBe(0);
  });

  test('are found again where their file was deleted or their log is', async () => {
    await addToBest(folder, 'maximise', [record('0', 7)]);
    await addToBest(folder, 'maximise', [record('1', 8)]);
    await folder.remove(layout.best);
    expect((await readBest(folder, 'maximise')).size).toBe(2);
    await addToBest(folder, 'maximise', [record('2', 8)]);
    await folder.remove(layout.bestLog);
    expect((await readBest(folder, 'maximise')).size).toBe(3);
  });

  test('that cannot be read are kept aside, each time in a file of its own', async () => {
    for (const [index, text] of ['{', '{"version": 7}'].entries()) {
      writeFileSync(join(folder.path, layout.best), text);
      const { keptAside, size } = await readBest(folder, 'maximise');
      expect([keptAside, size]).toEqual([`.ahc/best.broken-${index + 1}.json`, 0]);
      expect(readFileSync(join(folder.path, keptAside ?? ''), 'utf8')).toBe(text);
    }
    expect(readdirSync(join(folder.path, '.ahc')).sort()).toEqual([
      'best.broken-1.json',
      'best.broken-2.json',
    ]);
  });

  test('of processes that write at once are all there', async () => {
    const child = join(import.meta.dirname, 'best-child.ts');
    const ended = Array.from({ length: 4 }, (_, name) => {
      const process_ = spawn(process.execPath, [child, folder.path, `${name}`, '15'], { stdio: 'inherit' });
      return new Promise((resolve) => process_.once('exit', resolve));
    });
    expect(await Promise.all(ended)).toEqual([0, 0, 0, 0]);
    const best = await readBest(folder, 'maximise');
    // Each has cases of its own and one that all of them share.
    expect([best.size, best.of(record('shared', null))]).toEqual([61, 3014]);
    const versions = await readVersions(folder);
    expect([versions.length, new Set(versions.map(({ name }) => name)).size]).toEqual([60, 60]);
  });
});

test('outputs are kept for the versions that were run last, and made again where all cases are', async () => {
  const key = { name: '0', input: 'i' };
  const keep = (source: string, recent: readonly string[], isWhole = true) =>
    keepOutputs(folder, { source, recent, isWhole });
  for (const source of ['a', 'b']) await (await keep(source, [])).add('0', 'i', `of ${source}`);
  expect(await keptOutput(folder, 'b', key)).toBe('of b');
  expect(await keptOutput(folder, 'a', key)).toBeNull();
  await (await keep('b', ['b'], false)).add('1', 'i', 'more');
  expect(await keptOutput(folder, 'b', key)).toBe('of b');
  const keeper = await keep('c', ['x', 'b']);
  await keeper.add('0', 'i', 'x'.repeat(1_000_001));
  expect([await keptOutput(folder, 'b', key), await keptOutput(folder, 'c', key)]).toEqual(['of b', null]);
  await keep('b', ['b', 'c']);
  expect(await keptOutput(folder, 'b', key)).toBeNull();
});
