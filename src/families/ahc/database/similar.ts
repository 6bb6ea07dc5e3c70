/**
 * How alike a past contest is to a statement: rare words of the contest's summary that the statement has, and tags whose
 * names it has, in English or Japanese, by a vocabulary in which `焼きなまし` is simulated_annealing. It compares words and
 * no more, and the result names those that it rests on. Pure but for the indices it is given.
 */
import type { IndexTexts, TextIndex } from '../../../core/io.ts';
import type { PastContest } from './record.ts';
import { stopWords, vocabulary } from './vocabulary.ts';

export type ContestIndex = {
  readonly contests: readonly PastContest[];
  /** An index of all texts of the entries, by their ids. */
  readonly index: TextIndex;
};

export type SimilarContest = {
  readonly contest: PastContest;
  /** Without unit; a larger value means more similar. */
  readonly fit: number;
  /** What it rests on, the rarest first. */
  readonly tags: readonly string[];
  readonly words: readonly string[];
};

/** A tag is said of the problem on purpose, a word may have come in by chance. */
const tagWeight = 1.5;

/** The most alike first; those with nothing in common are left out. */
export function findSimilar(
  library: ContestIndex,
  index: IndexTexts,
  text: string,
): readonly SimilarContest[] {
  const statement = index(splitPassages(text).map((passage, at) => ({ id: String(at), fields: [passage] })));
  const rarity = createRarity(library);
  const likeness = (contest: PastContest): SimilarContest => {
    const text = [contest.title, contest.problem_summary, contest.problem_summary_ja].join('\n');
    const words = weighNames(wordsIn(text), (word) => rarity.ofWord(word) * presence(statement, [word]));
    const weightOfTag = (tag: string) =>
      rarity.ofTag(tag) * presence(statement, distinctiveNames(namesOf(tag)));
    const tags = weighNames(contest.tags, weightOfTag);
    const sum = (list: readonly WeighedName[]): number =>
      list.reduce((total, { weight }) => total + weight, 0);
    return {
      contest,
      fit: Math.round((sum(words) + tagWeight * sum(tags)) * 100) / 100,
      tags: tags.map(({ name }) => name),
      words: words.map(({ name }) => name),
    };
  };
  return (
    library.contests
      .map(likeness)
      // Words alone are chance: `contain` and `string` stand in any statement.
      .filter(({ fit, tags }) => fit > 0 && tags.length > 0)
      .sort((a, b) => b.fit - a.fit)
  );
}

type WeighedName = { readonly name: string; readonly weight: number };

function weighNames(names: readonly string[], weigh: (name: string) => number): WeighedName[] {
  return names
    .map((name) => ({ name, weight: weigh(name) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
}

/** Names of several words, and single words that are specific enough to compare. */
function distinctiveNames(names: readonly string[]): readonly string[] {
  return names.filter((name) => !/^\p{L}+$/u.test(name) || [...name].length < 3 || isDistinctive(name));
}

/** A word that is said again and again is what the text is about; 0 where none of the names is said. */
function presence(statement: TextIndex, names: readonly string[]): number {
  const passages = new Set(names.flatMap((name) => [...statement.find(name).keys()]));
  return Math.min(3, Math.log2(1 + passages.size));
}

/** A word in half of the contests or more does not distinguish them. */
function createRarity({ contests, index }: ContestIndex) {
  const rarity = (times: number): number => Math.max(0, Math.log(contests.length / (2 * Math.max(1, times))));
  const known = new Map<string, number>();
  const byTag = Map.groupBy(
    contests.flatMap(({ tags }) => tags),
    (tag) => tag,
  );
  return {
    ofWord(word: string): number {
      const found = known.get(word) ?? rarity(index.find(word).size);
      known.set(word, found);
      return found;
    },
    ofTag: (tag: string) => rarity(byTag.get(tag)?.length ?? 0),
  };
}

/** Lines, and sentences of both languages. */
function splitPassages(text: string): string[] {
  return text.split(/\n+|(?<=[.!?])\s|(?<=。)/).filter((passage) => passage.trim() !== '');
}

/** Each once, in the order of the text: words of three letters or more; of Japanese, those with kanji or katakana. */
function wordsIn(text: string): readonly string[] {
  const segments = new Intl.Segmenter('ja', { granularity: 'word' }).segment(
    text.normalize('NFKC').toLowerCase(),
  );
  const words = [...segments].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  return [...new Set(words.filter(isDistinctive))];
}

/** Whether the word describes a topic, and is not in every statement. */
function isDistinctive(word: string): boolean {
  if (/^[a-z][a-z'’-]*$/.test(word)) {
    return word.length >= 3 && !stopWords.has(word) && !stopWords.has(word.replace(/s$/, ''));
  }
  return /[\p{Script=Han}\p{Script=Katakana}]/u.test(word) && [...word].length >= 2 && !stopWords.has(word);
}

export type Concept = {
  /** As tags are written. */
  readonly tag: string;
  /** Its other names; the tag itself, with spaces, is one already. */
  readonly names: readonly string[];
};

const concepts: readonly Concept[] = Object.entries(vocabulary).map(([tag, names]) => ({
  tag,
  names: [tag.replaceAll('_', ' '), ...names.split(', ')],
}));

const byName: ReadonlyMap<string, Concept> = new Map(
  // Where two share a name, the first has it.
  concepts.flatMap((concept) => concept.names.map((name) => [slug(name), concept] as const)).reverse(),
);

/** `Simulated Annealing` and `simulated-annealing` are `simulated_annealing`. */
export function slug(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');
}

/** By any of its names. */
export function findConcept(name: string): Concept | undefined {
  return byName.get(slug(name));
}

/** All that a tag, or an algorithm, is called; a tag that is not known, by itself. */
export function namesOf(name: string): readonly string[] {
  const own = name.replaceAll('_', ' ');
  return [...new Set([own, ...(findConcept(name)?.names ?? [])])];
}
