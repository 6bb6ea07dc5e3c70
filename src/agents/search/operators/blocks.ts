/**
 * Applies the blocks of a change. The lines to be replaced must be found once: exactly, else with other spaces; indentation
 * is corrected in the new lines then. All blocks are applied, or none. Pure.
 */
import { stripComments } from '../shown-source.ts';
import { type Block, linesOf } from './blocks-in-reply.ts';

/** A program, or the trouble in words for the model, with the lines of the program that it concerns. */
export type EditResult = { readonly source: string } | { readonly source: null; readonly trouble: string };

type Place = { readonly start: number; readonly end: number; readonly lines: readonly string[] };

export function applyBlocks(source: string, blocks: readonly Block[]): EditResult {
  const distinct = [...new Map(blocks.map((block) => [JSON.stringify(block), block])).values()];
  const editResult = appliedAtOnce(source, distinct);
  if (editResult.source !== null || distinct.length < 2) return editResult;
  return appliedInTurn(source, distinct) ?? editResult;
}

const omission =
  /^[ \t]*(?:(?:\/\/|\/\*)[ \t]*(?:[([<]?(?:\.{3}|…)|.{0,60}\b(?:rest|remainder|existing|same|(?:other|remaining) (?:code|functions?|methods?|parts?))\b.{0,60}(?:\b(?:unchanged|the same|as (?:before|above|is)|omitted|goes here)\b|(?:\.{3}|…)[ \t]*(?:\*\/)?[ \t]*$))|(?:\.{3}|…)[ \t]*$).*/im;

/** No program where a line says that something stays as it was; a line of the program before is none of these. */
export function rejectOmissions(editResult: EditResult, before: string): EditResult {
  const lines =
    editResult.source === null ? [] : linesOf(editResult.source).filter((line) => omission.test(line));
  const line = lines
    .find((each) => !before.includes(each.trim()))
    ?.trim()
    .slice(0, widest)
    .toWellFormed();
  const error = `A part of the program is left out: "${line}". Write it out, without such a line.`;
  return line === undefined ? editResult : { source: null, trouble: error };
}

/** Each to what the one before it made; null where one of them does not fit. */
function appliedInTurn(source: string, blocks: readonly Block[]): EditResult | null {
  let changed = source;
  for (const block of blocks) {
    const editResult = appliedAtOnce(changed, [block]);
    if (editResult.source === null) return null;
    changed = editResult.source;
  }
  return { source: changed };
}

/** All blocks refer to the program as it is. */
function appliedAtOnce(source: string, blocks: readonly Block[]): EditResult {
  const lines = linesOf(source);
  const positions: Place[] = [];
  const errors: string[] = [];
  for (const [at, block] of blocks.entries()) {
    const found = placeOf(lines, block);
    if (typeof found === 'string') errors.push(`Block ${at + 1} of ${blocks.length}: ${found}`);
    else positions.push(found);
  }
  positions.sort((a, b) => a.start - b.start);
  for (const [at, { start }] of positions.entries()) {
    if (start >= (positions[at - 1]?.end ?? 0)) continue;
    errors.push(`Two blocks replace line ${start + 1} of the program; make one block of them.`);
  }
  if (blocks.length === 0) errors.push('There is no SEARCH/REPLACE block in the reply.');
  if (errors.length > 0) return { source: null, trouble: errors.join('\n\n') };
  for (const { start, end, lines: inserted } of positions.toReversed())
    lines.splice(start, end - start, ...inserted);
  return { source: lines.join('\n') };
}

const pressed = (line: string): string =>
  line
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?!\w)|(?<!\w) /g, '');

/**
 * How closely lines are compared, the closest first. The fourth is blind to spaces beside signs and to blank lines, the
 * last one to comments too: programs are shown without them.
 */
const readings: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  pressed,
  pressed,
];
const [blindToSpaces, blindToComments] = [3, 4];

function placeOf(lines: readonly string[], block: Block): Place | string {
  const { search, replace } = anchorBlock(lines, block) ?? block;
  if (isBlank(search)) {
    return 'its SEARCH part is empty, so there is no place for it. Repeat a line of the program that stands beside the new code.';
  }
  for (const [closeness, read] of readings.entries()) {
    const isLoose = closeness >= blindToSpaces;
    const seen = closeness === blindToComments ? stripComments : (all: readonly string[]) => all;
    const known = seen(lines)
      .map((line, at) => ({ at, line }))
      .filter(({ line }) => !isLoose || !isBlank([line]));
    const requested = seen(search).filter((line) => !isLoose || !isBlank([line]));
    if (requested.length === 0) break;
    const starts = startsOf(
      known.map(({ line }) => read(line)),
      requested.map(read),
    );
    const [first] = starts;
    if (starts.length > 1) {
      const at = starts.slice(0, 5).map((each) => (known[each]?.at ?? 0) + 1);
      const more = starts.length > at.length ? ' …' : '';
      return `its SEARCH part is in the program ${starts.length} times, from lines ${at.join(', ')}${more}. Add lines above or below until it is there once.`;
    }
    if (first === undefined) continue;
    const found = known.slice(first, first + requested.length);
    const [start, end] = [found[0]?.at ?? 0, (found.at(-1)?.at ?? 0) + 1];
    if (closeness < 2) return { start, end, lines: replace };
    const indentations = indentationOf(
      requested,
      found.map(({ line }) => line),
    );
    const inserted = isLoose ? trimBlankLines(replace) : replace;
    if (indentations) {
      const created = inserted.map((line) => reindentLine(line, indentations));
      return { start, end, lines: markChanges(lines.slice(start, end), created) };
    }
  }
  const within = withinLine(lines, search, replace);
  if (within) return within;
  return `its SEARCH part is not in the program. The most similar lines of the program are:\n${similarLines(lines, search)}`;
}

/** A part of a line that the program has once. */
function withinLine(
  lines: readonly string[],
  search: readonly string[],
  replace: readonly string[],
): Place | null {
  const part = search.join('\n').trim();
  if (part.includes('\n') || part.length < 3) return null;
  const found = lines.flatMap((line, start) => (line.includes(part) ? [start] : []));
  const [start] = found;
  const line = lines[start ?? -1];
  if (start === undefined || line === undefined || found.length > 1 || line.split(part).length > 2)
    return null;
  const changed = line.replace(part, () => replace.join('\n').trim());
  return { start, end: start + 1, lines: changed.split('\n') };
}

/** A constant that was searched under its mark keeps it, where a model left the comment out. */
function markChanges(before: readonly string[], after: readonly string[]): readonly string[] {
  const marks = before.flatMap((line) => {
    const [, name, mark] = /(\w+)\s*[={][^=].*?(\/[/*]\s*tune\s*:.*)$/i.exec(line) ?? [];
    return name && mark ? [{ declares: new RegExp(`\\b${name}\\s*[={]`), mark }] : [];
  });
  return after.map((line) => {
    const found = /\/[/*]/.test(line) ? undefined : marks.find(({ declares }) => declares.test(line));
    return found ? `${line.trimEnd()} ${found.mark}` : line;
  });
}

const isBlank = (lines: readonly string[]): boolean => lines.every((line) => line.trim() === '');

function trimBlankLines(lines: readonly string[]): readonly string[] {
  const isText = (line: string) => line.trim() !== '';
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1);
}

/**
 * What only adds names its place by a line of the program that is repeated first or last. Null where it does not: where
 * more of its outermost lines are known, it is no addition.
 */
function anchorBlock(lines: readonly string[], { search, replace }: Block): Block | null {
  if (!isBlank(search)) return null;
  const text = trimBlankLines(replace);
  const depth = Math.min(...text.filter((line) => line.trim() !== '').map((line) => leading(line).length));
  const known = text.filter(
    (line) => leading(line).length === depth && /\w/.test(line) && lines.includes(line),
  );
  const [anchor] = known;
  const isAtEdge = anchor === text[0] || anchor === text.at(-1);
  return anchor !== undefined && known.length === 1 && isAtEdge ? { search: [anchor], replace: text } : null;
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

function reindentLine(line: string, indentations: ReadonlyMap<string, string>): string {
  if (line.trim() === '') return line;
  const own = leading(line);
  return `${reindentReplacement(own, indentations)}${line.slice(own.length)}`;
}

/** An indentation that was not seen goes as deep beyond the deepest known one before it as it did. */
function reindentReplacement(own: string, indentations: ReadonlyMap<string, string>): string {
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
  const requested = search.slice(0, longest).map(pairsOf);
  const size = Math.min(requested.length, lines.length);
  const known = lines.map(pairsOf);
  const windows = Array.from({ length: Math.max(1, lines.length - size + 1) }, (_, start) => ({
    start,
    likeness: requested
      .slice(0, size)
      .reduce((sum, each, at) => sum + pairSimilarity(each, known[start + at]), 0),
  }));
  windows.sort((a, b) => b.likeness - a.likeness || a.start - b.start);
  const [best] = windows;
  const separate = windows.find(({ start }) => best && Math.abs(start - best.start) >= size);
  return [best, separate]
    .filter((each) => each !== undefined)
    .filter(({ likeness: alike }, at) => at === 0 || alike > 0)
    .map(({ start }) => numberLines(lines.slice(start, start + size), start))
    .join('\n…\n');
}

function numberLines(lines: readonly string[], start: number): string {
  return lines.map((line, at) => `${start + at + 1}: ${line.slice(0, widest).toWellFormed()}`).join('\n');
}

/** Pairs of neighbouring characters: a name with a slip in it has most of them. */
function pairsOf(line: string): ReadonlySet<string> {
  const text = line.trim().replaceAll(/\s+/g, ' ').slice(0, widest);
  return new Set(Array.from(text.slice(1), (_, at) => text.slice(at, at + 2)));
}

/** The share of pairs of either line that both have. */
function pairSimilarity(one: ReadonlySet<string>, other: ReadonlySet<string> = new Set()): number {
  const common = [...one].filter((pair) => other.has(pair)).length;
  return common === 0 ? 0 : common / (one.size + other.size - common);
}
