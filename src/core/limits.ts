/** The ledger of a run: what is used and reserved, and whether one more effect has room. A replay never asks it. */
import type { Limits } from './agent.ts';
import { inputBound } from './bound.ts';
import type { LimitName } from './errors.ts';
import type { EffectKind, Settlement } from './event.ts';
import type { ModelRequest } from './model.ts';
import { highestCost, highestRates, type Price, totalTokens } from './usage.ts';

/** What one effect may use at most. A null cost means that the price is not known. */
export type Reservation = {
  readonly tokens: number;
  readonly costUsd: number | null;
  /** The room that a reply is given where its request names none: nothing else would bound the call. */
  readonly outputTokens?: number;
};

/** The remaining amounts. Null: there is no such limit. */
export type Capacity = { readonly tokens: number | null; readonly costUsd: number | null };

export type LimitRejection = {
  readonly limit: LimitName;
  readonly max: number;
  /** The limit of a budget that the run shares with others. */
  readonly shared?: true;
};

export const noLimit: Capacity = { tokens: null, costUsd: null };

/** Assumed where no limit needs a bound. */
const assumedOutputTokens = 4096;
/** Where one does: what a long answer and its thoughts take, and what a short one takes. */
const mostOutputTokens = 32_768;
const leastOutputTokens = 1024;
/** Sums of dollars are not exact; three calls of 0.1 have room in 0.3. */
const roundingUsd = 1e-9;

export type CallBound = {
  readonly request: ModelRequest;
  /** The model's name. */
  readonly spec: string;
  readonly price: Price | null;
  /** A closer bound on what is sent than its length is. */
  readonly inputTokens?: number;
};

/** A bound on a call: all that is sent, and all the output it may have, at the highest rates there are. */
export function reservationFor(call: CallBound, capacity: Capacity = noLimit): Reservation {
  const { request, spec, price } = call;
  const input = Math.ceil(call.inputTokens ?? inputBound(request, spec));
  const named = request.settings?.maxOutputTokens;
  const given = named === undefined ? maxOutputTokens(input, capacity, price) : undefined;
  const output = named ?? given ?? assumedOutputTokens;
  return {
    tokens: input + output,
    costUsd: highestCost({ input, output }, price),
    ...(given === undefined ? {} : { outputTokens: given }),
  };
}

/** At most half of what is left, so that calls at once do not shut one another out. */
function maxOutputTokens(
  input: number,
  { tokens, costUsd }: Capacity,
  price: Price | null,
): number | undefined {
  if (tokens === null && costUsd === null) return undefined;
  const rates = highestRates(price, input);
  const byTokens = tokens === null ? Number.POSITIVE_INFINITY : tokens - input;
  const byCost =
    costUsd === null || !rates?.output
      ? Number.POSITIVE_INFINITY
      : (costUsd * 1e6 - input * rates.input) / rates.output;
  const half = Math.floor(Math.min(byTokens, byCost) / 2);
  return Math.min(mostOutputTokens, Math.max(leastOutputTokens, half));
}

export class Ledger {
  #limits: Limits;
  #toolCalls = 0;
  #modelCalls = 0;
  #used: Reservation = { tokens: 0, costUsd: 0 };
  #reached: LimitRejection | null = null;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** From the next effect on. What was reached stays reached. */
  change(limits: Limits): void {
    this.#limits = { ...this.#limits, ...limits };
  }

  /** The limit that this effect would break, or that was reached before; null when there is room. */
  rejection(effect: EffectKind, reservation: Reservation | null): LimitRejection | null {
    this.#reached ??= this.#wouldExceed(effect, reservation);
    return this.#reached;
  }

  /** The limit that was reached, if one was. */
  get reached(): LimitRejection | null {
    return this.#reached;
  }

  /** Whether a model call fits, without a refusal's consequences. */
  hasCapacity(reservation: Reservation): boolean {
    return this.#reached === null && this.#wouldExceed('model', reservation) === null;
  }

  /** The amounts that are neither used nor reserved. */
  get capacity(): Capacity {
    const { tokens = null, costUsd = null } = this.#limits;
    return {
      tokens: tokens === null ? null : tokens - this.#used.tokens,
      costUsd: costUsd === null ? null : costUsd - (this.#used.costUsd ?? 0),
    };
  }

  /** Something other than an effect has reached a limit: the wall time, a budget shared with other runs. */
  markExhausted(limitRejection: LimitRejection): void {
    this.#reached ??= limitRejection;
  }

  begin(effect: EffectKind, reservation: Reservation | null): void {
    if (effect === 'tool') this.#toolCalls += 1;
    if (effect === 'model') this.#modelCalls += 1;
    this.charge(reservation);
  }

  /** Charges a call that is made again, since the first may have been billed, or returns the limit that this would break. */
  recheck(reservation: Reservation | null): LimitRejection | null {
    const limitRejection = reservation && this.#exceedsLimit(reservation);
    if (limitRejection) this.markExhausted(limitRejection);
    else this.charge(reservation);
    return limitRejection;
  }

  /** What was used takes the place of what was reserved; where it is unknown, the reservation stands. */
  settle(reservation: Reservation | null, settlement: Settlement): void {
    if (settlement.status === 'refused') {
      const { limit, max, shared } = settlement;
      return this.markExhausted({ limit, max, shared });
    }
    if (settlement.status === 'cancelled') {
      if (settlement.by === 'limit') this.markExhausted(settlement);
      return;
    }
    this.charge(reservation, -1);
    const { usage } = settlement;
    if (!usage) return;
    // A cost can be unknown where tokens are known: the tier that served the call may have no known price.
    const { tokens, costUsd = null } = usage;
    this.charge({
      tokens: tokens ? totalTokens(tokens) : (reservation?.tokens ?? 0),
      costUsd: costUsd ?? reservation?.costUsd ?? null,
    });
  }

  /** Counts what is spent or reserved, whatever the limits are; -1 takes it back. */
  charge(reservation: Reservation | null, sign: 1 | -1 = 1): void {
    if (!reservation) return;
    this.#used = {
      tokens: this.#used.tokens + sign * reservation.tokens,
      costUsd: (this.#used.costUsd ?? 0) + sign * (reservation.costUsd ?? 0),
    };
  }

  #wouldExceed(effect: EffectKind, reservation: Reservation | null): LimitRejection | null {
    const { toolCalls, modelCalls } = this.#limits;
    if (effect === 'tool' && toolCalls !== undefined && this.#toolCalls + 1 > toolCalls) {
      return { limit: 'toolCalls', max: toolCalls };
    }
    if (effect === 'model' && modelCalls !== undefined && this.#modelCalls + 1 > modelCalls) {
      return { limit: 'modelCalls', max: modelCalls };
    }
    return reservation && this.#exceedsLimit(reservation);
  }

  #exceedsLimit(reservation: Reservation): LimitRejection | null {
    const { tokens, costUsd } = this.#limits;
    if (tokens !== undefined && this.#used.tokens + reservation.tokens > tokens) {
      return { limit: 'tokens', max: tokens };
    }
    const cost = (this.#used.costUsd ?? 0) + (reservation.costUsd ?? 0);
    return costUsd !== undefined && cost > costUsd + roundingUsd ? { limit: 'costUsd', max: costUsd } : null;
  }
}
