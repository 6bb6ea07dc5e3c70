/**
 * The pattern `plan`: a plan before the first program, kept beside the conversation and revised when a program or an answer
 * fails. Plan-and-Solve (Wang et al., arXiv 2305.04091) plans within one reply and never again; here the plan is a call of its
 * own, and its current version alone is visible. Usual cost: one call a stage and one a failure.
 */
import { type Attempt, describeAttempts, requestHelp, type Statement, type Work } from './helper.ts';

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

  currentPlan: `[The plan so far. Depart from it where it is wrong.

{{plan}}]`,
};

/** The previous plan, revised by what failed under it; that plan itself, if no new one came. */
export async function makePlan(
  work: Work,
  statement: Statement,
  { previous, attempts }: { readonly previous: string | null; readonly attempts: readonly Attempt[] },
): Promise<string | null> {
  const { run, problem } = work;
  const { task, environment } = problem.spec.brief;
  const instructions = run.prompt('plan', { task, environment });
  const question =
    previous === null
      ? undefined
      : run.prompt('revisePlan', { plan: previous, attempts: describeAttempts(attempts) });
  return (await requestHelp(work, { kind: 'plan', instructions, statement, question })) ?? previous;
}
