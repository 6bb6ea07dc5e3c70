/** `polya runs resume`: the id is all it needs. */
import type { Command } from 'commander';
import { resumeRun } from '../../run/resume.ts';
import { type BringOptions, bringOptions, broughtIn } from '../bring.ts';
import type { CommandFile } from '../contract.ts';
import { readRun } from '../drive.ts';
import { restText } from '../estimate.ts';
import { hooksFor } from '../hooks.ts';
import { withRun } from '../journals.ts';
import { type LaunchOptions, launchLife, launchOptions } from '../launch.ts';
import { type BackendOption, backendIn, backendOption } from '../options.ts';
import { ownWords } from '../own-words.ts';
import { refuseSharedBudget } from '../sets.ts';

export const runsResume: CommandFile = {
  define(command: Command) {
    command.argument('<run>', 'its id, the beginning or end of it, or `last`');
    launchOptions(bringOptions(backendOption(command)));
  },
  run: (shell, command) => {
    const options = command.opts<BackendOption & BringOptions & LaunchOptions>();
    return withRun(
      shell,
      command.processedArgs[0],
      async (polya, { id }) => {
        await refuseSharedBudget(polya.world.store, id);
        const { view } = await readRun(shell, polya, id);
        await (await hooksFor(shell, view.header)).refuseResume?.(shell, id, view.header);
        const estimate = restText(view);
        return launchLife(shell, polya, {
          ...options,
          estimate,
          tell: ownWords(shell, options),
          begin: (world, observer) => resumeRun(world, id, observer),
        });
      },
      { ...backendIn(options), ...broughtIn(shell, options) },
    );
  },
};
