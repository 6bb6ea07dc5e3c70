/** `polya runs diff`: two runs side by side: how they were begun, where they part, what came of them. */
import { exitCodes } from '../../core/errors.ts';
import type { CommandFile } from '../contract.ts';
import { differenceJson, differenceOf, differenceText } from '../diff-report.ts';
import { readRun } from '../drive.ts';
import { findRun, withRun } from '../journals.ts';
import { print } from '../output.ts';

export const runsDiff: CommandFile = {
  define(command) {
    command
      .argument('<a>', 'a run: its id, the beginning or end of it, or `last`')
      .argument('<b>', 'another one')
      .option('--json', 'print it as JSON');
  },
  run: (shell, command) =>
    withRun(shell, command.processedArgs[0], async (polya, { id }) => {
      const other = await findRun(polya.world.store, command.processedArgs[1]);
      const [a, b] = [await readRun(shell, polya, id), await readRun(shell, polya, other.id)];
      const difference = differenceOf(a, b);
      const { json } = command.opts<{ json?: boolean }>();
      print(
        shell.out,
        json,
        () => differenceJson(difference),
        () => differenceText(shell.out, difference),
      );
      return exitCodes.ok;
    }),
};
