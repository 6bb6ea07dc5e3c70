/** A solved day as a cassette: without its puzzle it can be passed on, and still be played where the puzzle is. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import { siteTextsIn } from '../../src/families/aoc/redact.ts';
import { recordCassette } from '../../src/models/cassette/record.ts';
import { ticketStubs } from '../../src/practice/puzzles/day01-ticket-stubs.ts';
import { startRun } from '../../src/run/start.ts';
import { askDesk, newPlace, openIn, type Place, type Played, playRun, toolsOf } from './whole-run.ts';

const problem = { site: 'practice', year: 2000, day: 1, lang: 'python' };
const { statement, input, run, submit } = toolsOf(2000, 1);
const question = 'How many rides were made in total?';

let place: Place;
let played: Played;
let day: { readonly input: string };

const recordRun = (events: readonly Event[], { withPuzzle }: { withPuzzle: boolean }) =>
  recordCassette(events, { env: {}, hidden: withPuzzle ? [] : siteTextsIn(events) });

beforeAll(async () => {
  place = newPlace();
  day = await askDesk(place, (desk) => desk.download({ site: 'practice', year: 2000, day: 1 }));
  const [one, two] = ticketStubs.solve(day.input);
  const replies = [
    { toolCalls: [statement(1), input()] },
    { toolCalls: [run(`# ${question}\nprint(1)`)], text: `It asks: ${question} I shall see.` },
    // Short lines in a list: none of them is long enough to be known by itself.
    { toolCalls: [run(`rows = ${JSON.stringify(day.input.trim().split('\n').slice(0, 5))}\nprint(2)`)] },
    { toolCalls: [submit(one)] },
    { toolCalls: [statement(2), submit(two)] },
  ];
  played = await playRun(place, { problem, replies });
});

async function playedAgain(cassette: string, match: 'replay' | 'replay-matched', more: object = {}) {
  const elsewhere = newPlace();
  const path = join(elsewhere.folder, 'day.cassette.jsonl');
  await writeFile(path, cassette);
  const polya = openIn(elsewhere, []);
  const handle = await startRun(polya.world, {
    id: 'again',
    family: 'aoc',
    problem: { ...problem, ...more },
    agent: 'tool-loop',
    models: { default: `${match}:${path}` },
    limits: { toolCalls: 50 },
  });
  const end = await handle.done;
  await polya.close();
  return end;
}

test('the run that is recorded was solved', () => {
  expect(played.outcome).toBe('solved');
});

test('without the puzzle: none of its lines is in it', () => {
  const text = recordRun(played.events, { withPuzzle: false });
  expect(text).not.toContain(question);
  expect(text).toContain('It asks: [words of ');
  for (const line of day.input.trim().split('\n')) expect(text).not.toContain(line);
  expect(text.split('\n')[0]).toContain('"withPuzzle":false');
  expect(recordRun(played.events, { withPuzzle: true })).toContain(`It asks: ${question} I shall see.`);
});

test.each([
  ['replay', false],
  ['replay-matched', false],
  ['replay', true],
  ['replay-matched', true],
] as const)(
  '%s, with the puzzle in it: %s: it solves the same day in another folder',
  async (match, withPuzzle) => {
    const end = await playedAgain(recordRun(played.events, { withPuzzle }), match);
    expect(end).toMatchObject({ outcome: 'solved' });
  },
);

test('where the conversation does not hold the words, nothing is made up', async () => {
  const text = recordRun(played.events, { withPuzzle: false });
  const other = text.replaceAll(/\[words of [0-9a-f]{8}:/g, '[words of 01234567:');
  const end = await playedAgain(other, 'replay');
  expect(end).toMatchObject({ outcome: 'error', error: { name: 'script-exhausted' } });
  expect(end.error?.message).toContain('recorded with another puzzle or input');
});
