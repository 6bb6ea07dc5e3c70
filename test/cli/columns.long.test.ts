/** On a terminal of 80 columns no line of any command is longer, but for what may not be broken. */
import { expect, test } from 'vitest';
import { apps } from '../../src/apps/all.ts';
import { polyaProgram } from '../../src/cli/commands.ts';
import { made, surroundingsOf } from '../before/calls.ts';
import { canaryGroups } from '../hostile/canary.ts';
import { newPlace, polya } from './shell.ts';

const terminal = { isTerminal: true, size: { columns: 80, rows: 24 } };

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal obeys them, and shows nothing of them.
const orders = /\x1b\[[0-9;?]*[A-Za-z]/g;

/** Without paths, ids and addresses, which are words that are not broken. */
function tooLong(text: string): readonly string[] {
  const lines = text.replaceAll(orders, '').split(/[\r\n]/);
  return lines.filter((line) => [...line].length > 80 && !isOneWord(line));
}

/** A word that does not fit stands in a line of its own. */
function isOneWord(line: string): boolean {
  return !/\S\s+\S/.test(line.trimEnd());
}

test.each(canaryGroups.map((group) => [group.name, group] as const))('%s', async (_name, group) => {
  const long: string[] = [];
  // What is told to people in the place of what is told to programs.
  const calls = group.calls.map((argv) => argv.filter((word) => word !== '--json'));
  await made(
    { ...group, calls },
    {
      ...surroundingsOf(group),
      terminal,
      onAnswer: (call, { out, err }) => {
        if (
          /csv|export|bundle|knowledge show|record|completion|complete-words|input|fetch|^exec|^ask|^qa ask|arc show|show .*--(?:event|full|format|code)/.test(
            call,
          )
        )
          return;
        for (const line of [...tooLong(out), ...tooLong(err)]) long.push(`${call}: ${line}`);
      },
    },
  );
  expect(long).toEqual([]);
});

test('help', async () => {
  const place = newPlace();
  const long: string[] = [];
  for (const { path } of polyaProgram(apps).commands) {
    const { out } = await polya(place, [...path.split(' '), '--help'], terminal);
    for (const line of tooLong(out)) long.push(`${path}: ${line}`);
  }
  expect(long).toEqual([]);
});
