/**
 * Limits of one model, or of all models of a line in the user's table: calls at once, requests and tokens a minute. What is
 * public of a lane is its state, and survives JSON: a store keeps it for several hosts.
 */
import type { Allowance, ModelErrorKind, ProviderPace } from '../../core/model.ts';

export type PaceLimits = {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  readonly callsAtOnce?: number | undefined;
};

/** Why a call waits, and how long at least; null: until another call has ended. */
export type Obstacle = { readonly reason: string; readonly waitMs: number | null };

export type CallEnd =
  | { readonly kind: 'ok'; readonly tokens: number | null }
  | { readonly kind: ModelErrorKind; readonly retryAfterMs?: number | undefined };

/** How much of what is allowed in a minute may be had at once. */
const burst = 1 / 6;
/** Many calls that fail together count as one failure. */
const betweenHalvingsMs = 1_000;
const troubles: ReadonlySet<CallEnd['kind']> = new Set(['overloaded', 'network', 'timeout']);

export class Lane {
  readonly #name: string;
  readonly #most: number;
  readonly requests: Bucket | null;
  readonly tokens: Bucket | null;
  readonly told = { requests: new ReportedAllowance(), tokens: new ReportedAllowance() };
  readonly breaker = new Breaker();
  #inFlight = 0;
  /** How many at once a provider that complains is thought to take; it grows with each success. */
  window = Number.MAX_SAFE_INTEGER;
  halvedAtMs = -betweenHalvingsMs;
  heldUntilMs = 0;

  constructor(name: string, limits: PaceLimits, nowMs: number) {
    const { requestsPerMinute, tokensPerMinute, callsAtOnce } = limits;
    this.#name = name;
    this.#most = callsAtOnce ?? Number.POSITIVE_INFINITY;
    this.requests = bucketOf(requestsPerMinute, nowMs, 1);
    this.tokens = bucketOf(tokensPerMinute, nowMs, 0);
  }

  /** From a state that was kept, if there is one, with so many calls under way. */
  goOn(state: Partial<Lane> = {}, inFlight: number): void {
    const { window, halvedAtMs, heldUntilMs } = { ...this, ...state };
    Object.assign(this, { window, halvedAtMs, heldUntilMs });
    Object.assign(this.breaker, state.breaker);
    Object.assign(this.requests ?? {}, state.requests);
    Object.assign(this.tokens ?? {}, state.tokens);
    Object.assign(this.told.requests, state.told?.requests);
    Object.assign(this.told.tokens, state.told?.tokens);
    this.#inFlight = inFlight;
    // Who tried is gone.
    if (inFlight === 0) this.breaker.abandonProbe();
  }

  /** The obstacle for a call of this many tokens; null if there is none. */
  obstacle(tokens: number, nowMs: number): Obstacle | null {
    const pause = this.breaker.waitMs(nowMs);
    if (pause !== 0) return this.describeObstacle('has failed again and again', pause);
    if (nowMs < this.heldUntilMs) return this.describeObstacle('asks to wait', this.heldUntilMs - nowMs);
    const atOnce = Math.min(this.#most, Math.max(1, Math.floor(this.window)));
    if (this.#inFlight >= atOnce) return this.describeObstacle(`takes ${atOnce} calls at once`, null);
    const requests = this.#maxWaitMs('requests', 1, nowMs);
    if (requests > 0) return this.describeObstacle('takes no more requests just now', requests);
    const wait = this.#maxWaitMs('tokens', tokens, nowMs);
    return wait > 0 ? this.describeObstacle('takes no more tokens just now', wait) : null;
  }

  enter(tokens: number, nowMs: number): void {
    this.#inFlight += 1;
    this.requests?.take(1, nowMs);
    this.tokens?.take(tokens, nowMs);
    this.told.requests.take(1);
    this.told.tokens.take(tokens);
    this.breaker.recordSent();
  }

  /** A call is over, or was never made. `index`: which of its lanes this is; the first is its server's. */
  over(tokens: number, end: CallEnd | undefined, { index, nowMs }: { index: number; nowMs: number }): void {
    // How one server fares says nothing of the others of a line.
    if (end) this.#finishCall(tokens, index === 0 || end.kind === 'ok' ? end : { kind: 'aborted' }, nowMs);
    else this.#refund(tokens, nowMs);
  }

  #finishCall(tokens: number, end: CallEnd, nowMs: number): void {
    this.#inFlight -= 1;
    if (end.kind === 'ok') this.#settle(tokens, end.tokens ?? tokens, nowMs);
    else if (end.kind === 'aborted') this.breaker.abandonProbe();
    else this.#fail(end.kind, end.retryAfterMs, nowMs);
  }

  /** It never came to be sent. */
  #refund(tokens: number, nowMs: number): void {
    this.requests?.take(-1, nowMs);
    this.tokens?.take(-tokens, nowMs);
    this.#finishCall(tokens, { kind: 'aborted' }, nowMs);
  }

  updateAllowance({ requests, tokens }: ProviderPace, nowMs: number): void {
    // The call that brings the news is under way still, and counted in it.
    if (requests) this.told.requests.updateAllowance(requests, { sent: this.#inFlight - 1, nowMs });
    if (tokens) this.told.tokens.updateAllowance(tokens, { sent: 0, nowMs });
  }

  #maxWaitMs(what: 'requests' | 'tokens', required: number, nowMs: number): number {
    const bucket = what === 'requests' ? this.requests : this.tokens;
    return Math.max(bucket?.waitMs(required, nowMs) ?? 0, this.told[what].waitMs(required, nowMs));
  }

  #settle(reserved: number, used: number, nowMs: number): void {
    this.breaker.recordSuccess();
    this.tokens?.take(used - reserved, nowMs);
    this.window += 1 / this.window;
  }

  #fail(kind: ModelErrorKind, retryAfterMs: number | undefined, nowMs: number): void {
    if (kind === 'rate-limit' || kind === 'overloaded') this.#slowDown(retryAfterMs, nowMs);
    if (troubles.has(kind)) this.breaker.failed(nowMs);
    // Whatever else it says, it is there.
    else this.breaker.recordSuccess();
  }

  #slowDown(retryAfterMs = 0, nowMs: number): void {
    this.heldUntilMs = Math.max(this.heldUntilMs, nowMs + Math.min(retryAfterMs, longestHoldMs));
    if (nowMs - this.halvedAtMs < betweenHalvingsMs) return;
    this.halvedAtMs = nowMs;
    this.window = Math.max(1, Math.floor(Math.min(this.window, this.#inFlight + 1) / 2));
  }

  describeObstacle(why: string, waitMs: number | null): Obstacle {
    return { reason: `${this.#name} ${why}`, waitMs };
  }
}

function bucketOf(perMinute: number | undefined, nowMs: number, minimum: number): Bucket | null {
  if (perMinute === undefined) return null;
  const most = minimum > 0 ? Math.max(minimum, perMinute * burst) : perMinute;
  return new Bucket({ perMinute, most, nowMs });
}

const failuresToOpen = 5;
const firstPauseMs = 5_000;
const longestPauseMs = 120_000;
/** After so many tries in vain, over two and a half minutes, no call waits any longer. */
const triesToGiveUp = 5;

class Breaker {
  failures = 0;
  triesInVain = 0;
  openUntilMs: number | null = null;
  isTrying = false;

  /** How long a call has to wait at least; null: until the one that tries has ended. */
  waitMs(nowMs: number): number | null {
    if (this.openUntilMs === null) return 0;
    if (nowMs < this.openUntilMs) return this.openUntilMs - nowMs;
    return this.isTrying ? null : 0;
  }

  /** It has been tried so often that waiting for it is in vain. */
  isOutOfService(nowMs: number): boolean {
    return this.triesInVain >= triesToGiveUp && this.openUntilMs !== null && nowMs < this.openUntilMs;
  }

  recordSent(): void {
    if (this.openUntilMs !== null) this.isTrying = true;
  }

  recordSuccess(): void {
    this.failures = 0;
    this.triesInVain = 0;
    this.openUntilMs = null;
    this.isTrying = false;
  }

  /** A cancelled call says nothing about the provider. */
  abandonProbe(): void {
    this.isTrying = false;
  }

  failed(nowMs: number): void {
    this.failures += 1;
    if (this.openUntilMs === null) {
      if (this.failures >= failuresToOpen) this.openUntilMs = nowMs + firstPauseMs;
      return;
    }
    // A call that was sent before it opened comes home late, and is no try.
    if (!this.isTrying) return;
    this.isTrying = false;
    this.triesInVain += 1;
    this.openUntilMs = nowMs + Math.min(longestPauseMs, firstPauseMs * 2 ** this.triesInVain);
  }
}

class Bucket {
  readonly #perMs: number;
  readonly #most: number;
  amount: number;
  atMs: number;

  constructor({ perMinute, most, nowMs }: { perMinute: number; most: number; nowMs: number }) {
    this.#perMs = perMinute / 60_000;
    this.#most = most;
    this.amount = most;
    this.atMs = nowMs;
  }

  /** How long until so much can be taken; more than it ever holds can be had when it is full. */
  waitMs(required: number, nowMs: number): number {
    this.#fill(nowMs);
    const missingCount = Math.min(required, this.#most) - this.amount;
    return missingCount <= 0 ? 0 : Math.ceil(missingCount / this.#perMs);
  }

  /** It may go below nothing: what was taken beyond it has to come in first. */
  take(amount: number, nowMs: number): void {
    this.#fill(nowMs);
    this.amount = Math.min(this.#most, this.amount - amount);
  }

  #fill(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - this.atMs);
    this.amount = Math.min(this.#most, this.amount + passedMs * this.#perMs);
    this.atMs = nowMs;
  }
}

/** A provider that names a longer time is asked after this one: it may serve, and what it says when it refuses counts. */
const longestHoldMs = 15 * 60_000;

class ReportedAllowance {
  left = 0;
  perMs = 0;
  atMs = 0;
  untilMs = 0;

  /** `sent`: what is under way, and may not be counted in what was told. */
  updateAllowance(
    { remaining, limit, resetMs = 0 }: Allowance,
    { sent, nowMs }: { sent: number; nowMs: number },
  ): void {
    this.left = remaining - sent;
    this.atMs = nowMs;
    this.untilMs = nowMs + resetMs;
    this.perMs = limit !== undefined && resetMs > 0 ? (limit - remaining) / resetMs : 0;
  }

  waitMs(required: number, nowMs: number): number {
    if (nowMs >= this.untilMs) return 0;
    const left = this.left + (nowMs - this.atMs) * this.perMs;
    if (left >= required) return 0;
    const total = Math.min(this.untilMs, this.atMs + longestHoldMs) - nowMs;
    if (total <= 0) return 0;
    return this.perMs > 0 ? Math.min(total, Math.ceil((required - left) / this.perMs)) : total;
  }

  take(amount: number): void {
    this.left -= amount;
  }
}
