/** Chooses among arms by an upper confidence bound on gain per cost, and sums up a candidate's costs. Pure. */
import type { Spent } from './asking.ts';

/** A sum and a count that both fade with each value that is added. */
type Sum = { total: number; weight: number };
type Arm = { pulls: number; readonly gain: Sum; readonly cost: Sum };

const memory = 0.97;
const curiosity = 0.5;
const mostGain = 3;

/**
 * A candidate that improved nothing is thrown away: its gain is 0, however bad it was, and its cost counts. Older
 * results fade, because what pays early need not pay late.
 */
class Bandit {
  readonly #arms = new Map<string, Arm>();
  readonly #gains: Sum = { total: 0, weight: 0 };

  /** The first of those that were never tried, else the one of the highest bound. Counts as tried at once. */
  choose<T extends string>(names: readonly T[]): T | null {
    const all = names.reduce((sum, name) => sum + this.#arm(name).pulls, 0);
    const best = Math.max(1e-9, ...names.map((name) => this.#rate(name)));
    const bounds = names.map((name) => {
      const { pulls } = this.#arm(name);
      if (pulls === 0) return Number.POSITIVE_INFINITY;
      return this.#rate(name) / best + curiosity * Math.sqrt(Math.log(1 + all) / pulls);
    });
    const chosen = names[bounds.indexOf(Math.max(...bounds))] ?? null;
    if (chosen !== null) this.#arm(chosen).pulls += 1;
    return chosen;
  }

  /** `gain`: points against the parent, null where the candidate failed; `cost`: in one unit for all arms. */
  learn(name: string, { gain, cost }: { readonly gain: number | null; readonly cost: number }): void {
    const worth = Math.max(0, gain ?? 0);
    if (worth > 0) add(this.#gains, worth);
    const usual = meanOf(this.#gains);
    const arm = this.#arm(name);
    add(arm.gain, usual > 0 ? Math.min(mostGain, worth / usual) : 0);
    add(arm.cost, cost);
  }

  /** So many tries elsewhere, and how many of them gained: each as much as is usual, at the usual cost. */
  remember(name: string, { tries, gains }: { readonly tries: number; readonly gains: number }): void {
    const arm = this.#arm(name);
    arm.pulls += tries;
    arm.gain.total += gains;
    arm.gain.weight += tries;
    arm.cost.total += tries;
    arm.cost.weight += tries;
  }

  #rate(name: string): number {
    const { gain, cost } = this.#arm(name);
    return meanOf(gain) / Math.max(1e-9, meanOf(cost));
  }

  #arm(name: string): Arm {
    const known = this.#arms.get(name);
    if (known) return known;
    const arm = { pulls: 0, gain: { total: 0, weight: 0 }, cost: { total: 0, weight: 0 } };
    this.#arms.set(name, arm);
    return arm;
  }
}

function add(sum: Sum, value: number): void {
  sum.total = sum.total * memory + value;
  sum.weight = sum.weight * memory + 1;
}

const meanOf = ({ total, weight }: Sum): number => (weight > 0 ? total / weight : 0);

/** The cost relative to the usual candidate: half calls (in dollars, else tokens, else number), half cases run. */
class Costs {
  readonly #usual = { usd: new Usual(), tokens: new Usual(), calls: new Usual(), cases: new Usual() };

  of({ costUsd, tokens, calls }: Spent, cases: number): number {
    const all = tokens.input === null || tokens.output === null ? null : tokens.input + tokens.output;
    const shares = {
      usd: costUsd === null ? null : this.#usual.usd.shareOf(costUsd),
      tokens: all === null ? null : this.#usual.tokens.shareOf(all),
      calls: this.#usual.calls.shareOf(calls),
    };
    return ((shares.usd ?? shares.tokens ?? shares.calls) + this.#usual.cases.shareOf(cases)) / 2;
  }
}

class Usual {
  #total = 0;
  #count = 0;

  /** The value relative to the mean so far; 1 also if every value was 0. */
  shareOf(value: number): number {
    this.#total += value;
    this.#count += 1;
    return this.#total > 0 ? value / (this.#total / this.#count) : 1;
  }
}

export class Choices {
  readonly operators = new Bandit();
  readonly proposers = new Bandit();
  /** Arms as `armOf` in experience.ts names them. */
  readonly wordings = new Bandit();
  readonly costs = new Costs();
}
