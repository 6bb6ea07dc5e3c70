/**
 * Programs by how they behave, one a cell and the best of it (MAP-Elites): the family of algorithms, the length, and on
 * which inputs it gains against what the search began with. What is good in a way of its own is kept, so that parents are
 * not all children of one. Of all islands together. Pure; chance is handed in.
 */
import type { CaseOutcome } from '../../core/program.ts';
import { type Program, type Scale, standingOf } from './population.ts';
import { familyNamed } from './strategy-families.ts';

export class Archive {
  readonly #cells = new Map<string, Program>();

  /** A better program takes the cell of a worse one. */
  add(program: Program, root: Program | null, scale: Scale): void {
    const cell = cellOf(program, root, scale);
    const held = this.#cells.get(cell);
    const standing = standingOf(program, scale);
    if (standing === null) return;
    if (!held || standing > (standingOf(held, scale) ?? Number.NEGATIVE_INFINITY)) {
      this.#cells.set(cell, program);
    }
  }

  get size(): number {
    return this.#cells.size;
  }

  /** Each cell alike, whatever stands in it; null where there is no other than `except`. */
  draw(scale: Scale, random: () => number, except?: Program): Program | null {
    const able = [...this.#cells.values()].filter(
      (program) => program !== except && standingOf(program, scale) !== null,
    );
    return able[Math.floor(random() * able.length)] ?? null;
  }
}

export function cellOf(program: Program, root: Program | null, scale: Scale): string {
  return [familyIn(program), lengthOf(program.source), profileOf(program, root, scale)].join(' | ');
}

/** How code of a family looks, the more telling first. */
const signs: readonly (readonly [string, RegExp])[] = [
  ['simulated annealing', /anneal|temperature|\btemp\w*\b[^;]*exp\s*\(|exp\s*\([^;]*\btemp/i],
  ['beam search', /beam/i],
  ['monte carlo', /playout|rollout|mcts/i],
  ['genetic', /crossover|chromosome/i],
  ['dynamic programming', /\bdp\s*\[/i],
  ['hill climbing', /\b(?:hill|climb|chrono|elapsed|clock)\w*/i],
];

/** By its code; else by the strategy that it was to follow. */
function familyIn({ source, strategy }: Pick<Program, 'source' | 'strategy'>): string {
  return signs.find(([, sign]) => sign.test(source))?.[0] ?? familyNamed(strategy);
}

/** Doublings of a thousand characters. */
function lengthOf(source: string): number {
  return Math.max(0, Math.ceil(Math.log2(Math.max(1, source.length) / 1_000)));
}

const leastCorrelation = 0.3;

/** `N+`: it gains more where N is large; `=`: the same everywhere. */
function profileOf({ outcomes }: Program, root: Program | null, { points, rules }: Scale): string {
  if (!root) return '=';
  const before = new Map(root.outcomes.map((outcome) => [outcome.name, outcome]));
  const gains = outcomes.flatMap((outcome) => {
    const first = before.get(outcome.name);
    return first ? [{ outcome, gain: points.share(outcome, rules) - points.share(first, rules) }] : [];
  });
  const names = [...new Set(gains.flatMap(({ outcome }) => Object.keys(outcome.features)))].sort();
  const found = names
    .map((name) => ({ name, strength: correlationOf(name, gains) }))
    .toSorted((a, b) => Math.abs(b.strength) - Math.abs(a.strength))[0];
  if (!found || Math.abs(found.strength) < leastCorrelation) return '=';
  return `${found.name}${found.strength > 0 ? '+' : '-'}`;
}

function correlationOf(
  name: string,
  gains: readonly { readonly outcome: CaseOutcome; readonly gain: number }[],
): number {
  const pairs = gains.flatMap(({ outcome: { features }, gain }) => {
    const value = features[name];
    return value === undefined ? [] : [{ value, gain }];
  });
  const mean = (pick: (pair: (typeof pairs)[number]) => number): number =>
    pairs.reduce((sum, pair) => sum + pick(pair), 0) / Math.max(1, pairs.length);
  const [value, gain] = [mean((pair) => pair.value), mean((pair) => pair.gain)];
  const together = mean((pair) => (pair.value - value) * (pair.gain - gain));
  const spread = mean((pair) => (pair.value - value) ** 2) * mean((pair) => (pair.gain - gain) ** 2);
  return spread > 0 ? together / Math.sqrt(spread) : 0;
}
