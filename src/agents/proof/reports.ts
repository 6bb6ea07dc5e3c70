/**
 * The reports of one vote, for the journal: also those of graders who were called off before they voted, and of a vote
 * that was never decided, because what was paid for is to be read.
 */
import type { Run } from '../../core/agent.ts';
import type { ProofNoteData } from '../../notes/proof.ts';
import type { Attempt } from './attempt.ts';
import { note } from './note.ts';

type Report = Pick<ProofNoteData<'report'>, 'grader' | 'pass' | 'points' | 'report'>;

export class Reports {
  readonly #byGrader = new Map<number, Report>();

  /** It has been written, and its grader has not voted yet. */
  heard(grader: number, report: string): void {
    this.#byGrader.set(grader, { grader, pass: null, points: null, report });
  }

  voted({ grader, pass, points, report }: Report): void {
    this.#byGrader.set(grader, { grader, pass, points, report });
  }

  tell(run: Run, place: Attempt['place']): void {
    const reports = [...this.#byGrader.values()].toSorted((a, b) => a.grader - b.grader);
    for (const report of reports) note(run, 'report', { ...place, ...report });
  }
}
