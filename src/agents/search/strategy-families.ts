/** To which family of algorithms a strategy belongs, so that two lines of search do not follow the same one. Pure. */
import type { Strategy } from '../../notes/evolution.ts';

/** The first that is named wins: `greedy start, then simulated annealing` is annealing, for that is where its time goes. */
const families: readonly (readonly [string, RegExp])[] = [
  ['simulated annealing', /anneal|\bsa\b|焼きなまし|焼き鈍し/i],
  ['beam search', /beam|chokudai|ビームサーチ/i],
  ['monte carlo', /monte.?carlo|mcts|playout|rollout|モンテカルロ/i],
  ['genetic', /genetic|evolutionary|crossover|\bga\b|遺伝/i],
  ['tabu search', /tabu|taboo/i],
  ['large neighbourhood', /large.?neighbou?r|\blns\b|ruin|destroy/i],
  ['flow or matching', /flow|matching|assignment problem|hungarian/i],
  ['dynamic programming', /dynamic.?program|\bdp\b|動的計画/i],
  ['inference', /bayes|particle|posterior|constraint.?propag/i],
  ['decomposition', /decompos|divide|cluster|hierarch|two.?phase/i],
  ['hill climbing', /hill|climb|local.?search|2-?opt|山登り/i],
  ['greedy construction', /greedy|construct|insertion|貪欲/i],
];

/** What a model calls it, as one of the known families where it is one. */
export function familyNamed(words: string): string {
  const found = families.find(([, pattern]) => pattern.test(words));
  return (
    found?.[0] ??
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  );
}

/** Of a strategy that says no family of its own. */
export function familyOf({ name, idea }: Pick<Strategy, 'name' | 'idea'>): string {
  const byName = familyNamed(name);
  return families.some(([family]) => family === byName)
    ? byName
    : familyNamed(idea.split(/[.。]/)[0] || name);
}
