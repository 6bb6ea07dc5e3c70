/** The words of a text that say what it is about, in English and in Japanese. Pure. */

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
export function wordsIn(text: string): readonly string[] {
  const segments = new Intl.Segmenter('ja', { granularity: 'word' }).segment(
    text.normalize('NFKC').toLowerCase(),
  );
  const words = [...segments].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  return [...new Set(words.filter(isTelling))];
}

/** Whether it says what a text is about, or stands in every statement. */
export function isTelling(word: string): boolean {
  if (/^[a-z][a-z'’-]*$/.test(word)) {
    return word.length >= 3 && !stopWords.has(word) && !stopWords.has(word.replace(/s$/, ''));
  }
  return /[\p{Script=Han}\p{Script=Katakana}]/u.test(word) && [...word].length >= 2 && !stopWordsJa.has(word);
}
