/**
 * The past contests as one database: found by id, by criteria (search.ts), and by what a statement has in common with them:
 * rare words of a contest's summary that the statement has, and tags whose names it has, in English or Japanese. That is a
 * likeness of words and no more, and what it rests on is told with it. Pure but for the indices it is given.
 */
import type { IndexTexts, TextIndex } from '../../../core/io.ts';
import { nearestOf } from '../config/nearest.ts';
import type { PastContest } from './record.ts';
import { type ContestIndex, type Criteria, type Searched, searched } from './search.ts';
import { namesOf } from './vocabulary.ts';

export interface ContestDatabase {
  /** In the order of their ids. */
  readonly all: readonly PastContest[];
  /** Sentences: entries of the user's that were skipped, and why. */
  readonly warnings: readonly string[];
  search(criteria: Criteria): Searched;
  find(id: string): PastContest | null;
  /** The known id that may have been meant. */
  nearest(id: string): string | null;
  /** At most `limit`, the most alike first, without the contest `except`. */
  similar(text: string, limit: number, except?: string): readonly Similar[];
}

export function contestDatabase(
  all: readonly PastContest[],
  { index, warnings = [] }: { readonly index: IndexTexts; readonly warnings?: readonly string[] },
): ContestDatabase {
  let made: ContestIndex | undefined;
  const library = (): ContestIndex => {
    made ??= {
      contests: all,
      index: index(all.map((contest) => ({ id: contest.contest_id, fields: fieldsOf(contest) }))),
    };
    return made;
  };
  const byId = new Map(all.map((contest) => [contest.contest_id, contest]));
  return {
    all,
    warnings,
    search: (criteria) => searched(library(), criteria),
    find: (id) => byId.get(id.trim().toLowerCase()) ?? null,
    nearest: (id) => byNumber(id, byId) ?? nearestOf(id.trim(), [...byId.keys()]),
    similar: (text, limit, except) =>
      similarTo(library(), index, text)
        .filter(({ contest }) => contest.contest_id !== except)
        .slice(0, limit),
  };
}

/** `30`, `AHC 30` and `#030` mean `ahc030`. */
function byNumber(id: string, byId: ReadonlyMap<string, PastContest>): string | null {
  const [, digits] = /^(?:ahc)?[\s#_-]*(\d{1,3})$/i.exec(id.trim()) ?? [];
  const meant = `ahc${digits?.padStart(3, '0')}`;
  return digits !== undefined && byId.has(meant) ? meant : null;
}

/** The most telling first; tags by all of their names, so that either language finds them. */
function fieldsOf(contest: PastContest): readonly string[] {
  const approaches = contest.solution_approaches;
  const algorithms = approaches.flatMap(({ algorithms_used }) => algorithms_used);
  return [
    `${contest.contest_id}\n${contest.title ?? ''}`,
    contest.tags.flatMap(namesOf).join('\n'),
    algorithms.flatMap(namesOf).join('\n'),
    `${contest.problem_summary ?? ''}\n${contest.problem_summary_ja ?? ''}`,
    `${approaches.flatMap(({ key_ideas }) => key_ideas).join('\n')}\n${contest.sponsor ?? ''}`,
  ];
}

/**
 * What a contest is about, as a text that others are held against. Tags by their names in Japanese where they have some, which
 * have no stems: simulated annealing is no simulation.
 */
export function aboutOf(contest: PastContest): string {
  const { title, problem_summary, problem_summary_ja, tags } = contest;
  const saidOf = (tag: string): readonly string[] => {
    const [own = tag, ...others] = namesOf(tag);
    const inJapanese = others.filter((name) => /\P{ASCII}/u.test(name));
    return inJapanese.length > 0 ? inJapanese : [own];
  };
  return [title, problem_summary, problem_summary_ja, ...tags.flatMap(saidOf)].join('\n');
}

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
export function similarTo(library: ContestIndex, index: IndexTexts, text: string): readonly Similar[] {
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
function rarityIn({ contests, index }: ContestIndex): Rarity {
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

const filler =
  'about after again all also and any are around as at away back be been before behind between both but by can cannot do does done down each either enough every few first for from get give given good has have how if in into is it its itself kept last least less like made make makes many may more most much must near need needs new next no not of off old on once one only onto or other others out over own per put same second set several so some such take takes than that the their them then there these they thing third this those three through time times to together too total toward two under until up use used using very was well were what when where whether which while who whole whose why will with within without yours zero';

/** What every statement of a contest says. */
const common =
  'answer best better case character choose column come contest cost draw end final find fixed input integer large largest length limit line maximise maximize memory minimise minimize number order ordering output part possible problem row score size small smallest solution start step stop sum test turn value want way';

const stopWords: ReadonlySet<string> = new Set(`${filler} ${common}`.split(' '));

/** Verbs and nouns that stand in every Japanese statement. */
const stopWordsJa: ReadonlySet<string> = new Set(
  '問題 位置 順に 順番 順序 最も 良い 近い 生成 入力 出力 得点 合計 最大 最小 以下 以上 回数 場合 必要 可能 全て 全体 それぞれ コスト スコア 最大化 最小化 自分 できる 一つ 二つ 使う 行う 求める 決める'.split(
    ' ',
  ),
);

/** Each once, in the order of the text: words of three letters or more; of Japanese, those with kanji or katakana. */
function wordsIn(text: string): readonly string[] {
  const segments = new Intl.Segmenter('ja', { granularity: 'word' }).segment(
    text.normalize('NFKC').toLowerCase(),
  );
  const words = [...segments].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  return [...new Set(words.filter(isTelling))];
}

/** Whether it says what a text is about, or stands in every statement. */
function isTelling(word: string): boolean {
  if (/^[a-z][a-z'’-]*$/.test(word)) {
    return word.length >= 3 && !stopWords.has(word) && !stopWords.has(word.replace(/s$/, ''));
  }
  return /[\p{Script=Han}\p{Script=Katakana}]/u.test(word) && [...word].length >= 2 && !stopWordsJa.has(word);
}
