/** The requests and tokens that a provider's headers say are left, and when they are renewed. Three dialects. */
import type { Allowance, ProviderPace } from '../core/model.ts';
import { numberIn, waitIn } from './wait-value.ts';

type Headers = Readonly<Record<string, string>>;

/** Header names are lower case. Null where they say nothing. */
export function paceOf(headers: Headers, nowMs: number): ProviderPace | null {
  const requests = strictestAllowance([
    parseAllowance(headers, 'anthropic-ratelimit-requests-', '', nowMs),
    parseAllowance(headers, 'x-ratelimit-', '-requests', nowMs),
    parseAllowance(headers, 'x-ratelimit-', '', nowMs),
    parseAllowance(headers, 'ratelimit-', '', nowMs),
  ]);
  const tokens = strictestAllowance([
    parseAllowance(headers, 'anthropic-ratelimit-tokens-', '', nowMs),
    parseAllowance(headers, 'anthropic-ratelimit-input-tokens-', '', nowMs),
    parseAllowance(headers, 'anthropic-ratelimit-output-tokens-', '', nowMs),
    parseAllowance(headers, 'x-ratelimit-', '-tokens', nowMs),
  ]);
  if (!requests && !tokens) return null;
  return { requests, tokens };
}

function parseAllowance(headers: Headers, before: string, after: string, nowMs: number): Allowance | null {
  const limit = numberIn(headers[`${before}limit${after}`]);
  const remaining = numberIn(headers[`${before}remaining${after}`]);
  const resetMs = waitIn(headers[`${before}reset${after}`] ?? '', nowMs);
  if (remaining === undefined) return null;
  return { remaining, limit, resetMs };
}

function strictestAllowance(allowances: readonly (Allowance | null)[]): Allowance | undefined {
  return allowances.flatMap((each) => each ?? []).toSorted((a, b) => a.remaining - b.remaining)[0];
}
