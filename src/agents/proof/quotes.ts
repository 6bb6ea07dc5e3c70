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

/** Null where the text has no such words. */
export function placeOf(text: string, quote: string): Place | null {
  const whole = essence(text);
  const pieces = quote
    .split(/\[?(?:\.{3,}|…|\\l?dots)\]?/)
    .map((piece) => essence(piece).words)
    .filter((words) => words !== '');
  return (
    exactly(whole, text, essence(quote).words) ?? (pieces.length > 1 ? inPieces(whole, text, pieces) : null)
  );
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

function exactly(whole: Essence, text: string, words: string): Place | null {
  if (words.length < shortest) return null;
  const from = whole.words.indexOf(words);
  return from < 0 ? null : placeBetween(whole, text, from, from + words.length);
}

/** The first piece, and the others behind it in their order. */
function inPieces(whole: Essence, text: string, pieces: readonly string[]): Place | null {
  if (pieces.some((piece) => piece.length < shortest)) return null;
  let from = -1;
  let until = 0;
  for (const piece of pieces) {
    const found = whole.words.indexOf(piece, until);
    if (found < 0) return null;
    if (from < 0) from = found;
    until = found + piece.length;
  }
  return placeBetween(whole, text, from, until);
}

function placeBetween({ at }: Essence, text: string, from: number, until: number): Place {
  const start = at[from] ?? 0;
  const end = (at[until - 1] ?? start) + 1;
  return { lines: { first: lineOf(text, start), last: lineOf(text, end - 1) }, start, end };
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
