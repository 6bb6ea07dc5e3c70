/**
 * What a provider has told of how much it still takes, at any later moment: it gives back evenly until all is back. What
 * was sent since is taken off. Pure.
 */
import type { Allowance } from '../../core/model.ts';

/** Who names a longer time is asked after this one: it may serve, and what it says to a call that it refuses counts. */
export const longestHoldMs = 15 * 60_000;

export class Told {
  #left = Number.POSITIVE_INFINITY;
  #perMs = 0;
  #atMs = 0;
  #untilMs = 0;

  /** `sent`: what is under way, and may not be counted in what was told. */
  hear({ remaining, limit, resetMs = 0 }: Allowance, { sent, nowMs }: { sent: number; nowMs: number }): void {
    this.#left = remaining - sent;
    this.#atMs = nowMs;
    this.#untilMs = nowMs + resetMs;
    this.#perMs = limit !== undefined && resetMs > 0 ? (limit - remaining) / resetMs : 0;
  }

  waitMs(wanted: number, nowMs: number): number {
    if (nowMs >= this.#untilMs) return 0;
    const left = this.#left + (nowMs - this.#atMs) * this.#perMs;
    if (left >= wanted) return 0;
    const whole = Math.min(this.#untilMs, this.#atMs + longestHoldMs) - nowMs;
    if (whole <= 0) return 0;
    return this.#perMs > 0 ? Math.min(whole, Math.ceil((wanted - left) / this.#perMs)) : whole;
  }

  take(amount: number): void {
    this.#left -= amount;
  }
}
