/** Times of day and dates, from plain text. `3:4` is no time: its minutes have one digit. */
import type { Tree } from '../tree.ts';

const time = /^(\d{1,2}):(\d{2})(?::(\d{2}))?\s*(?:([ap])\.?\s*m\.?)?$/i;
const hour = /^(\d{1,2})\s*([ap])\.?\s*m\.?$/i;

export function timeIn(flat: string): Tree | null {
  const [, hours, minutes = '0', seconds = '0', letter] = time.exec(flat) ?? [];
  if (hours !== undefined) return timeOf(Number(hours), Number(minutes), Number(seconds), letter);
  if (/^(?:12\s+)?noon$/i.test(flat)) return timeOf(12, 0, 0, 'p');
  if (/^(?:12\s+)?midnight$/i.test(flat)) return timeOf(12, 0, 0, 'a');
  const [, only, half] = hour.exec(flat) ?? [];
  return only === undefined ? null : timeOf(Number(only), 0, 0, half);
}

function timeOf(hours: number, minutes: number, seconds: number, letter: string | undefined): Tree | null {
  if (minutes > 59 || seconds > 59 || hours > 24 || (letter && (hours > 12 || hours === 0))) return null;
  const unsaid = hours > 12 ? 'pm' : hours === 0 ? 'am' : null;
  const half = letter === undefined ? unsaid : letter.toLowerCase() === 'p' ? 'pm' : 'am';
  const onClock = letter === undefined ? hours : (hours % 12) + (half === 'pm' ? 12 : 0);
  return { kind: 'time', seconds: onClock * 3600 + minutes * 60 + seconds, half };
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
const monthName = String.raw`(${months.join('|')}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?`;
const monthFirst = new RegExp(
  String.raw`^${monthName}\s+(\d{1,2})(?:st|nd|rd|th)?(?:\s*,?\s*(\d{4}))?$`,
  'i',
);
const dayFirst = new RegExp(
  String.raw`^(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?${monthName}(?:\s*,?\s*(\d{4}))?$`,
  'i',
);
const iso = /^(\d{4})-(\d{2})-(\d{2})$/;
const slashes = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/;
const weekday = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+/i;

export function dateIn(text: string): Tree | null {
  const flat = text.replace(weekday, '');
  const [, month, day, year] = monthFirst.exec(flat) ?? [];
  if (month) return dateOf(year, monthNumber(month), Number(day));
  const [, first, name, afterwards] = dayFirst.exec(flat) ?? [];
  if (name) return dateOf(afterwards, monthNumber(name), Number(first));
  const [, y, m, d] = iso.exec(flat) ?? [];
  if (y) return dateOf(y, Number(m), Number(d));
  const [, a, b, c] = slashes.exec(flat) ?? [];
  if (!c) return null;
  // Months come first, unless that number can be no month, or dots part them.
  return Number(a) > 12 || flat.includes('.')
    ? dateOf(c, Number(b), Number(a))
    : dateOf(c, Number(a), Number(b));
}

function monthNumber(name: string): number {
  return months.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1;
}

function dateOf(year: string | undefined, month: number, day: number): Tree | null {
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return isDate ? { kind: 'date', year: year === undefined ? null : Number(year), month, day } : null;
}
