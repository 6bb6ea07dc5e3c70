/**
 * How alike a past contest is to a statement: rare words of the contest's summary that the statement has, and tags whose
 * names it has, in English or Japanese. That is a likeness of words and no more, and what it rests on is told with it.
 * Pure but for the indices it is given.
 */
import type { IndexTexts, TextIndex } from '../../../core/io.ts';
import type { PastContest } from './record.ts';
import { namesOf } from './vocabulary.ts';

export type ContestIndex = {
  readonly contests: readonly PastContest[];
  /** Of all that the entries say, by their ids. */
  readonly index: TextIndex;
};

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

/** The most alike first; those with nothing in common are left out. */
export function similarTo(library: ContestIndex, index: IndexTexts, text: string): readonly Similar[] {
  const statement = index(passagesOf(text).map((passage, at) => ({ id: String(at), fields: [passage] })));
  const rarity = rarityIn(library);
  const likeness = (contest: PastContest): Similar => {
    const said = [contest.title, contest.problem_summary, contest.problem_summary_ja].join('\n');
    const words = weighed(wordsIn(said), (word) => rarity.ofWord(word) * presence(statement, [word]));
    const tags = weighed(
      contest.tags,
      (tag) => rarity.ofTag(tag) * presence(statement, telling(namesOf(tag))),
    );
    const sum = (list: readonly Weighed[]): number => list.reduce((total, { weight }) => total + weight, 0);
    return {
      contest,
      fit: Math.round((sum(words) + tagWeight * sum(tags)) * 100) / 100,
      tags: tags.map(({ name }) => name),
      words: words.map(({ name }) => name),
    };
  };
  return library.contests
    .map(likeness)
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit);
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
function rarityIn({ contests, index }: ContestIndex) {
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
