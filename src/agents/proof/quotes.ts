/**
 * Finds the words that a grader quotes in the proof that it quotes them from. Models change what does not count: spaces,
 * line breaks, marks of emphasis and of mathematics, quotation marks; they leave out the middle of a long place. All
 * else must be there. Pure.
 */

export type Place = {
  /** Lines from 1 on, both included. */
  readonly lines: { readonly first: number; readonly last: number };
  /** Of its first character. */
  readonly start: number;
  /** Behind its last one. */
  readonly end: number;
};

/** Shorter ones occur anywhere. */
const shortest = 3;

/** Reads the text once, for any number of quotes. Null where it has no such words. */
export function placesIn(text: string): (quote: string) => Place | null {
  const whole = essence(text);
  const lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (quote) => {
    const span = exactly(whole, essence(quote).words) ?? inPieces(whole, piecesOf(quote));
    return span && placeOf(span, whole, lines);
  };
}

function piecesOf(quote: string): string[] {
  const pieces = quote.split(/\[?(?:\.{3,}|…|\\l?dots)\]?/);
  return pieces.map((piece) => essence(piece).words).filter((words) => words !== '');
}

type Essence = {
  readonly words: string;
  /** Where each of its characters stands in the text. */
  readonly at: readonly number[];
};

const dropped = /\\[()[\]]|[\s*`$\ufeff]|\u200b|\u200c|\u200d/y;
const alike: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '–': '-',
  '—': '-',
};

function essence(text: string): Essence {
  const words: string[] = [];
  const at: number[] = [];
  for (let index = 0; index < text.length; ) {
    dropped.lastIndex = index;
    const drop = dropped.exec(text)?.[0].length ?? 0;
    if (drop === 0) {
      const character = text[index] ?? '';
      words.push(alike[character] ?? character);
      at.push(index);
    }
    index += Math.max(1, drop);
  }
  return { words: words.join(''), at };
}

/** Of the essence: from the first character to behind the last. */
type Span = { readonly from: number; readonly until: number };

function exactly({ words }: Essence, quoted: string): Span | null {
  if (quoted.length < shortest) return null;
  const from = words.indexOf(quoted);
  return from < 0 ? null : { from, until: from + quoted.length };
}

/** The first piece, and the others behind it in their order. */
function inPieces({ words }: Essence, pieces: readonly string[]): Span | null {
  if (pieces.length < 2 || pieces.some((piece) => piece.length < shortest)) return null;
  let from = -1;
  let until = 0;
  for (const piece of pieces) {
    const found = words.indexOf(piece, until);
    if (found < 0) return null;
    if (from < 0) from = found;
    until = found + piece.length;
  }
  return { from, until };
}

function placeOf({ from, until }: Span, { at }: Essence, starts: readonly number[]): Place {
  const start = at[from] ?? 0;
  const end = (at[until - 1] ?? start) + 1;
  const lineOf = (index: number): number => starts.filter((each) => each <= index).length;
  return { lines: { first: lineOf(start), last: lineOf(end - 1) }, start, end };
}
