/** When a contest runs, from its front page; and whether one may work on it by machine now. Knows no HTTP. */
import { load } from 'cheerio/slim';

export type Schedule = { readonly startMs: number; readonly endMs: number };

/** Null where the page does not tell: then nobody knows that the contest is over. */
export function parseSchedule(html: string): Schedule | null {
  const page = load(html);
  const times = page('.contest-duration time')
    .toArray()
    .map((time) => instantOf(page(time).text().trim()));
  const [start, end] = times;
  return start !== undefined && end !== undefined && start < end ? { startMs: start, endMs: end } : null;
}

/** `2026-03-14 19:00:00+0900`. */
function instantOf(text: string): number | undefined {
  const found = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?)([+-]\d\d):?(\d\d)$/.exec(text);
  if (!found) return undefined;
  const instant = Date.parse(`${found[1]}T${found[2]}${found[3]}:${found[4]}`);
  return Number.isNaN(instant) ? undefined : instant;
}

export type Standing = 'over' | 'running' | 'not-begun' | 'unknown';

export function standingOf(schedule: Schedule | null, nowMs: number): Standing {
  if (!schedule) return 'unknown';
  if (nowMs < schedule.startMs) return 'not-begun';
  return nowMs < schedule.endMs ? 'running' : 'over';
}
