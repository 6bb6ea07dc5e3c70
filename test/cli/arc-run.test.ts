/** `polya arc run`: which tasks, what it leaves in its folder, how it goes on; what is wrong is found before anything is paid. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { modelName, say, startChatServer } from '../models/chat-server.ts';
import { typed } from '../support/typed.ts';
import { until } from '../support/until.ts';
import { newPlace, type Place, polya } from './shell.ts';

const train = [
  { input: [[1, 0, 0]], output: [[0, 0, 1]] },
  {
    input: [
      [2, 3],
      [4, 5],
    ],
    output: [
      [3, 2],
      [5, 4],
    ],
  },
];
const task = { train, test: [{ input: [[7, 8, 9]] }] };
const broken = { train: [{ input: [[1], [2, 3]], output: [[1]] }], test: [{ input: [[1]] }] };

const instruction = (words: string, revises: number | null = null) => ({
  object: { rationale: 'the pairs', instruction: words, revises, mind: '', done: false, confidence: 'high' },
});
const grids = (first: string, second: string, query: string) => ({
  object: {
    status: 'changed',
    train_outputs: [
      { sample: 1, grid: first },
      { sample: 2, grid: second },
    ],
    test_outputs: [{ sample: 1, grid: query }],
  },
});

const look = { object: { rationale: '', follows: true, rule: '', test_outputs: [] } };
const steps = [instruction('Copy it.'), instruction('Mirror it.\u001b[31m', 1)];

/** Copies first, then mirrors; then it finds no other rule. */
const roles = {
  instruction: { '*': steps, '': [look] },
  generator: [grids('1 0 0', '2 3\n4 5', '7 8 9'), grids('0 0 1', '3 2\n5 4', '9 8 7')],
};

function script(place: Place, delayMs = 0): string {
  writeFileSync(join(place.folder, 'script.json'), JSON.stringify({ delayMs, roles }));
  return 'scripted:script.json';
}

function write(place: Place, name: string, value: unknown): string {
  writeFileSync(join(place.folder, name), JSON.stringify(value));
  return name;
}

const filesIn = (place: Place, folder = 'outputs'): string[] =>
  readdirSync(join(place.folder, folder)).sort();
const textOf = (place: Place, name: string): string =>
  readFileSync(join(place.folder, 'outputs', name), 'utf8');

test('log, pictures and report of tasks with solutions; a faulty task is named, the others run', async () => {
  const place = newPlace();
  const file = write(place, 'my_challenges.json', { one: task, bad: broken, two: task });
  write(place, 'my_solutions.json', { one: [[[9, 8, 7]]], two: [[[5]]], bad: [[[1]]] });
  const { code, out, err } = await polya(
    place,
    typed`
    arc run --task-file ${file} --model ${script(place)} --json --hypotheses 1 --concurrency 1`,
  );
  expect(code).toBe(1);
  expect(err).toMatch(/Left out: task bad: train pair 1, input: row 2 has 2 cells/);
  expect(err).toContain('Estimate: free (script)');
  // What nobody bills costs nothing that could be told in dollars.
  for (const name of readdirSync(join(place.folder, 'outputs')).filter((each) => each.endsWith('.log')))
    expect(textOf(place, name)).not.toContain('$0.00');
  const report = JSON.parse(out);
  expect(report.run).toMatch(/^\d{8}-\d{6}-\w{4}$/);
  expect(report).toMatchObject({
    ended: 'done',
    label: 'free (script)',
    totals: { tasks: 2, run: 2, completed: 2, solved: 1, failed: 1, right: 1, wrong: 1, costUsd: 0 },
    nodes: [
      { node: 'instruction', calls: 6 },
      { node: 'generator', calls: 4 },
      { node: 'verifier', calls: 0 },
    ],
    tasks: [
      {
        task: 'one',
        status: 'completed',
        outcome: 'solved',
        right: [1],
        attempts: [[[[9, 8, 7]], [[7, 8, 9]]]],
      },
      { task: 'two', status: 'completed', outcome: 'wrong', right: [null] },
    ],
    lastTask: {
      task: 'two',
      hypotheses: [
        { name: 'steps-1', steps: [{ number: 1 }, { number: 2, verification: { passed: true } }] },
      ],
    },
    submission: null,
    pictures: 6,
  });
  for (const node of report.nodes) expect(node.totalTokens).toBe(node.inputTokens + node.outputTokens);
  const id = report.run;
  expect(filesIn(place)).toEqual(
    [
      `run_${id}.log`,
      ...['one', 'two'].flatMap((name) =>
        ['final', 'steps-1_step-01', 'steps-1_step-02'].map((end) => `${id}_${name}_${end}.png`),
      ),
    ].sort(),
  );
  const png = PNG.sync.read(readFileSync(join(place.folder, 'outputs', `${id}_one_final.png`)));
  expect(png.width * png.height).toBeGreaterThan(10_000);
  const log = textOf(place, `run_${id}.log`);
  for (const words of [
    `Run ${id}`,
    'Left out: task bad',
    'Step 1: Copy it. [confidence high]',
    'Step 2: Mirror it.␛[31m [in the place of 1, confidence high]',
    'verifier: not passed, 0 of 2 train pairs right',
    'verifier: passed, 2 of 2 train pairs right',
    'test 1 right by attempt 1',
    'So far: 2 tasks run; 2 completed; 1 solved; 1 failed; test pairs: 1 right, 1 wrong',
    'Last task: two, completed; wrong',
  ])
    expect(log).toContain(words);
  expect(log).toMatch(/node +calls +input +cached +output +total +cost\n +instruction +3/);
});

test('without solutions: a submission with every task of the file, in the order of ids that were given', async () => {
  const place = newPlace();
  mkdirSync(join(place.folder, 'tasks'));
  for (const name of ['a', 'b', 'c']) write(place, `tasks/${name}.json`, task);
  // A task that cannot be used was missing in the submission, which is refused then.
  write(place, 'tasks/d.json', { ...task, train: [] });
  const { code, out } = await polya(
    place,
    typed`
    arc run --task-file tasks --task-ids c,a --model ${script(place)} --attempts 1 --pictures none`,
  );
  expect(code).toBe(0);
  expect(out).toMatch(/2 tasks run; 2 completed; 0 failed\n/);
  expect(out).toMatch(/Last task: a, completed; answered/);
  expect(out).toContain('placeholders for 2 tasks without an attempt');
  const [log, submission] = filesIn(place);
  expect(log).toMatch(/^run_/);
  const answers = { attempt_1: [[9, 8, 7]], attempt_2: [[9, 8, 7]] };
  const nothing = {
    attempt_1: [
      [0, 0],
      [0, 0],
    ],
    attempt_2: [
      [0, 0],
      [0, 0],
    ],
  };
  expect(JSON.parse(textOf(place, submission ?? ''))).toEqual({
    a: [answers],
    b: [nothing],
    c: [answers],
    d: [nothing],
  });
  expect(textOf(place, log ?? '').indexOf('Task 1 of 2: c')).toBeGreaterThan(0);
  // A file that answers more stays; a broken one does not.
  const path = join(place.folder, 'outputs', submission ?? '');
  const better = JSON.stringify({ a: [answers], b: [answers], c: [answers] });
  writeFileSync(path, better);
  const kept = await polya(place, ['arc', 'run', '--resume', 'last']);
  expect(kept.out).toContain('is kept as it was: it answers more than this run does');
  expect(readFileSync(path, 'utf8')).toBe(better);
  writeFileSync(path, better.slice(0, 40));
  await polya(place, ['arc', 'run', '--resume', 'last']);
  expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')))).toEqual(['a', 'b', 'c', 'd']);
});

describe('a run that is stopped', () => {
  test('goes on with what is missing alone, and its folder is written whole', async () => {
    const place = newPlace();
    const file = write(place, 'my_challenges.json', { one: task, two: task, three: task });
    let isStopped = false;
    const first = await polya(
      place,
      typed`arc run --task-file ${file} --model ${script(place, 60)} --hypotheses 1 --concurrency 1`,
      {
        onWrite: (text, interrupt) => {
          if (isStopped || !text.includes('Row 1')) return;
          isStopped = true;
          interrupt();
        },
      },
    );
    expect(first.code).toBe(130);
    expect(first.err).toMatch(/Go on with it: \.\/polya arc run --resume \d{8}-/);
    const submission = filesIn(place).find((name) => name.startsWith('submission_')) ?? '';
    const partial = textOf(place, submission);
    expect(partial).toContain('9,8,7');
    expect(partial).toContain('0,0');
    const refused = await polya(place, ['arc', 'run', '--resume', 'last', '--reasoning', 'high']);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--reasoning cannot be changed') });
    const { code, out } = await polya(place, ['arc', 'run', '--resume', 'last', '--json']);
    expect(code).toBe(0);
    const report = JSON.parse(out);
    expect(report).toMatchObject({
      ended: 'done',
      totals: { run: 3, completed: 3 },
      submission: { placeholders: [] },
    });
    // Two steps and a last look for each task: nothing that was settled is asked again.
    expect(report.nodes[0].calls).toBe(9);
    expect(textOf(place, submission)).not.toContain('0,0');
    expect(
      textOf(place, filesIn(place).find((name) => name.endsWith('.log')) ?? '').match(/=== Task/g),
    ).toHaveLength(3);

    // What has ended is only written again.
    const good = textOf(place, submission);
    const again = await polya(place, ['arc', 'run', '--resume', 'last', '--out', 'elsewhere']);
    expect(again).toMatchObject({ code: 0, err: expect.stringContaining('nothing is asked') });
    expect(filesIn(place, 'elsewhere')).toEqual(filesIn(place));
    expect(textOf(place, submission)).toBe(good);
  });
});

describe('the folder of a run', () => {
  const begin = (place: Place, file: string, model = script(place)) => typed`
    arc run --task-file ${file} --model ${model} --hypotheses 1 --concurrency 1 --pictures none`;
  const logOf = (place: Place) => textOf(place, filesIn(place).find((name) => name.endsWith('.log')) ?? '');

  test('stays as it is when another process is at work on the run', async () => {
    const said = [...[0, 1].flatMap((step) => [steps[step], roles.generator[step]]), look];
    let [asked, isRefused] = [0, false];
    // What the second task asks is answered when the other process has gone.
    await using server = await startChatServer(async (exchange) => {
      const number = asked++;
      if (number >= said.length) await until(() => isRefused);
      say(exchange, { content: JSON.stringify(said[number % said.length]?.object) });
    });
    const { folder, env } = newPlace();
    const place = { folder, env: { ...env, OPENAI_COMPATIBLE_API_KEY: 'none' } };
    const file = write(place, 'my_challenges.json', { one: task, two: task });
    const argv = begin(place, file, `openai-compatible/${modelName}`);
    let second: Promise<{ code: number; err: string }> | null = null;
    let before = '';
    const first = await polya(place, [...argv, '--base-url', server.baseUrl], {
      onWrite: (text) => {
        if (second || !text.includes('Row 1')) return;
        const path = join(place.folder, 'outputs', filesIn(place)[0] ?? '');
        writeFileSync(path, `${readFileSync(path, 'utf8')}a mark of the first\n`);
        before = readFileSync(path, 'utf8');
        second = polya(place, ['arc', 'run', '--resume', 'last']).finally(() => {
          isRefused = true;
        });
      },
    });
    expect(first.code, first.err).toBe(0);
    expect(await second).toMatchObject({ code: 4, err: expect.stringContaining('is at work on run-set') });
    expect(before).toContain('a mark of the first');
    expect(logOf(place)).toContain('a mark of the first');
    expect(logOf(place).match(/=== Task/g)).toHaveLength(2);
  });

  test('is never written from tasks that have changed since', async () => {
    const place = newPlace();
    const file = write(place, 'my_challenges.json', { one: task, two: task });
    write(place, 'my_solutions.json', { one: [[[9, 8, 7]]], two: [[[9, 8, 7]]] });
    expect((await polya(place, begin(place, file))).code).toBe(0);
    const good = logOf(place);
    write(place, 'my_solutions.json', { one: [[[9, 8, 7]]], two: [[[1, 1, 1]]] });
    const { code, err, out } = await polya(place, ['arc', 'run', '--resume', 'last']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/1 task changed: two\..*Put the file back/s);
    expect(logOf(place)).toBe(good);
  });

  test('grows by `arc run --resume` alone, and `run-set resume` says so', async () => {
    const place = newPlace();
    const file = write(place, 'my_challenges.json', { one: task });
    let isStopped = false;
    const first = await polya(place, begin(place, file, script(place, 100)), {
      onWrite: (text, interrupt) => {
        if (isStopped || !text.includes('Run-set')) return;
        isStopped = true;
        interrupt();
      },
    });
    expect(first.code).toBe(130);
    const resumed = await polya(place, ['run-set', 'resume', 'last']);
    expect(resumed).toMatchObject({
      code: 0,
      err: expect.stringMatching(/arc run --resume \d{8}-\d{6}-\w{4}` does so/),
    });
    expect(logOf(place)).not.toContain('=== Task 1 of 1: one');
    const written = await polya(place, ['arc', 'run', '--resume', 'last']);
    expect(written).toMatchObject({ code: 0, err: expect.stringContaining('nothing is asked') });
    expect(logOf(place)).toContain('=== Task 1 of 1: one');
  });
});

test('as CSV it is a line a task, and a run-set of other things is none of its', async () => {
  const place = newPlace();
  const file = write(place, 'my_challenges.json', { one: task, two: task });
  const { code, out } = await polya(
    place,
    typed`
    arc run --task-file ${file} --model ${script(place)} --csv --pictures none --task-ids two`,
  );
  expect(code).toBe(0);
  expect(out.trim().split('\n')).toHaveLength(2);
  expect(out).toMatch(/^row,.*\n.*two/s);
  writeFileSync(
    join(place.folder, 'other.json'),
    JSON.stringify({
      name: 'mixed',
      rows: [
        {
          name: 'x',
          family: 'arc',
          problem: { file, task: 'one' },
          agent: 'single-call',
          models: 'scripted:text.json',
        },
        {
          name: 'y',
          family: 'plain',
          problem: { text: 'Say 1.' },
          agent: 'single-call',
          models: 'scripted:text.json',
        },
      ],
    }),
  );
  writeFileSync(join(place.folder, 'text.json'), JSON.stringify({ roles: { default: [{ text: '1' }] } }));
  const set = await polya(place, ['run-set', 'run', 'other.json']);
  expect(set.err).toMatch(/Run-set \d/);
  const { code: refused, err } = await polya(place, ['arc', 'run', '--resume', 'last']);
  expect(refused).toBe(2);
  expect(err).toMatch(/is no run over the ARC tasks of one file.*run-set resume/s);
});

describe('nothing is made', () => {
  test.each([
    ['no task file', [], /No tasks are named/],
    ['a file that is not there', ['--task-file', 'none.json'], /no file or folder/],
    ['an unknown id', ['--task-file', 'two_challenges.json', '--task-ids', 'x'], /no task x/],
    ['an id twice', ['--task-file', 'two_challenges.json', '--task-ids', 'one', 'one'], /named twice/],
    [
      'a faulty task that is named',
      ['--task-file', 'two_challenges.json', '--task-ids', 'bad'],
      /Task bad: train pair 1/,
    ],
    ['an offset past the end', ['--task-file', 'two_challenges.json', '--offset', '9'], /past the end/],
    ['no model', ['--task-file', 'two_challenges.json', '--num', '1', '--offset', '1'], /No model is named/],
    ['a level that nobody knows', ['--task-file', 'x', '--reasoning', 'very'], /Allowed choices/],
    [
      'a folder that cannot be made',
      ['--task-file', 'two_challenges.json', '--out', 'script.json/x', '--model', 'scripted:script.json'],
      /cannot be written/,
    ],
    [
      'a folder that the system does not allow, which hung',
      ['--task-file', 'two_challenges.json', '--out', '/proc/polya/x', '--model', 'scripted:script.json'],
      /cannot be written.*nothing of that name.*Nothing was asked yet/s,
    ],
    ['a folder without a name', ['--task-file', 'two_challenges.json', '--out', ''], /must name a folder/],
    [
      'ids that name nothing, which was a run over no task',
      ['--task-file', 'two_challenges.json', '--task-ids', ' ', '--model', 'scripted:script.json'],
      /names no task/,
    ],
    ['a run that is not there', ['--resume', 'zzz'], /There are no runs here yet/],
  ])('for %s', async (_name, argv, message) => {
    const place = newPlace();
    script(place);
    write(place, 'two_challenges.json', { one: task, bad: broken });
    const { code, err, out } = await polya(place, ['arc', 'run', ...argv]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(existsSync(join(place.folder, 'outputs'))).toBe(false);
  });

  test('by a dry run, which shows the first request', async () => {
    const place = newPlace();
    const file = write(place, 'two_challenges.json', { one: task });
    const { code, out } = await polya(
      place,
      typed`arc run --task-file ${file} --model ${script(place)} --dry-run`,
    );
    expect(code).toBe(0);
    expect(out).toContain('Train 2, output (2×2):');
    expect(existsSync(join(place.folder, 'outputs'))).toBe(false);
    expect(existsSync(join(place.folder, '.polya'))).toBe(false);
  });
});

test('the act of the demo finds two rules, in words and as a program, told step by step', async () => {
  const place = newPlace();
  const { code, out, err } = await polya(place, ['demo', 'arc']);
  expect(code, err).toBe(0);
  for (const words of [
    'The model is a SCRIPT',
    'step 1: Write each row twice',
    'verifier: not passed, 1 of 3 train pairs right',
    '[in the place of 1, confidence high]',
    'version 2: They fall, and keep their order',
    'execution: a grid for every input',
    'the hypothesis has ended: completed',
    'vote of 1: 1 agree with right train pairs',
  ])
    expect(err).toContain(words);
  expect(out).toMatch(/mirror +solved +instruction 3, generator 2/);
  expect(out).toMatch(/fall +solved +programmer 3/);
});

test('an outage is no failure of a task: it is told as running, and asked again by a resume', async () => {
  const place = newPlace();
  const file = write(place, 'my_challenges.json', { one: task });
  const down = { error: { kind: 'auth', message: 'no such key' } };
  writeFileSync(join(place.folder, 'down.json'), JSON.stringify({ roles: { instruction: [down] } }));
  const { code, out, err } = await polya(
    place,
    typed`arc run --task-file ${file} --model scripted:down.json`,
  );
  expect(code).toBe(3);
  expect(out).toContain('1 task run; 0 completed; 0 failed');
  expect(out).toContain('Last task: one, running; error (The model call failed (auth)');
  expect(err).toContain('arc run --resume');
  const roles = {
    instruction: [instruction('Mirror it.')],
    generator: [grids('0 0 1', '3 2\n5 4', '9 8 7')],
  };
  writeFileSync(join(place.folder, 'down.json'), JSON.stringify({ roles }));
  const again = await polya(place, ['arc', 'run', '--resume', 'last']);
  expect(again.code, again.err).toBe(0);
  expect(again.out).toContain('1 task run; 1 completed; 0 failed');
});

describe('what a user of `arc run` is told', () => {
  const run = async (
    files: Readonly<Record<string, unknown>>,
    own: readonly string[] = [],
    model?: string,
  ) => {
    const place = newPlace();
    mkdirSync(join(place.folder, 'tasks'));
    for (const [name, value] of Object.entries(files)) write(place, name, value);
    const told = await polya(place, [
      ...['arc', 'run', '--model', model ?? script(place), '--hypotheses', '1', '--pictures', 'none', ...own],
    ]);
    return { ...told, place };
  };
  const known = (cells: readonly number[]) => ({ ...task, test: [{ input: [[7, 8, 9]], output: [cells] }] });

  test('outputs that the task file or folder itself holds grade the answers', async () => {
    const one = await run({ 'tasks.json': { one: known([9, 8, 7]), two: known([5, 5, 5]) } }, [
      '--task-file',
      'tasks.json',
    ]);
    expect(one.code).toBe(1);
    expect(one.out).toContain(
      '2 tasks run; 2 completed; 1 solved; 1 failed; test pairs: 1 right, 1 wrong (50.0%)',
    );
    expect(one.out).not.toContain('Not graded');
    const folder = await run({ 'tasks/one.json': known([9, 8, 7]) }, ['--task-file', 'tasks']);
    expect(folder.code, folder.err).toBe(0);
    expect(folder.out).toContain('1 solved; 0 failed; test pairs: 1 right, 0 wrong (100.0%)');
  });

  test('of programs only that the log has them; of a test input that it made no grid of, which and why', async () => {
    const source =
      'def transform(grid):\n    if grid[0][0] == 7:\n        return grid[9]\n    return [row[::-1] for row in grid]';
    const place = newPlace();
    write(place, 'tasks.json', { one: task });
    const programmer = [{ object: { rationale: 'mirrored', program: source } }];
    writeFileSync(join(place.folder, 'p.json'), JSON.stringify({ roles: { programmer } }));
    const { out, err, code } = await polya(
      place,
      typed`
      arc run --task-file tasks.json --model scripted:p.json --hypotheses 1 --representation programs
      --revisions 0 --pictures none`,
    );
    expect(code).toBe(1);
    expect(out).not.toContain('def transform');
    expect(out).toContain('Version 1: the log has the program');
    expect(out).not.toContain('answered');
    expect(err).toContain('execution: no grid for test 1 (IndexError: list index out of range)');
    const log = textOf(place, filesIn(place).find((name) => name.endsWith('.log')) ?? '');
    expect(log).toContain('def transform');
    expect(log).toContain('execution: no grid for test 1 (IndexError: list index out of range)');
  });
});
