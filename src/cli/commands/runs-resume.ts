/** `polya runs resume` goes on with a run; `polya runs fork` makes a new one that shares the journal up to one event. */
import { existsSync, realpathSync } from 'node:fs';
import { UserError } from '../../core/errors.ts';
import type { Event, Header } from '../../core/event.ts';
import { notesIn } from '../../notes/event-line.ts';
import type { Journals } from '../../open/options.ts';
import { changeLimits } from '../../run/changed-limits.ts';
import { forkRun } from '../../run/fork.ts';
import { newRunId } from '../../run/hash.ts';
import { resumeRun } from '../../run/resume.ts';
import { count } from '../../text/format.ts';
import { tokensText } from '../../text/labels.ts';
import { changedSettings } from '../agent-settings.ts';
import { settingsHelp } from '../agents-text.ts';
import { type BringOptions, bringOptions, broughtIn } from '../bring.ts';
import type { CommandFile } from '../contract.ts';
import { readRun } from '../drive.ts';
import { restText } from '../estimate.ts';
import { runArgument, withRun } from '../journals.ts';
import {
  type LaunchOptions,
  launchLife,
  launchOptions,
  type RunOptions,
  readOnlyOptions,
  runOptions,
} from '../launch.ts';
import {
  type BackendOption,
  backendIn,
  backendOption,
  changedLimitOptions,
  choicesOf,
  collectRepeated,
  type LimitOptions,
  limitsOf,
  parseInteger,
} from '../options.ts';
import { assertNoSharedBudget } from '../sets.ts';

export const runsResume: CommandFile = {
  define: (command) =>
    void changedLimitOptions(launchOptions(bringOptions(backendOption(runArgument(command))))),
  run: (shell, command) => {
    const options = command.opts<BackendOption & BringOptions & LaunchOptions & LimitOptions>();
    const limits = limitsOf(options);
    return withRun(
      shell,
      command.processedArgs[0],
      async (polya, { id }) => {
        await assertNoSharedBudget(polya.world.store, id);
        const { view } = await readRun(shell, polya, id);
        return launchLife(shell, polya, options, {
          rest: restText(view),
          begin: async (runtime, observer) => {
            if (Object.keys(limits).length > 0) await changeLimits(runtime, id, limits);
            return resumeRun(runtime, id, observer);
          },
        });
      },
      { ...backendIn(options), ...broughtIn(shell, options), ...readOnlyOptions(options) },
    );
  },
};

type ForkOptions = RunOptions &
  BringOptions & {
    readonly at?: number;
    readonly set?: readonly string[];
    readonly hint?: string;
  };

/** Whether a role is served otherwise than in the parent; a file may be named by another path. */
function asksAnother(
  before: Header['models'],
  { models, baseUrls }: Pick<ReturnType<typeof choicesOf>, 'models' | 'baseUrls'>,
): boolean {
  const placeOf = (spec: string | undefined) => {
    const [, kind, file = ''] = /^([\w-]+):(\/.+)$/s.exec(spec ?? '') ?? [];
    return kind && existsSync(file) ? `${kind}:${realpathSync(file)}` : spec;
  };
  const isOther = ([role, spec]: readonly [string, string]) =>
    placeOf(spec) !== placeOf((before[role] ?? before.default)?.spec);
  return Object.entries(models).some(isOther) || Object.keys(baseUrls).length > 0;
}

/** `last`: the parent's last look into its mailbox; 0 where there was none. */
function unreadText(last: number): string {
  const fix = last > 0 ? `: fork with --at ${last - 1} or earlier` : ' at all: change a prompt instead';
  return `The hint may stay unread. After this event the parent's agent looked for no notes${fix}.`;
}

export const runsFork: CommandFile = {
  moreHelp: settingsHelp,
  define(command) {
    runArgument(command)
      .option('--at <event>', 'the last event to be shared (default: all but the end)', parseInteger(1))
      .option('--hint <text>', 'a note that the agent reads first of all')
      .option(
        '--set <key=value>',
        "change one of the agent's settings, or a part of one (compat.verdict=strict); may be repeated",
        collectRepeated,
      );
    runOptions(bringOptions(backendOption(command)));
  },
  async run(shell, command) {
    const options = command.opts<ForkOptions>();
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
      const { view, events } = await readRun(shell, polya, id);
      const settings = changedSettings(view.header?.agent.settings ?? {}, set);
      const { modelCalls } = view.totals;
      const parents = `which took ${count(modelCalls, 'model call')} and ${tokensText(view.totals)} tokens`;
      let isHintRead = false;
      const code = await launchLife(shell, polya, options, {
        rest: asksAnother(view.header?.models ?? {}, choices)
          ? `with another model than its parent's, ${parents}`
          : `from its parent: ${restText(view)}`,
        // Of several branches, the one whose event was named.
        branch: events.find(({ seq }) => seq === at)?.branch || undefined,
        begin: async (runtime, observer = {}) => {
          const newId = newRunId(runtime.io.clock.now(), runtime.io.chance);
          const onEvent = (event: Event): void => {
            if (hint && notesIn(event).includes(hint)) isHintRead = true;
            observer.onEvent?.(event);
          };
          const fork = { id: newId, ...choices, settings };
          const notice = observer.onNotice ?? ((text) => shell.err.write(`${text}\n`));
          const handle = await forkRun(runtime, id, fork, { ...observer, onEvent });
          const shared = handle.header.fork?.seq ?? 0;
          if (at !== undefined && shared < at) {
            notice(
              `Event ${at} belongs to how the run was graded and ended, which a fork never shares: it goes on after event ${shared}.`,
            );
          }
          const last = events.findLast(({ kind }) => kind === 'inbox')?.seq ?? 0;
          if (hint && view.end && last <= shared) notice(unreadText(last));
          return handle;
        },
      });
      if (hint && !isHintRead && !options.dryRun)
        shell.err.write(`${shell.err.paint('warn', 'Warning:')} The agent did not read the hint.\n`);
      return code;
    };
    return withRun(shell, command.processedArgs[0], work, {
      ...backendIn(options),
      ...broughtIn(shell, options),
      ...readOnlyOptions(options),
    });
  },
};
