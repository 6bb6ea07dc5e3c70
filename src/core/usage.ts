/**
 * What a model call cost: tokens as its provider counted them, and dollars where the price is known.
 * Knows nothing of providers; the sums are plain folds.
 */

/**
 * Tokens of one model call, in one shape for all providers. `cachedInput` (read from a cache) and `cacheWriteInput`
 * (written to one; missing where none was) are parts of `input`, `reasoning` is part of `output`.
 */
export type Tokens = {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWriteInput?: number;
  readonly output: number;
  readonly reasoning: number;
};

/** The usage of one call. A null means that nobody knows: never read it as zero. */
export type Usage = {
  readonly tokens: Tokens | null;
  readonly costUsd: number | null;
};

/** Dollars per million tokens. */
export type Price = {
  readonly inputUsdPerMillion: number;
  readonly cachedInputUsdPerMillion: number;
  /** Missing where writing to a cache costs what other input costs. */
  readonly cacheWriteInputUsdPerMillion?: number;
  readonly outputUsdPerMillion: number;
};

export const noTokens: Tokens = { input: 0, cachedInput: 0, output: 0, reasoning: 0 };

export function addTokens(a: Tokens, b: Tokens): Tokens {
  const written = (a.cacheWriteInput ?? 0) + (b.cacheWriteInput ?? 0);
  return {
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    ...(written > 0 ? { cacheWriteInput: written } : {}),
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

export function totalTokens(tokens: Tokens): number {
  return tokens.input + tokens.output;
}

/** The cost in US dollars, or null where the price is not known. */
export function costOf(tokens: Tokens | null, price: Price | null): number | null {
  if (!tokens || !price) return null;
  const written = tokens.cacheWriteInput ?? 0;
  const fresh = tokens.input - tokens.cachedInput - written;
  return (
    (fresh * price.inputUsdPerMillion +
      written * (price.cacheWriteInputUsdPerMillion ?? price.inputUsdPerMillion) +
      tokens.cachedInput * price.cachedInputUsdPerMillion +
      tokens.output * price.outputUsdPerMillion) /
    1e6
  );
}

/** The part of the input that was read from a provider's cache, from 0 to 1; null where nothing was sent. */
export function cacheHitRate({ input, cachedInput }: Pick<Tokens, 'input' | 'cachedInput'>): number | null {
  return input > 0 ? cachedInput / input : null;
}
