import { describe, expect, test } from 'vitest';
import { UserError } from '../../core/errors.ts';
import { checkDay, opensAtMs } from './calendar.ts';
import type { AocSite } from './sites.ts';

describe('the calendar', () => {
  const connect = () => Promise.reject(new Error('not asked'));
  const official: AocSite = { events: 'official', connect };
  const check = (year: number, day: number, now: number, site = official) =>
    checkDay(site, { site: 'aoc', year, day, lang: 'python' }, now);
  const summer = Date.UTC(2026, 6, 1);

  test('midnight in New York, counted by hand', () => {
    for (let year = 1970; year < 2110; year++) expect(opensAtMs(year, 13)).toBe(Date.UTC(year, 11, 13, 5));
  });

  test('knows the years and their days', () => {
    for (const [year, day] of [
      [2015, 1],
      [2024, 25],
      [2025, 12],
    ] as const)
      expect(() => check(year, day, summer)).not.toThrow();
    expect(() => check(2014, 1, summer)).toThrow('no Advent of Code 2014');
    expect(() => check(2024, 26, summer)).toThrow('Advent of Code 2024 has no day 26. It has 25 days.');
    expect(() => check(2025, 13, summer)).toThrow('Advent of Code 2025 has no day 13. It has 12 days.');
    expect(() => check(2020, 0, summer)).toThrow(UserError);
    expect(() => check(2026, 3, summer)).toThrow('not open yet');
  });

  test('refuses an event that is running', () => {
    expect(() => check(2026, 1, Date.UTC(2026, 11, 5))).toThrow('still running');
    expect(() => check(2026, 12, Date.UTC(2026, 11, 13, 4, 59))).toThrow('still running');
    expect(() => check(2026, 12, Date.UTC(2026, 11, 13, 5))).not.toThrow();
    expect(() => check(2025, 1, Date.UTC(2026, 11, 5))).not.toThrow();
    expect(() =>
      check(2026, 1, Date.UTC(2026, 11, 5), { ...official, allowsRunningEvent: true }),
    ).not.toThrow();
  });

  test('other sites have what they list', () => {
    const listed: AocSite = { events: [{ year: 2000, days: [1, 2] }], connect };
    expect(() => check(2000, 2, summer, listed)).not.toThrow();
    expect(() => check(2000, 3, summer, listed)).toThrow('It has days 1, 2 of 2000');
  });
});
