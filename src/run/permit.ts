/** A call's turn at its model and its share of a shared budget, awaited before its intent: a kill meanwhile costs nothing. */
import type { Header, ModelHeader, Position, Settlement } from '../core/event.ts';
import type { Clock } from '../core/io.ts';
import { type Capacity, type LimitRejection, type Reservation, reservationFor } from '../core/limits.ts';
import type { Model, ModelReply, ModelRequest, ProviderPace } from '../core/model.ts';
import { totalTokens } from '../core/usage.ts';
import type { Engine } from './engine.ts';
import type { KnownInput } from './known-input.ts';
import type { LearnedQuirks } from './learned-quirks.ts';
import { withUserSettings } from './model-settings.ts';
import type { CallEnd } from './pacing/lane.ts';
import type { Pacer } from './pacing/pacer.ts';
import type { Turn } from './pacing/turn.ts';
import type { Claim, Share } from './shared-budget.ts';
import type { Observer } from './world.ts';

export type ModelCaller = {
  readonly header: Header;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly aliveMs: () => number;
  /** The notices about settings that this life has told. */
  readonly told: Set<string>;
  /** What servers were found to refuse. */
  readonly quirks: LearnedQuirks;
  /** Null in a replay, which reserves nothing. */
  readonly known: KnownInput | null;
  readonly pacer: Pacer | null;
  readonly sharedBudget: Share | null;
  /** The model of a role; null in a replay, where none is ever called. */
  modelFor(role: string): Model | null;
};

export type CallPlan = {
  readonly model: ModelHeader;
  readonly request: ModelRequest;
  readonly inputTokens: () => number;
  /** What its server may write past the limit of a reply, as it has done before. */
  readonly overlong: number;
  readonly position: Position;
  readonly signal: AbortSignal;
};

export type Permit = {
  readonly reserve: (capacity: Capacity) => Reservation;
  /** The room that its reply is given where its request names none; a call that is repeated has no more than is left now. */
  replyRoom(reservation: Reservation | null): number | undefined;
  /** Whether tokens or costs are limited, by what is left to the run itself or by a shared budget. */
  isLimited(capacity: Capacity): boolean;
  /** The shared budget has no room for it. */
  readonly refusal: LimitRejection | null;
  /** Makes the call, unless its provider is out of service. */
  use(call: () => Promise<ModelReply>): Promise<ModelReply>;
  hear(pace: ProviderPace): void;
  /** Must be called in the end, whatever came of it. */
  end(settlement: Settlement | null): void;
};

/** At once where there is nothing to wait for: effects that are asked for together begin in that order. */
export function acquirePermit(engine: Engine, caller: ModelCaller, plan: CallPlan): Permit | Promise<Permit> {
  const needsTurn = caller.pacer !== null && plan.model.kind === 'live';
  if (!caller.sharedBudget && !needsTurn)
    return createPermit(plan, { claim: null, turn: null, isLimited: false });
  return waitForPermit(engine, caller, { plan, needsTurn });
}

async function waitForPermit(
  engine: Engine,
  caller: ModelCaller,
  { plan, needsTurn }: { plan: CallPlan; needsTurn: boolean },
): Promise<Permit> {
  const claim: HeldClaims = { claim: null, turn: null, isLimited: false };
  const { sharedBudget } = caller;
  const wait = async (signal: AbortSignal): Promise<void> => {
    const reserve = (capacity: Capacity): Reservation => {
      claim.isLimited = hasLimit(capacity);
      return reservationOf(plan, capacity);
    };
    if (sharedBudget) claim.claim = await sharedBudget.claim(reserve, signal);
    if (needsTurn && !claim.claim?.refusal) claim.turn = await turnAt(caller, plan, signal);
  };
  await engine.waitFor(wait, plan);
  return createPermit(plan, claim);
}

async function turnAt({ pacer, header, observer, known }: ModelCaller, plan: CallPlan, signal: AbortSignal) {
  const { model, request, position } = plan;
  let hasWaited = false;
  try {
    return (
      (await pacer?.turn({
        model: model.spec,
        address: model.baseUrl,
        run: header.runId,
        tokens: (known?.estimate(request) ?? 0) + estimateOutputTokens(request),
        signal,
        onWait: (reason) => {
          hasWaited = true;
          observer.onWait?.(position, reason);
        },
      })) ?? null
    );
  } finally {
    if (hasWaited) observer.onWait?.(position, null);
  }
}

const usualOutputTokens = 1_000;

function estimateOutputTokens({ settings }: ModelRequest): number {
  return Math.min(usualOutputTokens, settings?.maxOutputTokens ?? usualOutputTokens);
}

type HeldClaims = { claim: Claim | null; turn: Turn | null; isLimited: boolean };

function hasLimit({ tokens, costUsd }: Capacity): boolean {
  return tokens !== null || costUsd !== null;
}

function createPermit(plan: CallPlan, { claim, turn, isLimited }: HeldClaims): Permit {
  let isMade = false;
  return {
    reserve: (capacity) => smallerReservation(reservationOf(plan, capacity), claim?.reservation ?? null),
    replyRoom: (reservation) => minDefined(reservation?.outputTokens, claim?.reservation.outputTokens),
    isLimited: (capacity) => isLimited || hasLimit(capacity),
    refusal: claim?.refusal ?? null,
    async use(call) {
      isMade = true;
      if (turn?.refused) return outOfService(turn.refused);
      const reply = await call();
      turn?.end(endOf(reply));
      return reply;
    },
    hear: (pace) => turn?.hear(pace),
    end(settlement) {
      turn?.end(isMade ? { kind: 'aborted' } : undefined);
      claim?.settle(isMade ? (settlement ?? { status: 'cancelled', by: 'end' }) : null);
    },
  };
}

function reservationOf({ request, model, inputTokens, overlong }: CallPlan, capacity: Capacity): Reservation {
  const { maxOutputTokens = 0 } = request.settings ?? {};
  const modelRequest =
    overlong > maxOutputTokens ? withUserSettings(request, { maxOutputTokens: overlong }) : request;
  const call = { request: modelRequest, spec: model.spec, price: model.price, inputTokens: inputTokens() };
  return reservationFor(call, capacity);
}

/** What both this run's limits and the shared budget have room for. */
function smallerReservation(own: Reservation, shared: Reservation | null): Reservation {
  if (!shared) return own;
  return minDefined(own.outputTokens, shared.outputTokens) === shared.outputTokens ? shared : own;
}

function minDefined(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function endOf(reply: ModelReply): CallEnd {
  if (!reply.ok) return { kind: reply.error.kind, retryAfterMs: reply.error.retryAfterMs };
  const { tokens } = reply.usage;
  return { kind: 'ok', tokens: tokens && totalTokens(tokens) };
}

function outOfService(message: string): ModelReply {
  return { ok: false, error: { kind: 'overloaded', message, retryable: false }, usage: null };
}
