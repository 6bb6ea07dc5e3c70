/**
 * The time that a search has, all its lives together, looked at wherever something long may be about to begin: what runs
 * when it is over is brought to its end, and nothing is begun after it but the final choice and the grading, which have bounds of their own.
 */
import type { OfUse, Run } from '../../core/agent.ts';
import { LimitReached } from '../../core/errors.ts';
import { write } from '../../notes/evolution.ts';
import { end, type Search } from './search.ts';

/** Whether there is time left; where there is none, the search is over. */
export async function lookAtClock(search: Search, run: Pick<Run, 'alive'>): Promise<boolean> {
  if ((await aliveIn(search, run)) < limitMs(search)) return true;
  end(search, `The time limit of ${search.settings.timeLimitSeconds} s is over.`);
  return false;
}

/**
 * Until when a proposal is of use: one that comes when the time is over is run on a few cases and dropped, so it is not
 * waited for, unless there is nothing yet that could be handed in.
 */
export function ofUseIn(search: Search): OfUse {
  return { untilAliveMs: () => (search.programs.length === 0 ? null : limitMs(search)) };
}

/** Near the end the clock is looked at more often: a stage of many long cases would overrun it by far. */
export function mostCasesAtOnce(search: Search): number {
  return search.aliveMs < limitMs(search) * nearEnd ? Number.POSITIVE_INFINITY : fewAtOnce;
}

const nearEnd = 0.8;
const fewAtOnce = 5;

/** By how much the final choice, and then the grading, may overrun the limit, as parts of it. */
const mostOverrun = { choice: 0.05, grading: 0.1 };

/** Whether the final choice may go on to further cases. */
export async function mayRunLate(search: Search, run: Pick<Run, 'alive'>): Promise<boolean> {
  return (await aliveIn(search, run)) < limitMs(search) * (1 + mostOverrun.choice);
}

/** How long the grading may take: what the search did not use, and the little that it may overrun. */
export async function leftForGrading(search: Search, run: Pick<Run, 'alive'>): Promise<number> {
  try {
    await aliveIn(search, run);
  } catch (error) {
    // After LimitReached the clock is unreadable; the last value is used.
    if (!(error instanceof LimitReached)) throw error;
  }
  return Math.max(0, Math.round(limitMs(search) * (1 + mostOverrun.grading) - search.aliveMs));
}

const limitMs = ({ settings, waits }: Search): number => settings.timeLimitSeconds * 1000 + waitedMs(waits);

/** While its user looks at what is to be confirmed, nothing is searched for: that time is not the search's. */
export async function whileWaiting<T>(search: Search, run: Run, work: () => Promise<T>): Promise<T> {
  const fromMs = await run.alive();
  const reply = await work();
  search.waits.push({ fromMs, toMs: await run.alive() });
  write(run, 'waited', { ms: waitedMs(search.waits) });
  return reply;
}

/** Several may be asked at once: what overlaps is counted once. */
export function waitedMs(waits: Search['waits']): number {
  let total = 0;
  let end = 0;
  for (const { fromMs, toMs } of waits.toSorted((a, b) => a.fromMs - b.fromMs)) {
    total += Math.max(0, toMs - Math.max(fromMs, end));
    end = Math.max(end, toMs);
  }
  return total;
}

async function aliveIn(search: Search, run: Pick<Run, 'alive'>): Promise<number> {
  const aliveMs = await run.alive();
  search.aliveMs = Math.max(search.aliveMs, aliveMs);
  return aliveMs;
}
