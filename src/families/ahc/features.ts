/** The numbers at the start of an input, named as in the statement (`N`, `M`), and groups of cases by them. Pure. */
import { UserError } from '../../core/errors.ts';

/** A name as statements write it: `N`, `C_1`, `N_{max}`, `\varepsilon`. */
const scalar = /^\\?[A-Za-z][A-Za-z0-9]*(_(\{[A-Za-z0-9]+\}|[A-Za-z0-9]+))?$/;
const dots = /^(\\[cdlv]?dots[a-z]?|:|\.{2,}|[…⋮⋯︙])$/;
const mostNames = 20;

/**
 * The names of the first numbers. A format's first lines count as long as they hold names alone; where dots begin, numbers
 * have no place of their own any more, and a line right above a line of dots is the first of a list.
 */
export function featureNames(format: string | null): readonly string[] {
  const page = format ?? '';
  const lines: string[][] = [];
  // If a page has prose, its first block of code is the input.
  for (const line of (blocksOf(page)[0] ?? page).split(/\r?\n/)) {
    const tokens = line
      .replaceAll(/[$`]|<\/?var>/g, ' ')
      .split(/\s+/)
      .filter(Boolean);
    if (tokens.length === 0 && lines.length === 0) continue;
    if (tokens.length > 0 && tokens.every((token) => dots.test(token))) lines.pop();
    if (tokens.length === 0 || !tokens.every((token) => scalar.test(token) && !dots.test(token))) break;
    lines.push(tokens);
  }
  const names = lines.flat().map((token) => token.replaceAll(/[\\{}]/g, ''));
  return [...new Set(names)].slice(0, mostNames);
}

/** The fenced blocks of code of a page. */
function blocksOf(page: string): readonly string[] {
  const blocks = page.matchAll(/(?<![^\n])```[^\n]*\n([\s\S]*?)(?<![^\n])```/g);
  return [...blocks].map(([, code = '']) => code);
}

/** The numbers that the input begins with, at most as many as can have names. */
export function leadingNumbers(input: string): readonly number[] {
  const numbers: number[] = [];
  // The beginning alone is looked at: inputs may be megabytes.
  for (const word of input.slice(0, 2_000).trimStart().split(/\s+/, mostNames)) {
    const number = Number(word);
    if (word === '' || !Number.isFinite(number)) break;
    numbers.push(number);
  }
  return numbers;
}

/** Which of the first numbers is meant: by the statement's name, or by its place, from 1. */
export function featureIndex(names: readonly string[], question: string): number {
  const exact = names.indexOf(question);
  const loose = names.findIndex((name) => name.toLowerCase() === question.toLowerCase());
  const index = exact >= 0 ? exact : loose;
  if (index >= 0) return index;
  if (/^[1-9]\d?$/.test(question) && Number(question) <= mostNames) return Number(question) - 1;
  throw new UserError({
    code: 'no-such-feature',
    what: `The input format names no ${question}.`,
    why:
      names.length > 0
        ? `It begins with ${names.join(', ')}.`
        : 'No names of numbers were found at the beginning of problem/input_format.txt.',
    fix: 'Name one of them, or the place of a number in the input: --group 1 is the first.',
  });
}

export type Group<T> = { readonly label: string; readonly members: readonly T[] };

const mostGroups = 8;
const ranges = 4;

/** A group for each value; where there are many values, four ranges with about as many members. */
export function grouped<T>(
  items: readonly T[],
  numberOf: (item: T) => number | undefined,
): readonly Group<T>[] {
  const known = items.flatMap((item) => {
    const value = numberOf(item);
    return value === undefined ? [] : [{ item, value }];
  });
  const sorted = known.map(({ value }) => value).sort((a, b) => a - b);
  const values = [...new Set(sorted)];
  const bounds = values.length <= mostGroups ? values : rangeEnds(sorted);
  const groups = bounds.map((bound, at): Group<T> => {
    const lower = bounds[at - 1] ?? Number.NEGATIVE_INFINITY;
    const inside = known.filter(({ value }) => value > lower && value <= bound);
    const minimum = inside.reduce((a, { value }) => Math.min(a, value), bound);
    const label = minimum === bound ? `${bound}` : `${minimum}–${bound}`;
    return { label, members: inside.map(({ item }) => item) };
  });
  const unknown = items.filter((item) => numberOf(item) === undefined);
  return unknown.length > 0 ? [...groups, { label: 'unknown', members: unknown }] : groups;
}

function rangeEnds(sorted: readonly number[]): readonly number[] {
  const ends = Array.from(
    { length: ranges },
    (_, index) => sorted[Math.ceil(((index + 1) * sorted.length) / ranges) - 1] ?? 0,
  );
  return [...new Set(ends)];
}
