/**
 * Limits of a run that its user changes after it began, for this life and later ones: they go by mail to its owner, who
 * writes them down. An agent goes on seeing those that it began with, or a replay would take another way.
 */
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import type { EventBodies, Header } from '../core/event.ts';
import { canReopen } from '../core/history.ts';
import { jsonIn } from '../core/json.ts';
import type { InboxMessage } from '../core/store.ts';
import { loadHistory } from './load.ts';
import type { Runtime } from './world.ts';

const whole = z.int().min(1).exactOptional();

/** The time is none of them: what broke off by it could not be told from what did not. */
export const changedLimits = z.strictObject({
  costUsd: z.number().positive().exactOptional(),
  tokens: whole,
  toolCalls: whole,
});

/** What these letters say of limits. */
export function limitMessages(messages: readonly InboxMessage[]): readonly EventBodies['run-limits'][] {
  return messages.flatMap(({ id, kind, text }) => {
    const limits = kind === 'limits' ? changedLimits.safeParse(jsonIn(text)) : null;
    return limits?.success ? [{ limits: limits.data, mail: id }] : [];
  });
}

/** Of a run that is alive from its next call on, of one that may be resumed from then on. Throws `UserError` for any other. */
export async function changeLimits(
  { store, io }: Pick<Runtime, 'store' | 'io'>,
  runId: string,
  limits: unknown,
) {
  const { header, history } = await loadHistory(store, runId);
  if (history.end && !canReopen(history.end)) {
    throw new UserError({
      code: 'run-ended',
      what: `Run ${runId} has ended: ${history.end.outcome}. Its limits stay as they were.`,
      fix: `\`polya runs fork ${runId}\` goes on from one of its events with limits of its own.`,
    });
  }
  const read = changedLimits.safeParse(limits);
  if (!read.success || Object.keys(read.data).length === 0) {
    throw new UserError({
      code: 'limit-invalid',
      what: 'These limits cannot be given to a run that has begun.',
      why: 'A budget, tokens and tool calls can be; a fork has a time of its own.',
      fix: 'Name one of them, a number above 0.',
    });
  }
  refuseUnknownPrices({ models: header.models, limits: read.data });
  await store.post(runId, { kind: 'limits', text: JSON.stringify(read.data), atMs: io.clock.now() });
}

/** A budget in dollars means nothing where a price is not known. */
export function refuseUnknownPrices(header: Pick<Header, 'models' | 'limits'>): void {
  if (header.limits.costUsd === undefined) return;
  const unknown = Object.values(header.models).find((model) => model.price === null);
  if (!unknown) return;
  throw new UserError({
    code: 'price-unknown',
    what: `The price of ${unknown.spec} is unknown, so a budget in dollars cannot be kept.`,
    why: 'It is in no table, or the model is at another address than its provider’s own, where other prices hold.',
    fix: 'Give its price in ~/.config/polya/prices.yaml (or the file that POLYA_PRICES names), or limit tokens or tool calls instead.',
  });
}
