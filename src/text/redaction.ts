/** Takes texts that may not be passed on out of others: whole, by the line, the sentence or any other passage. Pure. */
import { collectNgrams, findPassages, type Passage, splitText } from './passages.ts';

/** Its name replaces it. */
export type HiddenText = { readonly name: string; readonly text: string };

export function createRedactor(
  texts: readonly HiddenText[],
  hashText: (text: string) => string,
): (text: string) => string {
  const marks = new Map<string, string>();
  for (const { name, text } of texts) {
    if (!marks.has(text)) marks.set(text, `[${name}, hash ${hashText(text)}]`);
    for (const part of splitText(text)) {
      if (!marks.has(part)) marks.set(part, `[words of ${name}]`);
    }
  }
  // A whole text is replaced before the lines in it.
  const longestFirst = [...marks].sort(([a], [b]) => b.length - a.length);
  const grams = collectNgrams(...texts.map(({ text }) => text));
  return memoize((text) =>
    removePassages(
      longestFirst.reduce((rest, [secret, mark]) => rest.replaceAll(secret, () => mark), text),
      (rest) => findPassages(rest, grams),
    ),
  );
}

function removePassages(text: string, find: (text: string) => readonly Passage[]): string {
  return find(text).reduceRight(
    (rest, { start, end }) => `${rest.slice(0, start)}[words of the puzzle]${rest.slice(end)}`,
    text,
  );
}

/** Each request repeats the whole conversation. */
function memoize(change: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const changed = change(text);
    known.set(text, changed);
    return changed;
  };
}
