/** `polya runs record`: the conversation of a run as a cassette, without secrets, and without the puzzle unless asked. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { exitCodes, JournalError } from '../../core/errors.ts';
import { foldRun } from '../../core/fold.ts';
import { recordCassette } from '../../models/cassette/record.ts';
import { readJournal } from '../../run/load.ts';
import { count } from '../../text/format.ts';
import type { CommandFile } from '../contract.ts';
import { hooksFor } from '../hooks.ts';
import { findRun, withRun } from '../journals.ts';
import { writeFiles } from '../safe-write.ts';

type Options = {
  readonly out?: string;
  readonly withPuzzle: boolean;
  readonly force: boolean;
  readonly json?: boolean;
};

export const runsRecord: CommandFile = {
  define(command: Command) {
    command
      .argument('<run>', 'its id, the beginning or end of it, or `last`')
      .option('--out <file>', 'the file to write (default: RUN.cassette.jsonl)')
      .option(
        '--with-puzzle',
        'with the words of a puzzle, which may not be passed on, instead of hashes',
        false,
      )
      .option('--force', 'replace a file that exists', false)
      .option('--json', 'print what was written as JSON');
  },
  async run(shell, command) {
    const name: string = command.processedArgs[0];
    const options = command.opts<Options>();
    return withRun(shell, name, async ({ world }) => {
      const { id } = await findRun(world.store, name);
      const { events, damage } = await readJournal(world.store, id);
      if (damage) throw damaged(id, damage);
      const { hiddenTexts } = await hooksFor(shell, foldRun(events).header);
      const hidden = options.withPuzzle ? [] : (hiddenTexts?.(events) ?? []);
      const text = recordCassette(events, { env: shell.env, hidden });
      const path = resolve(shell.folder, options.out ?? `${id}.cassette.jsonl`);
      writeFiles([{ path, text }], { force: options.force });
      const calls = text.trim().split('\n').length - 1;
      if (options.json) shell.out.write(`${JSON.stringify({ run: id, file: path, calls })}\n`);
      else shell.out.write(`${path}: ${count(calls, 'model call')}. Play it with --model replay:${path}\n`);
      return exitCodes.ok;
    });
  },
};

function damaged(id: string, { seq, reason }: { seq: number; reason: string }): JournalError {
  return new JournalError({
    code: 'journal-damaged',
    what: `The journal of run ${id} is damaged at event ${seq}: ${reason}; nothing was recorded.`,
    fix: `\`polya runs show ${id}\` shows what is whole.`,
  });
}
