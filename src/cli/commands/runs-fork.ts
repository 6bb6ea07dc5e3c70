/** `polya runs fork`: a new run that shares a journal up to one event and goes on with what is changed. */
import { UserError } from '../../core/errors.ts';
import type { Journals } from '../../open/options.ts';
import { forkRun } from '../../run/fork.ts';
import { newRunId } from '../../run/run-id.ts';
import { changedSettings } from '../agent-settings.ts';
import { type BringOptions, bringOptions, broughtIn } from '../bring.ts';
import type { CommandFile } from '../contract.ts';
import { readRun } from '../drive.ts';
import { restText } from '../estimate.ts';
import { runArgument, withRun } from '../journals.ts';
import { launchLife, type RunOptions, runOptions } from '../launch.ts';
import { backendIn, backendOption, choicesOf, repeated, wholeNumber } from '../options.ts';

type Options = RunOptions &
  BringOptions & {
    readonly at?: number;
    readonly set?: readonly string[];
    readonly hint?: string;
  };

export const runsFork: CommandFile = {
  define(command) {
    runArgument(command)
      .option('--at <event>', 'the last event to be shared (default: all but the end)', wholeNumber(1))
      .option('--hint <text>', 'a note that the agent reads first of all')
      .option(
        '--set <key=value>',
        "change one of the agent's settings, or a part of one (compat.verdict=strict); may be repeated",
        repeated,
      );
    runOptions(bringOptions(backendOption(command)));
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const { at, hint, set = [] } = options;
    // What is wrong with the words themselves is said before any run is looked for.
    if (hint?.trim() === '') {
      throw new UserError({
        code: 'text-empty',
        what: 'The hint is empty.',
        fix: 'Write one after --hint, or leave it out.',
      });
    }
    const choices = { at, hint, ...choicesOf(shell, options) };
    changedSettings({}, set);
    const work = async (polya: Journals, { id }: { id: string }): Promise<number> => {
      const { view } = await readRun(shell, polya, id);
      const settings = changedSettings(view.header?.agent.settings ?? {}, set);
      return launchLife(shell, polya, options, {
        rest: `from its parent: ${restText(view)}`,
        begin: async (world, observer = {}) => {
          const newId = newRunId(world.io.clock.now(), world.io.chance);
          const handle = await forkRun(world, id, { id: newId, ...choices, settings }, observer);
          const shared = handle.header.fork?.seq;
          if (at !== undefined && shared !== undefined && shared < at) {
            observer.onNotice?.(
              `Event ${at} belongs to how the run was graded and ended, which a fork never shares: it goes on after event ${shared}.`,
            );
          }
          return handle;
        },
      });
    };
    return withRun(shell, command.processedArgs[0], work, {
      ...backendIn(options),
      ...broughtIn(shell, options),
    });
  },
};
