/** Milliseconds since 1970 as ISO 8601 in UTC, computed: this room has no clock, and needs none to write a time. Pure. */

const dayMs = 86_400_000;

/** `2026-11-21T17:05:09.120Z`; years 0 to 9999. */
export function isoTime(atMs: number): string {
  const days = Math.floor(atMs / dayMs);
  const restMs = Math.floor(atMs - days * dayMs);
  const { year, month, day } = civil(days);
  const seconds = Math.floor(restMs / 1000);
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    padded(part, 2),
  );
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}T${time.join(':')}.${padded(restMs % 1000, 3)}Z`;
}

/** The Gregorian date so many days after 1970-01-01: years that begin in March, in eras of 400. */
function civil(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}

function padded(number: number, width: number): string {
  return String(number).padStart(width, '0');
}
