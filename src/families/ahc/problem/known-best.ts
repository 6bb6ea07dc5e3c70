/**
 * Best known scores after an evaluation. Relative scores live from them, so what a search finds counts for its user's own
 * programs as well. A full disk keeps nothing, and stops no search.
 */
import { UnavailableError } from '../../../core/errors.ts';
import { betterOf } from '../judge/relative.ts';
import { addToBest, readBest } from '../records/best.ts';
import type { CaseRecord } from '../records/history.ts';
import type { Workspace } from '../workspace.ts';
import type { Facts } from './facts.ts';

/** Of these cases, by their names. */
export async function bestAfter(
  { folder }: Workspace,
  { contest: { direction } }: Facts,
  records: readonly CaseRecord[],
): Promise<Readonly<Record<string, number>>> {
  if (records.length === 0) return {};
  const best = await addToBest(folder, direction, records).then(
    (added) => added.best,
    (error: unknown) => {
      if (error instanceof UnavailableError) return readBest(folder, direction);
      throw error;
    },
  );
  const known = records.flatMap((each) => {
    const score = betterOf(direction, best.of(each), each.score);
    return score === null ? [] : [[each.name, score] as const];
  });
  return Object.fromEntries(known);
}
