/** What is due when a generation is complete: programs migrate, and a search without progress ends. */
import type { Run } from '../../core/agent.ts';
import { write } from '../../notes/evolution.ts';
import type { Slot } from './generations.ts';
import { bestOf, type Island, migrate, programRank } from './population.ts';
import { end, type Search, scaleOf } from './search.ts';

/** In generations. */
const migrationEvery = 5;

/** The line whose candidate completes a round does what is due after it. */
export function settleSlot(search: Search, run: Run, slot: Slot): void {
  for (const generation of search.generations.settle(slot)) noteGeneration(search, run, generation);
  const round = search.generations.nextRound(search.settings.populationSize);
  // A search that is over is not steered any more.
  if (round !== null && search.over === null) finishGeneration(search, run, round);
}

function finishGeneration(search: Search, run: Run, round: number): void {
  if (round % migrationEvery === 0) {
    for (const { program, from, to } of migrate(search.islands, scaleOf(search))) {
      write(run, 'migration', { id: program.id, from, to });
    }
  }
  endAtPlateau(search);
}

export function noteGeneration(search: Search, run: Run, generation: number): void {
  const { champion, points } = search;
  const score = champion && points.scoreOf(champion.outcomes);
  write(run, 'generation', { generation, best: champion?.id ?? null, score });
}

function endAtPlateau(search: Search): void {
  search.stale += 1;
  const { plateauGenerations } = search.settings;
  if (plateauGenerations === 0 || search.stale < plateauGenerations) return;
  const generations = search.stale === 1 ? 'a generation' : `${search.stale} generations`;
  end(search, `No better program in ${generations}.`);
}

export function islandWorth(search: Search, island: Island): number {
  const scale = scaleOf(search);
  const best = bestOf(island, scale);
  return (best && programRank(best, scale)) ?? Number.NEGATIVE_INFINITY;
}
