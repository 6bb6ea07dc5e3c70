/**
 * The credit of prompts over all sessions that used them, by their words. What was better than what it was made from,
 * counted; ranked by the lower end of the interval, so that one hit of one try is no proof. Pure.
 */
import type { Interval } from '../../../core/statistics/proportion.ts';
import { wilsonInterval } from '../../../core/statistics/proportion.ts';
import type { Knowledge, KnownPrompt } from './known.ts';

type Use = KnownPrompt & { readonly from: Knowledge };

export type PromptCredit = {
  /** Of its uses, by the names that sessions gave them. */
  readonly ids: readonly string[];
  /** What it asks for. */
  readonly kind: PromptKind;
  readonly name: string;
  readonly words: string;
  readonly isOwn: boolean;
  readonly sessions: readonly string[];
  readonly contests: readonly string[];
  readonly isScript: boolean;
  readonly made: number;
  readonly evaluated: number;
  readonly betterThanParents: number;
  readonly improvements: number;
  /** Null where a model did not tell. */
  readonly tokens: number | null;
  /** Of the share that is better than its parents, 95 %; null for repairs: what they begin from is worth nothing. */
  readonly interval: Interval | null;
};

export type PromptKind = 'change' | 'crossover' | 'rewrite' | 'simplify' | 'repair' | 'directed' | 'other';

/** The best first. */
export function creditOfPrompts(known: readonly Knowledge[]): readonly PromptCredit[] {
  const uses = known.flatMap((from) => from.prompts.map((prompt): Use => ({ ...prompt, from })));
  const joined = [...Map.groupBy(uses, keyOf).values()].map(together);
  return joined.toSorted((a, b) => least(b) - least(a) || b.made - a.made);
}

/** The user's own words are the same prompt wherever they stand in a configuration. */
function keyOf({ name, words }: Use): string {
  return `${kindOf(name)}\n${words.trim()}`;
}

function together(uses: readonly Use[]): PromptCredit {
  const sum = (pick: (use: Use) => number): number => uses.reduce((total, use) => total + pick(use), 0);
  const [{ name, words }] = uses as readonly [Use, ...Use[]];
  const kind = kindOf(name);
  const made = sum((use) => use.made);
  const betterThanParents = sum((use) => use.betterThanParents);
  return {
    ...{ kind, name, words, isOwn: /\[\d+\]$/.test(name), made, betterThanParents },
    ids: distinct(uses.map(({ id }) => id)),
    sessions: distinct(uses.map(({ from }) => from.session)),
    contests: distinct(uses.map(({ from }) => from.contest)),
    isScript: uses.some(({ from }) => from.isScript),
    evaluated: sum((use) => use.evaluated),
    improvements: sum((use) => use.improvements),
    tokens: uses.some(({ tokens }) => tokens === null) ? null : sum(({ tokens }) => tokens ?? 0),
    interval:
      kind === 'repair' || made === 0 ? null : wilsonInterval(Math.min(betterThanParents, made), made),
  };
}

const least = ({ interval }: PromptCredit): number => interval?.low ?? -1;

function kindOf(name: string): PromptKind {
  if (/^(?:learned_)?mutation_prompts\[/.test(name)) return 'change';
  if (/^(?:learned_)?crossover_prompts\[/.test(name)) return 'crossover';
  const kinds = ['change', 'crossover', 'rewrite', 'simplify', 'repair', 'directed'] as const;
  return kinds.find((kind) => kind === name) ?? 'other';
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
