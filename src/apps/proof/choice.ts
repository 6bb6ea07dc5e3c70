/** How a proof was chosen from a pool, and what reviewers made of reports, in lines for people. Pure. */

import { placeText } from '../../notes/proof.ts';
import { count, oneLine } from '../../text/format.ts';
import type { ProofRecord } from './record.ts';

/** Nothing where there was nothing to choose. */
export function choiceLines({ selection, comparisons }: ProofRecord): readonly string[] {
  if (!selection) return [];
  const { pool, chosen, isComplete } = selection;
  const scores = pool.map(({ attempt, score }) => `attempt ${attempt}: ${score}`).join(', ');
  const cut = isComplete ? '' : '; a limit ended the comparison';
  return [
    `Of ${count(pool.length, 'accepted proof')} that of attempt ${chosen} was chosen (${scores}${cut}).`,
    ...comparisons.map(({ attempts: [one, other], better, reasons }) => {
      const told = better === null ? 'neither is better' : `attempt ${better} is better`;
      return oneLine(`Attempts ${one} and ${other}: ${told}. ${reasons.join(' / ')}`);
    }),
  ];
}

/** Of reports whose complaints were looked at before they were sent. */
export function reviewLines({ attempts }: ProofRecord): readonly string[] {
  return attempts.flatMap(({ rounds }) =>
    rounds.flatMap(({ reviews }) =>
      reviews.flatMap(({ kept, dropped, ...place }) => [
        ...kept.map((complaint) => oneLine(`${placeText(place)}, kept: ${complaint}`)),
        ...dropped.map(({ complaint, why }) =>
          oneLine(`${placeText(place)}, dropped: ${complaint} (${why})`),
        ),
      ]),
    ),
  );
}
