/**
 * The time that a search has, all its lives together, looked at wherever something long may be about to begin: what runs
 * when it is over is brought to its end, and nothing is begun after it but the final choice, which has a bound of its own.
 */
import type { Run } from '../../core/agent.ts';
import { end, type Search } from './search.ts';

/** Whether there is time left; where there is none, the search is over. */
export async function lookAtClock(search: Search, run: Pick<Run, 'alive'>): Promise<boolean> {
  const { timeLimitSeconds } = search.settings;
  if ((await run.alive()) < timeLimitSeconds * 1000) return true;
  end(search, `The time limit of ${timeLimitSeconds} s is over.`);
  return false;
}

/** By how much the final choice may overrun the limit, as a part of it. */
const mostOverrun = 0.1;

/** Whether the final choice may go on to further cases. */
export async function mayRunLate(search: Search, run: Pick<Run, 'alive'>): Promise<boolean> {
  return (await run.alive()) < search.settings.timeLimitSeconds * 1000 * (1 + mostOverrun);
}
