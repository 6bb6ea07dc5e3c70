/** The submission of a run: every task of its file, faulty ones too, with placeholders where there is no attempt. Pure. */
import { UserError } from '../../core/errors.ts';
import type { RunView } from '../../core/fold.ts';
import { canReopen } from '../../core/history.ts';
import { taskIn } from '../../families/arc/family.ts';
import { placeholder, readSubmission, submissionOf } from '../../families/arc/submission.ts';
import { type TaskFile, unknownTasks } from '../../families/arc/task-file.ts';
import { text } from '../../text/json.ts';
import type { TaskOutcome } from './outcomes.ts';
import { readTasks } from './task-files.ts';

/** `placeholders`: tasks without any attempt; `answered`: test inputs with one. */
export function submissionFile({ tests }: Pick<TaskFile, 'tests'>, outcomes: readonly TaskOutcome[]) {
  const tasks = [...tests].map(([id, length]) => ({ id, test: { length } }));
  const attempts = new Map(outcomes.map((outcome) => [outcome.task, outcome.attempts]));
  const answersOf = (task: string) => [attempts.get(task) ?? []];
  const answered = (id: string) => (attempts.get(id) ?? []).filter((grids) => grids.length > 0).length;
  return {
    text: `${JSON.stringify(submissionOf(tasks, answersOf))}\n`,
    placeholders: tasks.filter(({ id }) => answered(id) === 0).map(({ id }) => id),
    answered: tasks.reduce((sum, { id }) => sum + answered(id), 0),
  };
}

/** How many test inputs a file that is there already answers; none where it is no submission for these tasks. */
export function countAnsweredInputs({ tests }: Pick<TaskFile, 'tests'>, text: string): number {
  const empty = JSON.stringify({ attempt_1: placeholder, attempt_2: placeholder });
  try {
    const { entries, faults } = readSubmission(JSON.parse(text), tests);
    if (faults.length > 0) return 0;
    return [...entries.values()].flat().filter((entry) => JSON.stringify(entry) !== empty).length;
  } catch {
    return 0;
  }
}

type RunAnswer = ReturnType<typeof answersOfRuns>[number];

/** The paths of their files are absolute; `attempts` is null where a run has no answer. */
export function answersOfRuns(runs: readonly RunView[]) {
  return runs.flatMap(({ header, end }) => {
    if (!header) return [];
    const { problem, runId } = header;
    if (problem.family !== 'arc') {
      throw new UserError({
        code: 'other-family',
        what: `Run ${runId} is no run over an ARC task: its problem is of the family ${problem.family}.`,
        fix: 'Name runs over ARC tasks alone.',
      });
    }
    const answer = end?.solution?.answer;
    const attempts = answer?.type === 'grids' ? answer.attempts : null;
    return [
      {
        runId,
        file: text(problem.reference, 'file'),
        task: taskIn(problem),
        attempts,
        hasEnded: end !== null && !canReopen(end),
      },
    ];
  });
}

export type Submission = Awaited<ReturnType<typeof submit>>;

/**
 * `taskFile` is null for the file of the runs. Of the result, `entries` are test inputs, and `placeholders` the tasks of
 * which no run has an answer.
 */
export async function submit(folder: string, taskFile: string | null, answers: readonly RunAnswer[]) {
  const file = await readTasks(folder, { file: taskFile ?? fileOf(answers), solutions: null });
  for (const answer of answers) assertSameTask(file, answer);
  const attemptsOf = (id: string) =>
    answers.flatMap(({ task, attempts }) => (task.id === id && attempts ? [attempts] : []));
  const placeholders = file.ids.filter((id) => attemptsOf(id).every((each) => each.flat().length === 0));
  if (placeholders.length === file.ids.length) {
    const isOpen = answers.some(({ hasEnded }) => !hasEnded);
    throw new UserError({
      code: 'nothing-to-submit',
      what: 'None of the runs has an answer: the submission would hold placeholders alone.',
      fix: isOpen
        ? 'Go on with those that have not ended (`polya resume ID`), or name others.'
        : 'All of them have ended: name others, or begin new ones with `polya arc run`.',
    });
  }
  const tasks = [...file.tests].map(([id, length]) => ({ id, test: { length } }));
  const text = `${JSON.stringify(submissionOf(tasks, attemptsOf))}\n`;
  const { faults } = readSubmission(JSON.parse(text), file.tests);
  const [issue] = faults;
  if (issue) throw new Error(`The submission that was made is malformed: ${issue.task}: ${issue.what}`);
  const entries = tasks.reduce((sum, { test }) => sum + test.length, 0);
  return { text: text, tasks: tasks.length, entries, placeholders };
}

function fileOf(answers: readonly RunAnswer[]): string {
  const files = [...new Set(answers.map(({ file }) => file))];
  const [file] = files;
  if (file !== undefined && files.length === 1) return file;
  const none = file === undefined;
  throw new UserError({
    code: 'no-runs-begun',
    what: none ? 'None of the runs has begun.' : `The runs are after tasks of ${files.length} files.`,
    why: none ? '' : `${files.slice(0, 3).join(', ')}.`,
    fix: 'Name the file of the tasks that are asked for with --task-file.',
  });
}

/** Ids are used again from version to version of a data set: what was solved must be what is asked for. */
function assertSameTask({ path, ids, tasks }: TaskFile, { runId, task }: RunAnswer): void {
  if (!ids.includes(task.id)) throw unknownTasks({ ids, path }, [task.id]);
  const arcTask = tasks.find(({ id }) => id === task.id);
  if (arcTask && JSON.stringify(arcTask) === JSON.stringify(task)) return;
  throw new UserError({
    code: 'run-of-other-task',
    what: `Run ${runId} was after another task ${task.id} than that of ${path}.`,
    why: 'Their grids are not the same.',
    fix: 'Name the file that the run was given, or leave the run out.',
  });
}
