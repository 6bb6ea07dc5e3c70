/**
 * Changes as SEARCH/REPLACE blocks. The lines to be replaced must be found once: exactly, else without spaces at line
 * ends, else without indentation, which is then corrected in the new lines. All blocks are applied, or none. Pure.
 */

import { withoutThoughts } from '../../../text/model-json.ts';

type Block = { readonly search: readonly string[]; readonly replace: readonly string[] };

/** A program, or the trouble in words for the model, with the lines of the program that it concerns. */
export type Made = { readonly source: string } | { readonly source: null; readonly trouble: string };

type Place = { readonly start: number; readonly end: number; readonly lines: readonly string[] };

const opens = /^\s*<{5,9}\s*SEARCH\s*$/;
const divides = /^\s*={5,9}\s*$/;
const closes = /^\s*>{5,9}\s*REPLACE\s*$/;

/** The blocks of a reply, in their order; null where it begins one and does not end it. */
export function blocksIn(text: string): readonly Block[] | null {
  const blocks: Block[] = [];
  let open: { search: string[]; replace: string[] | null } | null = null;
  for (const line of linesOf(withoutThoughts(text))) {
    if (!open) {
      if (opens.test(line)) open = { search: [], replace: null };
    } else if (opens.test(line)) {
      return null;
    } else if (open.replace === null) {
      if (divides.test(line)) open.replace = [];
      else open.search.push(line);
    } else if (closes.test(line)) {
      blocks.push({ search: open.search, replace: open.replace });
      open = null;
    } else open.replace.push(line);
  }
  return open ? null : blocks;
}

export function applyBlocks(source: string, blocks: readonly Block[]): Made {
  const lines = linesOf(source);
  const places: Place[] = [];
  const troubles: string[] = [];
  for (const [at, block] of blocks.entries()) {
    const found = placeOf(lines, block);
    if (typeof found === 'string') troubles.push(`Block ${at + 1} of ${blocks.length}: ${found}`);
    else places.push(found);
  }
  places.sort((a, b) => a.start - b.start);
  for (const [at, { start }] of places.entries()) {
    if (start >= (places[at - 1]?.end ?? 0)) continue;
    troubles.push(`Two blocks replace line ${start + 1} of the program; make one block of them.`);
  }
  if (blocks.length === 0) troubles.push('There is no SEARCH/REPLACE block in the reply.');
  if (troubles.length > 0) return { source: null, trouble: troubles.join('\n\n') };
  for (const { start, end, lines: inserted } of places.toReversed())
    lines.splice(start, end - start, ...inserted);
  return { source: lines.join('\n') };
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.replace(/\r$/, ''));

/** How closely lines are compared, the closest first. */
const readings: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
];

function placeOf(lines: readonly string[], { search, replace }: Block): Place | string {
  if (search.every((line) => line.trim() === '')) {
    return 'its SEARCH part is empty, so there is no place for it. Repeat a line of the program that stands beside the new code.';
  }
  for (const [closeness, read] of readings.entries()) {
    const starts = startsOf(lines.map(read), search.map(read));
    const [start] = starts;
    if (starts.length > 1) {
      const at = starts.slice(0, 5).map((each) => each + 1);
      const more = starts.length > at.length ? ' …' : '';
      return `its SEARCH part is in the program ${starts.length} times, from lines ${at.join(', ')}${more}. Add lines above or below until it is there once.`;
    }
    if (start === undefined) continue;
    const end = start + search.length;
    if (closeness < 2) return { start, end, lines: replace };
    const indentations = indentationOf(search, lines.slice(start, end));
    if (indentations) return { start, end, lines: replace.map((line) => reindented(line, indentations)) };
  }
  return `its SEARCH part is not in the program. The most similar lines of the program are:\n${similarLines(lines, search)}`;
}

function startsOf(lines: readonly string[], search: readonly string[]): number[] {
  const starts: number[] = [];
  for (let start = 0; start + search.length <= lines.length; start += 1) {
    if (search.every((line, at) => line === lines[start + at])) starts.push(start);
  }
  return starts;
}

/** Maps each indentation of `from` to that of the same line of `to`; null where one would map to two. */
function indentationOf(from: readonly string[], to: readonly string[]): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>();
  for (const [at, line] of from.entries()) {
    if (line.trim() === '') continue;
    const [one, other] = [leading(line), leading(to[at] ?? '')];
    if ((found.get(one) ?? other) !== other) return null;
    found.set(one, other);
  }
  return found;
}

function reindented(line: string, indentations: ReadonlyMap<string, string>): string {
  if (line.trim() === '') return line;
  const own = leading(line);
  return `${written(own, indentations)}${line.slice(own.length)}`;
}

/** An indentation that was not seen goes as deep beyond the deepest known one before it as it did. */
function written(own: string, indentations: ReadonlyMap<string, string>): string {
  const exact = indentations.get(own);
  if (exact !== undefined) return exact;
  const known = [...indentations.keys()].toSorted((a, b) => b.length - a.length);
  const shallower = known.find((each) => own.startsWith(each));
  if (shallower !== undefined) return `${indentations.get(shallower)}${own.slice(shallower.length)}`;
  // Less deep than all that is known: what the shallowest has too much, or too little, this one has as well.
  const last = known.at(-1) ?? '';
  const to = indentations.get(last) ?? '';
  return to.endsWith(last.slice(own.length)) ? to.slice(0, to.length - (last.length - own.length)) : own;
}

const leading = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';

/** A model that quotes half a program wrong is shown where it begins. */
const longest = 12;
const widest = 160;

/** The lines of the program that are most like some that were looked for, with their numbers. */
function similarLines(lines: readonly string[], search: readonly string[]): string {
  const wanted = search.slice(0, longest).map(pairsOf);
  const size = Math.min(wanted.length, lines.length);
  const known = lines.map(pairsOf);
  const windows = Array.from({ length: Math.max(1, lines.length - size + 1) }, (_, start) => ({
    start,
    likeness: wanted.slice(0, size).reduce((sum, each, at) => sum + likeness(each, known[start + at]), 0),
  }));
  windows.sort((a, b) => b.likeness - a.likeness || a.start - b.start);
  const [best] = windows;
  const apart = windows.find(({ start }) => best && Math.abs(start - best.start) >= size);
  return [best, apart]
    .filter((each) => each !== undefined)
    .filter(({ likeness: alike }, at) => at === 0 || alike > 0)
    .map(({ start }) => numbered(lines.slice(start, start + size), start))
    .join('\n…\n');
}

function numbered(lines: readonly string[], start: number): string {
  return lines.map((line, at) => `${start + at + 1}: ${line.slice(0, widest).toWellFormed()}`).join('\n');
}

type Pairs = ReadonlyMap<string, number>;

function pairsOf(line: string): Pairs {
  const text = line.trim().replaceAll(/\s+/g, ' ');
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < text.length && at < widest; at += 1) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Dice's coefficient of the pairs of neighbouring characters. */
function likeness(one: Pairs, other: Pairs = new Map()): number {
  let common = 0;
  for (const [pair, times] of one) common += Math.min(times, other.get(pair) ?? 0);
  const all = sizeOf(one) + sizeOf(other);
  return all === 0 ? 0 : (2 * common) / all;
}

const sizeOf = (pairs: Pairs): number => [...pairs.values()].reduce((sum, times) => sum + times, 0);
