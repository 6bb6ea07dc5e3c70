/** What the values of options are read by. It knows no model and no folder, so that a list of runs need not load them. */
import { InvalidArgumentError } from 'commander';

/** For several values with commas between. */
export function parseList(value: string): readonly string[] {
  return value.split(',').flatMap((each) => each.trim() || []);
}

export function parseInteger(minimum: number, most = Number.MAX_SAFE_INTEGER) {
  return (value: string): number => {
    const number = Number(value);
    if (/^[+-]?\d+$/.test(value.trim()) && number >= minimum && number <= most) return number;
    const range = most === Number.MAX_SAFE_INTEGER ? `, at least ${minimum}` : ` from ${minimum} to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number${range}.`);
  };
}

export function parseAnyInteger(value: string): number {
  return parseInteger(Number.MIN_SAFE_INTEGER)(value);
}

export function portNumber(value: string): number {
  const number = parseInteger(0)(value);
  if (number < 65_536) return number;
  throw new InvalidArgumentError('It must be below 65536.');
}

export function positive(value: string): number {
  const number = Number(value);
  if (value.trim() !== '' && Number.isFinite(number) && number > 0) return number;
  throw new InvalidArgumentError('It must be a number above 0.');
}

/** A time, by what is now. */
export type Since = (nowMs: number) => number;

/** `2026-11-01`, `12h`, `7d`. */
export function since(value: string): Since {
  const { number, unit } = /^(?<number>\d+)(?<unit>[hd])$/.exec(value)?.groups ?? {};
  if (number) return (nowMs) => nowMs - Number(number) * (unit === 'h' ? 3_600_000 : 86_400_000);
  // A bare date would be read as that of Greenwich.
  const text = value.length === 'YYYY-MM-DD'.length ? `${value}T00:00` : value;
  const atMs = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(atMs)) return () => atMs;
  throw new InvalidArgumentError('It must be a date such as 2026-11-01, or a time such as 12h or 7d.');
}
