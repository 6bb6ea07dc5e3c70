/**
 * What sessions leave to later ones in their `knowledge.json`, and how it is looked up: what fits the words best first, and of
 * that what gained most; prompts by their credit over all sessions that used them. Pure.
 */
import { z } from 'zod';
import { type Interval, wilsonInterval } from '../../../core/statistics/proportion.ts';

const count = z.int().nonnegative();

const piece = z.object({
  /** `night_20261121T170000/gen03_id02`. */
  id: z.string(),
  operator: z.string(),
  summary: z.string(),
  /** Scores on the session's cases: of its best parent, and its own. */
  before: z.number(),
  after: z.number(),
  /** Lines that its parents did not have. */
  code: z.string(),
});

const prompt = z.object({
  /** `night_20261121T170000/change`. */
  id: z.string(),
  /** `change`, or a prompt of its user's by its place: `mutation_prompts[0]`. */
  name: z.string(),
  /** The words with their places, such as `{code_snippet}`. */
  words: z.string(),
  made: count,
  evaluated: count,
  betterThanParents: count,
  improvements: count,
  gain: z.number(),
  tokens: count.nullable(),
});

export const knowledgeSchema = z.object({
  version: z.literal(1),
  session: z.string(),
  contest: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  scoring: z.enum(['absolute', 'relative']),
  direction: z.enum(['maximise', 'minimise']),
  /** Replies were written ahead; no model was asked for some of it, or for all. */
  isScript: z.boolean(),
  pieces: z.array(piece),
  prompts: z.array(prompt),
});

export type Knowledge = z.infer<typeof knowledgeSchema>;
export type KnowledgeItem = z.infer<typeof piece>;
export type KnownPrompt = z.infer<typeof prompt>;

export type KnowledgeHit = KnowledgeItem & {
  readonly from: Pick<Knowledge, 'contest' | 'title' | 'session' | 'tags' | 'isScript'>;
};

/** Without keywords all; else those that hold at least one of them, and all of the same contest, which come first. */
export function searchKnowledge(
  known: readonly Knowledge[],
  { keywords = [], contest = '' }: { readonly keywords?: readonly string[]; readonly contest?: string },
): readonly KnowledgeHit[] {
  const all = known.flatMap((from) => from.pieces.map((part): KnowledgeHit => ({ ...part, from })));
  const fits = matchCounts(all.map(itemText), keywordsIn(keywords));
  const ownOf = ({ from }: KnowledgeHit): number => Number(from.contest === contest);
  return all
    .map((knowledgeHit, at) => ({
      piece: knowledgeHit,
      fit: fits[at] ?? 0,
      own: ownOf(knowledgeHit),
      worth: itemWorth(knowledgeHit),
    }))
    .filter(({ fit, own }) => keywords.length === 0 || fit > 0 || own > 0)
    .toSorted((a, b) => b.own - a.own || b.fit - a.fit || b.worth - a.worth)
    .map(({ piece }) => piece);
}

/**
 * How far apart two scores are for their size, from 0 to 1. The bound matters because every program beats a template that
 * scores 0 or 1 by a huge factor.
 */
export function itemWorth({ before, after }: Pick<KnowledgeItem, 'before' | 'after'>): number {
  const size = Math.abs(before) + Math.abs(after);
  return size === 0 ? 0 : Math.abs(after - before) / size;
}

/** By their words and the contests that they were used in; without words all. By credit. */
export function searchPrompts(
  known: readonly Knowledge[],
  keywords: readonly string[],
): readonly PromptCredit[] {
  const words = keywordsIn(keywords);
  return promptCredits(known).filter((each) => {
    const text = searchedText([each.name, each.words, ...each.contests, ...each.sessions].join(' '));
    return keywords.length === 0 || words.some((word) => isFound(word, text));
  });
}

/** Rare words count more; one that is in all of them says nothing, but is found. */
function matchCounts(texts: readonly SearchedText[], words: readonly string[]): readonly number[] {
  const fitCount = texts.map(() => 0);
  for (const word of words) {
    const hits = texts.flatMap((text, at) => (isFound(word, text) ? [at] : []));
    for (const at of hits) fitCount[at] = (fitCount[at] ?? 0) + Math.log((texts.length + 1) / hits.length);
  }
  return fitCount;
}

function itemText({ summary, code, operator, from }: KnowledgeHit): SearchedText {
  const { contest, title, session, tags } = from;
  return searchedText([summary, code, operator, contest, title, session, ...tags].join(' '));
}

type Use = KnownPrompt & { readonly from: Knowledge };

export type PromptCredit = {
  /** Its uses, by the names that sessions gave them. */
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

const promptKinds = ['change', 'crossover', 'rewrite', 'repair', 'directed'] as const;
type PromptKind = (typeof promptKinds)[number] | 'other';

/** The best first. The user's own words are the same prompt wherever they stand in a configuration. */
export function promptCredits(known: readonly Knowledge[]): readonly PromptCredit[] {
  const uses = known.flatMap((from) => from.prompts.map((prompt): Use => ({ ...prompt, from })));
  const byWords = Map.groupBy(uses, ({ name, words }) => `${kindOf(name)}\n${words.trim()}`);
  const least = ({ interval }: PromptCredit): number => interval?.low ?? -1;
  return [...byWords.values()].map(together).toSorted((a, b) => least(b) - least(a) || b.made - a.made);
}

function together(uses: readonly Use[]): PromptCredit {
  const sum = (pick: (use: Use) => number): number => uses.reduce((total, use) => total + pick(use), 0);
  const distinct = (pick: (use: Use) => string) => [...new Set(uses.map(pick))].sort();
  const [{ name, words }] = uses as readonly [Use, ...Use[]];
  const kind = kindOf(name);
  const createdCount = sum((use) => use.made);
  const betterThanParents = sum((use) => use.betterThanParents);
  return {
    kind,
    name,
    words,
    isOwn: /\[\d+\]$/.test(name),
    made: createdCount,
    betterThanParents,
    ids: distinct(({ id }) => id),
    sessions: distinct(({ from }) => from.session),
    contests: distinct(({ from }) => from.contest),
    isScript: uses.some(({ from }) => from.isScript),
    evaluated: sum((use) => use.evaluated),
    improvements: sum((use) => use.improvements),
    tokens: uses.some(({ tokens }) => tokens === null) ? null : sum(({ tokens }) => tokens ?? 0),
    interval:
      kind === 'repair' || createdCount === 0
        ? null
        : wilsonInterval(Math.min(betterThanParents, createdCount), createdCount),
  };
}

function kindOf(name: string): PromptKind {
  if (/^(?:learned_)?mutation_prompts\[/.test(name)) return 'change';
  if (/^(?:learned_)?crossover_prompts\[/.test(name)) return 'crossover';
  return promptKinds.find((kind) => kind === name) ?? 'other';
}

type SearchedText = { readonly words: ReadonlySet<string>; readonly text: string };

function searchedText(text: string): SearchedText {
  return { words: new Set(wordsIn(text)), text: text.normalize('NFKC').toLowerCase() };
}

const keywordsIn = (texts: readonly string[]): readonly string[] => [...new Set(texts.flatMap(wordsIn))];

function isFound(word: string, { words, text }: SearchedText): boolean {
  if (words.has(word)) return true;
  if (hasNoSpaces.test(word)) return text.includes(word);
  return word.length >= leastBeginning && [...words].some((each) => each.startsWith(word));
}

const leastBeginning = 4;
const hasNoSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A letter alone is in every program; a character of Japanese says something. */
function wordsIn(text: string): readonly string[] {
  const plain = text.normalize('NFKC').replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ');
  return (plain.toLowerCase().match(/[\p{L}\p{M}ー]+|\d+/gu) ?? []).filter(
    (word) => word.length > 1 || hasNoSpaces.test(word),
  );
}
