/**
 * The pattern `plan`: a plan before the first program, kept beside the conversation and revised when a program or an answer
 * fails. Plan-and-Solve (Wang et al., arXiv 2305.04091) plans within one reply and never again; here the plan is a call of its
 * own, and its current version alone is visible. Usual cost: one call a stage and one a failure.
 */
import type { Brief } from '../../core/problem.ts';
import { type Attempt, describeAttempts, type Helper, type Statement, system, user } from './helper.ts';

export const planPrompts = {
  plan: `You plan the work of a solver. You write no program and state no answer.

The task of the solver: {{task}}

{{environment}}

Write a plan of at most eight numbered steps, one line each: first what has to be understood, then the subgoals in the order in which they can be checked, with the method and its running time where it matters, and how each is tested before the answer is handed in.`,

  revisePlan: `The plan so far:

{{plan}}

What failed since:

{{attempts}}

Revise the plan. Keep the steps that hold, change those that the failures refute, and mark what is done.`,

  currentPlan: `[The plan so far; leave it where it is wrong.

{{plan}}]`,
};

export type PlanInput = {
  readonly statement: Statement;
  readonly brief: Brief;
  /** The plan to be revised, and what failed under it. */
  readonly previous: string | null;
  readonly attempts: readonly Attempt[];
};

/** The previous plan, if no new one came. */
export async function makePlan(helper: Helper, input: PlanInput): Promise<string | null> {
  const { statement, brief, previous, attempts } = input;
  const { run } = helper;
  const { task, environment } = brief;
  const revision =
    previous === null
      ? []
      : [user(run.prompt('revisePlan', { plan: previous, attempts: describeAttempts(attempts) }))];
  const plan = await helper.request('plan', [
    system(run.prompt('plan', { task, environment })),
    { role: 'user', content: statement },
    ...revision,
  ]);
  return plan ?? previous;
}
