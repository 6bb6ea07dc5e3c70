/**
 * A search that stands still goes about it in another way: its weakest line begins anew with a strategy that none has
 * followed, whole programs are written more often, and parents are chosen with less regard to how they stand.
 */
import type { Run } from '../../core/agent.ts';
import type { Strategy } from '../../notes/evolution.ts';
import { bestOf, type Island, standingOf } from './population.ts';
import { type Search, scaleOf, write } from './search.ts';
import { devise } from './strategies.ts';

export async function changeCourse(search: Search, run: Run): Promise<void> {
  const island = weakest(search);
  const strategy = island && (await newStrategy(search, run));
  if (island && strategy) beginAnew(search, island, strategy);
  const anew = island && strategy ? { island: island.number, strategy: strategy.name } : null;
  const line = anew ? `line ${anew.island} begins anew with: ${anew.strategy}; ` : '';
  const change = `${line}more whole programs, bolder choice of parents`;
  // Leaders may have been run since the round that made it due: others were begun meanwhile.
  write(run, 'course', { generation: search.generations.current, change, ...(anew ? { anew } : {}) });
}

/** Of several, never the one that has the best program. */
function weakest(search: Search): Island | null {
  const scale = scaleOf(search);
  const worth = (island: Island): number => {
    const best = bestOf(island, scale);
    return (best && standingOf(best, scale)) ?? Number.NEGATIVE_INFINITY;
  };
  const others = search.islands.filter(
    ({ members }) => !members.some(({ program }) => program === search.champion),
  );
  const able = others.length > 0 ? others : search.islands;
  return able.toSorted((a, b) => worth(a) - worth(b))[0] ?? null;
}

async function newStrategy(search: Search, run: Run): Promise<Strategy | null> {
  const spare = search.spare.shift();
  if (spare) return spare;
  const { problem, analysis, settings, strategies } = search;
  const [devised] = await devise(run, problem, analysis, { settings, count: 1, known: strategies });
  if (devised) search.strategies.push(devised);
  return devised ?? null;
}

/** Its programs would be chosen before any that is new: only where there is no other line they stay. */
function beginAnew(search: Search, island: Island, strategy: Strategy): void {
  island.strategy = strategy;
  island.wantsFirst = true;
  if (search.islands.length > 1) island.members = [];
}
