/** Which tasks of a file are meant: those that are named, in that order, or so many from a place on in the sorted ids. */
import { UserError } from '../../core/errors.ts';
import type { TaskFault } from './task.ts';
import type { TaskFile } from './task-file.ts';

/** `offset`: how many of the sorted ids are passed over. */
type TaskChoice = { readonly ids?: readonly string[]; readonly offset?: number; readonly count?: number };

/** In the order in which they are to be worked on; and the faults of those that cannot be used. */
export function chooseTasks(file: TaskFile, choice: TaskChoice) {
  const chosen = choice.ids ? namedIds(file, choice, choice.ids) : idsFrom(file, choice);
  return {
    tasks: chosen.flatMap((id) => file.tasks.filter((task) => task.id === id)),
    faults: chosen.flatMap((id) => file.faults.filter(({ task }) => task === id)),
  };
}

function namedIds(file: TaskFile, { offset, count }: TaskChoice, ids: readonly string[]): readonly string[] {
  if (offset !== undefined || count !== undefined) {
    throw new UserError({
      code: 'options-conflict',
      what: 'Tasks are named, and an offset or a number is given too.',
      fix: 'Name the tasks, or say from where and how many.',
    });
  }
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) {
    throw new UserError({
      code: 'named-twice',
      what: `The task ${twice} is named twice.`,
      fix: 'Name each task once.',
    });
  }
  const unknown = ids.filter((id) => !file.ids.includes(id));
  if (unknown.length > 0) throw unknownTasks(file, unknown);
  return ids;
}

function idsFrom({ ids, path }: TaskFile, { offset = 0, count }: TaskChoice): readonly string[] {
  if (offset >= ids.length) {
    throw new UserError({
      code: 'offset-past-end',
      what: `The offset ${offset} is past the end: ${path} has ${ids.length} ${ids.length === 1 ? 'task' : 'tasks'}.`,
      fix: `Give an offset from 0 to ${ids.length - 1}.`,
    });
  }
  return ids.slice(offset, count === undefined ? undefined : offset + count);
}

export function unknownTasks(
  { ids, path }: Pick<TaskFile, 'ids' | 'path'>,
  unknown: readonly string[],
): UserError {
  const more = unknown.length > 5 ? ` and ${unknown.length - 5} more` : '';
  return new UserError({
    code: 'unknown-tasks',
    what: `${path} has no task ${unknown.slice(0, 5).join(', ')}${more}.`,
    why: `It has ${ids.length}, the first ${ids.slice(0, 3).join(', ')}.`,
    fix: 'Name tasks by their ids, exactly as the file has them.',
  });
}

/** Faults as one error, for a caller that cannot go on with them. */
export function faultyTasks(path: string, faults: readonly TaskFault[]): UserError {
  const tasks = new Set(faults.map(({ task }) => task)).size;
  return new UserError({
    code: 'tasks-faulty',
    what: `${tasks === 1 ? 'A task' : `${tasks} tasks`} of ${path} cannot be used.`,
    why: faultsText(faults),
    fix: 'Correct the file, or choose other tasks.',
  });
}

const mostFaults = 20;

/** The first of them, a line each. */
export function faultsText(faults: readonly TaskFault[]): string {
  const told = faults.slice(0, mostFaults).map(({ task, what }) => `Task ${task}: ${what}.`);
  const more = faults.length > mostFaults ? [`And ${faults.length - mostFaults} more faults.`] : [];
  return [...told, ...more].join('\n');
}
