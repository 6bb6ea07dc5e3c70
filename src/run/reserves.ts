/** What an intent says in the journal, and why an effect may not begin. */
import type { JsonObject } from '../core/json.ts';
import type { Ledger, Refusal, Reservation } from '../core/limits.ts';
import type { EffectSpec } from './settling.ts';

export function intentOf({ request, recorded }: EffectSpec, reservation: Reservation | null): JsonObject {
  return { ...request, ...recorded, ...(reservation ? { reserve: reservation } : {}) };
}

/** Why something new may not begin; null where it may. */
export function refusalOf(ledger: Ledger, spec: EffectSpec, reservation: Reservation | null): Refusal | null {
  if (spec.isExempt) return null;
  if (spec.refusal) ledger.exhaust(spec.refusal);
  return ledger.refusal(spec.effect, reservation);
}

/** The same of something that an earlier life began: what it used is charged already, what it will use is not. */
export function refusalOfRepeat(
  ledger: Ledger,
  spec: EffectSpec,
  reservation: Reservation | null,
): Refusal | null {
  if (spec.isExempt) return null;
  if (spec.refusal) ledger.exhaust(spec.refusal);
  return spec.refusal ?? ledger.again(reservation);
}
