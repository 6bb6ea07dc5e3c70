/** Which passages of a text stand in another one, whatever its white space, quotes and escapes. Pure. */

/** The position of a passage in a text. */
export type Passage = { readonly start: number; readonly end: number };

/** Every so many characters in a row that count, each once. */
export type Ngrams = ReadonlySet<string>;

/** Shorter ones say nothing of a puzzle, and stand in programs for other reasons. */
const shortest = 24;

export function collectNgrams(...texts: readonly string[]): Ngrams {
  const grams = new Set<string>();
  for (const text of texts) {
    const chars = keepLetters(text);
    for (let at = 0; at + shortest <= chars.length; at++) grams.add(chars.slice(at, at + shortest));
  }
  return grams;
}

export function findPassages(text: string, grams: Ngrams): Passage[] {
  if (grams.size === 0 || text.length < shortest) return [];
  const { letters, places } = normalizeText(text);
  const passages: { start: number; end: number }[] = [];
  for (let at = 0; at + shortest <= letters.length; at++) {
    if (!grams.has(letters.slice(at, at + shortest))) continue;
    const start = places[at] ?? 0;
    const end = (places[at + shortest - 1] ?? 0) + 1;
    const last = passages.at(-1);
    if (last && start < last.end) last.end = end;
    else passages.push({ start, end });
  }
  return passages;
}

/** Puzzles have inputs of some ten thousand characters; to compare many more takes longer than to run the program. */
const longestSource = 300_000;

/** The passages of `source` in `text`; all of `text` where the source is too long. Cheap where `text` is short. */
export function quotesOf(source: string, text: string): string[] {
  const own = collectNgrams(text);
  if (own.size === 0) return [];
  if (source.length > longestSource) return [text];
  const chars = keepLetters(source);
  const shared = new Set<string>();
  for (let at = 0; at + shortest <= chars.length; at++) {
    const gram = chars.slice(at, at + shortest);
    if (own.has(gram)) shared.add(gram);
  }
  return findPassages(text, shared).map(({ start, end }) => text.slice(start, end));
}

/** A text without what only lays it out. */
function keepLetters(text: string): string {
  return text.replaceAll(/\\+[nrt]?|[\s'"`,()[\]]+/g, '');
}

/** The same, with the place of each remaining character in the text. */
function normalizeText(text: string): { letters: string; places: readonly number[] } {
  let chars = '';
  const count: number[] = [];
  for (const { 0: run, index } of text.matchAll(/\\+[nrt]?|[^\s'"`,()[\]\\]+/g)) {
    if (run.startsWith('\\')) continue;
    chars += run;
    for (let offset = 0; offset < run.length; offset++) count.push(index + offset);
  }
  return { letters: chars, places: count };
}

/** Shorter ones say nothing of where they come from, and stand in programs for other reasons. */
export const shortestPiece = 24;

/** The lines and sentences of a text, without Markdown marks: what takes quotes out and what restores them cut alike. */
export function splitText(text: string): string[] {
  const lines = text.split('\n');
  const sentences = lines.flatMap((line) => line.split(/(?<=[.?!:;])[\s*`]+/));
  return [...lines, ...sentences]
    .map((part) => part.replaceAll(/^[\s*#>`-]+|(?<![\s*`])[\s*`]+$/g, ''))
    .filter((part) => part.length >= shortestPiece);
}
