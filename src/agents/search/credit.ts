/** What a settled candidate teaches the search: what was tried, what pays, and what is kept for its behaviour. Pure. */
import type { Spent } from './draft.ts';
import type { Program } from './population.ts';
import { type Search, scaleOf } from './search.ts';
import { armOf } from './wordings.ts';

export function learnFrom(search: Search, program: Program, spent: Spent): void {
  const { id, parents, operator, summary, status, island, outcomes, parameters } = program;
  const gain = gainOf(search, program);
  if (parents.length > 0) search.tried.add({ id, parents, operator, summary, status, island, gain });
  if (status === 'evaluated') search.archive.add(program, search.root, scaleOf(search));
  const cost = search.choices.costs.of(spent, outcomes.length + casesOfTuning(search, program));
  search.choices.operators.learn(operator, { gain, cost });
  const { role } = parameters;
  const arm = armOf(program);
  if (arm !== null) search.choices.wordings.learn(arm, { gain, cost });
  // What a first program costs says nothing of changes.
  if (typeof role === 'string' && parents.length > 0) search.choices.proposers.learn(role, { gain, cost });
}

/** Mean points against its parent on the cases of both; null where one of them was not run on all. */
function gainOf(
  { points, settings, programs }: Search,
  { status, parents, outcomes }: Program,
): number | null {
  const parent = programs.find(({ id }) => id === parents[0]);
  if (status !== 'evaluated' || !parent) return null;
  const differences = points.differences(parent.outcomes, outcomes, settings);
  if (!differences || differences.length === 0) return null;
  return differences.reduce((sum, each) => sum + each, 0) / differences.length;
}

/** Its trials run on an eighth of the cases and on more while they are ahead: a quarter is what they come to about. */
function casesOfTuning({ settings, cases }: Search, { operator }: Program): number {
  return operator === 'tune' ? (settings.tuneEvaluations * cases.search.length) / 4 : 0;
}
