/**
 * Grids that are written as lists of lists, in JSON, as Python prints them, or as NumPy does: also lists of grids, and
 * rows that are strings of digits. Lists of anything else are left alone: replies hold code, too.
 */
import { isGrid, validateGrid } from './grid.ts';
import { isPlain } from './labels.ts';
import { type Candidate, labelText, linesOf } from './parse-text.ts';

/** `rest` is the text with signs in the place of what was found, line by line. */
export function findLists(text: string): {
  readonly found: readonly Candidate[];
  readonly rest: string;
} {
  const fencedLines = new Set(linesOf(text).flatMap(({ number, fenced }) => (fenced ? [number] : [])));
  const placeAt = createLocator(text);
  const hopeless = new Set<number>();
  const found: Candidate[] = [];
  let rest = '';
  let at = 0;
  for (let open = text.indexOf('['); open >= 0; open = text.indexOf('[', at)) {
    const list = canBeGrid(text, open) && !hopeless.has(open) ? readList(text, open) : null;
    // What ends this list as none ends those that it leaves open within it.
    if (list?.kind === 'foreign') for (const inner of list.open) hopeless.add(inner);
    const items = list?.kind === 'list' ? readNestedLists(list.value) : list?.kind === 'broken' ? [list] : [];
    const end = list && items.length > 0 ? list.end : open + 1;
    rest += text.slice(at, open);
    rest += items.length > 0 ? text.slice(open, end).replaceAll(/[^\n]/g, '▒') : text.slice(open, end);
    at = end;
    if (items.length === 0) continue;
    const { line, label, labelLine } = placeAt(open);
    const isComputed =
      goesOnBehind.test(text.slice(end, end + 20)) ||
      /[\w)]\s*[*+@]\s*$/.test(text.slice(Math.max(0, open - 6), open)) ||
      /^[ ,]*[a-z]\w*\(/.test(text.slice(end, end + 200)) ||
      (/^[ ,]*[a-z]/.test(text.slice(end)) &&
        !isPlain(/^[^\n[]*/.exec(text.slice(end, end + 200))?.[0] ?? ''));
    const place = {
      line,
      lastLine: line + text.slice(open, end).split('\n').length - 1,
      label,
      labelLine,
      fenced: fencedLines.has(line),
      isLoneRow: false,
      continues: false,
    };
    for (const item of items) {
      if ('fault' in item) found.push({ ...place, fault: item.fault });
      else if (isComputed)
        found.push({ ...place, fault: 'its list is only a part of what stands there: write every row' });
      else found.push({ ...place, grid: item.grid });
    }
  }
  return { found, rest: rest + text.slice(at) };
}

const goesOnBehind =
  /^[\s)]*[*+@]\s?(?:\d|\[|len\(|[a-z]\b)|^\s*\)*\.(?!tolist|astype|copy)[a-z]\w*(?:\W|$)|^\)*\[|^[ ,;`*)]*(?:etc\b|and so on|repeat|\.{3}|…|\(?[x×]\s?\d|\(repeat)/i;

/** A list that begins with a list or a string. */
function canBeGrid(text: string, open: number): boolean {
  return /^\[\s*(?:\[|["']\s*\d|(?:null|None)\s*,\s*\[)/.test(text.slice(open, open + 200));
}

type ListReading = { readonly grid: readonly (readonly number[])[] } | { readonly fault: string };

/** The grids of a list, however deep they lie; what stands where a grid should be keeps its place. */
function readNestedLists(value: Item): readonly ListReading[] {
  if (!Array.isArray(value)) return [{ fault: `there is ${JSON.stringify(value)} in the place of a grid` }];
  const areRows = value.length > 0 && (value.every(isCellList) || value.every(isRowText));
  if (areRows) return [readingOf(value.map(rowOf))];
  const holdsRows = (inner: Item): boolean =>
    Array.isArray(inner) && inner.some((row) => Array.isArray(row) || isRowText(row));
  return value.some(holdsRows) ? value.flatMap(readNestedLists) : [readingOf(value)];
}

function isCellList(item: Item): boolean {
  return (
    Array.isArray(item) && item.length > 0 && item.every((cell) => !Array.isArray(cell) && !isRowText(cell))
  );
}

/** A text of several cells: `001`, `0 0 1`. */
function isRowText(item: Item): boolean {
  return typeof item === 'string' && /^\s*\d(?:[\s,]*\d)+\s*$/.test(item);
}

function rowOf(row: Item): Item {
  if (typeof row === 'string') return row.match(/\d/g)?.map(Number) ?? [];
  if (!Array.isArray(row)) return row;
  return row.map((cell) => (typeof cell === 'string' && /^\s*\d\s*$/.test(cell) ? Number(cell) : cell));
}

function readingOf(value: readonly Item[]): ListReading {
  return isGrid(value) ? { grid: value } : { fault: validateGrid(value) ?? '' };
}

/** Only the end of a line is shown of a label. */
const seenOfLabel = 1_000;

/** The number of the line of a bracket, and what stands before it there, else the nearest line above. Asked from front to back. */
function createLocator(text: string): (open: number) => Pick<Candidate, 'line' | 'label' | 'labelLine'> {
  let line = 1;
  let start = 0;
  let previous = { words: '', labelLine: 0 };
  const isLabel = (words: string) => /\p{L}/u.test(words) && !/^\s*(```|~~~)/.test(words);
  return (open) => {
    for (let end = text.indexOf('\n', start); end >= 0 && end < open; end = text.indexOf('\n', start)) {
      const words = text.slice(start, end);
      if (isLabel(words)) previous = { words: words.slice(-seenOfLabel), labelLine: line };
      start = end + 1;
      line += 1;
    }
    const words = text.slice(Math.max(start, open - seenOfLabel), open);
    const label = isLabel(words) ? { words, labelLine: line } : previous;
    return { line, label: labelText(label.words), labelLine: label.labelLine };
  };
}

type Item = number | string | null | readonly Item[];

type ListEnd =
  | { readonly kind: 'list'; readonly value: readonly Item[]; readonly end: number }
  /** `end` is where reading stopped. */
  | { readonly kind: 'broken'; readonly fault: string; readonly end: number }
  /** `open`: where the lists begin that are not closed at its end. */
  | { readonly kind: 'foreign'; readonly end: number; readonly open: readonly number[] };

/** Lists of grids are four deep. */
const deepest = 64;

/** Reads on from the bracket at `open`. */
function readList(text: string, open: number): ListEnd {
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
  // On a line of its own, or where it counts, a remark stands for rows.
  [/\n[ \t]*(?:#|\/\/)(?![ \t]*(?:row )?\d*[ \t]*$)[^\n]*/my, () => ({ kind: 'dots' })],
  [
    /(?:#|\/\/)[^\n]*(?:\.{2}|…|[x×] ?\d|\d ?[x×]|\brepeat|\btimes\b|\btwice\b|\bmore\b)[^\n]*/y,
    () => ({ kind: 'dots' }),
  ],
  [/(?:[^\S\n]|,)+|\n|#[^\n]*|\/\/[^\n]*/y, () => ({ kind: 'gap' })],
  [/\.{3}|…/y, () => ({ kind: 'dots' })],
  [/(?:null|None)\b/y, () => ({ kind: 'value', value: null })],
  // Leading zeros are no number: `001` is a row that stands in the place of a cell.
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
