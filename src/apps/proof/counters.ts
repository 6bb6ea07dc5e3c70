/** The counters of an attempt over time: as a table, and as two lines of blocks. Pure. */

import { attemptEnds } from '../../notes/proof.ts';
import type { Cell } from '../../text/table.ts';
import type { ProofAttempt, Round } from './record.ts';

/** As they stood when an iteration began; at last, when the attempt ended. */
export type Point = { readonly label: string; readonly passes: number; readonly failures: number };

export function pointsOf({ rounds, end }: ProofAttempt): readonly Point[] {
  const points = rounds.flatMap(({ iteration, counters }) =>
    counters ? [{ label: `${iteration}`, passes: counters.passes, failures: counters.failures }] : [],
  );
  return end ? [...points, { label: 'end', passes: end.passes, failures: end.failures }] : points;
}

export const counterHead = ['iteration', 'passes', 'errors', 'solver', 'verification', 'graders', 'points'];

/** A row an iteration: the counters before it, what the solver did, and what came of the verification. */
export function counterRows(attempt: ProofAttempt): readonly (readonly Cell[])[] {
  const rows = attempt.rounds.map((round): readonly Cell[] => [
    round.iteration ?? 'begin',
    round.counters?.passes ?? '',
    round.counters?.failures ?? '',
    turnsText(round),
    verdictText(round),
    votesOf(round),
    round.verification?.points ?? '',
  ]);
  const { end } = attempt;
  if (!end) return rows;
  return [...rows, ['end', end.passes, end.failures, '', attemptEnds[end.end], '', '']];
}

function turnsText({ drafts, failedCalls }: Round): string {
  const turns = drafts.map(({ turn, rebuttal }) => (rebuttal === null ? turn : `${turn}, rebuts`));
  return [...turns, ...failedCalls.map(() => 'a call failed')].join(', ');
}

const verdicts = { pass: 'passed', fail: 'failed', void: 'void' } as const;

function verdictText({ verification }: Round): string {
  return verification ? verdicts[verification.verdict] : '';
}

function votesOf({ verification }: Round): string {
  if (!verification) return '';
  const { yes, no, of } = verification.votes;
  return of > 1 ? `${yes} : ${no} of ${of}` : '';
}

const blocks = ['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A block a value, as high as its share of `top`; nothing of it is a dot. */
export function plot(values: readonly number[], top: number): string {
  const highest = blocks.length - 1;
  return values
    .map(
      (value) => blocks[value <= 0 ? 0 : Math.min(highest, Math.max(1, Math.round((value / top) * highest)))],
    )
    .join('');
}
