/**
 * What a candidate cost, in one number for all: half of it is what its calls cost and half how many cases it was run on,
 * each against what candidates of this search usually take. Dollars where the price is known, else tokens, else calls.
 */
import type { Bandit } from './bandit.ts';
import type { Spent } from './draft.ts';

/** What the search chooses by experience. */
export type Choices = {
  readonly operators: Bandit;
  readonly proposers: Bandit;
  /** Arms as `armOf` in operators/wordings.ts names them. */
  readonly wordings: Bandit;
  readonly costs: Costs;
};

export class Costs {
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

  /** 1: as much as usual; where nothing ever costs anything, too. */
  shareOf(value: number): number {
    this.#total += value;
    this.#count += 1;
    return this.#total > 0 ? value / (this.#total / this.#count) : 1;
  }
}
