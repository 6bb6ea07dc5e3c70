/**
 * Past contests that a statement resembles, by what both speak of: rare words of a contest's summary that the statement
 * has, and tags whose names it has, in English or Japanese. A likeness of words and no more: what it rests on is told with
 * it. Pure but for the indices it is given.
 */
import type { IndexTexts, TextIndex } from '../../../core/io.ts';
import type { PastContest } from './record.ts';
import type { Library } from './search.ts';
import { namesOf } from './vocabulary.ts';
import { isTelling, wordsIn } from './words.ts';

export type Similar = {
  readonly contest: PastContest;
  /** Of no unit; the more, the more alike. */
  readonly fit: number;
  /** What it rests on, the rarest first. */
  readonly tags: readonly string[];
  readonly words: readonly string[];
};

/** A tag is said of the problem on purpose, a word may have come in by chance. */
const tagWeight = 1.5;

/** Those with nothing in common are left out. */
export function similarTo(library: Library, index: IndexTexts, text: string): readonly Similar[] {
  const statement = index(passagesOf(text).map((passage, at) => ({ id: String(at), fields: [passage] })));
  const rarity = rarityIn(library);
  return library.contests
    .map((contest) => likeness(contest, statement, rarity))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit);
}

type Rarity = { readonly ofWord: (word: string) => number; readonly ofTag: (tag: string) => number };

function likeness(contest: PastContest, statement: TextIndex, rarity: Rarity): Similar {
  const said = [contest.title, contest.problem_summary, contest.problem_summary_ja].join('\n');
  const words = weighed(wordsIn(said), (word) => rarity.ofWord(word) * presence(statement, [word]));
  const tags = weighed(contest.tags, (tag) => rarity.ofTag(tag) * presence(statement, telling(namesOf(tag))));
  const sum = (list: readonly Weighed[]): number => list.reduce((total, { weight }) => total + weight, 0);
  return {
    contest,
    fit: Math.round((sum(words) + tagWeight * sum(tags)) * 100) / 100,
    tags: tags.map(({ name }) => name),
    words: words.map(({ name }) => name),
  };
}

type Weighed = { readonly name: string; readonly weight: number };

function weighed(names: readonly string[], weigh: (name: string) => number): Weighed[] {
  return names
    .map((name) => ({ name, weight: weigh(name) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
}

/** Names of several words, and single ones that say something: what is called `ordering` is no `order`. */
function telling(names: readonly string[]): readonly string[] {
  return names.filter((name) => !/^\p{L}+$/u.test(name) || [...name].length < 3 || isTelling(name));
}

/** A word that is said again and again is what the text is about; 0 where none of the names is said. */
function presence(statement: TextIndex, names: readonly string[]): number {
  const passages = new Set(names.flatMap((name) => [...statement.find(name).keys()]));
  return Math.min(3, Math.log2(1 + passages.size));
}

/** What is said of half of the contests or more tells nothing. */
function rarityIn({ contests, index }: Library): Rarity {
  const rarity = (times: number): number => Math.max(0, Math.log(contests.length / (2 * Math.max(1, times))));
  const cache = new Map<string, number>();
  const byTag = Map.groupBy(
    contests.flatMap(({ tags }) => tags),
    (tag) => tag,
  );
  return {
    ofWord: (word) => cache.get(word) ?? setIn(cache, word, rarity(index.find(word).size)),
    ofTag: (tag) => rarity(byTag.get(tag)?.length ?? 0),
  };
}

function setIn(cache: Map<string, number>, word: string, value: number): number {
  cache.set(word, value);
  return value;
}

/** Lines, and sentences of both languages. */
function passagesOf(text: string): string[] {
  return text.split(/\n+|(?<=[.!?])\s|(?<=。)/).filter((passage) => passage.trim() !== '');
}
