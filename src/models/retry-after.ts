/** How long a provider asks to wait before the next try. Pure; whether there is a next try is the run's business. */
import { paceOf } from './rate-headers.ts';

/** Header names are lower case. `retry-after-ms` is OpenAI's, `retry-after` is seconds or a date (RFC 9110). */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const exactMs = positive(headers['retry-after-ms']);
  if (exactMs !== undefined) return later(exactMs);
  const value = headers['retry-after']?.trim();
  const seconds = positive(value);
  if (seconds !== undefined) return later(seconds * 1000);
  // Date.parse alone reads `-5` as a date, too.
  const dateMs = value?.endsWith('GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? resetMs(headers, nowMs) : later(dateMs - nowMs);
}

/** Now is no time: five tries in a tenth of a second help nobody, so our own patience holds. */
function later(waitMs: number): number | undefined {
  return waitMs > 0 ? Math.ceil(waitMs) : undefined;
}

/** Google writes it into the body of the error. */
export function retryDelayMs(body: string): number | undefined {
  const seconds = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  return seconds === undefined ? undefined : later(Number(seconds) * 1000);
}

/** When what has run out is given back. */
function resetMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const { requests, tokens } = paceOf(headers, nowMs) ?? {};
  const resets = [requests, tokens].flatMap((each) => (each?.remaining === 0 ? (each.resetMs ?? []) : []));
  return resets.length > 0 ? Math.max(...resets) : undefined;
}

function positive(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
