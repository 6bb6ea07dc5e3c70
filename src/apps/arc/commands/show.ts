/** `polya arc show`: a task in colour, or as a picture; without a task, what the file has. Asks no model. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type CommandFile, exactly, type Shell } from '../../../cli/contract.ts';
import { addOptions } from '../../../cli/options.ts';
import { type OutFile, writeFiles } from '../../../cli/safe-write.ts';
import { exitCodes, UserError } from '../../../core/errors.ts';
import { chooseTasks, invalidTasksError, type TaskFile } from '../../../families/arc/task-file.ts';
import { drawCollage } from '../../../grids/collage.ts';
import { renderPng } from '../../../grids/png.ts';
import { renderSvg } from '../../../grids/svg.ts';
import { escapedJson } from '../../../text/format.ts';
import listed from '../options.json' with { type: 'json' };
import { bundledTasks, readTasks } from '../task-files.ts';
import { type TaskView, taskCollage, tasksTable, taskText } from '../task-view.ts';

type Options = {
  readonly taskFile?: string;
  readonly solutions?: string;
  readonly solution: boolean;
  readonly digits: boolean;
  readonly svg?: string;
  readonly png?: string;
  readonly cell: number;
  readonly force: boolean;
  readonly json?: boolean;
};

export const arcShow: CommandFile = {
  isReport: true,
  define(command: Command) {
    command.argument(
      '[task]',
      'its id; or a file of tasks, or of one (default: the tasks that come with Polya)',
    );
    addOptions(command, listed.show).addHelpText(
      'after',
      '\nExamples: polya arc show fall\n          polya arc show 00576224 --task-file arc-agi_evaluation_challenges.json --png task.png',
    );
  },
  async run(shell, command) {
    const options = command.opts<Options>();
    const { file, id } = placeOf(shell, command.processedArgs[0], options);
    const tasks = await readTasks(shell.folder, { file, solutions: options.solutions });
    if (id === undefined && tasks.ids.length > 1) printTasks(shell, tasks, options);
    else printTask(shell, readTaskToShow(tasks, id ?? tasks.ids[0] ?? '', options), options);
    return exitCodes.ok;
  },
};

/** A name that is a path is the file; else it is a task of the file that is named, or of those that come with Polya. */
function placeOf(
  shell: Shell,
  name: string | undefined,
  { taskFile }: Options,
): { readonly file: string; readonly id?: string } {
  if (taskFile !== undefined) return { file: taskFile, id: name };
  if (name === undefined) return { file: bundledTasks };
  return existsSync(resolve(shell.folder, name)) || /[/\\]|\.json$/i.test(name)
    ? { file: name }
    : { file: bundledTasks, id: name };
}

function readTaskToShow(tasks: TaskFile, id: string, { solution }: Options): TaskView {
  const selected = chooseTasks(tasks, { ids: [id] });
  const [task] = selected.tasks;
  if (!task) throw invalidTasksError(tasks.path, selected.faults);
  const outputs = tasks.solutions?.byTask.get(id) ?? null;
  if (solution && !outputs) {
    throw new UserError({
      code: 'no-solutions',
      what: `There is no solution of ${id}.`,
      why: tasks.solutions
        ? `${tasks.solutions.path} has none.`
        : 'No file of solutions lies beside the tasks.',
      fix: 'Name one with --solutions, or leave out --solution.',
    });
  }
  return { task, path: tasks.path, outputs: solution ? outputs : null };
}

function printTask(shell: Shell, taskView: TaskView, options: Options): void {
  const outputs = writePictureFiles(shell, taskView, options);
  if (options.json) shell.out.write(`${escapedJson(taskJson(taskView), 2)}\n`);
  else if (outputs.length === 0) {
    const { columns, paint } = shell.out;
    const colour = paint.hasColour ? paint.sequence : null;
    const style = { colour, digits: options.digits, columns };
    exactly(shell.out).write(taskText(taskView, style));
  }
  for (const each of outputs) shell.err.write(`Written: ${each}\n`);
}

function writePictureFiles(
  { folder }: Shell,
  { task, outputs }: TaskView,
  options: Options,
): readonly string[] {
  const { svg, png, cell, force } = options;
  const drawing = drawCollage(taskCollage(task, outputs, cell));
  const files: OutFile[] = [];
  if (svg !== undefined) files.push({ path: resolve(folder, svg), text: renderSvg(drawing) });
  if (png !== undefined) files.push({ path: resolve(folder, png), text: renderPng(drawing) });
  writeFiles(files, { force });
  return files.map(({ path }) => path);
}

/** In the official form, with where it comes from. */
function taskJson({ task: { id, train, test }, path, outputs }: TaskView) {
  const pairs = test.map((input, at) => ({ input, output: outputs?.[at] }));
  return { task: id, file: path, train, test: pairs };
}

function printTasks(shell: Shell, tasks: TaskFile, { json }: Options): void {
  if (!json) return shell.out.write(tasksTable(shell.out, tasks));
  const { path, ids, faults, tests, solutions } = tasks;
  const rows = ids.map((task) => ({
    task,
    tests: tests.get(task) ?? 0,
    faults: faults.filter((issue) => issue.task === task).map(({ what }) => what),
  }));
  shell.out.write(`${escapedJson({ file: path, solutions: solutions?.path ?? null, tasks: rows }, 2)}\n`);
}
