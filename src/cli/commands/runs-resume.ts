/** `polya runs resume`: the id is all it needs. */
import { resumeRun } from '../../run/resume.ts';
import { type BringOptions, bringOptions, broughtIn } from '../bring.ts';
import type { CommandFile } from '../contract.ts';
import { readRun } from '../drive.ts';
import { restText } from '../estimate.ts';
import { hooksFor } from '../hooks.ts';
import { runArgument, withRun } from '../journals.ts';
import { type LaunchOptions, launchLife, launchOptions } from '../launch.ts';
import { type BackendOption, backendIn, backendOption } from '../options.ts';
import { refuseSharedBudget } from '../sets.ts';

export const runsResume: CommandFile = {
  define: (command) => void launchOptions(bringOptions(backendOption(runArgument(command)))),
  run: (shell, command) => {
    const options = command.opts<BackendOption & BringOptions & LaunchOptions>();
    return withRun(
      shell,
      command.processedArgs[0],
      async (polya, { id }) => {
        await refuseSharedBudget(polya.world.store, id);
        const { view } = await readRun(shell, polya, id);
        const { refuseResume } = await hooksFor(shell, view.header);
        await refuseResume?.(shell, id, view.header);
        return launchLife(shell, polya, options, {
          rest: restText(view),
          begin: (world, observer) => resumeRun(world, id, observer),
        });
      },
      { ...backendIn(options), ...broughtIn(shell, options) },
    );
  },
};
