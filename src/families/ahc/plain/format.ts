/**
 * An input format as steps of reading: single values, values in a row, rows in a table; and an input, read by these steps.
 * What a format writes with dots goes on from the first index to the last; where the two do not belong together, nothing
 * is guessed. Pure.
 */

/** One value a row, or `count` of them. */
export type Field = { readonly name: string; readonly count: Extent | null };

export type Step =
  /** Scalars, and lists in one line. */
  | { readonly type: 'once'; readonly fields: readonly Field[] }
  | { readonly type: 'rows'; readonly count: Extent; readonly fields: readonly Field[] };

/** Of the first block of code of the input's section. Null where it cannot be understood, or reads nothing. */
export function shapeOf(format: string): readonly Step[] | null {
  const lines = (blocksOf(format)[0] ?? format).split(/\r?\n/).filter((line) => line.trim() !== '');
  const rows = lines.map(wordsOf);
  if (rows.length === 0 || !rows.every((row) => row !== null)) return null;
  const steps = stepsOf(rows);
  // A name that is read twice is ambiguous wherever it is used.
  const names = (steps ?? []).flatMap(({ fields }) => fields.map(({ name }) => name));
  return names.length > 0 && new Set(names).size === names.length ? steps : null;
}

/** The fenced blocks of code of a page. */
export function blocksOf(page: string): readonly string[] {
  const blocks = page.matchAll(/(?<![^\n])```[^\n]*\n([\s\S]*?)(?<![^\n])```/g);
  return [...blocks].map(([, code = '']) => code);
}

function stepsOf(rows: readonly (readonly Word[])[]): readonly Step[] | null {
  const steps: (Step | null)[] = [];
  let before: (readonly Word[])[] = [];
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? [];
    if (!row.every(({ type }) => type === 'dots')) {
      before.push(row);
      continue;
    }
    at += 1;
    const last = rows[at];
    const table = last && tableOf(before, last);
    if (!table) return null;
    steps.push(...before.slice(0, table.from).map(onceOf), table.step);
    before = [];
  }
  steps.push(...before.map(onceOf));
  return steps.every((step) => step !== null) ? steps : null;
}

/** The rows right above the dots that are like the one below them: `x_1 y_1`, `x_2 y_2`, dots, `x_N y_N`. */
function tableOf(
  before: readonly (readonly Word[])[],
  last: readonly Word[],
): { readonly from: number; readonly step: Step } | null {
  let from = before.length;
  while (from > 0 && isAlike(before[from - 1] ?? [], last)) from -= 1;
  const first = before[from];
  const [begin, end] = [first && rowIndexOf(first), rowIndexOf(last)];
  if (!first || !begin || !end || begin.name !== null || end.ofRow) return null;
  const fields = fieldsOf(first, 1);
  const count = { ...end, plus: end.plus - begin.plus + 1 };
  return fields && { from, step: { type: 'rows', count, fields } };
}

function isAlike(one: readonly Word[], other: readonly Word[]): boolean {
  const namesOf = (row: readonly Word[]) =>
    new Set(row.map((word) => (word.type === 'name' ? word.name : '')));
  const [names, others] = [namesOf(one), namesOf(other)];
  return names.size === others.size && [...names].every((name) => others.has(name));
}

/** The index that all names of a row begin with. */
function rowIndexOf(row: readonly Word[]): Extent | null {
  const firsts = row.flatMap((word) => (word.type === 'name' ? [word.indices[0] ?? null] : []));
  const [first] = firsts;
  const isSame = firsts.every(
    (each) => each && first && each.name === first.name && each.plus === first.plus,
  );
  return first && isSame ? first : null;
}

function onceOf(row: readonly Word[]): Step | null {
  const fields = fieldsOf(row, 0);
  return fields && { type: 'once', fields };
}

/** `depth`: how many indices tell the row; one more than that is a list within it. */
function fieldsOf(row: readonly Word[], depth: number): readonly Field[] | null {
  const fields: Field[] = [];
  for (let at = 0; at < row.length; ) {
    const run = runOf(row, at, depth);
    if (run === null) return null;
    fields.push(run.field);
    at = run.next;
  }
  return fields;
}

/** All words from here on that are of one name: a single value, or a list with or without dots. */
function runOf(row: readonly Word[], at: number, depth: number) {
  const first = row[at];
  if (first?.type !== 'name') return null;
  const letter = depth === 0 && first.indices.length === 1 ? first.indices[0] : undefined;
  // `s_i s_j`: two numbers, each with a letter that names a direction and no place in a list.
  if (letter?.name?.length === 1 && letter.plus === 0 && !letter.ofRow && row[at + 1]?.type !== 'dots')
    return { field: { name: `${first.name}_${letter.name}`, count: null }, next: at + 1 };
  let next = at + 1;
  let [last, hasDots] = [first, false];
  for (let word = row[next]; word; word = row[next]) {
    if (word.type === 'name' && word.name !== first.name) break;
    if (word.type === 'dots') hasDots = true;
    else last = word;
    next += 1;
  }
  if (row[next - 1]?.type === 'dots') return null;
  const { name, indices } = first;
  if (indices.length === depth) return next === at + 1 ? { field: { name, count: null }, next } : null;
  const [begin, end] = [indices[depth], last.indices[depth]];
  // `X_0`, of which there are no others: a value of its own.
  if (depth === 0 && next === at + 1 && begin?.name === null)
    return { field: { name: `${name}_${begin.plus}`, count: null }, next };
  if (indices.length !== depth + 1 || !begin || !end || begin.name !== null) return null;
  const count = { ...end, plus: end.plus - begin.plus + 1 };
  // A list that is written without dots has a fixed length.
  if (!hasDots && (count.name !== null || count.plus !== next - at)) return null;
  return { field: { name, count }, next };
}

/** A number, or a name of the input plus a number: `5`, `N`, `N-1`. `of`: the row's own field, as in `s_{1,c_1}`. */
export type Extent = { readonly name: string | null; readonly plus: number; readonly ofRow: boolean };

type Word =
  | { readonly type: 'dots' }
  | { readonly type: 'name'; readonly name: string; readonly indices: readonly Extent[] };

/** Null where the format has something else: it cannot be read then. */
function wordsOf(line: string): readonly Word[] | null {
  const texts = textsOf(line).replaceAll(together, (whole) => {
    const run = namesTogether(whole);
    return run ? withoutLast(run.first) : whole;
  });
  const words = texts.split(/\s+/).filter(Boolean).map(wordOf);
  return words.every((word) => word !== null) ? words : null;
}

/** What stands in a row without spaces between, `c_{0,0}c_{0,1}\cdots c_{0,N-1}`, is one word: how long it is, by its name. */
export function gluedIn(format: string): ReadonlyMap<string, Extent> {
  const lengths = new Map<string, Extent>();
  for (const [whole] of textsOf(format).matchAll(together)) {
    const run = namesTogether(whole);
    const [from, to] = [run && wordOf(run.first), run && wordOf(run.last)];
    if (from?.type !== 'name' || to?.type !== 'name') continue;
    const [begin, end] = [from.indices.at(-1), to.indices.at(-1)];
    if (begin?.name === null && end && !lengths.has(from.name)) {
      lengths.set(from.name, { ...end, plus: end.plus - begin.plus + 1 });
    }
  }
  return lengths;
}

function textsOf(format: string): string {
  return format
    .replaceAll(/[$`]|<\/?var>|\\[,;! ]/g, ' ')
    .replaceAll(/\\(?:mathrm|mathit|text|textrm|rm)\s*\{([^{}]*)\}/g, '$1')
    .replaceAll(/(?<![^{}])[^{}]*\}/g, (inBraces) => inBraces.replaceAll(/(?<!\s)\s*,\s*/g, ','));
}

const indexed = String.raw`[A-Za-z]+_(?:\{[^{}\n]*\}|[A-Za-z0-9])`;
const going = String.raw`(?:\\[cdl]?dots|…|⋯|\.{2,})`;
const together = new RegExp(
  `(?<![A-Za-z0-9_}])${indexed}(?:(?:${indexed})+(?:[ ]*${going}[ ]*${indexed})?|${going}[ ]*${indexed})(?:${indexed})*`,
  'g',
);

/** Null if there is more than one name. */
function namesTogether(text: string): { readonly first: string; readonly last: string } | null {
  // `\\cdotsc_{1}` is dots and a name.
  const names = text.replaceAll(new RegExp(going, 'g'), ' ').match(new RegExp(indexed, 'g')) ?? [];
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const words = new Set(names.map((name) => name.split('_')[0]));
  return words.size === 1 && names.length > 1 ? { first, last } : null;
}

/** The indices that tell the row. */
function withoutLast(name: string): string {
  const [, word = '', subscript = ''] = /^([A-Za-z]+)_\{?([^{}]*)\}?$/.exec(name) ?? [];
  const indices = subscript.split(',').slice(0, -1);
  return indices.length === 0 ? word : `${word}_{${indices.join(',')}}`;
}

const dots = /^(\\[cdlvh]?dots[a-z]?|:|\.{2,}|[…⋮⋯︙])$/;

function wordOf(text: string): Word | null {
  if (dots.test(text)) return { type: 'dots' };
  const [, name = '', braced, bare] =
    /^\\?([A-Za-z][A-Za-z0-9]*)(?:_(?:\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}|([A-Za-z0-9])))?$/.exec(text) ?? [];
  if (name === '') return null;
  const subscript = braced ?? bare;
  if (subscript === undefined) return { type: 'name', name, indices: [] };
  const indices = subscript.split(',').map(extentOf);
  return indices.every((index) => index !== null) ? { type: 'name', name, indices } : null;
}

function extentOf(text: string): Extent | null {
  const clean = text.replaceAll(/[\s\\]/g, '');
  if (/^\d+$/.test(clean)) return { name: null, plus: Number(clean), ofRow: false };
  const [, name, ofRow, sign, number] =
    /^([A-Za-z][A-Za-z0-9]*)(_\{?[A-Za-z0-9]+\}?)?(?:([+-])(\d+))?$/.exec(clean) ?? [];
  if (name === undefined) return null;
  const plus = number === undefined ? 0 : Number(`${sign}${number}`);
  return { name, plus, ofRow: ofRow !== undefined };
}

export type InputValues = {
  readonly scalars: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly tables: ReadonlyMap<string, readonly (readonly string[])[]>;
};

export type ValueType = 'long long' | 'double' | 'string';

/** By name; null where the format does not fit one of the inputs. `mayGoOn`: programs see the beginning alone. */
export function typesIn(
  steps: readonly Step[],
  inputs: readonly string[],
  mayGoOn: boolean,
): ReadonlyMap<string, ValueType> | null {
  const types = new Map<string, ValueType>();
  for (const input of inputs) {
    const { isRead, isWhole, scalars, lists, tables } = valuesIn(steps, input);
    if (!isRead || !(isWhole || mayGoOn)) return null;
    for (const [name, values] of [...scalars, ...lists, ...tables])
      for (const word of [values].flat(2)) types.set(name, widerOf(types.get(name), typeOfWord(word)));
  }
  return inputs.length === 0 ? null : types;
}

/** Longer lists than any input has: a format that asks for them is the wrong one. */
const mostValues = 5_000_000;

/** Up to where the steps do not fit any more, if they do not: `isRead`. `isWhole`: nothing is left behind them. */
export function valuesIn(steps: readonly Step[], input: string) {
  const words = input.split(/\s+/).filter(Boolean);
  const scalars = new Map<string, string>();
  const lists = new Map<string, string[]>();
  const tables = new Map<string, string[][]>();
  // What a row tells of itself holds until the next row.
  const numbers = new Map<string, number>();
  let at = 0;
  const lengthOf = ({ name, plus }: Extent): number | null => {
    const length = name === null ? plus : (numbers.get(name) ?? Number.NaN) + plus;
    return Number.isInteger(length) && length >= 0 && length <= mostValues ? length : null;
  };
  const take = (count: Extent | null): string[] | null => {
    const length = count === null ? 1 : lengthOf(count);
    if (length === null || at + length > words.length) return null;
    at += length;
    return words.slice(at - length, at);
  };
  const readField = ({ name, count }: Field, isRow: boolean): boolean => {
    const taken = take(count);
    if (taken === null) return false;
    const [word = ''] = taken;
    if (count === null) numbers.set(name, Number(word));
    if (isRow && count) listed(tables, name).push(taken);
    else if (isRow) listed(lists, name).push(word);
    else if (count) lists.set(name, taken);
    else scalars.set(name, word);
    return true;
  };
  const readStep = (step: Step): boolean => {
    if (step.type === 'once') return step.fields.every((field) => readField(field, false));
    const rows = lengthOf(step.count);
    if (rows === null) return false;
    for (const { name, count } of step.fields) listed<string | string[]>(count ? tables : lists, name);
    for (let row = 0; row < rows; row += 1)
      if (!step.fields.every((field) => readField(field, true))) return false;
    return true;
  };
  const isRead = steps.every(readStep);
  return { scalars, lists, tables, isRead, isWhole: isRead && at === words.length };
}

function listed<T>(lists: Map<string, T[]>, name: string): T[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}

function typeOfWord(word: string): ValueType {
  if (/^[+-]?\d{1,18}$/.test(word)) return 'long long';
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(word) ? 'double' : 'string';
}

const widths: readonly ValueType[] = ['long long', 'double', 'string'];

function widerOf(one: ValueType | undefined, other: ValueType): ValueType {
  return one === undefined || widths.indexOf(other) > widths.indexOf(one) ? other : one;
}
