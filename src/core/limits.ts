/**
 * The ledger of a run: what has been used, what is reserved by effects in flight, and whether one more has room.
 * Pure; it is fed with the run's events, those of an earlier life first. It knows nothing of replay: a refusal is a
 * settlement, and whoever replays one never asks the ledger.
 */
import type { Limits } from './agent.ts';
import type { LimitName } from './errors.ts';
import type { EffectKind, Settlement } from './event.ts';
import type { Message, ModelRequest } from './model.ts';
import { costOf, type Price, totalTokens } from './usage.ts';

/** What one effect may use at most. A null cost means that the price is not known. */
export type Reservation = { readonly tokens: number; readonly costUsd: number | null };

export type Refusal = { readonly limit: LimitName; readonly max: number };

const assumedOutputTokens = 4096;
const tokensPerImage = 1500;
/** Sums of dollars are not exact; three calls of 0.1 have room in 0.3. */
const roundingUsd = 1e-9;

/** A bound on a call's tokens: three characters a token for what is sent, and all the output it may have. */
export function reservationFor(request: ModelRequest, price: Price | null): Reservation {
  const { tools = [], output: form = null } = request;
  const input = request.messages.reduce(
    (sum, message) => sum + tokensOf(message),
    JSON.stringify([tools, form]).length / 3,
  );
  const output = request.settings?.maxOutputTokens ?? assumedOutputTokens;
  const tokens = { input: Math.ceil(input), cachedInput: 0, output, reasoning: 0 };
  return { tokens: totalTokens(tokens), costUsd: costOf(tokens, price) };
}

export class Ledger {
  readonly #limits: Limits;
  #toolCalls = 0;
  #modelCalls = 0;
  #used: Reservation = { tokens: 0, costUsd: 0 };
  #reached: Refusal | null = null;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** The limit that this effect would break, or that was reached before; null when there is room. */
  refusal(effect: EffectKind, reservation: Reservation | null): Refusal | null {
    this.#reached ??= this.#wouldBreak(effect, reservation);
    return this.#reached;
  }

  /** A limit that something else than an effect has reached: the wall time. */
  exhaust(refusal: Refusal): void {
    this.#reached ??= refusal;
  }

  begin(effect: EffectKind, reservation: Reservation | null): void {
    if (effect === 'tool') this.#toolCalls += 1;
    if (effect === 'model') this.#modelCalls += 1;
    this.#charge(reservation, 1);
  }

  /** What turned out to be used takes the place of what was reserved; where nobody knows, the reservation stands. */
  settle(reservation: Reservation | null, settlement: Settlement): void {
    if (settlement.status === 'refused') return this.exhaust(settlement);
    if (settlement.status === 'cancelled') {
      if (settlement.by === 'limit') this.exhaust(settlement);
      return;
    }
    if (settlement.usage && !settlement.usage.tokens) return;
    this.#charge(reservation, -1);
    const { usage } = settlement;
    if (usage?.tokens) this.#charge({ tokens: totalTokens(usage.tokens), costUsd: usage.costUsd }, 1);
  }

  #charge(amount: Reservation | null, sign: 1 | -1): void {
    if (!amount) return;
    this.#used = {
      tokens: this.#used.tokens + sign * amount.tokens,
      costUsd: (this.#used.costUsd ?? 0) + sign * (amount.costUsd ?? 0),
    };
  }

  #wouldBreak(effect: EffectKind, reservation: Reservation | null): Refusal | null {
    const { toolCalls, modelCalls, tokens, costUsd } = this.#limits;
    if (effect === 'tool' && toolCalls !== undefined && this.#toolCalls + 1 > toolCalls) {
      return { limit: 'toolCalls', max: toolCalls };
    }
    if (effect === 'model' && modelCalls !== undefined && this.#modelCalls + 1 > modelCalls) {
      return { limit: 'modelCalls', max: modelCalls };
    }
    if (!reservation) return null;
    if (tokens !== undefined && this.#used.tokens + reservation.tokens > tokens) {
      return { limit: 'tokens', max: tokens };
    }
    const cost = (this.#used.costUsd ?? 0) + (reservation.costUsd ?? 0);
    return costUsd !== undefined && cost > costUsd + roundingUsd ? { limit: 'costUsd', max: costUsd } : null;
  }
}

/** A conversation is counted again at every call, a message only once: what has been said does not change. */
const counted = new WeakMap<Message, number>();

function tokensOf(message: Message): number {
  let tokens = counted.get(message);
  if (tokens === undefined) {
    tokens = countTokens(message);
    counted.set(message, tokens);
  }
  return tokens;
}

function countTokens(message: Message): number {
  if (typeof message.content === 'string') return message.content.length / 3 + 4;
  let tokens = 4;
  for (const part of message.content) {
    tokens += part.type === 'image' ? tokensPerImage : JSON.stringify(part).length / 3;
  }
  return tokens;
}
