/**
 * The pictures of a task that was run: one of what it handed in, and one of each step of each hypothesis, with what was
 * expected, what was predicted and where the two differ. Pure; others make files of them.
 */

import type { Grid } from '../../core/problem.ts';
import type { ArcTask } from '../../families/arc/task.ts';
import type { Collage } from '../../grids/collage.ts';
import type { InductionLine, InductionStep } from '../../notes/induction.ts';
import type { TaskOutcome } from './outcomes.ts';

export const pictureChoices = ['steps', 'final', 'none'] as const;
export type PictureChoice = (typeof pictureChoices)[number];

/** `name` is the end of the file's: `final`, `steps-1_step-02`. */
export type Picture = { readonly name: string; readonly collage: Collage };

type Shown = {
  readonly task: ArcTask;
  /** Null where they are not known. */
  readonly solutions: readonly Grid[] | null;
  readonly choice: PictureChoice;
};

export function picturesOf(outcome: TaskOutcome, shown: Shown): readonly Picture[] {
  if (shown.choice === 'none') return [];
  const { lines } = outcome.induction;
  const steps = shown.choice === 'steps' ? lines.flatMap((line) => stepPictures(line, shown)) : [];
  return [...steps, finalPicture(outcome, shown)];
}

function stepPictures(line: InductionLine, { task, solutions }: Shown): Picture[] {
  return line.steps
    .filter(({ train, test }) => [...train, ...test].some((grid) => grid !== null))
    .map((step) => ({
      name: `${line.name}_step-${String(step.number).padStart(2, '0')}`,
      collage: {
        title: `${task.id}, ${line.name}, step ${step.number}`,
        rows: [
          ...trainRows(task, step),
          ...task.test.map((input, at) => ({
            label: `test ${at + 1}`,
            input,
            expected: solutions?.[at] ?? null,
            predicted: step.test[at] ?? null,
          })),
        ],
      },
    }));
}

/** The train outputs are those of the hypothesis that the first attempt comes from. */
function finalPicture({ induction, attempts, status }: TaskOutcome, { task, solutions }: Shown): Picture {
  const from = induction.vote?.queries[0]?.[0]?.from;
  const line = induction.lines.find(({ name }) => name === from) ?? induction.lines[0];
  const step = line?.steps.findLast(({ verification }) => verification?.passed) ?? line?.steps.at(-1);
  const tests = task.test.flatMap((input, at) => {
    const made = attempts[at] ?? [];
    const label = (attempt: number) => `test ${at + 1}${made.length > 1 ? `, attempt ${attempt + 1}` : ''}`;
    const guesses: readonly (Grid | null)[] = made.length > 0 ? made : [null];
    return guesses.map((predicted, attempt) => ({
      label: label(attempt),
      input,
      expected: solutions?.[at] ?? null,
      predicted,
    }));
  });
  const title = `${task.id}, ${status ?? 'not run'}`;
  return { name: 'final', collage: { title, rows: [...trainRows(task, step), ...tests] } };
}

function trainRows({ train }: ArcTask, step: InductionStep | undefined) {
  return train.map(({ input, output }, at) => ({
    label: `train ${at + 1}`,
    input,
    expected: output,
    predicted: step?.train[at] ?? null,
  }));
}
