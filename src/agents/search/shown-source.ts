/** Programs as prompts show them: without comments and blank lines, and beside a kindred one only where they differ. Pure. */
import { cppTokens } from '../../text/cpp-tokens.ts';

/** Keeps the number of lines. Comments in `keeps` stay, and so does one of several lines that shares a line with code. */
export function stripComments(
  lines: readonly string[],
  keeps: (comment: string) => boolean = () => false,
): readonly string[] {
  const tokens = cppTokens(lines.join('\n'));
  const isApart = (at: number): boolean =>
    /(?:^|\n)[ \t]*$/.test(tokens[at - 1]?.text ?? '\n') && /^[ \t]*\n/.test(tokens[at + 1]?.text ?? '\n');
  const kept = tokens.map(({ kind, text }, at) => {
    if (kind !== 'comment' || keeps(text) || (text.includes('\n') && !isApart(at))) return text;
    return text.replaceAll(/[^\n]+/g, ' ');
  });
  return kept.join('').split('\n');
}

/** Marks say where constants are searched. */
const isMark = (comment: string): boolean => /^\/[/*]\s*tune\s*:/i.test(comment);

export function plainSource(source: string): string {
  const lines = stripComments(source.replaceAll('\r\n', '\n').split('\n'), isMark).map((line) =>
    line.trimEnd(),
  );
  return lines.filter((line) => line !== '').join('\n');
}

/** At most so many characters, up to the end of a function where one ends in the second half of them. */
export function sourcePrefix(source: string, most: number): string {
  if (source.length <= most) return source;
  const lines = source.slice(0, most).split('\n').slice(0, -1);
  const text = lines.slice(0, lines.findLastIndex((line) => line.startsWith('}')) + 1).join('\n');
  return text.length < most / 2 ? source.slice(0, most) : text;
}

/** Beyond that, a program is no kin, and is shown whole. */
const mostOfWhole = 0.6;
const mostPairs = 4_000_000;

/** The lines of `other` that `one` lacks (+) and the other way around (-), each run below the line before it; null where that is no shorter. */
export function diffLines(one: string, other: string): string | null {
  const [before, after] = [one.split('\n'), other.split('\n')];
  const minimum = Math.min(before.length, after.length);
  let [head, tail] = [0, 0];
  while (head < minimum && before[head] === after[head]) head += 1;
  while (tail < minimum - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const [left, right] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  if (left.length * right.length > mostPairs) return null;
  const visible: string[] = [];
  let [at, to, isApart] = [0, 0, true];
  const common = commonRuns(left, right);
  const show = (sign: string, line = ''): void => {
    if (isApart) visible.push('…', ` ${(at > 0 ? left[at - 1] : before[head - 1]) ?? ''}`);
    isApart = false;
    visible.push(`${sign}${line}`);
  };
  while (at < left.length || to < right.length) {
    if (at < left.length && to < right.length && left[at] === right[to]) {
      [at, to, isApart] = [at + 1, to + 1, true];
    } else if (to >= right.length || (at < left.length && common(at + 1, to) >= common(at, to + 1))) {
      show('-', left[at]);
      at += 1;
    } else {
      show('+', right[to]);
      to += 1;
    }
  }
  const text = visible.join('\n');
  return text.length <= other.length * mostOfWhole ? text : null;
}

/** How many lines the rests from two places have in common, in order. */
function commonRuns(left: readonly string[], right: readonly string[]): (at: number, to: number) => number {
  const width = right.length + 1;
  const most = new Uint16Array((left.length + 1) * width);
  for (let at = left.length - 1; at >= 0; at -= 1) {
    for (let to = right.length - 1; to >= 0; to -= 1) {
      const [down, across] = [most[(at + 1) * width + to] ?? 0, most[at * width + to + 1] ?? 0];
      const pair = (most[(at + 1) * width + to + 1] ?? 0) + 1;
      most[at * width + to] = left[at] === right[to] ? pair : Math.max(down, across);
    }
  }
  return (at, to) => most[at * width + to] ?? 0;
}
