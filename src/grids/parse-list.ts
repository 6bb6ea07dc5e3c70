/**
 * Reads one list, forgiving in what parts its elements: commas, spaces, both, one too many, comments. Tells apart what
 * is no list of cells at all (code, text) from one that was meant to be and is broken.
 */

export type Item = number | string | null | readonly Item[];

export type ListEnd =
  | { readonly kind: 'list'; readonly value: readonly Item[]; readonly end: number }
  /** `end` is where reading stopped. */
  | { readonly kind: 'broken'; readonly fault: string; readonly end: number }
  /** `open`: where the lists begin that are not closed at its end. */
  | { readonly kind: 'foreign'; readonly end: number; readonly open: readonly number[] };

/** Lists of grids are four deep. */
const deepest = 64;

/** Reads on from the bracket at `open`. */
export function readList(text: string, open: number): ListEnd {
  const stack: Item[][] = [];
  const starts: number[] = [];
  let rows = 0;
  let at = open;
  while (at < text.length) {
    const { kind, value, end } = tokenAt(text, at);
    const start = at;
    at = end;
    if (kind === 'open') {
      if (stack.length === deepest) return { kind: 'foreign', end: start, open: starts };
      stack.push([]);
      starts.push(start);
    } else if (kind === 'value') stack.at(-1)?.push(value ?? null);
    else if (kind === 'close') {
      const done = stack.pop() ?? [];
      starts.pop();
      const parent = stack.at(-1);
      if (!parent) return { kind: 'list', value: done, end };
      parent.push(done);
      if (done.length > 0) rows += 1;
    } else if (kind === 'dots') return { kind: 'broken', fault: 'it leaves cells or rows out', end };
    else if (kind === 'word' && rows > 0) {
      return { kind: 'broken', fault: `there is ${JSON.stringify(value)} in the place of a cell`, end };
    } else if (kind !== 'gap') return { kind: 'foreign', end, open: starts };
  }
  return { kind: 'broken', fault: 'its list is never closed, so it may be cut off', end: at };
}

type Token = {
  readonly kind: 'open' | 'close' | 'value' | 'gap' | 'dots' | 'word' | 'foreign';
  readonly value?: number | string | null;
  readonly end: number;
};

const tokens: readonly (readonly [RegExp, (found: string) => Omit<Token, 'end'>])[] = [
  [/\[/y, () => ({ kind: 'open' })],
  [/\]/y, () => ({ kind: 'close' })],
  [/(?:[\s,]|#[^\n]*|\/\/[^\n]*)+/y, () => ({ kind: 'gap' })],
  [/\.{3}|…/y, () => ({ kind: 'dots' })],
  [/(?:null|None)\b/y, () => ({ kind: 'value', value: null })],
  // Leading zeros are no number: `001` is a row that somebody wrote in the place of a cell.
  [/[-+]?(?:0|[1-9]\d*)(?:\.\d*)?(?![\w.])/y, (found) => ({ kind: 'value', value: Number(found) })],
  [/\d+(?![\w.])/y, (found) => ({ kind: 'value', value: found })],
  [/"[^"\n]*"|'[^'\n]*'/y, (found) => ({ kind: 'value', value: found.slice(1, -1) })],
  [/[\p{L}?_]+(?=\s*[,\]])/uy, (found) => ({ kind: 'word', value: found })],
];

function tokenAt(text: string, at: number): Token {
  for (const [pattern, make] of tokens) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found) return { ...make(found), end: at + found.length };
  }
  return { kind: 'foreign', end: at + 1 };
}
