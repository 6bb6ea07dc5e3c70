/** The numbers of the specification, from the journals of whole runs on the practice site. */
import { expect, test } from 'vitest';
import { hooks } from '../../src/apps/aoc/hooks.ts';
import type { Event } from '../../src/core/event.ts';
import { totalTokens } from '../../src/core/usage.ts';
import { exportRun } from '../../src/families/aoc/export.ts';
import { metricsCsv } from '../../src/families/aoc/metrics.ts';
import { fakeClock } from '../../src/io/clock.ts';
import { ticketStubs } from '../../src/practice/puzzles/day01-ticket-stubs.ts';
import { puzzles } from '../../src/practice/puzzles/index.ts';
import { hashText } from '../../src/run/hash.ts';
import { noPaint } from '../../src/text/paint.ts';
import { askDesk, newPlace, type Place, playRun, toolsOf } from './whole-run.ts';

const problem = { site: 'practice', year: 2000, day: 1, lang: 'python' };
const { statement, input, run, submit } = toolsOf(2000, 1);
const crash = 'raise SystemExit(3)';

async function truthIn(place: Place): Promise<readonly [string, string]> {
  const day = await askDesk(place, (desk) => desk.download({ site: 'practice', year: 2000, day: 1 }));
  return ticketStubs.solve(day.input);
}

test('each part has its own calls, tokens, time and failures', async () => {
  const place = newPlace();
  const [one, two] = await truthIn(place);
  const replies = [
    { toolCalls: [statement(1), input()] },
    { toolCalls: [run(crash), submit('-1')] },
    // The accepted answer and this reply belong to part 1, what comes after it in the same reply to part 2.
    { toolCalls: [submit(one), statement(2), run('print(1)', '')] },
    { text: 'Let me think.' },
    { toolCalls: [submit(two)] },
  ];
  // The lock of a second is met however long the machine takes from one answer to the next.
  const options = { clock: fakeClock(Date.UTC(2026, 5, 1)) };
  const { events, metrics, outcome } = await playRun(place, { problem, replies, options });
  expect(outcome).toBe('solved');
  const tokens = tokensOf(events);
  expect(metrics).toMatchObject({
    year: 2000,
    day: 1,
    lang: 'python',
    model: 'test/script',
    model_kind: 'script',
    toolchain: expect.stringContaining('Python'),
    cost_usd: 0,
    reminders: 1,
    outcome: 'solved',
    success_part1: true,
    error_type_part1: null,
    tokens_used_part1: (tokens[0] ?? 0) + (tokens[1] ?? 0) + (tokens[2] ?? 0),
    tool_call_counts_part1: {
      DownloadProblemStatement: 1,
      DownloadInput: 1,
      RunGeneratedCode: 1,
      SubmitAnswer: 2,
    },
    waited_seconds_part1: 1,
    last_failure_part1: null,
    success_part2: true,
    error_type_part2: null,
    tokens_used_part2: (tokens[3] ?? 0) + (tokens[4] ?? 0),
    tool_call_counts_part2: {
      DownloadProblemStatement: 1,
      DownloadInput: 0,
      RunGeneratedCode: 1,
      SubmitAnswer: 1,
    },
    waited_seconds_part2: 0,
    last_failure_part2: null,
  });
  // The lock that was waited out is part of the time of its part.
  expect(metrics.time_spent_part1).toBe(1);
  expect(metricsCsv([metrics, metrics]).split('\r\n')).toHaveLength(4);
});

test('the last call may solve the day; one more ends the run', async () => {
  const place = newPlace();
  const [one, two] = await truthIn(place);
  const replies = [{ toolCalls: [submit(one), submit(two), input()] }];
  const oneByOne = [{ toolCalls: [submit(one)] }, { toolCalls: [submit(two), input()] }];
  const exact = await playRun(place, { problem, replies: oneByOne, limits: { toolCalls: 2 } });
  expect(exact).toMatchObject({
    outcome: 'solved',
    metrics: { success_part2: true, error_type_part2: null },
  });

  const short = await playRun(place, { problem, replies, limits: { toolCalls: 1 } });
  expect(short.outcome).toBe('limit');
  expect(short.metrics).toMatchObject({
    success_part1: true,
    success_part2: false,
    error_type_part2: 'tool_limit_exceeded',
    tokens_used_part2: 0,
    tool_call_counts_part2: { DownloadProblemStatement: 0, SubmitAnswer: 0 },
  });
});

test('a part 2 that never began, and a model that stops after a crash', async () => {
  const place = newPlace();
  const replies = [{ toolCalls: [run(crash), { name: 'Ponder', args: {} }] }];
  const { metrics } = await playRun(place, { problem, replies, settings: { reminders: 0 } });
  expect(metrics).toMatchObject({
    outcome: 'stopped',
    success_part1: false,
    error_type_part1: 'agent_stopped',
    last_failure_part1: 'misused_tool',
    tool_call_counts_part1: { RunGeneratedCode: 1, SubmitAnswer: 0, Ponder: 1 },
    success_part2: false,
    error_type_part2: 'not_attempted',
    time_spent_part2: 0,
    tokens_used_part2: 0,
  });
  const cells = metricsCsv([metrics]).split('\r\n')[1] ?? '';
  expect(cells).toContain('"{""DownloadProblemStatement"":0,""DownloadInput"":0');
});

test('the last day is solved with one part; its second star has not come', async () => {
  const place = newPlace();
  const day = await askDesk(place, (desk) => desk.download({ site: 'practice', year: 2000, day: 25 }));
  const last = puzzles.find((puzzle) => puzzle.day === 25);
  const replies = [{ toolCalls: [toolsOf(2000, 25).submit(last?.solve(day.input)[0] ?? '')] }];
  const { events, metrics } = await playRun(place, { problem: { ...problem, day: 25 }, replies });
  expect(metrics).toMatchObject({
    outcome: 'solved',
    success_part1: true,
    success_part2: false,
    error_type_part2: 'no_such_part',
    time_spent_part2: 0,
  });
  const output = {
    write: () => {},
    isTerminal: false,
    columns: 100,
    isClosed: false,
    paint: noPaint,
  };
  const shown = hooks.metrics?.(events)?.table(output) ?? '';
  const { 'report.md': report = '', ...files } = exportRun(events, { withPuzzle: true, hashText }) ?? {};
  expect(shown).toContain('part 1');
  expect(shown + report).not.toMatch(/part 2|no_such_part/);
  expect(shown + report + JSON.stringify(files)).not.toContain('not_attempted');
});

/** Of each model call, as the journal has them. */
function tokensOf(events: readonly Event[]): number[] {
  return events.flatMap((event) => {
    if (event.kind !== 'model-response' || event.body.status !== 'ok') return [];
    return event.body.usage?.tokens ? [totalTokens(event.body.usage.tokens)] : [];
  });
}
