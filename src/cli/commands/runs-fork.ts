/** `polya runs fork`: a new run that shares a journal up to one event and goes on with what is changed. */
import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Journals } from '../../open/options.ts';
import { type ForkSpec, forkRun } from '../../run/fork.ts';
import { newRunId } from '../../run/run-id.ts';
import type { Observer } from '../../run/world.ts';
import { changedSettings } from '../agent-settings.ts';
import { type BringOptions, bringOptions, broughtIn } from '../bring.ts';
import type { CommandFile, Shell } from '../contract.ts';
import { readRun } from '../drive.ts';
import { restText } from '../estimate.ts';
import { withRun } from '../journals.ts';
import { launchLife, type RunOptions, runOptions } from '../launch.ts';
import {
  backendIn,
  backendOption,
  baseUrlsOf,
  limitsOf,
  modelSettingsOf,
  modelsOf,
  promptsIn,
  wholeNumber,
} from '../options.ts';
import { ownWords } from '../own-words.ts';

type Options = RunOptions &
  BringOptions & {
    readonly at?: number;
    readonly set?: readonly string[];
    readonly hint?: string;
  };

export const runsFork: CommandFile = {
  define(command: Command) {
    command
      .argument('<run>', 'its id, the beginning or end of it, or `last`')
      .option('--at <event>', 'the last event to be shared (default: all but the end)', wholeNumber(1))
      .option('--hint <text>', 'a note that the agent reads first of all')
      .option(
        '--set <key=value>',
        "change one of the agent's settings, or a part of one (compat.verdict=strict); may be repeated",
        (value: string, before: readonly string[] = []) => [...before, value],
      );
    runOptions(bringOptions(backendOption(command)));
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    // What is wrong with the words themselves is said before any run is looked for.
    changesOf(shell, options, {});
    const work = async (polya: Journals, { id }: { id: string }): Promise<number> => {
      const { view } = await readRun(shell, polya, id);
      const changes = changesOf(shell, options, view.header?.agent.settings ?? {});
      return launchLife(shell, polya, {
        ...options,
        tell: ownWords(shell, options),
        estimate: `from its parent: ${restText(view)}`,
        begin: async (world, observer = {}) => {
          const newId = newRunId(world.io.clock.now(), world.io.chance);
          const handle = await forkRun(world, id, { id: newId, ...changes }, observer);
          tellIfEarlier(observer, options.at, handle.header.fork?.seq);
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

/** Why it goes on before the event that its user named. */
function tellIfEarlier(observer: Observer, asked: number | undefined, shared: number | undefined): void {
  if (asked === undefined || shared === undefined || shared >= asked) return;
  observer.onNotice?.(
    `Event ${asked} belongs to how the run was graded and ended, which a fork never shares: it goes on after event ${shared}.`,
  );
}

function changesOf(shell: Shell, options: Options, parent: JsonObject): Omit<ForkSpec, 'id'> {
  const { at, hint, set = [] } = options;
  if (hint?.trim() === '') {
    throw new UserError({
      code: 'text-empty',
      what: 'The hint is empty.',
      fix: 'Write one after --hint, or leave it out.',
    });
  }
  return {
    ...(at === undefined ? {} : { at }),
    ...(hint === undefined ? {} : { hint }),
    models: modelsOf(shell, options),
    baseUrls: baseUrlsOf(options),
    modelSettings: modelSettingsOf(options),
    settings: changedSettings(parent, set),
    limits: limitsOf(options),
    prompts: promptsIn(shell, options),
  };
}
