/** The options of `polya arc run`: which tasks, and how the agent is to look for their rules. */

import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Shell } from '../../cli/contract.ts';
import { positive, wholeNumber } from '../../cli/options.ts';
import { UserError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { reasoningEfforts } from '../../core/model.ts';
import { chooseTasks, faultyTasks } from '../../families/arc/select.ts';
import type { TaskFile } from '../../families/arc/task-file.ts';
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

export type InductionOptions = {
  readonly reasoning?: string;
  readonly maxSteps?: number;
  readonly images?: boolean;
  readonly attempts?: number;
  readonly hypotheses?: number;
  readonly agree?: number;
  readonly representation?: string;
  readonly revisions?: number;
  readonly programSeconds?: number;
  readonly format?: string;
  readonly replies?: string;
  readonly augment?: string;
  readonly afterPass?: string;
  readonly repairs?: number;
};

export function taskOptions(command: Command): Command {
  return command
    .option('--task-file <path>', 'a file of ARC tasks, of one task, or a folder of such files')
    .option('--solutions <path>', 'their solutions (default: beside `…challenges…`, if they are there)')
    .option('--no-solutions', 'leave solutions aside: nothing is graded, a submission is written')
    .option('--task-ids <id...>', 'these tasks, in this order; with commas or spaces between')
    .option('--offset <number>', 'pass over so many of the sorted ids', wholeNumber(0))
    .option('--num <number>', 'take so many', wholeNumber(1));
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

export function inductionOptions(command: Command): Command {
  return command
    .addOption(new Option('--reasoning <level>', 'how hard the models think').choices(reasoningEfforts))
    .option('--max-steps <number>', 'steps of a hypothesis in words (default: 10)', wholeNumber(1, 500))
    .option('--images', 'show the models every grid as a picture, too')
    .option('--attempts <number>', 'guesses for each test input (default: 2)', wholeNumber(1, 2))
    .option('--hypotheses <number>', 'lines at once (default: as many as attempts)', wholeNumber(1, 64))
    .option(
      '--agree <number>',
      'so many that agree end the others; 0: none do (default: 2)',
      wholeNumber(0, 64),
    )
    .addOption(
      new Option('--representation <form>', 'what a hypothesis is (default: steps)').choices([
        'steps',
        'programs',
        'pool',
      ]),
    )
    .option('--revisions <number>', 'of a program (default: 4)', wholeNumber(0, 200))
    .option('--program-seconds <number>', 'CPU time of a program for one grid (default: 10)', positive)
    .addOption(
      new Option('--format <form>', 'how grids are written (default: spaced)').choices([
        'spaced',
        'json',
        'csv',
      ]),
    )
    .addOption(
      new Option('--replies <form>', 'what models answer in (default: structured)').choices([
        'structured',
        'text',
      ]),
    )
    .addOption(
      new Option(
        '--augment <views>',
        'show all hypotheses but the first another view (default: none)',
      ).choices(['none', 'symmetries', 'colours', 'both']),
    )
    .addOption(
      new Option('--after-pass <what>', 'when the train pairs are right (default: exit)').choices([
        'exit',
        'decide',
      ]),
    )
    .option(
      '--repairs <number>',
      'ask again for a reply that cannot be read (default: 1)',
      wholeNumber(0, 10),
    );
}

/** Of the agent; what is not given is its default. */
export function settingsIn(options: InductionOptions): JsonObject {
  const { format, images, ...rest } = options;
  const names = [
    ...(['reasoning', 'maxSteps', 'attempts', 'hypotheses', 'agree', 'representation', 'revisions'] as const),
    ...(['programSeconds', 'replies', 'augment', 'afterPass', 'repairs'] as const),
  ];
  const given = names.flatMap((name) => (rest[name] === undefined ? [] : [[name, rest[name]] as const]));
  return {
    ...Object.fromEntries(given),
    ...(format === undefined ? {} : { grids: format }),
    ...(images ? { images } : {}),
  };
}

export type ChosenFile = {
  readonly file: TaskFile;
  readonly ids: readonly string[];
  /** Of the chosen tasks those that cannot be used, with what is wrong. */
  readonly leftOut: readonly string[];
};

/** Throws where nothing is left, or where a task that is named cannot be used. */
export async function chosenTasks(shell: Shell, options: TaskOptions): Promise<ChosenFile> {
  const { taskFile, solutions, offset, num } = options;
  if (taskFile === undefined) throw noTaskFile();
  const file = await readTasks(shell.folder, {
    file: resolve(shell.folder, taskFile),
    ...(solutions === undefined
      ? {}
      : { solutions: solutions === false ? null : resolve(shell.folder, solutions) }),
  });
  const ids = options.taskIds?.flatMap((each) => each.split(/[\s,]+/)).filter(Boolean);
  if (ids?.length === 0) throw noIds();
  const { tasks, faults } = chooseTasks(file, {
    ...(ids === undefined ? {} : { ids }),
    ...(offset === undefined ? {} : { offset }),
    ...(num === undefined ? {} : { count: num }),
  });
  if (faults.length > 0 && (ids !== undefined || tasks.length === 0)) throw faultyTasks(file.path, faults);
  return {
    file,
    ids: tasks.map(({ id }) => id),
    leftOut: faults.map(({ task, what }) => `task ${task}: ${what}`),
  };
}

/** What a run began with it goes on with. */
const changeable: readonly string[] = [
  ...[
    'resume',
    'out',
    'pictures',
    'budget',
    'maxTokens',
    'concurrency',
    'backend',
    'notify',
    'notifyCommand',
  ],
  ...['dryRun', 'json', 'csv'],
];

/** Whoever asks for another model, or other tasks, must not believe that he got them. */
export function refuseChanges(command: Command): void {
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

/** An empty variable of a shell must not become a run over nothing. */
function noIds(): UserError {
  return new UserError({
    code: 'no-such-task',
    what: '--task-ids names no task.',
    fix: 'Name one at least, or leave it out: then all tasks of the file are taken.',
  });
}

function noTaskFile(): UserError {
  return new UserError({
    code: 'no-task-file',
    what: 'No tasks are named.',
    fix: 'Give --task-file, a file or folder in the official form; or go on with a run: --resume ID.',
  });
}
