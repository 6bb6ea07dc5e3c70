/** A budget that several runs of the library have in common, as its author sees it. */
import type { Header } from '../core/event.ts';
import { refuseUnknownPrices } from '../run/changed-limits.ts';
import { type Share, SharedBudget } from '../run/shared-budget.ts';

/** What a budget may hold; what is left out is not limited. */
export type BudgetLimits = {
  /** Dollars. */
  readonly costUsd?: number;
  /** Input and output together. */
  readonly tokens?: number;
};

let sharedOf: (budget: Budget) => SharedBudget;
let limitsOf: (budget: Budget) => BudgetLimits;

/**
 * An amount that several runs share. Before each call the most that it can cost is taken out, and what it did not use is
 * put back: the budget is never passed, however many runs are at work. It counts what is spent in this process from the
 * moment it is made.
 *
 * @example
 * const budget = new Budget({ costUsd: 2 });
 * await Promise.all(questions.map((problem) => polya.run({ ...spec, problem, budget })));
 */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #shared: SharedBudget;

  static {
    sharedOf = (budget) => budget.#shared;
    limitsOf = (budget) => budget.#limits;
  }

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
    this.#shared = new SharedBudget(limits);
  }
}

/** The share of one run. `onNothing` ends a run that the budget has no room for before it has got anything. */
export function shareOf(budget: Budget, onEmpty: () => void): Share {
  return sharedOf(budget).shareOf(onEmpty);
}

/** Refuses a budget in dollars where a price is unknown. */
export function assertPricesKnown(budget: Budget, { models }: Header): void {
  refuseUnknownPrices({ models, limits: { costUsd: limitsOf(budget).costUsd } });
}
