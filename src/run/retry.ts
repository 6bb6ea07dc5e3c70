/**
 * What to do after an attempt at a model call: the one retry policy. It decides from the attempts' settlements and the
 * header alone, so that a replay decides alike. Pure; it neither waits nor calls.
 */
import type { EffectError } from '../core/errors.ts';
import type { RetryPolicy, Settlement } from '../core/event.ts';
import type { ModelRequest, ModelSuccess } from '../core/model.ts';

export type Attempted = Extract<Settlement, { status: 'ok' | 'error' }>;

export type NextStep =
  | { readonly kind: 'return' }
  | { readonly kind: 'again'; readonly waitMs: number; readonly because: EffectError }
  /** The reply is shown to its model with what is wrong with it. */
  | { readonly kind: 'repair'; readonly request: ModelRequest };

/** What came of the attempts so far, the last one last. */
export function nextStep(
  policy: RetryPolicy,
  request: ModelRequest,
  attempts: readonly Attempted[],
): NextStep {
  const last = attempts.at(-1);
  if (last?.status === 'error') return afterFailure(policy, attempts, last.error);
  const reply = last?.result as unknown as ModelSuccess | undefined;
  const repaired = attempts.filter(({ status }) => status === 'ok').length - 1;
  if (
    !reply?.misfit ||
    request.output?.repair === false ||
    !isRepairable(reply) ||
    repaired >= (policy.maxRepairs ?? 0)
  )
    return { kind: 'return' };
  return { kind: 'repair', request: repairOf(request, reply, reply.misfit) };
}

/** A provider that wants to be left alone for longer than this is out of service: the run can be resumed later. */
const longestNamedWaitMs = 15 * 60_000;

function afterFailure(policy: RetryPolicy, attempts: readonly Attempted[], error: EffectError): NextStep {
  const { retryable = false, retryAfterMs, kind } = error.model ?? {};
  if (!retryable || (retryAfterMs ?? 0) > longestNamedWaitMs) return { kind: 'return' };
  const failures = attempts.flatMap((each) => (each.status === 'error' ? each.error : []));
  const alike = failures.filter(({ model }) => model?.kind === kind).length;
  // What is malformed was paid for, and no rest heals it.
  const most = kind === 'malformed' ? (policy.maxMalformedRetries ?? policy.maxRetries) : policy.maxRetries;
  if (failures.length > policy.maxRetries || alike > most) return { kind: 'return' };
  const doubled = Math.min(policy.maxWaitMs, policy.firstWaitMs * 2 ** (failures.length - 1));
  return { kind: 'again', waitMs: retryAfterMs ?? doubled, because: error };
}

/** One that had no room to end, or refused, would do the same again. */
function isRepairable({ finish }: ModelSuccess): boolean {
  return finish !== 'length' && finish !== 'refusal';
}

function repairOf(request: ModelRequest, { message }: ModelSuccess, misfit: string): ModelRequest {
  const words = `Your reply does not have the form that was asked for: ${misfit}\nReply again, with nothing but JSON of that form.`;
  return { ...request, messages: [...request.messages, message, { role: 'user', content: words }] };
}
