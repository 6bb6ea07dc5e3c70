/**
 * The pattern `reflect` (Reflexion, Shinn et al., arXiv 2303.11366): after a failed answer, or n failed programs, one call sees
 * the attempts in short and says why they failed. The conversation goes on from the beginning of its stage with the lesson;
 * the attempts themselves are left out. Differences: a trial ends at a failure that is visible to the agent, never at hidden
 * truth; the latest three lessons are kept, as in the paper, within one run. To drop a lesson, fork the run before its note.
 * Usual cost: one call for each lesson.
 */
import { type Attempt, describeAttempts, requestHelp, type Statement, type Work } from './helper.ts';

export const reflectPrompts = {
  reflect: `You look at failed attempts of a solver and say why they failed. You write no program and state no answer.

The task of the solver: {{task}}`,

  reflectOn: `The attempts that failed, the oldest first:

{{attempts}}

Write a lesson of at most 120 words for the next attempt, which will not see these: the most likely cause, what to do instead, what of the attempts is worth keeping, and which answers were not accepted. Where you are not sure, say how to find out.`,

  lessons: `[Lessons from earlier attempts, which are not visible any more. They may be wrong.

{{lessons}}]`,
};

export const keptLessons = 3;

/** `after-2`: after two failed programs. 0: never. */
export const failuresBeforeLesson = (reflect: string): number => Number(/\d+$/.exec(reflect)?.[0] ?? 0);

/** Null if no lesson came. */
export function reflectOn(
  work: Work,
  statement: Statement,
  attempts: readonly Attempt[],
): Promise<string | null> {
  const { run, problem } = work;
  const instructions = run.prompt('reflect', { task: problem.spec.brief.task });
  const question = run.prompt('reflectOn', { attempts: describeAttempts(attempts) });
  return requestHelp(work, { kind: 'lesson', instructions, statement, question });
}
