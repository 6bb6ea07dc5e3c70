/**
 * For how long a session has been at work. A run knows that of itself, but a session may go on as a fork of its run,
 * whose time begins again: what stood on the clock then is carried along.
 */
import type { Run } from '../../core/agent.ts';

/** Lines that look at the clock at once may be told so out of order. */
const disorderMs = 1_000;

export class SessionTime {
  #carriedMs = 0;
  #lastMs = 0;

  async look(run: Pick<Run, 'alive'>): Promise<number> {
    const now = await run.alive();
    if (now < this.#lastMs - disorderMs) {
      this.#carriedMs += this.#lastMs;
      this.#lastMs = now;
    }
    this.#lastMs = Math.max(this.#lastMs, now);
    return this.#carriedMs + now;
  }
}
