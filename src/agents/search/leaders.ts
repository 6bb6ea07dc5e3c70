/** Runs the leaders on cases that nobody has looked at, all on the same, and looks who leads then. */
import type { Run } from '../../core/agent.ts';
import { bestOf, type Program, ranked } from './population.ts';
import { evaluateOn } from './race.ts';
import { crown, type Search, scaleOf, write } from './search.ts';
import { lookAtClock } from './time.ts';

/** Of all islands together: each one's best, and so many more as may be chosen in the end. */
export function leadersOf(search: Search): readonly Program[] {
  const scale = scaleOf(search);
  const own = search.islands.map((island) => bestOf(island, scale)).filter((each) => each !== null);
  const first = ranked(search.programs, scale).slice(0, search.settings.finalists);
  return [...new Set([...first, ...own])];
}

export async function reevaluate(search: Search, run: Run): Promise<void> {
  const leaders = leadersOf(search);
  const cases = search.cases.fresh(search.luck.begin(), search.settings.reevaluateCases);
  // One alone would be held against itself.
  if (cases.length === 0 || leaders.length < 2) return;
  write(run, 'doing', { island: 0, what: `runs ${leaders.length} leaders on ${cases.length} fresh cases` });
  const found = [];
  for (const leader of leaders) {
    if (!(await lookAtClock(search, run))) return;
    const evaluation = await evaluateOn(run, leader.source, cases);
    search.points.learn(evaluation.cases);
    write(run, 'more-cases', { id: leader.id, evaluation, why: 'luck' });
    found.push({ leader, fresh: evaluation.cases });
  }
  search.luck.add(found);
  crown(search, run, 'luck');
}
