/** A run as files, with the puzzle in them and without. */
import { beforeAll, expect, test } from 'vitest';
import type { ExportedFiles } from '../../src/families/aoc/export.ts';
import { exportRun } from '../../src/families/aoc/export.ts';
import { fakeClock } from '../../src/io/clock.ts';
import { ticketStubs } from '../../src/practice/puzzles/day01-ticket-stubs.ts';
import { hashText } from '../../src/run/hash.ts';
import { askDesk, newPlace, type Place, type Played, playRun, toolsOf } from './whole-run.ts';

const problem = { site: 'practice', year: 2000, day: 1, lang: 'python' };
const { statement, input, run, submit } = toolsOf(2000, 1);
const question = 'How many rides were made in total?';

let place: Place;
let played: Played;
let two = '';
let firstLine = '';
let someLines: readonly string[] = [];

beforeAll(async () => {
  place = newPlace();
  const day = await askDesk(place, (desk) => desk.download({ site: 'practice', year: 2000, day: 1 }));
  const [one, second] = ticketStubs.solve(day.input);
  two = second;
  firstLine = day.input.split('\n').slice(0, 3).join('\n');
  someLines = day.input.split('\n').slice(200, 240);
  const printing = `import sys\nprint(sys.stdin.read())`;
  const listing = `print(open("input.txt").read().split()[:300], file=__import__("sys").stderr)`;
  const holding = `lines = ${JSON.stringify(someLines)}\nprint(len(lines))`;
  const quoting = `# ${question}\nprint("\`\`\`")`;
  const replies = [
    { toolCalls: [statement(1), input()], text: `It asks: ${question} I shall see.` },
    { toolCalls: [run('print(1)'), run('print(1)', ticketStubs.example), run(quoting), submit('-1')] },
    { toolCalls: [run(printing), run(listing), run(holding)] },
    { toolCalls: [submit(one)] },
    { toolCalls: [statement(2), submit(two)] },
  ];
  // A lock of a second is met, and three programs run before the next answer, which may take longer than that.
  played = await playRun(place, { problem, replies, options: { clock: fakeClock(Date.UTC(2026, 5, 1)) } });
});

function filesOf(withPuzzle: boolean): ExportedFiles {
  const files = exportRun(played.events, { withPuzzle, hashText });
  if (!files) throw new Error('Not exported.');
  return files;
}

test('the files', () => {
  const files = filesOf(true);
  expect(Object.keys(files).sort()).toEqual([
    'code/001-part1.py',
    'code/002-part1.py',
    'code/003-part1.py',
    'code/004-part1.py',
    'code/005-part1.py',
    'metrics.csv',
    'metrics.json',
    'report.md',
    'run.json',
    'submissions.json',
  ]);
  expect(JSON.parse(files['metrics.json'] ?? '')).toEqual(played.metrics);
  expect(files['code/001-part1.py']).toBe('print(1)');
  expect(JSON.parse(files['submissions.json'] ?? '')).toMatchObject([
    {
      call: 6,
      part: 1,
      answer: '-1',
      verdict: 'too-low',
      source: 'site',
      waited_seconds: 0,
      raw_reply: expect.stringMatching(/^<!DOCTYPE html>.*That's not the right answer/is),
    },
    { call: 10, part: 1, verdict: 'right', waited_seconds: 1 },
    { call: 12, part: 2, answer: two, verdict: 'right', source: 'site' },
  ]);
  expect(files['report.md']).toContain('| solved | yes | yes |');
  expect(files['report.md']).toContain('test/script (script: no model was asked)');
  // The code has a fence of its own.
  expect(files['report.md']).toContain('````\n# How many');
});

test('with the puzzle, everything stands there', () => {
  const whole = Object.values(filesOf(true)).join('\n');
  for (const text of [question, 'busiest stretch', firstLine.split('\n')[0] ?? '?']) {
    expect(whole).toContain(text);
  }
});

test('without it, hashes take the place of statement and input', () => {
  const files = filesOf(false);
  const whole = Object.values(files).join('\n');
  for (const text of [question, 'busiest stretch', JSON.stringify(firstLine).slice(1, -1)]) {
    expect(whole).not.toContain(text);
  }
  expect(whole).not.toContain(JSON.stringify(ticketStubs.example).slice(1, -1));
  expect(whole).toMatch(/\[statement of part 1, hash [\w-]{20,}\]/);
  expect(whole).toMatch(/\[statement of part 2, hash [\w-]{20,}\]/);
  expect(whole).toContain('It asks: [words of statement of part 1] I shall see.');
  expect(JSON.parse(files['run.json'] ?? '')).toMatchObject({
    with_puzzle: false,
    statement_hash: expect.stringMatching(/^[\w-]{20,}$/),
    input_hash: expect.stringMatching(/^[\w-]{20,}$/),
  });
  // What was done and measured is the same.
  expect(files['metrics.json']).toBe(filesOf(true)['metrics.json']);
  expect(files['code/001-part1.py']).toBe('print(1)');
});

test('an input that a program printed, and one that stands in a program, is taken out too', () => {
  const files = filesOf(false);
  for (const [name, text] of Object.entries(files)) {
    expect(
      someLines.filter((line) => text.includes(line) && line.length >= 6),
      name,
    ).toEqual([]);
  }
  expect(files['code/005-part1.py']).toMatch(
    /^lines = \["\[words of the puzzle\]"\]\nprint\(len\(lines\)\)$/,
  );
  expect(files['run.json']).toMatch(/\[lines of the input, hash [\w-]{20,}\]/);
  expect(filesOf(true)['code/005-part1.py']).toContain(JSON.stringify(someLines));
});

test('a journal that is cut anywhere is exported as far as it goes', () => {
  for (let length = 1; length < played.events.length; length += 3) {
    const files = exportRun(played.events.slice(0, length), { withPuzzle: false, hashText });
    expect(JSON.parse(files?.['metrics.json'] ?? '')).toMatchObject({ outcome: null });
  }
  expect(exportRun([], { withPuzzle: false, hashText })).toBeNull();
});
