/** `polya runs resume`: the id is all it needs. */
import type { Command } from 'commander';
import { resumeRun } from '../../index.ts';
import type { CommandFile } from '../command.ts';
import { drive } from '../drive.ts';
import { withRun } from '../journals.ts';
import { type BackendOption, backendIn, backendOption } from '../options.ts';

export const runsResume: CommandFile = {
  define(command: Command) {
    command
      .argument('<run>', 'its id, the beginning or end of it, or `last`')
      .option('--json', 'print the result as JSON');
    backendOption(command);
  },
  run: (shell, command) => {
    const options = command.opts<BackendOption & { readonly json?: boolean }>();
    return withRun(
      shell,
      command.processedArgs[0],
      (polya, { id }) =>
        drive(shell, polya, {
          start: (observer) => resumeRun(polya.world, id, observer),
          isJson: Boolean(options.json),
        }),
      backendIn(options),
    );
  },
};
