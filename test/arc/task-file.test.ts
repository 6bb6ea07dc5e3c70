/** Files of tasks in every form, and every way in which they can be wrong: said with task, pair and cell. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { solutionsPathOf } from '../../src/families/arc/solutions.ts';
import {
  chooseTasks,
  invalidTasksError,
  loadTaskFile,
  type TaskFileQuestion,
} from '../../src/families/arc/task-file.ts';
import { localFiles } from '../../src/io/local-files.ts';
import { bothFiles, challenges, folderWith, oneMore, solutions, twoTests } from './tasks.ts';

type Files = Readonly<Record<string, unknown>>;

const load = (files: Files, question: TaskFileQuestion) =>
  loadTaskFile(localFiles(folderWith(files)), question);

const faultsOf = async (files: Files, question: TaskFileQuestion) =>
  (await load(files, question)).faults.map(({ task, what }) => `${task}: ${what}`);

describe('the forms', () => {
  test('many tasks in a file, sorted, with the solutions beside it', async () => {
    const file = await load(bothFiles, { file: 'my_challenges.json' });
    expect(file.ids).toEqual(['a1', 'b2']);
    expect(file.tasks).toEqual([
      { id: 'a1', train: oneMore.train, test: [[[3, 4, 5]]] },
      { id: 'b2', train: twoTests.train, test: [[[3]], [[4, 4]]] },
    ]);
    expect(file.faults).toEqual([]);
    expect(file.solutions?.path).toMatch(/my_solutions\.json$/);
    expect(file.solutions?.byTask.get('b2')).toEqual([[[4]], [[5, 5]]]);
  });

  test('one task alone', async () => {
    const file = await load({ '0a1b.json': oneMore }, { file: '0a1b.json' });
    expect([file.ids, file.solutions]).toEqual([['0a1b'], null]);
  });

  test('a folder of single tasks', async () => {
    const files = { 'tasks/b2.json': twoTests, 'tasks/a1.json': oneMore, 'tasks/README.md': '# Tasks' };
    const file = await load(files, { file: 'tasks' });
    expect(file.ids).toEqual(['a1', 'b2']);
    expect(file.tasks).toHaveLength(2);
    expect((await load(files, { file: 'tasks/', only: 'b2' })).tasks.map(({ id }) => id)).toEqual(['b2']);
  });

  test('a byte order mark is no fault', async () => {
    expect((await load({ 'a.json': `\ufeff${JSON.stringify(oneMore)}` }, { file: 'a.json' })).ids).toEqual([
      'a',
    ]);
  });

  test('an id may be any key', async () => {
    const text = `{"__proto__": ${JSON.stringify(oneMore)}, "7": ${JSON.stringify(oneMore)}}`;
    expect((await load({ 'x.json': text }, { file: 'x.json' })).ids).toEqual(['7', '__proto__']);
  });
});

describe('solutions', () => {
  test.each([
    ['/a/arc_challenges.json', '/a/arc_solutions.json'],
    ['/challenges/tasks.json', null],
    ['/challenges/x_challenges.json', '/challenges/x_solutions.json'],
    ['/a/evaluation_challenges/', '/a/evaluation_solutions'],
    ['/a/solutions.json', null],
    ['C:\\challenges\\arc_challenges.json', 'C:\\challenges\\arc_solutions.json'],
  ])('of %s: %s', (path, expected) => {
    expect(solutionsPathOf(path)).toBe(expected);
  });

  test('a file that is not called challenges has none, whatever lies beside it', async () => {
    const files = {
      'tasks.json': challenges,
      'solutions.json': solutions,
      'challenges/tasks.json': challenges,
      'solutions/tasks.json': solutions,
    };
    expect((await load(files, { file: 'tasks.json' })).solutions).toBeNull();
    expect((await load(files, { file: 'challenges/tasks.json' })).solutions).toBeNull();
  });

  test('in the file or folder itself are found, and a task without them spoils nothing', async () => {
    const carrying = { ...oneMore, test: [{ input: [[3, 4, 5]], output: [[4, 5, 6]] }] };
    const half = { ...twoTests, test: [{ input: [[3]], output: [[4]] }, { input: [[4, 4]] }] };
    const files = {
      'all.json': { a1: carrying, b2: twoTests, c3: half },
      'folder/a1.json': carrying,
      'folder/b2.json': twoTests,
      'bare.json': { b2: twoTests },
    };
    for (const file of ['all.json', 'folder']) {
      const { faults, solutions: found, tasks } = await load(files, { file });
      expect(faults).toEqual([]);
      expect([...(found?.byTask ?? [])], file).toEqual([['a1', [[[4, 5, 6]]]]]);
      expect(JSON.stringify(tasks)).not.toContain('[[4,5,6]]');
    }
    expect((await load(files, { file: 'bare.json' })).solutions).toBeNull();
    expect((await load(files, { file: 'folder', solutions: null })).solutions).toBeNull();
  });

  test('named ones go before, in every form', async () => {
    const carrying = {
      ...twoTests,
      test: [
        { input: [[3]], output: [[4]] },
        { input: [[4, 4]], output: [[5, 5]] },
      ],
    };
    const files = {
      ...bothFiles,
      'other.json': { a1: [[[1]]], b2: [[[4]], [[5, 5]]] },
      'tasks.json': { b2: carrying, a1: { ...oneMore, test: [{ input: [[3, 4, 5]], output: [[4, 5, 6]] }] } },
      'folder/b2.json': carrying,
      'lists/b2.json': [[[4]], [[5, 5]]],
    };
    const of = async (named: string, only = 'b2') =>
      (await load(files, { file: 'my_challenges.json', solutions: named, only })).solutions?.byTask.get(only);
    expect(await of('other.json', 'a1')).toEqual([[[1]]]);
    for (const named of ['other.json', 'tasks.json', 'folder', 'folder/b2.json', 'lists']) {
      expect(await of(named), named).toEqual([[[4]], [[5, 5]]]);
    }
    expect((await load(files, { file: 'my_challenges.json', solutions: null })).solutions).toBeNull();
  });

  test('that do not match are named, and spoil no other task', async () => {
    const wrong = (given: unknown) =>
      faultsOf({ 'c.json': challenges, 's.json': given }, { file: 'c.json', solutions: 's.json' });
    expect(await wrong({ a1: [[[4]], [[5]]], b2: [[[4]], [[5, 5]]] })).toEqual([
      expect.stringMatching(/^a1: its solution in .*s\.json has 2 outputs, the task 1 test input$/),
    ]);
    expect(await wrong({ b2: [[[4]], [[5, 10]]] })).toEqual([
      expect.stringMatching(/^a1: .* has no solution of it$/),
      expect.stringMatching(/^b2: solution of test pair 2 in .*: row 1, cell 2 is 10/),
    ]);
    expect(await wrong({ a1: 'x', b2: solutions.b2 })).toEqual([
      expect.stringMatching(/^a1: .* is no list of grids$/),
    ]);
    const file = await load(
      { 'c.json': challenges, 's.json': { b2: solutions.b2 } },
      { file: 'c.json', solutions: 's.json' },
    );
    expect(file.tasks.map(({ id }) => id)).toEqual(['b2']);
  });

  test.each<[string, unknown, RegExp]>([
    ['a list', [1], /no object of tasks/],
    ['not JSON', '{', /is not JSON/],
  ])('%s is no file of solutions', async (_name, given, expected) => {
    await expect(
      load({ ...bothFiles, 's.json': given }, { file: 'my_challenges.json', solutions: 's.json' }),
    ).rejects.toThrow(expected);
    await expect(
      load({ ...bothFiles, 'my_solutions.json': given }, { file: 'my_challenges.json' }),
    ).rejects.toThrow(expected);
  });
});

describe('bad input', () => {
  const grid = [[1, 2]];
  const pair = { input: grid, output: grid };

  test.each<[string, unknown, string]>([
    ['no object', 5, 'it is not an object with train and test'],
    ['no train', { test: [pair] }, 'it has no train'],
    ['an empty train', { train: [], test: [pair] }, 'its train is empty'],
    ['no test', { train: [pair] }, 'it has no test'],
    ['an empty test', { train: [pair], test: [] }, 'its test is empty'],
    ['train as an object', { train: {}, test: [pair] }, 'its train is no list of pairs'],
    ['a pair that is none', { train: [5], test: [pair] }, 'train pair 1 is not an object'],
    [
      'no output',
      { train: [{ input: grid }], test: [pair] },
      'train pair 1, output: it is missing, not a list of rows',
    ],
    ['no input', { train: [pair], test: [{}] }, 'test pair 1, input: it is missing, not a list of rows'],
    [
      'an empty grid',
      { train: [{ input: [], output: grid }], test: [pair] },
      'train pair 1, input: it is empty',
    ],
    [
      'an empty row',
      { train: [pair, { input: [[]], output: grid }], test: [pair] },
      'train pair 2, input: row 1 is empty',
    ],
    [
      'a ragged grid',
      { train: [pair], test: [{ input: [[1, 2], [1]] }] },
      'test pair 1, input: row 2 has 1 cell, row 1 has 2',
    ],
    [
      'a value of 10',
      { train: [{ input: grid, output: [[0], [10]] }], test: [pair] },
      'train pair 1, output: row 2, cell 1 is 10, not a whole number from 0 to 9',
    ],
    [
      '31 rows',
      { train: [pair], test: [{ input: Array.from({ length: 31 }, () => [0]) }] },
      'test pair 1, input: it has 31 rows; there may be 30',
    ],
  ])('%s', async (_name, task, expected) => {
    const faults = await faultsOf({ 'c.json': { bad: task, good: oneMore } }, { file: 'c.json' });
    expect(faults).toEqual([`bad: ${expected}`]);
  });

  test('everything that is wrong with a task is said at once', async () => {
    const bad = { train: [{ input: [[11]], output: [] }], test: [{ input: [['a']] }] };
    expect(await faultsOf({ 'c.json': { bad } }, { file: 'c.json' })).toHaveLength(3);
  });

  test.each<[string, Files, string, RegExp]>([
    ['not JSON', { 'c.json': '{"a1": ' }, 'c.json', /c\.json is not JSON.*JSON/],
    ['an empty file', { 'c.json': '' }, 'c.json', /It is empty/],
    ['no object', { 'c.json': '[1]' }, 'c.json', /no object of tasks/],
    ['no task', { 'c.json': '{}' }, 'c.json', /no task in it/],
    ['no file', {}, 'c.json', /no file or folder/],
    ['a folder without tasks', { 'c/README.md': '' }, 'c', /No file in this folder/],
  ])('%s', async (_name, files, file, expected) => {
    await expect(load(files, { file })).rejects.toThrow(expected);
  });

  test('a file of a folder that is not JSON spoils no other', async () => {
    const file = await load(
      { 'c/a.json': '{', 'c/b.json': oneMore, 'c/all.json': challenges },
      { file: 'c' },
    );
    expect(file.tasks.map(({ id }) => id)).toEqual(['b']);
    expect(file.faults.map(({ task, what }) => `${task}: ${what}`)).toEqual([
      expect.stringMatching(/^a: .*a\.json is not JSON/),
      'all: it has no train',
      'all: it has no test',
    ]);
  });

  test('a folder called like a task file inside a folder is not read as one', async () => {
    const folder = folderWith({ 'c/a.json': oneMore });
    mkdirSync(join(folder, 'c/b.json'));
    expect((await loadTaskFile(localFiles(folder), { file: 'c' })).ids).toEqual(['a']);
  });
});

describe('choosing', () => {
  const files = { 'c.json': { e: oneMore, d: {}, c: oneMore, b: oneMore, a: oneMore } };
  const chosen = async (choice: Parameters<typeof chooseTasks>[1]) => {
    const { tasks, faults } = chooseTasks(await load(files, { file: 'c.json' }), choice);
    return [tasks.map(({ id }) => id).join(''), faults.map(({ task }) => task).join('')];
  };

  test('by id, in the order given', async () => {
    expect(await chosen({ ids: ['c', 'a'] })).toEqual(['ca', '']);
    expect(await chosen({ ids: ['d', 'a'] })).toEqual(['a', 'dd']);
  });

  test('from an offset on, over the sorted ids: a faulty one keeps its place', async () => {
    expect(await chosen({})).toEqual(['abce', 'dd']);
    expect(await chosen({ offset: 1, count: 2 })).toEqual(['bc', '']);
    expect(await chosen({ offset: 3 })).toEqual(['e', 'dd']);
    expect(await chosen({ offset: 4, count: 100 })).toEqual(['e', '']);
    expect(await chosen({ count: 0 })).toEqual(['', '']);
  });

  test.each<[string, Parameters<typeof chooseTasks>[1], RegExp]>([
    ['an unknown id', { ids: ['a', 'x', 'y'] }, /has no task x, y\. It has 5, the first a, b, c/],
    ['a duplicate', { ids: ['a', 'b', 'a'] }, /task a is named twice/],
    ['an offset past the end', { offset: 5 }, /offset 5 is past the end: .* has 5 tasks/],
    ['both ways at once', { ids: ['a'], offset: 0 }, /offset or a number is given too/],
  ])('%s is refused', async (_name, choice, expected) => {
    await expect(chosen(choice)).rejects.toThrow(expected);
  });

  test('faults become one error that names them', async () => {
    const { path, faults } = await load(
      { 'c.json': Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`t${at}`, {}])) },
      { file: 'c.json' },
    );
    const error = invalidTasksError(path, faults);
    expect(error.message).toMatch(/12 tasks of .* cannot be used\./);
    expect(error.message).toMatch(/Task t0: it has no train\.\nTask t0: it has no test\./);
    expect(error.message).toMatch(/And 4 more faults/);
  });
});
