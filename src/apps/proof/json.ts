/** A proof as JSON: the run as every run is told, and what its journal says of the proof. Pure. */
import { runJson } from '../../cli/run-report.ts';
import { pointsOf } from './counters.ts';
import type { ProofReport } from './report.ts';

export function proofJson({ result, record }: ProofReport) {
  const { header, end, proof, attempts, reports, earlyHints, comparisons, selection, abstention, grading } =
    record;
  return {
    ...runJson(result),
    detail: end?.solution?.detail ?? null,
    statement: header?.problem.statement
      .flatMap((part) => (part.type === 'text' ? [part.text] : []))
      .join('\n\n'),
    accepted: proof?.standing === 'accepted',
    /** Standing in record.ts; null where there is no proof. */
    standing: proof?.standing ?? null,
    proof: proof?.text ?? null,
    hints: earlyHints,
    reports,
    attempts: attempts.map((attempt) => ({ ...attempt, counters: pointsOf(attempt) })),
    comparisons,
    selection,
    abstention,
    grading,
  };
}
