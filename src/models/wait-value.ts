/** A wait as servers write it: seconds, `1m30s`, a moment since 1970, a date in any form of HTTP or ISO 8601. Pure; linear in time. */

export function numberIn(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const part = String.raw`\d{1,15}(?:\.\d{1,15})?\s?(?:milliseconds?|millis|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])`;
// In `1m30s` a unit ends before a digit.
export const durationPattern = String.raw`${part}(?:(?:,?\s?(?:and\s)?)${part}){0,3}`;
const duration = new RegExp(`^${durationPattern}$`, 'i');
const eachPart = /(\d{1,15}(?:\.\d{1,15})?)\s?([a-z]+)/gi;

/** A number this large is a moment and no duration. */
const firstMomentSeconds = 1e9;
const firstMomentMs = 1e12;

/** The wait that a value names, from now on; 0 for a moment that has passed, undefined for what names none. */
export function waitIn(value: string, nowMs: number, unitMs = 1_000): number | undefined {
  const text = value.trim().replace(/^"(.*)"$/, '$1');
  if (text.length > 100) return undefined;
  const number = numberIn(text);
  if (number !== undefined) {
    if (number >= firstMomentMs) return Math.max(0, number - nowMs);
    if (number >= firstMomentSeconds && unitMs === 1_000) return Math.max(0, number * 1_000 - nowMs);
    return Math.ceil(number * unitMs);
  }
  if (duration.test(text)) return durationMs(text);
  const momentMs = parseTimestamp(text);
  return momentMs === undefined ? undefined : Math.max(0, momentMs - nowMs);
}

export function durationMs(text: string): number {
  const all = [...text.matchAll(eachPart)].map(([, amount, unit = '']) => {
    const isMs = /^(ms|milli|msec)/i.test(unit);
    return Number(amount) * (isMs ? 1 : (unitsMs[unit[0]?.toLowerCase() ?? ''] ?? 0));
  });
  return Math.ceil(all.reduce((sum, ms) => sum + ms, 0));
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const month = months.join('|');
const time = String.raw`(?<h>\d\d):(?<m>\d\d):(?<s>\d\d)`;

/** The three forms of RFC 9110, all in UTC, and ISO 8601. */
const dateForms = [
  new RegExp(`^[a-z]{3}, (?<day>\\d\\d?) (?<month>${month}) (?<year>\\d{4}) ${time} (GMT|UTC|\\+0000)$`, 'i'),
  new RegExp(`^[a-z]{6,9}, (?<day>\\d\\d)-(?<month>${month})-(?<year>\\d\\d|\\d{4}) ${time} (GMT|UTC)$`, 'i'),
  new RegExp(`^[a-z]{3} (?<month>${month}) {1,2}(?<day>\\d\\d?) ${time} (?<year>\\d{4})$`, 'i'),
];
const isoForm = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?$/i;

function parseTimestamp(text: string): number | undefined {
  const iso = isoForm.exec(text);
  if (iso) {
    const ms = Date.parse(`${iso[1]}T${iso[2]}${iso[3]?.toUpperCase() ?? 'Z'}`);
    return Number.isNaN(ms) ? undefined : ms;
  }
  const found = dateForms.map((form) => form.exec(text)?.groups).find((groups) => groups);
  if (!found) return undefined;
  const { year = '', month: name = '', day, h, m, s } = found;
  const century = year.length === 2 ? 2_000 : 0;
  const at = months.indexOf(name.toLowerCase());
  return Date.UTC(Number(year) + century, at, Number(day), Number(h), Number(m), Number(s));
}
