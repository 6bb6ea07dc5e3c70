/**
 * Changes as SEARCH/REPLACE blocks. What is to be replaced must be found, and found once: exactly, else but for spaces at
 * the ends of lines, else but for indentation, which is then corrected in what takes its place. All blocks are looked up
 * in the program as it was, and either all are applied or none: nothing is skipped in silence. Pure; knows no language.
 */
import { indentationOf, reindented } from './indentation.ts';
import { similarLines } from './similar-lines.ts';

export type Block = { readonly search: readonly string[]; readonly replace: readonly string[] };

/** `trouble` is for the model: which block, what is wrong with it, and what the program looks like there. */
export type Applied = { readonly source: string } | { readonly source: null; readonly trouble: string };

type Place = { readonly start: number; readonly end: number; readonly lines: readonly string[] };

const opens = /^\s*<{5,9}\s*SEARCH\s*$/;
const divides = /^\s*={5,9}\s*$/;
const closes = /^\s*>{5,9}\s*REPLACE\s*$/;

/** The blocks of a reply, in their order; null where it begins one and does not end it. */
export function blocksIn(text: string): readonly Block[] | null {
  const blocks: Block[] = [];
  let open: { search: string[]; replace: string[] | null } | null = null;
  for (const line of linesOf(text)) {
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

export function applyBlocks(source: string, blocks: readonly Block[]): Applied {
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
  const changed = places.toReversed().reduce<readonly string[]>(replaced, lines);
  return { source: changed.join('\n') };
}

const replaced = (lines: readonly string[], { start, end, lines: inserted }: Place): readonly string[] => [
  ...lines.slice(0, start),
  ...inserted,
  ...lines.slice(end),
];

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
    if (starts.length > 1) return ambiguous(starts);
    if (start === undefined) continue;
    const end = start + search.length;
    if (closeness < 2) return { start, end, lines: replace };
    const corrected = reindented(replace, indentationOf(search, lines.slice(start, end)));
    if (corrected) return { start, end, lines: corrected };
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

function ambiguous(starts: readonly number[]): string {
  const at = starts.slice(0, 5).map((start) => start + 1);
  const more = starts.length > at.length ? ' …' : '';
  return `its SEARCH part is in the program ${starts.length} times, from lines ${at.join(', ')}${more}. Add lines above or below until it is there once.`;
}
