/** What the agent sends each turn in whole runs: what is handed over, and how many calls are left. */
import { expect, test } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import { lastFailure } from '../../src/families/aoc/failure.ts';
import type { ToolStep } from '../../src/families/aoc/tool-steps.ts';
import { fakeClock } from '../../src/io/clock.ts';
import { newPlace, playRun, toolsOf } from './whole-run.ts';

const problem = { site: 'practice', year: 2000, day: 1, lang: 'python' };
const { statement, input, run } = toolsOf(2000, 1);
const options = { clock: fakeClock(Date.UTC(2026, 5, 1)) };

function requestsIn(events: readonly Event[]): readonly string[] {
  return events.flatMap(({ kind, body }) => (kind === 'model-request' ? [JSON.stringify(body)] : []));
}

test('part 1 is handed over: statement and the first look at the input', async () => {
  const { events } = await playRun(newPlace(), { problem, replies: [{ text: 'Hm.' }], options });
  const [first = ''] = requestsIn(events);
  expect(first).toContain('How many rides were made in total?');
  expect(first).toMatch(/Your puzzle input has \d+ bytes in \d+ lines/);
  expect(first).not.toContain('$schema');
});

test('the way of the specification: the model fetches both by calls', async () => {
  const replies = [{ toolCalls: [statement(1), input()] }, { text: 'Hm.' }];
  const settings = { statement: 'from-tools' };
  const { events } = await playRun(newPlace(), { problem, replies, settings, options });
  const [first = '', second = ''] = requestsIn(events);
  expect(first).toContain('Begin by fetching its statement.');
  expect(first).not.toContain('How many rides');
  expect(second).toContain('How many rides were made in total?');
  expect(second).toMatch(/Your puzzle input has \d+ bytes in \d+ lines/);
});

test('calls that are left are told when they are few', async () => {
  const replies = ['1', '2', '3'].map((name) => ({ toolCalls: [run('print(1)', name)] }));
  const limits = { toolCalls: 7, modelCalls: 20 };
  const { events } = await playRun(newPlace(), { problem, replies, limits, options });
  const told = requestsIn(events).map((text) =>
    [...text.matchAll(/\[Left: ([^.]*)\./g)].map(([, left]) => left),
  );
  expect(told.slice(0, 4)).toEqual([[], [], ['5 tool calls'], ['5 tool calls', '4 tool calls']]);

  const short = await playRun(newPlace(), {
    problem,
    replies,
    limits: { toolCalls: 50, modelCalls: 2 },
    options,
  });
  expect(requestsIn(short.events).at(-1)).toContain('[Left: 1 model call. Hand in your best answer');

  const settings = { callsLeftTold: 0 };
  const never = await playRun(newPlace(), { problem, replies, limits: { toolCalls: 3 }, settings, options });
  expect(requestsIn(never.events).join()).not.toContain('[Left:');
});

test('bad arguments in every style come back as results, and the run goes on', async () => {
  const call = (name: string, args: unknown) => ({ name, args: args as never });
  const bad = [
    call('RunGeneratedCode', { code: null }),
    call('RunGeneratedCode', { code: { text: 'print(1)' } }),
    call('RunGeneratedCode', { code: 'x()', inputs: { first: '1' } }),
    call('RunGeneratedCode', { code: 'p9' }),
    call('SubmitAnswer', { answer: { value: 1 } }),
    call('SubmitAnswer', { answer: 'not sure: 12 or 13' }),
    call('SubmitAnswer', {}),
    call('DownloadInput', { from: 'the beginning' }),
    call('DownloadProblemStatement', { part: 'two' }),
    call('DownloadProblemStatement', { part: 3 }),
    call('Compute', { expression: '1+1' }),
  ];
  const replies = [{ toolCalls: bad }, { toolCalls: [run('print(1)', '')] }];
  const { events, metrics } = await playRun(newPlace(), { problem, replies, options });
  const results = events.flatMap(({ kind, body }) => (kind === 'tool-result' ? [body] : []));
  expect(results).toHaveLength(bad.length + 1);
  for (const result of results.slice(0, -1)) {
    expect(result).toMatchObject({
      status: 'ok',
      result: { isError: true, text: expect.stringMatching(/.{20}/) },
    });
  }
  // What failed last was made good by a call that worked; the answer was not.
  expect(metrics).toMatchObject({ outcome: 'stopped', last_failure_part1: 'answer_not_taken' });
});

test('the last failure is not an older one, after later programs ran well', () => {
  const steps = (...ends: readonly [string, object][]): ToolStep[] =>
    ends.map(([tool, data], number) => {
      const end = { status: 'ok' as const, atMs: 0, text: '', isError: 'phase' in data, data: { ...data } };
      return { number, seq: number, atMs: 0, stage: 'part1', tool, args: {}, end };
    });
  const compileError = ['RunGeneratedCode', { phase: 'compile', verdict: 'exit' }] as const;
  const ran = ['RunGeneratedCode', {}] as const;
  const wrong = ['SubmitAnswer', { verdict: 'wrong' }] as const;
  const misused = ['DownloadInput', { mistake: 'from' }] as const;
  expect(lastFailure(steps([...compileError], [...ran]))).toBeNull();
  expect(lastFailure(steps([...ran], [...compileError]))).toBe('compile_error');
  expect(lastFailure(steps([...wrong], [...compileError], [...ran]))).toBe('wrong_answer');
  expect(lastFailure(steps([...wrong], [...compileError]))).toBe('compile_error');
  expect(lastFailure(steps([...misused], [...ran]))).toBeNull();
  expect(lastFailure(steps([...ran], [...misused]))).toBe('misused_tool');
});
