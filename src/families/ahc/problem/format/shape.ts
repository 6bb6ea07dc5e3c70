/**
 * An input format as steps of reading: single values, values in a row, rows in a table. What is written with dots goes on
 * from the first index to the last; where the two do not belong together, nothing is guessed. Pure.
 */
import { type Extent, type Word, wordsOf } from './token.ts';

/** One value a row, or `count` of them. */
export type Field = { readonly name: string; readonly count: Extent | null };

export type Step =
  /** Scalars, and lists that stand in one line. */
  | { readonly type: 'once'; readonly fields: readonly Field[] }
  | { readonly type: 'rows'; readonly count: Extent; readonly fields: readonly Field[] };

/** Of the first block of code of the input's section. Null where it cannot be understood, or reads nothing. */
export function shapeOf(format: string): readonly Step[] | null {
  const block = /^```[^\n]*\n(?<code>[\s\S]*?)^```/m.exec(format)?.groups?.code ?? format;
  const lines = block.split(/\r?\n/).filter((line) => line.trim() !== '');
  const rows = lines.map(wordsOf);
  if (rows.length === 0 || !rows.every((row) => row !== null)) return null;
  const steps = stepsOf(rows);
  return steps !== null && hasOneOfEach(steps) ? steps : null;
}

function stepsOf(rows: readonly (readonly Word[])[]): readonly Step[] | null {
  const steps: Step[] = [];
  let before: (readonly Word[])[] = [];
  const flush = (): boolean => {
    const read = before.map(onceOf);
    before = [];
    if (!read.every((step) => step !== null)) return false;
    steps.push(...read);
    return true;
  };
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at] ?? [];
    if (!row.every(({ type }) => type === 'dots')) {
      before.push(row);
      continue;
    }
    const last = rows[at + 1];
    const table = last && tableOf(before, last);
    if (!table) return null;
    before = before.slice(0, table.from);
    if (!flush()) return null;
    steps.push(table.step);
    at += 1;
  }
  return flush() ? steps : null;
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
function runOf(
  row: readonly Word[],
  at: number,
  depth: number,
): { readonly field: Field; readonly next: number } | null {
  const first = row[at];
  if (first?.type !== 'name') return null;
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
  // What is written out without dots is as long as it is.
  if (!hasDots && (count.name !== null || count.plus !== next - at)) return null;
  return { field: { name, count }, next };
}

/** A name that is read twice is two things; which of them another one means, nobody knows. */
function hasOneOfEach(steps: readonly Step[]): boolean {
  const names = steps.flatMap(({ fields }) => fields.map(({ name }) => name));
  return names.length > 0 && new Set(names).size === names.length;
}
