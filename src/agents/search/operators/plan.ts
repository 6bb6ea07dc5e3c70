/** Plans an island's next candidate: the operator and its parents. */
import { constantsNamed } from '../constants.ts';
import {
  bestOf,
  chooseParent,
  failedUserProgram,
  type Island,
  type Member,
  type Program,
  programsOf,
  weightedIndex,
} from '../population.ts';
import { remainingCapacity, type Search, scaleOf } from '../search.ts';
import { leastApart } from '../settings.ts';
import { change } from './change.ts';
import { drawnOperators } from './drawn.ts';
import { initial } from './initial.ts';
import type { Plan, RandomOperator } from './operator.ts';
import { repair } from './repair.ts';
import { tune } from './tune.ts';

export function planOf(search: Search, island: Island, random: () => number): Plan {
  search.planned += 1;
  if (island.wantsFirst) {
    island.wantsFirst = false;
    return { operator: initial, parent: null };
  }
  const plan = planFromHints(search, island) ?? planTuning(search, island);
  if (plan) return plan;
  const member = selectParent(search, island, random);
  const parent = member?.program ?? (failedUserProgram(island) ? null : search.root);
  if (!parent) return withoutParent(island);
  if (member) member.children += 1;
  const operator = selectOperator(search, island, parent, random);
  if (operator.partner === 'none') return { operator, parent };
  return { operator, parent, partner: selectPartner(search, island, parent, random) };
}

/** The oldest hint that this island has not made a candidate for; null where there is none, or nothing to make it of. */
function planFromHints(search: Search, island: Island): Plan | null {
  const parent = bestOf(island, scaleOf(search)) ?? search.root;
  const next = search.directed.find(({ islands }) => islands.has(island.number));
  if (!parent || !next) return null;
  const { hint, islands } = next;
  islands.delete(island.number);
  if (islands.size === 0) search.directed.splice(search.directed.indexOf(next), 1);
  const isTuned = hint.range !== undefined && constantsNamed(parent.source, hint.range.name).length > 0;
  return { operator: isTuned ? tune : change, parent, hint };
}

/** What is left when the best is tuned for certain, where chance has not had it tuned: as many candidates, or the part. */
const tunedBefore = { candidates: 8, part: 0.3 };

function planTuning(search: Search, island: Island): Plan | null {
  const { settings, champion, tuned, isTunedOnce, planned } = search;
  if (!settings.operators.tune || isTunedOnce || !champion) return null;
  if (!programsOf(island).includes(champion)) return null;
  const left = remainingCapacity(search);
  if (left > tunedBefore.candidates && left > tunedBefore.part * (left + planned)) return null;
  search.isTunedOnce = true;
  return tuned.has(champion.id) ? null : { operator: tune, parent: champion };
}

function selectPartner(
  search: Search,
  island: Island,
  parent: Program,
  random: () => number,
): Program | null {
  const siblings = island.members.filter(({ program }) => program.id !== parent.id);
  return selectParent(search, { ...island, members: siblings }, random)?.program ?? null;
}

/** Nothing here is worth anything yet: what failed last may be repaired, else there is a new beginning. */
function withoutParent({ failures }: Island): Plan {
  const programs = failures.map(({ program }) => program);
  const failed = programs.findLast(
    ({ status, source }) => source !== '' && (status === 'failed' || status === 'compile-error'),
  );
  const wasTried = programs.some(({ parents }) => failed && parents.includes(failed.id));
  return failed && !wasTried ? { operator: repair, parent: failed } : { operator: initial, parent: null };
}

/** How often the best itself is the parent, where there is little room left: spread over many, few get far. */
const greed = 0.8;

function selectParent(search: Search, island: Island, random: () => number): Member | null {
  if (remainingCapacity(search) < leastApart && random() < greed) {
    const best = bestOf(island, scaleOf(search));
    const member = island.members.find(({ program }) => program === best);
    if (member) return member;
  }
  return chooseParent(island, scaleOf(search), random);
}

function selectOperator(
  search: Search,
  island: Island,
  parent: Program,
  random: () => number,
): RandomOperator {
  const weights = drawnOperators.map(({ name, suits }) => {
    if (suits && !suits(search, island, parent)) return 0;
    return search.settings.operators[name] ?? 0;
  });
  const at = weightedIndex(weights, random);
  return (weights.some((weight) => weight > 0) && drawnOperators[at]) || change;
}
