/** The lines of a program that are most like some that were looked for, with their numbers: a hint for who misquoted. */

const most = 2;
/** A model that quotes half a program wrong is shown where it begins. */
const longest = 12;
const widest = 160;

export function similarLines(lines: readonly string[], search: readonly string[]): string {
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
  const shown = [best, apart].filter((each) => each !== undefined).slice(0, most);
  return shown
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
