/** A program that is proposed, before anybody has run it; and what asking for it has used. Pure. */
import type { Usage } from '../../core/usage.ts';

export type Spent = {
  readonly tokens: { readonly input: number | null; readonly output: number | null };
  readonly calls: number;
  /** Null where the price of a call is not known. */
  readonly costUsd: number | null;
};

export type Draft = Spent & {
  /** Null where the model answered, and no program came of it; `detail` says why. */
  readonly source: string | null;
  /** What was done, in one line, for people and for later prompts. */
  readonly summary: string;
  readonly detail: string;
};

/** Adds up what calls use. A number that one provider does not tell is unknown from then on. */
export class Meter {
  #input: number | null = 0;
  #output: number | null = 0;
  #calls = 0;
  #costUsd: number | null = 0;

  add(usage: Usage | null): void {
    this.#calls += 1;
    // A call that failed before anything was billed has no usage, and has used nothing.
    if (!usage) return;
    const { tokens, costUsd } = usage;
    this.#costUsd = this.#costUsd === null || costUsd === null ? null : this.#costUsd + costUsd;
    this.#input = this.#input === null || !tokens ? null : this.#input + tokens.input;
    this.#output = this.#output === null || !tokens ? null : this.#output + tokens.output;
  }

  get spent(): Spent {
    const tokens = { input: this.#input, output: this.#output };
    return { tokens, calls: this.#calls, costUsd: this.#costUsd };
  }
}
