/** Answers that stand in replies, for problems without stages: how they are read and checked, and which one a limit leaves. */
import type { Run, Solution } from '../../core/agent.ts';
import { LimitReached } from '../../core/errors.ts';
import { type ModelSuccess, textOf } from '../../core/model.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import { readAnswer } from '../kit/asking.ts';

type Received =
  | { readonly type: 'end'; readonly solution: Solution }
  | { readonly type: 'unread' | 'failed'; readonly feedback: string };

export class Answers {
  readonly #problem: Problem;
  readonly #maxChecks: number;
  #checked = 0;
  #last: Answer | undefined;

  constructor(problem: Problem, maxChecks: number) {
    this.#problem = problem;
    this.#maxChecks = maxChecks;
  }

  /** Without a check, an answer that can be read ends the run. */
  async receive(run: Run, reply: ModelSuccess): Promise<Received> {
    const reading = readAnswer(this.#problem, textOf(reply.message).trim());
    if (!reading.ok) return { type: 'unread', feedback: reading.problem };
    const answer = reading.value;
    this.#last = answer;
    this.#checked += 1;
    const verdict = this.#problem.check ? await run.check(answer) : null;
    if (!verdict || verdict.pass) return { type: 'end', solution: { end: 'answered', answer } };
    if (this.#checked < this.#maxChecks) return { type: 'failed', feedback: verdict.feedback };
    const detail = `None of ${this.#checked} answers was accepted.`;
    return { type: 'end', solution: { end: 'gave-up', answer, detail } };
  }

  /** A limit that breaks the work off hands in the last answer, if there is one. */
  async orLast(work: () => Promise<Solution>): Promise<Solution> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof LimitReached) || !this.#last) throw error;
      return { end: 'gave-up', answer: this.#last, detail: error.message };
    }
  }
}
