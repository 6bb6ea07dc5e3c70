/** `polya runs record`: the conversation of a run as a cassette, without secrets, and without the puzzle unless asked. */
import { resolve } from 'node:path';
import { exitCodes } from '../../core/errors.ts';
import { recordCassette } from '../../models/cassette/record.ts';
import { count } from '../../text/format.ts';
import type { CommandFile } from '../contract.ts';
import { readRun } from '../drive.ts';
import { hooksFor } from '../hooks.ts';
import { refuseDamage, runArgument, withRun } from '../journals.ts';
import { writeFiles } from '../safe-write.ts';

type Options = {
  readonly out?: string;
  readonly withPuzzle: boolean;
  readonly force: boolean;
  readonly json?: boolean;
};

export const runsRecord: CommandFile = {
  define(command) {
    runArgument(command)
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
    const options = command.opts<Options>();
    return withRun(shell, command.processedArgs[0], async (polya, { id }) => {
      const run = await readRun(shell, polya, id);
      refuseDamage(id, run, '; nothing was recorded');
      const { hiddenTexts } = await hooksFor(shell, run.view.header);
      const hidden = options.withPuzzle ? [] : (hiddenTexts?.(run.events) ?? []);
      const text = recordCassette(run.events, { env: shell.env, hidden });
      const path = resolve(shell.folder, options.out ?? `${id}.cassette.jsonl`);
      writeFiles([{ path, text }], { force: options.force });
      const calls = text.trim().split('\n').length - 1;
      if (options.json) shell.out.write(`${JSON.stringify({ run: id, file: path, calls })}\n`);
      else shell.out.write(`${path}: ${count(calls, 'model call')}. Play it with --model replay:${path}\n`);
      return exitCodes.ok;
    });
  },
};
