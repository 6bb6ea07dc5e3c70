/** The log, the live lines and the report of runs over grids, word by word, from the events of real runs. */
import { describe, expect, test } from 'vitest';
import { nodeUsage, tallyOf, taskOutcome, withoutGrids } from '../../src/apps/arc/outcomes.ts';
import { picturesOf } from '../../src/apps/arc/pictures.ts';
import {
  headText,
  lineText,
  reportJson,
  reportText,
  resultText,
  taskText,
  usageLines,
} from '../../src/apps/arc/report.ts';
import { answeredInputs } from '../../src/apps/arc/submission.ts';
import type { Event } from '../../src/core/event.ts';
import { describeInductionNote } from '../../src/notes/induction.ts';
import { chosenSandbox } from '../../src/sandbox/choose.ts';
import type { RunSet } from '../../src/studies/run-set/plan.ts';
import { noPaint } from '../../src/text/paint.ts';
import {
  type Answering,
  done,
  type Induced,
  induced,
  instruct,
  mirror,
  mirrored,
  outputs,
  solvedBy,
} from '../support/induction.ts';

const withSandbox = { world: { io: { sandbox: chosenSandbox({ env: process.env }) } } };
const plan = { name: 'one' } as unknown as Parameters<typeof taskOutcome>[0]['plan'];
const place = { index: 0, plan, runId: 'set-1' };

async function told(answer: Answering, options: Induced = {}) {
  const { events } = await induced(answer, options);
  return { events, outcome: taskOutcome(place, events) };
}

const lines = (events: readonly Event[]) =>
  events.flatMap((event) => {
    const line = describeInductionNote(event);
    return line ? [line.text] : [];
  });

const setOf = (row: object | null): RunSet =>
  ({
    id: 'set',
    createdAtMs: 0,
    plan: { name: 'x', concurrency: 2, rows: row ? [row] : [] },
  }) as unknown as RunSet;
const headOf = (row: object | null, solutions: string | null = null, leftOut: readonly string[] = []) =>
  headText({ set: setOf(row), taskFile: 'my.json', solutions, leftOut });

describe('the head of a log', () => {
  test('names tasks, settings, models and what was left out', () => {
    const row = {
      agent: 'induction-graph',
      settings: { maxSteps: 3, images: true },
      models: { default: 'a/b' },
    };
    const text = headOf(row, 'sol.json', ['task x: it has no test']);
    expect(text).toContain('Tasks: 1 task of my.json, 2 at once\nSolutions: sol.json\n');
    expect(text).toContain('Agent: induction-graph (maxSteps=3, images=true)\nModels: default=a/b\n');
    expect(text).toContain('Left out: task x: it has no test\n');
  });

  test('of nothing at all stands too', () => {
    expect(headOf(null)).toBe(
      'Run set\nTasks: 0 tasks of my.json, 2 at once\nSolutions: none; a submission is written\nAgent: \nModels: \n',
    );
  });
});

test('a task that was not run has its place in the log and in the report, without a picture of outputs', () => {
  const outcome = taskOutcome(place, []);
  const text = taskText(outcome, 3, tallyOf([outcome], false));
  expect(text).toContain('=== Task 1 of 3: one (run set-1) ===');
  expect(text).toContain('Cost: none; time: ');
  expect(text).toContain('Status: not run; not ended\nSo far: 0 tasks run; 0 completed; 0 failed\n');
  expect(usageLines(nodeUsage([outcome]))).toHaveLength(1);
  const task = { id: 'one', train: mirror.pairs, test: mirror.queries };
  const [final, ...others] = picturesOf(outcome, { task, solutions: null, choice: 'steps' });
  expect(others).toEqual([]);
  expect(final?.collage.title).toBe('one, not run');
  expect(final?.collage.rows.every((row) => !row.predicted)).toBe(true);
  expect(picturesOf(outcome, { task, solutions: null, choice: 'none' })).toEqual([]);
  const head = { set: setOf(null), taskFile: 'my.json', solutions: 'sol.json', leftOut: [] };
  const written = { log: 'l', pictures: 0, submission: null };
  const report = { head, outcomes: [outcome], reason: null, written, label: null };
  const words = reportText({ paint: noPaint }, report);
  expect(words).toContain(
    'Run set, not finished\n0 tasks run; 0 completed; 0 solved; 0 failed; test pairs: 0 right, 0 wrong\n',
  );
  expect(words).not.toContain('Last task');
  expect(reportJson(report)).toMatchObject({
    ended: null,
    tasks: [{ status: null, outcome: null, costUsd: null }],
  });
  const submission = { path: 'p', placeholders: [], isKept: false };
  expect(reportText({ paint: noPaint }, { ...report, written: { ...written, submission } })).toContain(
    'Submission: p\n',
  );
});

test('steps that fail, are revised and say nothing', async () => {
  const { events, outcome } = await told(
    ({ call: { role, index } }) => {
      if (role === 'instruction')
        return index === 0
          ? instruct('Copy it.', { rationale: '' })
          : instruct('Mirror it.', { revises: 1, done: true });
      return index === 0
        ? outputs(
            mirror.pairs.map(({ input }) => input),
            [null, null],
            '',
          )
        : solvedBy(mirror, mirrored);
    },
    { settings: { repairs: 0 } },
  );
  const [line] = outcome.induction.lines;
  const text = (line ? lineText(line) : []).join('\n');
  expect(text).toMatch(
    /^steps-1, the task as it is: completed\n {2}Step 1: Copy it\. \[confidence high\]\n {4}generator: \(it said nothing\)\n/,
  );
  expect(text).toContain(
    'Step 2: Mirror it. [in the place of 1, confidence high, done]\n    because: because\n',
  );
  expect(lines(events)).toEqual([
    'hypothesis 1 begins',
    'step 1: Copy it. [confidence high]',
    'generator: (it said nothing)',
    expect.stringMatching(/^verifier: not passed, 0 of 2 train pairs right, \d+\.\d% of their cells$/),
    'step 2: Mirror it. [in the place of 1, confidence high, done]',
    'generator: changed',
    'verifier: passed, 2 of 2 train pairs right, 100.0% of their cells',
    'the hypothesis has ended: completed',
    'vote of 1: 1 agree with right train pairs',
  ]);
  const slim = withoutGrids(outcome);
  expect(slim.attempts).toEqual(outcome.attempts);
  expect(slim.induction.lines[0]?.steps.map(({ train, test }) => [...train, ...test])).toEqual([[], []]);
  expect(nodeUsage([slim])).toEqual(nodeUsage([outcome]));
  expect(JSON.stringify(slim.induction).length).toBeLessThan(JSON.stringify(outcome.induction).length);
  // A test output that is missing is drawn as none, and moves no other.
  const task = { id: 'one', train: mirror.pairs, test: mirror.queries };
  const title = (right: (number | null)[] | null) =>
    picturesOf({ ...outcome, right }, { task, solutions: null, choice: 'final' })[0]?.collage.title;
  expect([title([1, null]), title([1, 2]), title(null)]).toEqual([
    'one, wrong',
    'one, solved',
    'one, completed',
  ]);
  const pictures = picturesOf(outcome, { task, solutions: mirror.queries.map(mirrored), choice: 'steps' });
  expect(pictures.map(({ name }) => name)).toEqual(['steps-1_step-01', 'steps-1_step-02', 'final']);
  expect(pictures[0]?.collage.rows.map(({ predicted }) => predicted === null)).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(pictures[2]?.collage.rows.map(({ label }) => label)).toEqual([
    'train 1',
    'train 2',
    'test 1',
    'test 2',
  ]);
});

test('who sees no way on, and has no candidate', async () => {
  const { events, outcome } = await told(() => done);
  const text = taskText(outcome, 1, tallyOf([outcome], false));
  expect(text).toContain('steps-1, the task as it is: failed (The instructor sees no way on');
  expect(text).toContain('Step 1: (none) [confidence high, done]');
  expect(text).toContain('Vote on test 1: no candidate\nVote on test 2: no candidate\n');
  expect(text).toContain('Status: failed; gave-up (0 of 1');
  expect(lines(events)).toContain('step 1: (none) [confidence high, done]');
  expect(
    lines(events).some((line) => line.startsWith('the hypothesis has ended: failed (The instructor')),
  ).toBe(true);
});

test('programs, replies that are asked for again, a price that nobody knows', async () => {
  const replies = ['No program.', { rationale: '', program: 'def transform(grid): raise ValueError(1)' }];
  const { events, outcome } = await told(
    ({ call }) =>
      replies[call.index] ?? {
        rationale: 'a rule',
        program: 'def transform(grid): return [row[::-1] for row in grid]',
      },
    {
      settings: { representation: 'programs', replies: 'text' },
      model: { price: null },
      ...withSandbox,
    },
  );
  expect(lines(events)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^the programmer's reply is asked for again: It holds no program/),
      'version 1: a program',
      'execution: no grid for train 1, train 2, test 1, test 2 (ValueError: 1)',
      'version 2: a rule',
      'execution: a grid for every input',
    ]),
  );
  const text = taskText(outcome, 1, tallyOf([outcome], true));
  expect(text).toContain('execution: no grid for train 1, train 2, test 1, test 2 (ValueError: 1)');
  expect(text).toContain("The programmer's reply was asked for again");
  expect(text).toMatch(/execution +0 +0/);
  expect(resultText({ view: outcome.view, right: [1, null] })).toMatch(
    /test 1 right by attempt 1, test 2 wrong$/,
  );
});

test('a file that is no submission answers nothing', async () => {
  const tests = new Map([['a', 1]]);
  const entry = {
    attempt_1: [[1]],
    attempt_2: [
      [0, 0],
      [0, 0],
    ],
  };
  expect(answeredInputs({ tests }, JSON.stringify({ a: [entry] }))).toBe(1);
  for (const text of ['', '{', '[]', '{"b": []}', JSON.stringify({ a: [{ attempt_1: [[1]] }] })])
    expect(answeredInputs({ tests }, text)).toBe(0);
});
