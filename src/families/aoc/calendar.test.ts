import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coded } from '../../../test/support/coded.ts';
import { UserError } from '../../core/errors.ts';
import { checkDay, isLastDay, opensAtMs } from './calendar.ts';
import type { AocSite } from './sites.ts';

describe('the calendar', () => {
  const connect = () => Promise.reject(new Error('not asked'));
  const aocSite: AocSite = { events: 'official', connect };
  const check = (year: number, day: number, now: number, site = aocSite) =>
    checkDay(site, { site: 'aoc', year, day, lang: 'python' }, now);
  const summer = Date.UTC(2026, 6, 1);

  test('midnight in New York, counted by hand', () => {
    for (let year = 1970; year < 2110; year++) expect(opensAtMs(year, 13)).toBe(Date.UTC(year, 11, 13, 5));
  });

  test('is midnight in New York by the time zone database too', () => {
    const newYork = new Intl.DateTimeFormat('en-CA', {
      timeZone: 'America/New_York',
      dateStyle: 'short',
      timeStyle: 'medium',
      hourCycle: 'h23',
    });
    fc.assert(
      fc.property(fc.integer({ min: 2015, max: 2200 }), fc.integer({ min: 1, max: 25 }), (year, day) => {
        const date = `${year}-12-${String(day).padStart(2, '0')}`;
        expect(newYork.format(opensAtMs(year, day))).toBe(`${date}, 00:00:00`);
        expect(newYork.format(opensAtMs(year, day) - 1_000)).toMatch(/, 23:59:59$/);
      }),
      { seed: 1 },
    );
  });

  test('at every moment a day is either refused for one reason or allowed', () => {
    const hour = 3_600_000;
    fc.assert(
      fc.property(
        fc.integer({ min: 2015, max: 2040 }),
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: Date.UTC(2015, 10, 1), max: Date.UTC(2041, 0, 1) }),
        (year, day, now) => {
          const last = year >= 2025 ? 12 : 25;
          const isOver = now >= Date.UTC(year, 11, last + 1, 5);
          const expected =
            day > last
              ? 'has no day'
              : now < Date.UTC(year, 11, day, 5)
                ? 'not open yet'
                : isOver
                  ? null
                  : 'still running';
          const message = refusalOf(() => check(year, day, now));
          if (expected === null) expect(message).toBeNull();
          else expect(message).toContain(expected);
        },
      ),
      { seed: 1 },
    );
    // Summer time ends long before December and begins long after it.
    expect(refusalOf(() => check(2024, 1, Date.UTC(2024, 11, 1, 4) + hour - 1))).toContain('not open');
    expect(refusalOf(() => check(2024, 1, Date.UTC(2024, 11, 1, 5)))).toContain('About page says no');
  });

  test('the last day has one part', () => {
    const isLast = (year: number, day: number, site = aocSite) =>
      isLastDay(site, { site: 'aoc', year, day, lang: 'python' });
    expect([isLast(2024, 25), isLast(2024, 12), isLast(2025, 12), isLast(2025, 11)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    const listed: AocSite = { events: [{ year: 2000, days: [1, 9], lastDay: 9 }], connect };
    expect([isLast(2000, 9, listed), isLast(2000, 1, listed), isLast(2001, 9, listed)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('knows the years and their days', () => {
    for (const [year, day] of [
      [2015, 1],
      [2024, 25],
      [2025, 12],
    ] as const)
      expect(() => check(year, day, summer)).not.toThrow();
    expect(() => check(2014, 1, summer)).toThrow(coded('no-such-event', '2014'));
    expect(() => check(2024, 26, summer)).toThrow(coded('no-such-day', '2024'));
    expect(() => check(2025, 13, summer)).toThrow(coded('no-such-day', '2025'));
    expect(() => check(2020, 0, summer)).toThrow(UserError);
    expect(() => check(2026, 3, summer)).toThrow(coded('day-locked'));
  });

  test('refuses an event that is running', () => {
    expect(() => check(2026, 1, Date.UTC(2026, 11, 5))).toThrow(coded('event-running'));
    expect(() => check(2026, 12, Date.UTC(2026, 11, 13, 4, 59))).toThrow(coded('event-running'));
    expect(() => check(2026, 12, Date.UTC(2026, 11, 13, 5))).not.toThrow();
    expect(() => check(2025, 1, Date.UTC(2026, 11, 5))).not.toThrow();
    expect(() =>
      check(2026, 1, Date.UTC(2026, 11, 5), { ...aocSite, allowsRunningEvent: true }),
    ).not.toThrow();
  });

  test('other sites have what they list', () => {
    const listed: AocSite = { events: [{ year: 2000, days: [1, 2] }], connect };
    expect(() => check(2000, 2, summer, listed)).not.toThrow();
    expect(() => check(2000, 3, summer, listed)).toThrow(coded('no-such-day', '2000'));
  });
});

function refusalOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return String(error);
  }
}
