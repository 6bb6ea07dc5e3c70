/** What is due when a generation is complete: programs migrate, and a search without progress changes its course, and later ends. */
import type { Run } from '../../core/agent.ts';
import { type Strategy, write } from '../../notes/evolution.ts';
import type { Slot } from './generations.ts';
import { bestOf, type Island, migrate, programRank } from './population.ts';
import { answeredBy, end, type Search, scaleOf } from './search.ts';
import { requestStrategies } from './strategies.ts';

/** In generations. */
const migrationEvery = 5;

/** The line whose candidate completes a round does what is due after it. */
export async function settleSlot(search: Search, run: Run, slot: Slot): Promise<void> {
  for (const generation of search.generations.settle(slot)) noteGeneration(search, run, generation);
  const round = search.generations.nextRound(search.settings.populationSize);
  // A search that is over is not steered any more.
  if (round !== null && search.over === null) await finishGeneration(search, run, round);
}

async function finishGeneration(search: Search, run: Run, round: number): Promise<void> {
  if (round % migrationEvery === 0) {
    for (const { program, from, to } of migrate(search.islands, scaleOf(search))) {
      write(run, 'migration', { id: program.id, from, to });
    }
  }
  await checkPlateau(search, run);
}

export function noteGeneration(search: Search, run: Run, generation: number): void {
  const { champion, points } = search;
  const score = champion && points.scoreOf(champion.outcomes);
  write(run, 'generation', { generation, best: champion?.id ?? null, score });
}

async function checkPlateau(search: Search, run: Run): Promise<void> {
  search.stale += 1;
  const { plateauGenerations } = search.settings;
  if (plateauGenerations === 0 || search.stale < plateauGenerations) return;
  if (search.isBold) {
    const generations = search.stale === 1 ? 'a generation' : `${search.stale} generations`;
    return end(search, `No better program in ${generations}, the course having been changed.`);
  }
  search.isBold = true;
  search.stale = 0;
  await changeStrategy(search, run);
}

/** The weakest island begins anew with an untried strategy; `isBold` makes later plans bolder (operators/plan.ts). */
async function changeStrategy(search: Search, run: Run): Promise<void> {
  const island = weakestIsland(search);
  const strategy = island && (await newStrategy(search, run));
  if (island && strategy) restartIsland(search, island, strategy);
  const anew = island && strategy ? { island: island.number, strategy: strategy.name } : undefined;
  const line = anew ? `line ${anew.island} begins anew with: ${anew.strategy}; ` : '';
  const change = `${line}more whole programs, bolder choice of parents`;
  write(run, 'course', { generation: search.generations.current, change, anew });
}

/** Never the island of the best program, unless there is no other. */
function weakestIsland(search: Search): Island | null {
  const siblings = search.islands.filter(
    ({ members }) => !members.some(({ program }) => program === search.champion),
  );
  const islands = siblings.length > 0 ? siblings : search.islands;
  return islands.toSorted((a, b) => islandWorth(search, a) - islandWorth(search, b))[0] ?? null;
}

async function newStrategy(search: Search, run: Run): Promise<Strategy | null> {
  const spare = search.spare.shift();
  if (spare) return spare;
  const { problem, analysis, settings, strategies } = search;
  const [devised] = await answeredBy(search, run, 'strategist', () =>
    requestStrategies(run, problem, analysis, { settings, count: 1, known: strategies }),
  );
  if (devised) search.strategies.push(devised);
  return devised ?? null;
}

/** Its programs would be chosen before any that is new: they stay only where there is no other island. */
function restartIsland(search: Search, island: Island, strategy: Strategy): void {
  island.strategy = strategy;
  island.wantsFirst = true;
  if (search.islands.length > 1) island.members = [];
}

export function islandWorth(search: Search, island: Island): number {
  const scale = scaleOf(search);
  const best = bestOf(island, scale);
  return (best && programRank(best, scale)) ?? Number.NEGATIVE_INFINITY;
}
