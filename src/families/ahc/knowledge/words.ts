/**
 * Whether words are found in a text: whole, by their beginnings (`swap` finds `swaps`), parts of names in code (`two_opt`
 * and `twoOpt` by `opt`), and of Japanese anywhere, for it has no spaces. Pure.
 */

export type SearchedText = { readonly words: ReadonlySet<string>; readonly text: string };

export function searchedText(text: string): SearchedText {
  return { words: new Set(wordsIn(text)), text: text.normalize('NFKC').toLowerCase() };
}

/** Each once. */
export function keywordsIn(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap(wordsIn))];
}

export function isFound(word: string, { words, text }: SearchedText): boolean {
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
