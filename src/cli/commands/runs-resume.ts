/** `polya runs resume`: the id is all it needs. */
import type { Command } from 'commander';
import { type Polya, resumeRun } from '../../index.ts';
import type { CommandFile } from '../command.ts';
import { drive, readRun } from '../drive.ts';
import { restText } from '../estimate.ts';
import { withRun } from '../journals.ts';
import { dryRunWords, showLife } from '../launch.ts';
import { type NotifyOptions, notifyOption } from '../notify.ts';
import { type BackendOption, backendIn, backendOption } from '../options.ts';

type Options = BackendOption & NotifyOptions & { readonly dryRun?: boolean; readonly json?: boolean };

export const runsResume: CommandFile = {
  define(command: Command) {
    command
      .argument('<run>', 'its id, the beginning or end of it, or `last`')
      .option('--dry-run', dryRunWords)
      .option('--json', 'print the result as JSON');
    notifyOption(backendOption(command));
  },
  run: (shell, command) => {
    const options = command.opts<Options>();
    return withRun(
      shell,
      command.processedArgs[0],
      async (polya, { id }) => {
        const { view } = await readRun(polya, id);
        if (options.dryRun) {
          const begin = (world: Polya['world']) => resumeRun(world, id);
          return showLife(shell, polya, begin, { ...options, estimate: restText(view) });
        }
        shell.err.write(`Estimate: ${restText(view)}\n`);
        const start = resumeRun.bind(null, polya.world, id);
        return drive(shell, polya, { ...options, start, isJson: Boolean(options.json) });
      },
      backendIn(options),
    );
  },
};
