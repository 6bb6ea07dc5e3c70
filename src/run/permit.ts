/** A call's turn at its model and its share of a shared budget, awaited before its intent: a kill meanwhile costs nothing. */
import type { Header, ModelHeader, Position, Settlement } from '../core/event.ts';
import type { Clock } from '../core/io.ts';
import { type Refusal, type Reservation, type Room, reservationFor } from '../core/limits.ts';
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
  readonly reserve: (room: Room) => Reservation;
  /** The room that its reply is given where its request names none; a call that is repeated has no more than is left now. */
  replyRoom(reserved: Reservation | null): number | undefined;
  /** Whether tokens or costs are limited, by what is left to the run itself or by a shared budget. */
  isLimited(room: Room): boolean;
  /** The shared budget has no room for it. */
  readonly refusal: Refusal | null;
  /** Makes the call, unless its provider is out of service. */
  use(call: () => Promise<ModelReply>): Promise<ModelReply>;
  hear(pace: ProviderPace): void;
  /** Must be called in the end, whatever came of it. */
  end(settlement: Settlement | null): void;
};

/** At once where there is nothing to wait for: effects that are asked for together begin in that order. */
export function permitFor(engine: Engine, caller: ModelCaller, plan: CallPlan): Permit | Promise<Permit> {
  const needsTurn = caller.pacer !== null && plan.model.kind === 'live';
  if (!caller.sharedBudget && !needsTurn)
    return permitOf(plan, { claim: null, turn: null, isLimited: false });
  return waitForPermit(engine, caller, { plan, needsTurn });
}

async function waitForPermit(
  engine: Engine,
  caller: ModelCaller,
  { plan, needsTurn }: { plan: CallPlan; needsTurn: boolean },
): Promise<Permit> {
  const held: Held = { claim: null, turn: null, isLimited: false };
  const { sharedBudget } = caller;
  const wait = async (signal: AbortSignal): Promise<void> => {
    const reserve = (room: Room): Reservation => {
      held.isLimited = hasLimit(room);
      return reservationOf(plan, room);
    };
    if (sharedBudget) held.claim = await sharedBudget.claim(reserve, signal);
    if (needsTurn && !held.claim?.refusal) held.turn = await turnAt(caller, plan, signal);
  };
  await engine.waitFor(wait, plan);
  return permitOf(plan, held);
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
        tokens: (known?.likely(request) ?? 0) + likelyOutput(request),
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

function likelyOutput({ settings }: ModelRequest): number {
  return Math.min(usualOutputTokens, settings?.maxOutputTokens ?? usualOutputTokens);
}

type Held = { claim: Claim | null; turn: Turn | null; isLimited: boolean };

function hasLimit({ tokens, costUsd }: Room): boolean {
  return tokens !== null || costUsd !== null;
}

function permitOf(plan: CallPlan, { claim, turn, isLimited }: Held): Permit {
  let isMade = false;
  return {
    reserve: (room) => narrower(reservationOf(plan, room), claim?.reservation ?? null),
    replyRoom: (reserved) => smaller(reserved?.outputTokens, claim?.reservation.outputTokens),
    isLimited: (room) => isLimited || hasLimit(room),
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

function reservationOf({ request, model, inputTokens, overlong }: CallPlan, room: Room): Reservation {
  const { maxOutputTokens = 0 } = request.settings ?? {};
  const bounded =
    overlong > maxOutputTokens ? withUserSettings(request, { maxOutputTokens: overlong }) : request;
  const call = { request: bounded, spec: model.spec, price: model.price, inputTokens: inputTokens() };
  return reservationFor(call, room);
}

/** What both this run's limits and the shared budget have room for. */
function narrower(own: Reservation, shared: Reservation | null): Reservation {
  if (!shared) return own;
  return smaller(own.outputTokens, shared.outputTokens) === shared.outputTokens ? shared : own;
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
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
