/**
 * Where quoted words stand in a text. Models change what does not count in a quotation (spaces, emphasis, quotation marks)
 * and leave out its middle; all else must be there. Pure.
 */
export type Place = {
  /** Lines from 1 on, both included. */
  readonly lines: { readonly first: number; readonly last: number };
  /** The position of its first character. */
  readonly start: number;
  /** The position behind its last character. */
  readonly end: number;
};

/** Shorter ones occur anywhere. */
const shortest = 3;

/** Reads the text once, for any number of quotes. Null where it has no such words. */
export function placesIn(text: string): (quote: string) => Place | null {
  const readings = [essence(text), essence(text, alsoLoosely)] as const;
  const lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (quote) => {
    for (const [index, whole] of readings.entries()) {
      const how = index === 0 ? [] : alsoLoosely;
      const words = trimmed(essence(quote, how).words, index > 0);
      const span = exactly(whole, words) ?? inPieces(whole, piecesOf(quote, how));
      if (span) return placeOf(span, whole, lines);
    }
    return null;
  };
}

/** For the grader: how far the words stand there, and what stands there instead. */
export function whyNowhere(text: string, quote: string): string {
  if (/[\f\v\b\r\t]/.test(quote)) return 'a backslash was lost: in JSON it is written twice';
  const whole = essence(text, alsoLoosely);
  const { words } = essence(quote.slice(0, 500), alsoLoosely);
  let length = words.length;
  while (length >= shortest && !whole.words.includes(words.slice(0, length))) length -= 1;
  if (length < shortest) return 'not even their beginning does';
  const end = whole.at[whole.words.indexOf(words.slice(0, length)) + length] ?? text.length;
  return `behind “${text.slice(Math.max(0, end - 24), end)}” there stands “${text.slice(end, end + 40)}”`;
}

/** A full stop of the sentence that quotes, and quotation marks around it all. */
function trimmed(words: string, isLoose: boolean): string {
  return isLoose ? words.replaceAll(/^["']{1,9}|["'.,;:!?…]{1,9}$/g, '') : words;
}

function piecesOf(quote: string, how: readonly Alike[]): string[] {
  const pieces = quote.split(/\[?(?:\.{3,}|…|\\l?dots)\]?/);
  const found = pieces.map((piece) => trimmed(essence(piece, how).words, how.length > 0));
  return found.filter((words) => words !== '');
}

/** `at`: the position of each of these characters in the text. */
type Essence = { readonly words: string; readonly at: readonly number[] };

const dropped = /\\[()[\]]|[\s*`$\ufeff]|\u200b|\u200c|\u200d/y;
const signs: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '–': '-',
  '—': '-',
};

/** What is written in other ways and reads the same; tried only where the words themselves are not found. */
type Alike = readonly [RegExp, string];
const alsoLoosely: readonly Alike[] = [
  [
    /\\(?:[,;:!{}]|(?:q?quad|left|right|big[lr]?|Big[lr]?|displaystyle|limits|text(?:bf|it|rm)?|math(?:rm|bf|it)|operatorname|emph)(?![A-Za-z]))|[{}~_]/y,
    '',
  ],
  [/\\(?:[lc]?dots)(?![A-Za-z])|\.{3}/y, '…'],
  [/\\ge(?:q|qslant)?(?![A-Za-z])|>=/y, '≥'],
  [/\\le(?:q|qslant)?(?![A-Za-z])|<=/y, '≤'],
  [/\\neq?(?![A-Za-z])|!=/y, '≠'],
  [/\\(?:long)?(?:to|rightarrow)(?![A-Za-z])|->/y, '→'],
  [/\\(?:implies|Rightarrow)(?![A-Za-z])|=>/y, '⇒'],
  [/\\times(?![A-Za-z])/y, '×'],
  [/\\cdot(?![A-Za-z])/y, '·'],
  [/\\in(?![A-Za-z])/y, '∈'],
  [/\\equiv(?![A-Za-z])/y, '≡'],
  [/\\infty(?![A-Za-z])/y, '∞'],
  [/\\[dt]frac(?![A-Za-z])/y, '\\frac'],
  [/−/y, '-'],
  [/"|''|``/y, '"'],
];

function essence(text: string, how: readonly Alike[] = []): Essence {
  const words: string[] = [];
  const at: number[] = [];
  const put = (characters: string, index: number) => {
    words.push(characters);
    for (const _ of characters) at.push(index);
  };
  const matchAt = (pattern: RegExp, index: number) => {
    pattern.lastIndex = index;
    return pattern.exec(text)?.[0].length ?? 0;
  };
  for (let index = 0; index < text.length; ) {
    const drop = matchAt(dropped, index);
    const loose = drop > 0 ? undefined : how.find(([pattern]) => matchAt(pattern, index) > 0);
    if (loose) put(loose[1], index);
    else if (drop === 0) put(signs[text[index] ?? ''] ?? text[index] ?? '', index);
    index += Math.max(1, drop, loose ? matchAt(loose[0], index) : 0);
  }
  return { words: words.join(''), at };
}

/** A range of the essence; `until` is behind its last character. */
type Span = { readonly from: number; readonly until: number };

function exactly({ words }: Essence, quoted: string): Span | null {
  if (quoted.length < shortest) return null;
  const from = words.indexOf(quoted);
  return from < 0 ? null : { from, until: from + quoted.length };
}

/** The first piece, and the others behind it in their order. */
function inPieces({ words }: Essence, pieces: readonly string[]): Span | null {
  if (pieces.length < 1 || pieces.some((piece) => piece.length < shortest)) return null;
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
