/** How long a server wants to be left alone: from its headers, the fields of its error, or its words. Pure; linear in time. */
import { paceOf } from './rate-headers.ts';
import { durationMs, durationPattern, waitIn } from './wait-value.ts';

type Headers = Readonly<Record<string, string>>;

/** A wait of nothing is none: five tries in a tenth of a second help nobody, so the usual waits hold. */
function positive(waitMs: number): number | undefined {
  return waitMs > 0 && Number.isFinite(waitMs) ? Math.ceil(waitMs) : undefined;
}

/** Header names are lower case. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  for (const name of ['retry-after-ms', 'x-ms-retry-after-ms']) {
    const exactMs = headerWait(headers[name], nowMs, 1);
    if (exactMs !== undefined) return positive(exactMs);
  }
  const named = headerWait(headers['retry-after'], nowMs, 1_000);
  return named === undefined ? resetMs(headers, nowMs) : positive(named);
}

/** Several headers of one name arrive joined by commas: the longest wait holds for all of them. */
function headerWait(value: string | undefined, nowMs: number, unitMs: number): number | undefined {
  if (value === undefined || value.length > 1_000) return undefined;
  // The comma behind the day of a week is part of a date.
  const values = value
    .split(/(?<!\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}),/i)
    .map((each) => waitIn(each, nowMs, unitMs));
  const delayMs = values.filter((each) => each !== undefined);
  return delayMs.length > 0 ? Math.max(...delayMs) : undefined;
}

/** When what has run out is given back. */
function resetMs(headers: Headers, nowMs: number): number | undefined {
  const { requests, tokens } = paceOf(headers, nowMs) ?? {};
  const resets = [requests, tokens].flatMap((each) => (each?.remaining === 0 ? (each.resetMs ?? []) : []));
  return resets.length > 0 ? Math.max(...resets) : undefined;
}

const fieldNames =
  /^(retry|tryagain)(after|in|delay)(s|secs?|seconds?|ms|millis|milliseconds)?$|^(estimatedtime|resetsinseconds|resetsat|resetafter|waitseconds|waitms|xratelimitreset)$/;
const containers =
  /^(error|errors|detail|details|metadata|headers|data|extra|info|parameters|extensions|retryinfo|ratelimit|meta)$/;
const maxDepth = 5;
const maxItems = 50;

/** What the error's own fields say, at any of the places where servers write it. */
export function waitInFields(value: unknown, nowMs: number, depth = 0): number | undefined {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return undefined;
  const entries = Object.entries(value).slice(0, maxItems);
  const delayMs = entries.flatMap(([name, field]) => {
    const plain = name.toLowerCase().replace(/[-_]/g, '');
    const named = plain === 'headers' ? retryAfterMs(headersIn(field), nowMs) : undefined;
    if (named !== undefined) return named;
    if (fieldNames.test(plain)) return fieldWait(plain, field, nowMs) ?? [];
    const isInside = Array.isArray(value) || containers.test(plain);
    return isInside ? (waitInFields(field, nowMs, depth + 1) ?? []) : [];
  });
  return delayMs.length > 0 ? Math.max(...delayMs) : undefined;
}

/** OpenRouter quotes those of the provider behind it. */
function headersIn(value: unknown): Headers {
  const entries = Object.entries(value ?? {}).slice(0, maxItems);
  return Object.fromEntries(entries.map(([name, field]) => [name.toLowerCase(), String(field)]));
}

function fieldWait(name: string, field: unknown, nowMs: number): number | undefined {
  const unitMs = /ms$|milli/.test(name) ? 1 : 1_000;
  if (typeof field === 'number' || typeof field === 'string') {
    const waitMs = waitIn(String(field), nowMs, unitMs);
    return waitMs === undefined ? undefined : positive(waitMs);
  }
  // A duration of Protobuf in JSON.
  if (typeof field !== 'object' || field === null || !('seconds' in field)) return undefined;
  const nanos = 'nanos' in field ? Number(field.nanos) : 0;
  return positive(Number(field.seconds) * 1_000 + nanos / 1e6);
}

const inWords = new RegExp(
  String.raw`\b(?:(?:re)?try(?:ing)?(?: again| your request| this request)?|wait(?: for)?|resets?|available(?: again)?|come back)(?: at least)?(?: in| after| for| within)?:?(?: about| approximately| at least)? (?<wait>${durationPattern})`,
  'i',
);

const maxMessage = 4_000;

/** `Please try again in 7.66s`, `retry after 20 seconds`. */
export function waitInWords(message: string): number | undefined {
  const wait = inWords.exec(message.slice(0, maxMessage))?.groups?.wait;
  return wait === undefined ? undefined : positive(durationMs(wait));
}
