/** Reservations stand in the intent for the ledger alone: a better estimate must not break old journals. */
import type { PastEffect } from '../core/history.ts';
import type { JsonObject } from '../core/json.ts';
import type { Ledger, Refusal, Reservation } from '../core/limits.ts';
import type { EffectSpec } from './settling.ts';

export function intentOf({ request }: EffectSpec, reservation: Reservation | null): JsonObject {
  return reservation ? { ...request, reserve: reservation } : request;
}

/** What an intent asked for, from its line in the journal. */
export function askedIn(body: string): string {
  if (!body.includes('"reserve":')) return body;
  const { reserve: _, ...asked } = JSON.parse(body) as JsonObject;
  return JSON.stringify(asked);
}

/** What the journal says that an effect may use at most. */
export function reservationIn({ effect, intent }: PastEffect): Reservation | null {
  if (effect !== 'model' || !intent) return null;
  return (JSON.parse(intent.body) as { reserve?: Reservation }).reserve ?? null;
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
