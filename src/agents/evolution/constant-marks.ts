/**
 * What the author of a program says of its constants, in comments: `// tune: 0.1..0.9`, `// tune: int 1..100 log`, and
 * `// tune: no` for one that is to stay. A mark belongs to the last number before it in its line. Pure.
 */
import type { CppToken } from './cpp-tokens.ts';

export type ConstantRange = {
  readonly low: number;
  readonly high: number;
  readonly scale: 'linear' | 'log';
};

export type Mark = {
  /** Null: it is to stay as it is. */
  readonly range: ConstantRange | null;
  readonly isInteger: boolean;
};

export type MarkReading = { readonly mark: Mark } | { readonly complaint: string };

/** Its pattern tries many ways to part a longer one. */
const longestMark = 200;

const form = 'A mark is written `// tune: 0.1..0.9`, `// tune: int 1..100 log`, or `// tune: no`.';

/** Null for a comment that is none. */
export function markIn({ kind, text }: CppToken): MarkReading | null {
  const words =
    kind === 'comment'
      ? /^\/[/*]\s*tune\s*:(?<words>[^\n]*)$/i.exec(text.replace(/\*\/$/, '').trimEnd())?.groups?.words
      : null;
  if (words === null || words === undefined) return null;
  const said = words.trim();
  if (/^(?:no|off|never)$/i.test(said)) return { mark: { range: null, isInteger: false } };
  const pattern =
    /^(?<type>int|integer|real|double|float)?\s*(?<ends>[^\s]+\.\.[^\s]+)\s*(?<scale>log|linear)?$/i;
  const { type = '', ends, scale = '' } = (said.length <= longestMark && pattern.exec(said)?.groups) || {};
  const range = ends && readRange(ends, scale.toLowerCase() === 'log');
  if (!range) return { complaint: `\`${said}\` is no range. ${form}` };
  if (typeof range === 'string') return { complaint: range };
  return { mark: { range, isInteger: /^int/i.test(type) } };
}

/** `0.1..0.9`; null where it is no range at all, a sentence where it is one that makes no sense. */
export function readRange(text: string, isLog: boolean): ConstantRange | string | null {
  const ends =
    /^(?<low>[-+]?[\d.]*?\d(?:e[-+]?\d+)?)\.\.(?<high>[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)$/i.exec(
      text,
    )?.groups;
  if (!ends) return null;
  const [low, high] = [Number(ends.low), Number(ends.high)];
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  if (low >= high) return `The range ${text} has no room: its first number must be the smaller one.`;
  if (isLog && low <= 0) return `The range ${text} cannot be searched by its logarithm: it begins at ${low}.`;
  return { low, high, scale: isLog ? 'log' : 'linear' };
}
