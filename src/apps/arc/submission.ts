/** The submission of a run: every task of its file, faulty ones too, with placeholders where there is no attempt. Pure. */

import { placeholder, readSubmission, submissionOf } from '../../families/arc/submission.ts';
import type { TaskFile } from '../../families/arc/task-file.ts';
import type { TaskOutcome } from './outcomes.ts';

export type SubmissionFile = {
  readonly text: string;
  /** Tasks without any attempt. */
  readonly placeholders: readonly string[];
  /** Test inputs with an attempt. */
  readonly answered: number;
};

export function submissionFile(
  { tests }: Pick<TaskFile, 'tests'>,
  outcomes: readonly TaskOutcome[],
): SubmissionFile {
  const tasks = [...tests].map(([id, length]) => ({ id, test: { length } }));
  const attempts = new Map(outcomes.map((outcome) => [outcome.task, outcome.attempts]));
  const answersOf = (task: string) => {
    const found = attempts.get(task);
    return found ? [found] : [];
  };
  const answered = (id: string) => (attempts.get(id) ?? []).filter((grids) => grids.length > 0).length;
  return {
    text: `${JSON.stringify(submissionOf(tasks, answersOf))}\n`,
    placeholders: tasks.filter(({ id }) => answered(id) === 0).map(({ id }) => id),
    answered: tasks.reduce((sum, { id }) => sum + answered(id), 0),
  };
}

/** How many test inputs a file that is there already answers; none where it is no submission for these tasks. */
export function answeredInputs({ tests }: Pick<TaskFile, 'tests'>, text: string): number {
  const empty = JSON.stringify({ attempt_1: placeholder, attempt_2: placeholder });
  try {
    const { entries, faults } = readSubmission(JSON.parse(text), tests);
    if (faults.length > 0) return 0;
    return [...entries.values()].flat().filter((entry) => JSON.stringify(entry) !== empty).length;
  } catch {
    return 0;
  }
}
