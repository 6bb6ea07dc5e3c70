/** Runs share a budget. A call takes its bound out and puts the rest back; it waits where others may still put something back. */
import { once } from 'node:events';
import type { Limits } from '../core/agent.ts';
import type { Settlement } from '../core/event.ts';
import { type Capacity, Ledger, type LimitRejection, type Reservation } from '../core/limits.ts';

export type Claim = {
  readonly reservation: Reservation;
  /** The call is not to be made. */
  readonly refusal: LimitRejection | null;
  /** At the end of the call; null: it was never made. */
  settle(settlement: Settlement | null): void;
};

export type Share = {
  claim(reserve: (capacity: Capacity) => Reservation, signal: AbortSignal): Promise<Claim>;
};

export class SharedBudget implements Share {
  readonly #ledger: Ledger;
  #open = 0;
  readonly #waiting = new Set<() => void>();

  constructor(limits: Pick<Limits, 'costUsd' | 'tokens'>) {
    this.#ledger = new Ledger(limits);
  }

  /** What the budget could not give any more; null: it has not been asked for too much. */
  get refusal(): LimitRejection | null {
    return this.#ledger.reached;
  }

  /** What earlier processes spent of it, or may have. */
  charge(reservation: Reservation): void {
    this.#ledger.begin('model', reservation);
  }

  async claim(reserve: (capacity: Capacity) => Reservation, signal: AbortSignal): Promise<Claim> {
    for (;;) {
      signal.throwIfAborted();
      const reservation = reserve(this.#ledger.capacity);
      if (this.#ledger.hasCapacity(reservation)) return this.#release(reservation);
      if (this.#open === 0) {
        const limitRejection = this.#ledger.rejection('model', reservation);
        const rejection = limitRejection && ({ ...limitRejection, shared: true } as const);
        return { reservation, refusal: rejection, settle: () => undefined };
      }
      await this.#change(signal);
    }
  }

  /** One run's share. `onNothing` ends a run that got nothing yet, so that it can go on with a larger budget. */
  shareOf(onEmpty: () => void, hasGotBefore = false): Share {
    let hasGot = hasGotBefore;
    return {
      claim: async (reserve, signal) => {
        const claim = await this.claim(reserve, signal);
        if (claim.refusal && !hasGot) {
          onEmpty();
          if (!signal.aborted) await once(signal, 'abort');
          signal.throwIfAborted();
        }
        hasGot = true;
        return claim;
      },
    };
  }

  #release(reservation: Reservation): Claim {
    this.#ledger.begin('model', reservation);
    this.#open += 1;
    return settledOnce(reservation, (settlement) => {
      this.#open -= 1;
      this.#ledger.settle(reservation, settlement);
      for (const poll of [...this.#waiting]) poll();
    });
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const poll = (): void => {
        this.#waiting.delete(poll);
        signal.removeEventListener('abort', poll);
        resolve();
      };
      this.#waiting.add(poll);
      signal.addEventListener('abort', poll, { once: true });
    });
  }
}

/** A claim that was granted. `settle` is called once, with what became of the call, also where it was never made. */
export function settledOnce(reservation: Reservation, settle: (settlement: Settlement) => void): Claim {
  let isSettled = false;
  return {
    reservation,
    refusal: null,
    settle: (settlement) => {
      if (isSettled) return;
      isSettled = true;
      settle(isCompleted(settlement) ? settlement : neverMade);
    },
  };
}

const neverMade: Settlement = {
  status: 'error',
  error: { name: 'unmade', message: 'It was never made.' },
};

export function isCompleted(settlement: Settlement | null): settlement is Settlement {
  return settlement !== null && settlement.status !== 'refused';
}
