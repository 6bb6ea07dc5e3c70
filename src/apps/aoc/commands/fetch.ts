/** `polya aoc fetch`: a day into the user's cache, for people: the statement to read, the input as a file. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { type CommandFile, exactly, printDocument, type Shell } from '../../../cli/contract.ts';
import { withPolya } from '../../../cli/journals.ts';
import { exitCodes } from '../../../core/errors.ts';
import type { FetchedDay } from '../../../families/aoc/day.ts';
import type { Journals } from '../../../open/options.ts';
import { count, escapedJson } from '../../../text/format.ts';
import {
  allowRunningEventOption,
  type DayOptions,
  dayOptions,
  type EventOptions,
  eventSetting,
  questionOf,
  withDesk,
} from '../day-options.ts';

type Options = DayOptions & EventOptions & { readonly fresh?: boolean; readonly json?: boolean };

export const aocFetch: CommandFile = {
  define(command: Command) {
    allowRunningEventOption(dayOptions(command))
      .option('--fresh', 'ask for the page again: it has part 2 once part 1 is solved')
      .option('--json', 'print it as JSON')
      .addHelpText('after', '\nExample: polya aoc fetch --site practice --year 2000 --day 1 > day1.md');
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const question = questionOf(options);
    const aocOptions = eventSetting(options).familyOptions?.aoc;
    return withPolya(shell, async (polya) => {
      const fresh = Boolean(options.fresh);
      const day = await withDesk(shell, polya, (server) => server.download(question, { fresh }), aocOptions);
      const { title, stars, parts } = day;
      const input = inputOf(polya, day);
      const { site, year, day: number } = question;
      const json = { site, year, day: number, title, stars, parts, input };
      if (options.json) shell.out.write(`${escapedJson(json, 2)}\n`);
      else printDay(shell, day, input);
      return exitCodes.ok;
    });
  },
};

/** `polya aoc input`: into a file, or to the standard input of a program. */
export const aocInput: CommandFile = {
  define(command: Command) {
    allowRunningEventOption(dayOptions(command)).addHelpText(
      'after',
      '\nExample: polya aoc input --site practice --year 2000 --day 1 | python3 day1.py',
    );
  },
  async run(shell, command) {
    const options = command.opts<DayOptions & EventOptions>();
    const question = questionOf(options);
    const aocOptions = eventSetting(options).familyOptions?.aoc;
    const { input } = await withPolya(shell, (polya) =>
      withDesk(shell, polya, (server) => server.download(question), aocOptions),
    );
    printDocument(shell.out, input);
    return exitCodes.ok;
  },
};

function inputOf({ cache }: Journals, { input, inputFile }: FetchedDay) {
  return {
    file: inputFile === null ? null : join(cache, inputFile),
    bytes: Buffer.byteLength(input),
    lines: input.split('\n').length - (input.endsWith('\n') ? 1 : 0),
  };
}

/** The statement alone is the result, so that it can be sent into a file. */
function printDay(
  shell: Shell,
  { parts, stars }: FetchedDay,
  { file, bytes, lines }: ReturnType<typeof inputOf>,
): void {
  exactly(shell.out).write(`${parts.join('\n\n').trim()}\n`);
  const size = `${count(lines, 'line')}, ${count(bytes, 'byte')}`;
  shell.err.write(`\nInput: ${file ?? 'in the cache of advent-of-code-data'} (${size}). `);
  shell.err.write(`${count(stars, 'star')} so far.\n`);
}
