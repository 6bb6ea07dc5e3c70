/**
 * Effects in flight: performs them, breaks them off, and says how each ended. It knows nothing of journals and order.
 */
import type { Header, Settlement } from '../core/event.ts';
import { lateSettlement, TooLate } from './deadline.ts';
import { Abort, brokenOff, failed, type Performed, reasonOf, succeeded } from './settling.ts';

/** How long an effect may take to notice that it was broken off. */
const abortGraceMs = 10_000;

export type Flight = {
  /** The run's end alone may break it off, no limit: the grading. */
  readonly isExempt: boolean;
  /** The branch's. */
  readonly signal: AbortSignal;
  perform(signal: AbortSignal): Promise<Performed>;
};

export type Landed = Pick<Performed, 'advance' | 'blobs'> & { readonly settlement: Settlement };

export class InFlight {
  readonly #header: Header;
  readonly #flying = new Map<AbortController, Flight>();
  #isExhausted = false;

  constructor(header: Header) {
    this.#header = header;
  }

  /** Never rejects. What was cancelled before it began is not begun. */
  async fly(flight: Flight): Promise<Landed> {
    const abort = this.#abortOf(flight);
    if (abort) return { settlement: brokenOff(abort, this.#header) };
    const controller = new AbortController();
    const forward = (): void => controller.abort(flight.signal.reason);
    flight.signal.addEventListener('abort', forward, { once: true });
    this.#flying.set(controller, flight);
    try {
      const performed = await withGrace(flight.perform(controller.signal), controller.signal);
      const { advance, blobs } = performed;
      return { settlement: succeeded(performed), advance, blobs };
    } catch (error) {
      const { aborted } = controller.signal;
      if (aborted) return { settlement: brokenOff(reasonOf(controller.signal), this.#header) };
      return { settlement: error instanceof TooLate ? lateSettlement : failed(error) };
    } finally {
      this.#flying.delete(controller);
      flight.signal.removeEventListener('abort', forward);
    }
  }

  /** Some were broken off and have not noticed yet. */
  get isBreaking(): boolean {
    return [...this.#flying.keys()].some(({ signal }) => signal.aborted);
  }

  /** The wall time is over: nothing but the grading goes on or begins. */
  exhaust(): void {
    this.#isExhausted = true;
    for (const [controller, { isExempt }] of this.#flying)
      if (!isExempt) controller.abort(new Abort('limit'));
  }

  abortAll(): void {
    for (const controller of this.#flying.keys()) controller.abort(new Abort('end'));
  }

  #abortOf({ signal, isExempt }: Flight): Abort | null {
    if (signal.aborted) return reasonOf(signal);
    return this.#isExhausted && !isExempt ? new Abort('limit') : null;
  }
}

/** An effect that does not notice its abort is given up after a while: the run must be able to end. */
function withGrace<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const giveUp = (): void => {
      timer = setTimeout(() => reject(signal.reason), abortGraceMs);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    });
  });
}
