/** The options of `polya arc run`: which tasks, and how the agent is to look for their rules. */
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Shell } from '../../cli/contract.ts';
import { addOptions, optionsIn } from '../../cli/options.ts';
import { UserError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { reasoningEfforts } from '../../core/model.ts';
import { chooseTasks, invalidTasksError } from '../../families/arc/task-file.ts';
import listed from './options.json' with { type: 'json' };
import { type PictureChoice, pictureChoices } from './pictures.ts';
import { readTasks } from './task-files.ts';

export type TaskOptions = {
  readonly taskFile?: string;
  /** False: without, even where there are some. */
  readonly solutions?: string | false;
  readonly taskIds?: readonly string[];
  readonly offset?: number;
  readonly num?: number;
};

export type OutOptions = { readonly out: string; readonly pictures: PictureChoice };

export function taskOptions(command: Command): Command {
  return addOptions(command, listed.tasks);
}

export function outOptions(command: Command): Command {
  return command
    .option('--out <folder>', 'where log, pictures and submission go', folderName, 'outputs')
    .addOption(
      new Option('--pictures <which>', 'of every step, of what is handed in, or none')
        .choices(pictureChoices)
        .default('steps'),
    );
}

/** An empty variable of a shell would spread hundreds of pictures where its user stands. */
function folderName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must name a folder; `.` is this one.');
  return text;
}

/** Settings of the agent; each option has the name of its setting, but `--format`, which is `grids`. */
const settingOptions = [
  new Option('--reasoning <level>', 'how hard the models think').choices(reasoningEfforts),
  ...optionsIn(listed.settings),
];

export function inductionOptions(command: Command): Command {
  for (const option of settingOptions) command.addOption(option);
  return command;
}

/** The agent's settings; options that are not given keep its defaults. */
export function settingsIn(command: Command): JsonObject {
  const names = settingOptions.map((option) => option.attributeName());
  const input = names.filter((name) => command.getOptionValueSource(name) === 'cli');
  return Object.fromEntries(
    input.map((name) => [name === 'format' ? 'grids' : name, command.getOptionValue(name)]),
  );
}

/** `leftOut`: of the chosen tasks those that cannot be used. Throws where nothing is left, or for a task that is named. */
export async function selectTasks(shell: Shell, options: TaskOptions) {
  const { taskFile, solutions, offset, num } = options;
  if (taskFile === undefined) {
    throw new UserError({
      code: 'no-task-file',
      what: 'No tasks are named.',
      fix: 'Give --task-file, a file or folder in the official form; or go on with a run: --resume ID.',
    });
  }
  const file = await readTasks(shell.folder, {
    file: resolve(shell.folder, taskFile),
    solutions: solutions === false ? null : solutions && resolve(shell.folder, solutions),
  });
  const ids = options.taskIds?.flatMap((each) => each.split(/[\s,]+/)).filter(Boolean);
  // An empty variable of a shell must not become a run over nothing.
  if (ids?.length === 0) {
    throw new UserError({
      code: 'no-such-task',
      what: '--task-ids names no task.',
      fix: 'Name one at least, or leave it out: then all tasks of the file are taken.',
    });
  }
  const { tasks, faults } = chooseTasks(file, { ids, offset, count: num });
  if (faults.length > 0 && (ids !== undefined || tasks.length === 0))
    throw invalidTasksError(file.path, faults);
  const leftOut = faults.map(({ task, what }) => `task ${task}: ${what}`);
  return { file, ids: tasks.map(({ id }) => id), leftOut };
}

/** A resumed run keeps all its other options. */
const changeable = 'resume out pictures budget maxTokens concurrency backend dryRun json csv'.split(' ');

/** A user who asks for another model, or for other tasks, must not believe that a run that goes on has them. */
export function rejectChangedOptions(command: Command): void {
  const changed = command.options.find(
    (option) =>
      command.getOptionValueSource(option.attributeName()) === 'cli' &&
      !changeable.includes(option.attributeName()),
  );
  if (!changed) return;
  throw new UserError({
    code: 'setting-fixed',
    what: `${changed.long} cannot be changed in a run that goes on.`,
    why: 'It goes on as it began: its tasks, models and settings stand in its journals.',
    fix: 'Leave it out, or begin another run without --resume.',
  });
}
