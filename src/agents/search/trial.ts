/**
 * More strategies begin than there is room for: each with a first program, repairs included, side by side. When all of them
 * have one, the best go on as islands, and the others end. Their programs take part in the final choice like all others.
 */
import type { Run } from '../../core/agent.ts';
import { firstOf, sideBySide } from './islands.ts';
import { bestOf, type Island, standingOf } from './population.ts';
import { type Search, scaleOf, write } from './search.ts';

export async function holdTrial(search: Search, run: Run): Promise<void> {
  if (search.islands.length <= search.settings.islands || search.over !== null) return;
  const wanting = search.islands.filter(({ wantsFirst }) => wantsFirst);
  await sideBySide(
    run,
    wanting.map((island) => [`trial-${island.number}`, (here: Run) => firstOf(search, island, here)]),
  );
  const kept = new Set(byStanding(search).slice(0, search.settings.islands));
  const [staying, leaving] = [true, false].map((is) =>
    search.islands.filter((each) => kept.has(each) === is),
  );
  search.islands = staying ?? [];
  forget(search, leaving ?? []);
  write(run, 'trial', { kept: numbersOf(staying), ended: numbersOf(leaving) });
}

const numbersOf = (islands: readonly Island[] = []): number[] => islands.map(({ number }) => number);

/** Nobody makes a candidate for a hint of its user's there any more. */
function forget({ directed }: Search, leaving: readonly Island[]): void {
  for (const { islands } of directed) for (const { number } of leaving) islands.delete(number);
}

/** The best first; of equals, and where nothing works yet, the one whose strategy was named first. */
function byStanding(search: Search): readonly Island[] {
  const scale = scaleOf(search);
  const standing = (island: Island): number => {
    const best = bestOf(island, scale);
    return (best && standingOf(best, scale)) ?? Number.NEGATIVE_INFINITY;
  };
  const standings = new Map(search.islands.map((island) => [island, standing(island)]));
  const of = (island: Island): number => standings.get(island) ?? Number.NEGATIVE_INFINITY;
  return search.islands.toSorted((a, b) => (of(a) === of(b) ? 0 : of(b) - of(a)));
}
