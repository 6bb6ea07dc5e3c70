/** The requests and tokens that a provider's headers say are left, and when they are renewed. Three dialects. */
import type { Allowance, ProviderPace } from '../core/model.ts';

type Headers = Readonly<Record<string, string>>;

/** Header names are lower case. Null where they say nothing. */
export function paceOf(headers: Headers, nowMs: number): ProviderPace | null {
  const requests = strictest([
    allowance(headers, 'anthropic-ratelimit-requests-', '', nowMs),
    allowance(headers, 'x-ratelimit-', '-requests', nowMs),
    allowance(headers, 'x-ratelimit-', '', nowMs),
    allowance(headers, 'ratelimit-', '', nowMs),
  ]);
  const tokens = strictest([
    allowance(headers, 'anthropic-ratelimit-tokens-', '', nowMs),
    allowance(headers, 'anthropic-ratelimit-input-tokens-', '', nowMs),
    allowance(headers, 'anthropic-ratelimit-output-tokens-', '', nowMs),
    allowance(headers, 'x-ratelimit-', '-tokens', nowMs),
  ]);
  if (!requests && !tokens) return null;
  return { requests, tokens };
}

function allowance(headers: Headers, before: string, after: string, nowMs: number): Allowance | null {
  const limit = numberIn(headers[`${before}limit${after}`]);
  const remaining = numberIn(headers[`${before}remaining${after}`]);
  const resetMs = resetIn(headers[`${before}reset${after}`], nowMs);
  if (remaining === undefined) return null;
  return { remaining, limit, resetMs };
}

function strictest(allowances: readonly (Allowance | null)[]): Allowance | undefined {
  return allowances.flatMap((each) => each ?? []).toSorted((a, b) => a.remaining - b.remaining)[0];
}

export function numberIn(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A number this large is a moment and no duration. */
const firstMomentSeconds = 1e9;
const firstMomentMs = 1e12;

/** `6m0s`, `120ms`, `1.5` (seconds), seconds or milliseconds since 1970, or a date. */
function resetIn(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  const number = numberIn(text);
  if (number !== undefined) {
    if (number >= firstMomentMs) return Math.max(0, number - nowMs);
    if (number >= firstMomentSeconds) return Math.max(0, number * 1_000 - nowMs);
    return Math.ceil(number * 1_000);
  }
  if (/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) {
    const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
    return Math.ceil(
      parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (unitsMs[unit] ?? 0), 0),
    );
  }
  const dateMs = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
