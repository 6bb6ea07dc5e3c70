/** A solved day as a script: without its puzzle it can be passed on. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import { siteTextsIn } from '../../src/families/aoc/redact.ts';
import { recordScript } from '../../src/models/record-script.ts';
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
  recordScript(events, { env: {}, hidden: withPuzzle ? [] : siteTextsIn(events) }).text;

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

test('without the puzzle none of its lines is in it', () => {
  const text = recordRun(played.events, { withPuzzle: false });
  expect(text).not.toContain(question);
  expect(text).toContain('It asks: [words of the puzzle] I shall see.');
  for (const line of day.input.trim().split('\n')) expect(text).not.toContain(line);
  expect(recordRun(played.events, { withPuzzle: true })).toContain(`It asks: ${question} I shall see.`);
});

test.each([false, true])(
  'with the puzzle in it: %s: it solves the same day in another folder',
  async (withPuzzle) => {
    const elsewhere = newPlace();
    const path = join(elsewhere.folder, 'day.json');
    await writeFile(path, recordRun(played.events, { withPuzzle }));
    const polya = openIn(elsewhere, []);
    const handle = await startRun(polya.world, {
      id: 'again',
      family: 'aoc',
      problem,
      agent: 'tool-loop',
      models: { default: `scripted:${path}` },
      limits: { toolCalls: 50 },
    });
    expect(await handle.done).toMatchObject({ outcome: 'solved' });
    await polya.close();
  },
);
