/**
 * The pictures of a task that was run: one of what it handed in, and one of each step of each hypothesis, with what was
 * expected, what was predicted and where the two differ. Pure; others make files of them.
 */
import type { Grid } from '../../core/problem.ts';
import type { ArcTask } from '../../families/arc/task.ts';
import type { CollageSpec } from '../../grids/collage.ts';
import type { InductionLine, InductionStep } from '../../notes/induction.ts';
import type { TaskOutcome } from './outcomes.ts';

export const pictureChoices = ['steps', 'final', 'none'] as const;
export type PictureChoice = (typeof pictureChoices)[number];

/** `name` is the end of the file's: `final`, `steps-1_step-02`. */
type Picture = { readonly name: string; readonly collage: CollageSpec };

type TaskContext = {
  readonly task: ArcTask;
  /** Null where they are not known. */
  readonly solutions: readonly Grid[] | null;
  readonly choice: PictureChoice;
};

export function selectPictures(outcome: TaskOutcome, taskContext: TaskContext): readonly Picture[] {
  if (taskContext.choice === 'none') return [];
  const { lines } = outcome.induction;
  const steps =
    taskContext.choice === 'steps' ? lines.flatMap((line) => stepPictures(line, taskContext)) : [];
  return [...steps, finalPicture(outcome, taskContext)];
}

function stepPictures(line: InductionLine, { task, solutions }: TaskContext): Picture[] {
  const visible = line.steps.filter(({ train, test }) => [...train, ...test].some((grid) => grid !== null));
  return visible.map((step) => {
    const tests = task.test.map((input, at) => ({
      label: `test ${at + 1}`,
      input,
      expected: solutions?.[at],
      predicted: step.test[at],
    }));
    const title = `${task.id}, ${line.name}, step ${step.number}`;
    const name = `${line.name}_step-${String(step.number).padStart(2, '0')}`;
    return { name, collage: { title, rows: [...trainRows(task, step), ...tests] } };
  });
}

/** The train outputs are those of the hypothesis that the first attempt comes from. */
function finalPicture(
  { induction, attempts, status, right }: TaskOutcome,
  { task, solutions }: TaskContext,
): Picture {
  const from = induction.vote?.queries[0]?.[0]?.from;
  const line = induction.lines.find(({ name }) => name === from) ?? induction.lines[0];
  const step = line?.steps.findLast(({ verification }) => verification?.passed) ?? line?.steps.at(-1);
  const tests = task.test.flatMap((input, at) => {
    const created: readonly (Grid | null)[] = attempts[at]?.length ? attempts[at] : [null];
    const isMultiple = created.length > 1;
    return created.map((grid, attempt) => ({
      label: `test ${at + 1}${isMultiple ? `, attempt ${attempt + 1}` : ''}`,
      input,
      expected: solutions?.[at],
      predicted: grid,
    }));
  });
  const graded = right && (right.every((attempt) => attempt !== null) ? 'solved' : 'wrong');
  const title = `${task.id}, ${graded ?? status ?? 'not run'}`;
  return { name: 'final', collage: { title, rows: [...trainRows(task, step), ...tests] } };
}

function trainRows({ train }: ArcTask, step: InductionStep | undefined) {
  return train.map(({ input, output: expected }, at) => {
    return { label: `train ${at + 1}`, input, expected, predicted: step?.train[at] };
  });
}
