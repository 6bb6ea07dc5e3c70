/**
 * Which days there are. Pure: the time is handed in. Throws `UserError` for a day that does not exist, is not open yet,
 * or belongs to the event that is running.
 */
import { UserError } from '../../core/errors.ts';
import type { AocReference } from './reference.ts';
import type { AocEvent, AocSite } from './sites.ts';

const firstYear = 2015;
const dayMs = 24 * 60 * 60 * 1000;

export function checkDay(site: AocSite, reference: AocReference, nowMs: number): void {
  if (site.events === 'official') checkOfficialDay(reference, nowMs, site.allowsRunningEvent ?? false);
  else checkListedDay(site.events, reference);
}

/** Whether the day belongs to an event that people are solving at the time. */
export function isOfRunningEvent({ events }: AocSite, { year }: AocReference, nowMs: number): boolean {
  return events === 'official' && isRunning(year, nowMs);
}

/** Whether the day has one part to answer; its second star comes by itself, with all the others of its event. */
export function isLastDay({ events }: AocSite, { year, day }: AocReference): boolean {
  if (events === 'official') return day === lastDayOf(year);
  return events.some((event) => event.year === year && event.lastDay === day);
}

/** The event was shortened in 2025. */
function lastDayOf(year: number): number {
  return year >= 2025 ? 12 : 25;
}

/** Midnight in New York, which is five hours behind UTC in December. */
export function opensAtMs(year: number, day: number): number {
  // A year beyond those of Date has no number, and never comes.
  return Date.UTC(year, 11, day, 5) || Number.POSITIVE_INFINITY;
}

function checkOfficialDay({ year, day }: AocReference, nowMs: number, allowsRunningEvent: boolean): void {
  if (year < firstYear) {
    throw new UserError({
      code: 'no-such-event',
      what: `There is no Advent of Code ${year}.`,
      why: `The first one was in ${firstYear}.`,
      fix: `Choose a year from ${firstYear} on, or practise with \`--site practice\`, which has a year of its own.`,
    });
  }
  const lastDay = lastDayOf(year);
  if (day < 1 || day > lastDay) {
    throw new UserError({
      code: 'no-such-day',
      what: `Advent of Code ${year} has no day ${day}.`,
      why: `It has ${lastDay} days.`,
      fix: `Choose a day from 1 to ${lastDay}.`,
    });
  }
  if (nowMs < opensAtMs(year, day)) {
    throw new UserError({
      code: 'day-locked',
      what: `Day ${day} of Advent of Code ${year} is not open yet.`,
      why: `It opens on December ${day}, ${year}, at midnight in New York.`,
      fix: 'Choose a day that is open.',
    });
  }
  if (isRunning(year, nowMs) && !allowsRunningEvent) {
    throw new UserError({
      code: 'event-running',
      what: `Advent of Code ${year} is still running.`,
      why: 'To "Should I use AI to solve Advent of Code puzzles?" the site\'s About page says no: while an event runs, people solve it.',
      fix: `Choose an earlier year, or come back after December ${lastDay}. \`--allow-running-event\` goes on all the same, and the run's journal says so.`,
    });
  }
}

/** The last puzzle has a day of its own before the event is over. */
function isRunning(year: number, nowMs: number): boolean {
  return nowMs >= opensAtMs(year, 1) && nowMs < opensAtMs(year, lastDayOf(year)) + dayMs;
}

function checkListedDay(events: readonly AocEvent[], { site: name, year, day }: AocReference): void {
  if (events.some((event) => event.year === year && event.days.includes(day))) return;
  const entry = events.map((event) => `days ${event.days.join(', ')} of ${event.year}`).join('; ');
  throw new UserError({
    code: 'no-such-day',
    what: `The site ${name} has no day ${day} of ${year}.`,
    why: `It has ${entry}.`,
    fix: 'Choose one of these.',
  });
}
