/**
 * What is due every generation: programs migrate, leaders are run on fresh cases, and a search that stands still first
 * changes its course, then ends. Whoever settled the candidate that made it due sees to all that.
 */
import type { Run } from '../../core/agent.ts';
import { changeCourse } from './course.ts';
import type { Slot } from './generations.ts';
import { gatherInsights } from './insights.ts';
import { reevaluate } from './leaders.ts';
import { migrate } from './population.ts';
import { end, type Search, scaleOf, write } from './search.ts';

export async function settleSlot(search: Search, run: Run, slot: Slot): Promise<void> {
  for (const generation of search.generations.settle(slot)) tell(search, run, generation);
  const round = search.generations.takeRound(search.settings.populationSize);
  // A search that is over is not steered any more.
  if (round !== null && search.over === null) await conclude(search, run, round);
  if (search.over === null) await gatherInsights(search, run);
}

async function conclude(search: Search, run: Run, round: number): Promise<void> {
  const { migrationEvery, reevaluateEvery, islandSize } = search.settings;
  if (isDue(round, migrationEvery)) {
    for (const { program, from, to } of migrate(search.islands, scaleOf(search), islandSize)) {
      write(run, 'migration', { id: program.id, from, to });
    }
  }
  if (isDue(round, reevaluateEvery)) await reevaluate(search, run);
  if (search.over === null) await lookForPlateau(search, run);
}

/** A generation is over. */
export function tell(search: Search, run: Pick<Run, 'note'>, generation: number): void {
  const { champion, points, settings } = search;
  const score = champion && points.scoreOf(champion.outcomes, settings);
  write(run, 'generation', { generation, best: champion?.id ?? null, score });
}

const isDue = (round: number, every: number): boolean => every > 0 && round % every === 0;

async function lookForPlateau(search: Search, run: Run): Promise<void> {
  search.stale += 1;
  const { plateauGenerations } = search.settings;
  if (plateauGenerations === 0 || search.stale < plateauGenerations) return;
  if (search.isBold) {
    const generations = search.stale === 1 ? 'a generation' : `${search.stale} generations`;
    return end(search, `No better program in ${generations}, the course having been changed.`);
  }
  search.isBold = true;
  search.stale = 0;
  await changeCourse(search, run);
}
