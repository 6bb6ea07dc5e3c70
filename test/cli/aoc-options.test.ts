/** Every option that `aoc run` has of its own reaches the header of the run: one that is read and forgotten changes nothing. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import options from '../../src/apps/aoc/options.json' with { type: 'json' };
import type { Header } from '../../src/core/event.ts';
import { foldRun } from '../../src/core/fold.ts';
import { openJournals } from '../../src/open/journals.ts';
import { readJournal } from '../../src/run/load.ts';
import { newPlace, polya } from './shell.ts';

type Row = readonly [args: readonly string[], of: (header: Header) => unknown, value: unknown];

const setting = (name: string) => (header: Header) => header.agent.settings[name];
const reference = (name: string) => (header: Header) => header.problem.reference[name];
const file = (name: string) => expect.stringMatching(new RegExp(`${name}$`));

const ofBoth: readonly Row[] = [
  [['--reminders', '7'], setting('reminders'), 7],
  [['--from-tools'], setting('statement'), 'from-tools'],
  [['--set', 'callsLeftTold=1'], setting('callsLeftTold'), 1],
  [['--max-wrong-answers', '3'], reference('maxWrongAnswers'), 3],
  [['--output-characters', '500'], reference('outputCharacters'), 500],
  [['--lang', 'py'], reference('lang'), 'python'],
  [['--max-tool-calls', '9'], ({ limits }) => limits.toolCalls, 9],
  [['--max-tokens', '100000'], ({ limits }) => limits.tokens, 100_000],
  [['--max-minutes', '3'], ({ limits }) => limits.wallMs, 180_000],
  [['--budget', '1'], ({ limits }) => limits.costUsd, 1],
  [['--setting', 'temperature=0.3'], ({ models }) => models.default?.settings, { temperature: 0.3 }],
];

const ofSite: readonly Row[] = [
  [['--site', 'practice'], reference('site'), 'practice'],
  [['--year', '2000'], reference('year'), 2000],
  [['--day', '2'], reference('day'), 2],
  [['--user', 'ann'], reference('user'), 'ann'],
  [['--seed', '4'], reference('seed'), 4],
];

const ofFiles: readonly Row[] = [
  [['--statement', 'one.md'], reference('statement'), file('one.md')],
  [['--statement2', 'two.md'], reference('statement2'), file('two.md')],
  [['--input', 'input.txt'], reference('input'), file('input.txt')],
  [['--answer1', '3'], reference('answer1'), '3'],
  [['--answer2', '4'], reference('answer2'), '4'],
];

async function headerOf(rows: readonly Row[]): Promise<Header> {
  const place = newPlace();
  writeFileSync(join(place.folder, 'short.yaml'), 'roles: { solver: [ { text: Hello, repeat: true } ] }\n');
  for (const name of ['one.md', 'two.md', 'input.txt']) writeFileSync(join(place.folder, name), '1 2\n');
  const argv = ['aoc', 'run', '--model', 'scripted:short.yaml', '--json', ...rows.flatMap(([args]) => args)];
  const { out } = await polya(place, argv);
  const journals = openJournals({ folder: place.folder, env: place.env });
  try {
    const { header } = foldRun((await readJournal(journals.world.store, JSON.parse(out).id)).events);
    if (!header) throw new Error(out);
    return header;
  } finally {
    await journals.close();
  }
}

test.each([
  ['a site', [...ofBoth, ...ofSite]],
  ['files', [...ofBoth, ...ofFiles]],
] as const)('of a puzzle from %s', async (_from, rows) => {
  const header = await headerOf(rows);
  const read = rows.map(([args, of]) => [args.join(' '), of(header)]);
  expect(read).toEqual(rows.map(([args, , value]) => [args.join(' '), value]));
});

test('none of its own is missing above', () => {
  const named = [...ofBoth, ...ofSite, ...ofFiles].map(([[option]]) => option);
  const { day, files, run } = options;
  const own = Object.keys({ ...day, ...files, ...run }).map((usage) => usage.split(' ')[0]);
  // The folder of another program, which test/cli/aoc-files.test.ts has.
  expect(own.filter((option) => !named.includes(option) && option !== '--aocd')).toEqual([]);
});
