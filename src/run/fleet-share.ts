/** A run's share of a budget that a store keeps for runs of several hosts: held before a call is made, exact afterwards. */
import { once } from 'node:events';
import type { BudgetShare, BudgetState, Fleet, Hold } from '../core/fleet.ts';
import type { Clock } from '../core/io.ts';
import { Ledger, type LimitRejection, type Reservation } from '../core/limits.ts';
import { maxExpense } from '../core/spending.ts';
import type { Store } from '../core/store.ts';
import { type Claim, type Share, settledOnce } from './shared-budget.ts';
import { readExpenses } from './spending.ts';

/** How often a call that waits for room looks again. */
const lookEveryMs = 300;

export type FleetShareOptions = {
  readonly store: Store;
  readonly fleet: Fleet;
  readonly clock: Clock;
  readonly setId: string;
  readonly runId: string;
  /** Ends a run that got nothing yet, so that it can go on with a larger budget. */
  readonly onNothing: () => void;
};

export class FleetShare implements Share {
  readonly #options: FleetShareOptions;
  /** Null: the set has no budget. */
  #share: Promise<BudgetShare | null> | null = null;
  #hasGot = false;
  readonly #settling = new Set<Promise<void>>();

  constructor(options: FleetShareOptions) {
    this.#options = options;
  }

  async claim(reserve: Parameters<Share['claim']>[0], signal: AbortSignal): Promise<Claim> {
    const { fleet, clock, onNothing } = this.#options;
    // With the first call, when the run is certain to be ours and has asked for nothing yet.
    this.#share ??= this.#take();
    const share = await this.#share;
    if (!share) return free(reserve({ tokens: null, costUsd: null }));
    for (;;) {
      signal.throwIfAborted();
      const input = await fleet.hold(share, (state) => decideReservation(state, reserve));
      if (input && 'limit' in input) return this.#retryAfterRejection(input, reserve, signal, onNothing);
      if (input) return this.#toClaim(share, input);
      await clock.sleep(lookEveryMs, signal);
    }
  }

  /** When the run has ended: what it used, as its journal says. */
  async close(): Promise<void> {
    await Promise.all(this.#settling);
    if (await this.#share) await this.#take();
  }

  async #take(): Promise<BudgetShare | null> {
    const { store, fleet, setId, runId } = this.#options;
    const row = await store.get(runId);
    // What an earlier life left open counts as spent.
    const expenses = row ? await readExpenses(store, { ...row, owner: null }) : [];
    this.#hasGot ||= expenses.length > 0;
    return fleet.takeShare(setId, runId, maxExpense(expenses));
  }

  async #retryAfterRejection(
    limitRejection: LimitRejection,
    reserve: Parameters<Share['claim']>[0],
    signal: AbortSignal,
    onEmpty: () => void,
  ): Promise<Claim> {
    if (!this.#hasGot) {
      onEmpty();
      if (!signal.aborted) await once(signal, 'abort');
      signal.throwIfAborted();
    }
    const reservation = reserve({ tokens: 0, costUsd: 0 });
    return { reservation, refusal: { ...limitRejection, shared: true }, settle: () => undefined };
  }

  #toClaim(share: BudgetShare, hold: Hold): Claim {
    const { reservation } = hold;
    this.#hasGot = true;
    return settledOnce(reservation, (settlement) => {
      const ledger = new Ledger({ tokens: 0, costUsd: 0 });
      ledger.begin('model', reservation);
      ledger.settle(reservation, settlement);
      const { tokens, costUsd } = ledger.capacity;
      const used = { tokens: -(tokens ?? 0), costUsd: -(costUsd ?? 0) };
      // If the store is unreachable, the reservation stays: too much is reserved, never too little.
      const settling = this.#options.fleet.settle(share, hold, used).catch(() => undefined);
      this.#settling.add(settling);
      void settling.finally(() => this.#settling.delete(settling));
    });
  }
}

function decideReservation(
  { limits, used, isOpen }: BudgetState,
  reserve: Parameters<Share['claim']>[0],
): Reservation | LimitRejection | null {
  const ledger = new Ledger(limits);
  ledger.charge(used);
  const reservation = reserve(ledger.capacity);
  if (ledger.hasCapacity(reservation)) return reservation;
  return isOpen ? null : ledger.rejection('model', reservation);
}

function free(reservation: Reservation): Claim {
  return { reservation, refusal: null, settle: () => undefined };
}
