/**
 * Leaves a provider alone that fails again and again: after some failures in a row nothing is sent for a while, then one
 * call tries whether it is back. One that stays away is told to be out of service. Pure.
 */
const failuresToOpen = 5;
const firstPauseMs = 5_000;
const longestPauseMs = 120_000;
/** As many tries in vain, over two and a half minutes, and nobody waits any longer. */
const triesToGiveUp = 5;

export class Breaker {
  #failures = 0;
  #triesInVain = 0;
  #openUntilMs: number | null = null;
  #isTrying = false;

  /** How long a call has to wait at least; null: until the one that tries has ended. */
  waitMs(nowMs: number): number | null {
    if (this.#openUntilMs === null) return 0;
    if (nowMs < this.#openUntilMs) return this.#openUntilMs - nowMs;
    return this.#isTrying ? null : 0;
  }

  /** It has been tried so often that to wait for it is to wait in vain. */
  isOutOfService(nowMs: number): boolean {
    return this.#triesInVain >= triesToGiveUp && this.#openUntilMs !== null && nowMs < this.#openUntilMs;
  }

  sent(): void {
    if (this.#openUntilMs !== null) this.#isTrying = true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#triesInVain = 0;
    this.#openUntilMs = null;
    this.#isTrying = false;
  }

  /** What was broken off says nothing of the provider. */
  abandoned(): void {
    this.#isTrying = false;
  }

  failed(nowMs: number): void {
    this.#failures += 1;
    if (this.#openUntilMs === null) {
      if (this.#failures >= failuresToOpen) this.#openUntilMs = nowMs + firstPauseMs;
      return;
    }
    // What was sent before it opened comes home late, and is no try.
    if (!this.#isTrying) return;
    this.#isTrying = false;
    this.#triesInVain += 1;
    this.#openUntilMs = nowMs + Math.min(longestPauseMs, firstPauseMs * 2 ** this.#triesInVain);
  }
}
