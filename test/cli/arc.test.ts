/** `polya arc show|score|submit`: what they print and write, and what they refuse. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { scriptedModel } from '../../src/models/scripted.ts';
import { openJournals } from '../../src/open/journals.ts';
import { startRun } from '../../src/run/start.ts';
import { bothFiles, oneMore, solutions, twoTests } from '../arc/tasks.ts';
import { typed } from '../support/typed.ts';
import { newPlace, type Place, polya } from './shell.ts';

function placeWith(files: Readonly<Record<string, unknown>> = bothFiles): Place {
  const place = newPlace();
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(place.folder, name)), { recursive: true });
    writeFileSync(join(place.folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return place;
}

describe('arc show', () => {
  test('lists and draws the tasks that come with Polya', async () => {
    const listed = await polya(newPlace(), ['arc', 'show']);
    expect(listed).toMatchObject({ code: 0, err: '' });
    expect(listed.out).toMatch(/3 tasks of .*polya_challenges\.json, solutions in .*polya_solutions\.json\n/);
    const { out } = await polya(newPlace(), ['arc', 'show', 'mirror']);
    expect(out).toMatch(/^mirror: 3 train pairs, 2 test inputs \(/);
    expect(out).toContain('train 1  2×2 → 2×4\n1 2   →   1 2 2 1\n3 0       3 0 0 3\n');
    expect(out).toContain('test 2  1×3 → ?\n9 1 6   →   ?\n');
  });

  test('in colour on a terminal, plain where none is wanted', async () => {
    const argv = ['arc', 'show', 'a1', '--task-file', 'my_challenges.json'];
    const coloured = await polya(placeWith(), argv, { isTerminal: true });
    expect(coloured.out).toContain(
      '\x1b[48;5;32m  \x1b[48;5;203m  \x1b[0m   →   \x1b[48;5;203m  \x1b[48;5;41m  \x1b[0m',
    );
    expect((await polya(placeWith(), [...argv, '--digits'], { isTerminal: true })).out).toContain(
      '48;5;32m1 ',
    );
    expect((await polya(placeWith(), [...argv, '--no-color'], { isTerminal: true })).out).toContain(
      '1 2   →   2 3\n',
    );
  });

  test('wide grids stand under one another', async () => {
    const wide = [Array.from({ length: 30 }, () => 1)];
    const task = { train: [{ input: wide, output: wide }], test: [{ input: wide }] };
    const { out } = await polya(placeWith({ 'wide.json': task }), ['arc', 'show', 'wide.json']);
    expect(out).toContain(`train 1  1×30 → 1×30\n${'1 '.repeat(30).trim()}\n↓\n1 1`);
  });

  test('solutions only where they are asked for', async () => {
    const argv = ['arc', 'show', 'a1', '--task-file', 'my_challenges.json'];
    expect((await polya(placeWith(), argv)).out).toContain('3 4 5   →   ?');
    expect((await polya(placeWith(), [...argv, '--solution'])).out).toContain('3 4 5   →   4 5 6');
    const shown = JSON.parse((await polya(placeWith(), [...argv, '--json'])).out);
    expect(shown).toEqual({ task: 'a1', file: expect.stringMatching(/my_challenges\.json$/), ...oneMore });
    const solved = JSON.parse((await polya(placeWith(), [...argv, '--json', '--solution'])).out);
    expect(solved.test).toEqual([{ input: [[3, 4, 5]], output: [[4, 5, 6]] }]);
    const without = await polya(placeWith({ 'a1.json': oneMore }), ['arc', 'show', 'a1.json', '--solution']);
    expect(without.code).toBe(2);
    expect(without.err).toContain('There is no solution of a1.');
  });

  test('pictures are whole, and replace nothing unasked', async () => {
    const place = placeWith();
    const argv = typed`arc show b2 --task-file my_challenges.json --png b.png --svg b.svg`;
    const first = await polya(place, argv);
    expect(first).toMatchObject({ code: 0, out: '' });
    expect(first.err).toMatch(/Written: .*b\.svg\nWritten: .*b\.png\n/);
    const { width } = PNG.sync.read(readFileSync(join(place.folder, 'b.png')));
    expect(readFileSync(join(place.folder, 'b.svg'), 'utf8')).toContain(`width="${width}"`);
    const again = await polya(place, argv);
    expect(again.code).toBe(2);
    expect(again.err).toContain('exists already; nothing was written');
    expect((await polya(place, [...argv, '--force', '--cell', '3'])).code).toBe(0);
  });

  test('a file with faults: the list names them, the good tasks can be shown', async () => {
    const place = placeWith({ 'c.json': { bad: { ...oneMore, test: [] }, good: twoTests } });
    const { out } = await polya(place, ['arc', 'show', 'c.json']);
    expect(out).toMatch(/2 tasks of .*, without solutions; 1 cannot be used/);
    expect(out).toMatch(/bad .*its test is empty/);
    const json = JSON.parse((await polya(place, ['arc', 'show', 'c.json', '--json'])).out);
    expect(json.tasks).toEqual([
      { task: 'bad', tests: 1, faults: ['its test is empty'] },
      { task: 'good', tests: 2, faults: [] },
    ]);
    const bad = await polya(place, ['arc', 'show', 'bad', '--task-file', 'c.json']);
    expect(bad.code).toBe(2);
    expect(bad.err).toContain('Task bad: its test is empty.');
    expect((await polya(place, ['arc', 'show', 'good', '--task-file', 'c.json'])).code).toBe(0);
  });

  test.each<[string, string[], string]>([
    ['an unknown task', ['nothere'], 'has no task nothere'],
    ['a path that is not there', ['no/such.json'], 'There is no file or folder'],
    ['cells of no size', ['fall', '--png', 'x.png', '--cell', '0'], 'whole number from 1 to 100'],
  ])('%s', async (_name, args, expected) => {
    const { code, err } = await polya(newPlace(), ['arc', 'show', ...args]);
    expect(code).toBe(2);
    expect(err).toContain(expected);
  });
});

describe('arc score', () => {
  const entry = (first: unknown, second: unknown = [[0]]) => ({ attempt_1: first, attempt_2: second });
  const half = { b2: [entry([[9]], [[4]]), entry([[5]])] };

  test('by test pairs and by task', async () => {
    const place = placeWith({ ...bothFiles, 'sub.json': half });
    const { code, out, err } = await polya(place, typed`arc score sub.json --solutions my_solutions.json`);
    expect(code).toBe(0);
    expect(out).toMatch(/^33\.3%: 1 of 3 test pairs right, 0 of 2 tasks solved\n/);
    expect(out).toMatch(/b2 +1\/2 +attempt 2, wrong/);
    expect(err).toBe('1 task of the solutions is not in the submission: it counts as wrong.\n');
  });

  test('as JSON', async () => {
    const place = placeWith({ ...bothFiles, 'sub.json': { a1: [entry([[4, 5, 6]])], ...half } });
    const { out } = await polya(place, typed`arc score sub.json --solutions my_solutions.json --json`);
    expect(JSON.parse(out)).toEqual({
      pairs: 3,
      right: 2,
      score: 2 / 3,
      solved: 1,
      tasks: [
        { task: 'a1', pairs: 1, right: 1, attempts: [1], missing: false },
        { task: 'b2', pairs: 2, right: 1, attempts: [2, null], missing: false },
      ],
    });
  });

  test('by tasks that carry their outputs', async () => {
    const carrying = { ...oneMore, test: [{ input: [[3, 4, 5]], output: [[4, 5, 6]] }] };
    const place = placeWith({ 'tasks/a1.json': carrying, 'sub.json': { a1: [entry([[4, 5, 6]])] } });
    const { out } = await polya(place, ['arc', 'score', 'sub.json', '--solutions', 'tasks']);
    expect(out).toMatch(/^100\.0%/);
  });

  test.each<[string, unknown, unknown, RegExp]>([
    ['no submission', undefined, solutions, /no submission\.\n.*no such file/],
    ['no JSON', '{"a1":', solutions, /not JSON/],
    ['a list', [1], solutions, /no object of tasks/],
    ['an empty one', {}, solutions, /no task in it/],
    [
      'malformed entries',
      { a1: [entry([[1, 2], [3]])] },
      solutions,
      /malformed in 1 place; nothing was scored\.\n +Task a1: test pair 1, attempt_1: row 2 has 1 cell/,
    ],
    ['an unknown task', { zz: [entry([[1]])] }, solutions, /Task zz: there is no such task in the solutions/],
    ['no solutions', half, undefined, /no file of solutions/],
    ['solutions without outputs', half, { a1: oneMore }, /No test pair in it carries an output/],
    ['no task in the solutions', half, {}, /no task in it/],
    [
      'faulty solutions',
      half,
      { b2: [[[4]], [[77]]] },
      /Task b2: solution of test pair 2: row 1, cell 1 is 77/,
    ],
    ['solutions that are empty', half, { a1: [[[1]]], b2: [] }, /Task b2: it has no solutions/],
  ])('%s', async (_name, submission, given, expected) => {
    const place = placeWith({
      ...(submission === undefined ? {} : { 'sub.json': submission }),
      ...(given === undefined ? {} : { 'sol.json': given }),
    });
    const { code, err, out } = await polya(place, ['arc', 'score', 'sub.json', '--solutions', 'sol.json']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(expected);
  });

  test('more faults than anybody reads are counted', async () => {
    const bad = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`x${at}`, []]));
    const place = placeWith({ ...bothFiles, 'sub.json': bad });
    const { err } = await polya(place, ['arc', 'score', 'sub.json', '--solutions', 'my_solutions.json']);
    expect(err).toMatch(/malformed in 25 places[\s\S]*And 5 more faults/);
  });
});

/** Runs of the real agent `single-call` on the family, in the place's journals. */
async function runAll(
  place: Place,
  runs: readonly (readonly [id: string, task: string, reply: string])[],
  file = 'my_challenges.json',
) {
  const opened = openJournals({
    folder: place.folder,
    env: place.env,
    create: true,
    models: Object.fromEntries(
      runs.map(([id, , reply]) => [id, scriptedModel({ id, script: () => ({ text: reply }) })]),
    ),
  });
  try {
    for (const [id, task] of runs) {
      const spec = {
        id,
        family: 'arc',
        problem: { file, task },
        agent: 'single-call',
        models: { default: id },
      };
      await (await startRun(opened.world, spec)).done;
    }
  } finally {
    await opened.close();
  }
}

const fence = (grid: string) => `\`\`\`\n${grid}\n\`\`\`\n`;
const right = fence('4') + fence('5 5');

describe('arc submit', () => {
  test('writes every task of the file, with placeholders for those without an answer', async () => {
    const place = placeWith();
    await runAll(place, [['first', 'b2', right]]);
    const { code, out, err } = await polya(place, ['arc', 'submit', '--run', 'first']);
    expect(code).toBe(0);
    expect(out).toMatch(/submission\.json: 2 tasks, 3 test inputs\n/);
    expect(err).toBe('Placeholders, since there is no answer: a1.\n');
    const zeros = [
      [0, 0],
      [0, 0],
    ];
    expect(JSON.parse(readFileSync(join(place.folder, 'submission.json'), 'utf8'))).toEqual({
      a1: [{ attempt_1: zeros, attempt_2: zeros }],
      b2: [
        { attempt_1: [[4]], attempt_2: [[4]] },
        { attempt_1: [[5, 5]], attempt_2: [[5, 5]] },
      ],
    });
    const scored = await polya(place, typed`arc score submission.json --solutions my_solutions.json`);
    expect(scored.out).toMatch(/^66\.7%: 2 of 3/);
  });

  test('several runs of a task give its two attempts, and a file is never replaced unasked', async () => {
    const place = placeWith();
    await runAll(place, [
      ['first', 'b2', fence('9') + fence('5 5')],
      ['second', 'b2', right],
    ]);
    const argv = ['arc', 'submit', '--run', 'first', '--run', 'second', '--out', 'out/sub.json'];
    expect(JSON.parse((await polya(place, [...argv, '--json'])).out)).toMatchObject({
      tasks: 2,
      entries: 3,
      placeholders: ['a1'],
    });
    const file = join(place.folder, 'out/sub.json');
    const before = readFileSync(file, 'utf8');
    expect(JSON.parse(before).b2[0]).toEqual({ attempt_1: [[9]], attempt_2: [[4]] });
    const again = await polya(place, ['arc', 'submit', '--run', 'second', '--out', 'out/sub.json']);
    expect(again.code).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect((await polya(place, [...argv, '--force'])).code).toBe(0);
  });

  test('a faulty task of the file has an entry for each of its test inputs', async () => {
    const bad = { ...twoTests, train: [] };
    const place = placeWith({ 'my_challenges.json': { a1: oneMore, bad } });
    await runAll(place, [['first', 'a1', fence('4 5 6')]]);
    expect((await polya(place, ['arc', 'submit', '--run', 'first'])).code).toBe(0);
    expect(JSON.parse(readFileSync(join(place.folder, 'submission.json'), 'utf8')).bad).toHaveLength(2);
  });

  test('what cannot be submitted is refused, and writes nothing', async () => {
    const place = placeWith({
      ...bothFiles,
      'changed.json': { b2: { ...twoTests, test: [{ input: [[7]] }] } },
      'other.json': { zz: oneMore },
      'again.json': bothFiles['my_challenges.json'],
    });
    await runAll(place, [
      ['good', 'b2', right],
      ['mute', 'b2', 'I do not know.'],
    ]);
    await runAll(place, [['elsewhere', 'a1', fence('4 5 6')]], 'again.json');
    const refused = async (args: readonly string[], expected: RegExp) => {
      const { code, err } = await polya(place, ['arc', 'submit', ...args]);
      expect(code).toBe(2);
      expect(err).toMatch(expected);
    };
    await refused([], /No runs are named/);
    await refused(['--run', 'mute'], /None of the runs has an answer/);
    await refused(['--run', 'good', '--task-file', 'changed.json'], /another task b2 than that of/);
    await refused(['--run', 'good', '--task-file', 'other.json'], /has no task b2/);
    await refused(['--run', 'good', '--run', 'elsewhere'], /tasks of 2 files/);
    await refused(['--run', 'nothere'], /no run nothere/);
    await refused(['--run-set', 'last'], /no run-set/);
    expect(existsSync(join(place.folder, 'submission.json'))).toBe(false);
    const named = await polya(place, typed`arc submit --run good --run elsewhere --task-file again.json`);
    expect(named).toMatchObject({ code: 0, err: '' });
  });

  test('the answers of a run-set, from its task file to its score', async () => {
    const place = newPlace();
    const { out: listed } = await polya(place, ['arc', 'show', '--json']);
    const { file, solutions: known } = JSON.parse(listed) as { file: string; solutions: string };
    const model = 'scripted/arc-mirror';
    const argv = ['--task-file', file, '--task-ids', 'mirror', '--model', model, '--pictures', 'none'];
    expect((await polya(place, ['arc', 'run', ...argv])).code).toBe(0);
    const made = JSON.parse((await polya(place, ['arc', 'submit', '--run-set', 'last', '--json'])).out);
    expect(made).toMatchObject({ tasks: 3, entries: 4, placeholders: ['fall', 'hollow'] });
    const { out } = await polya(place, ['arc', 'score', made.file, '--solutions', known]);
    expect(out).toMatch(/^50\.0%: 2 of 4 test pairs right, 1 of 3 tasks solved\n/);
  });

  test('another family is no ARC task', async () => {
    const place = newPlace();
    const model = scriptedModel({ id: 'm', script: () => ({ text: 'hello' }) });
    const opened = openJournals({ folder: place.folder, env: place.env, create: true, models: { m: model } });
    const spec = {
      id: 'talk',
      family: 'plain',
      problem: { text: 'hello?' },
      agent: 'single-call',
      models: { default: 'm' },
    };
    await (await startRun(opened.world, spec)).done;
    await opened.close();
    const { code, err } = await polya(place, ['arc', 'submit', '--run', 'talk']);
    expect(code).toBe(2);
    expect(err).toMatch(/talk is no run over an ARC task: its problem is of the family plain/);
  });
});
