/** What a model call cost: tokens as its provider counted them, and dollars where the price is known. */

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

/** The usage of one call. Null means unknown: never read it as zero. */
export type Usage = {
  readonly tokens: Tokens | null;
  readonly costUsd: number | null;
};

/** Dollars per million tokens. */
export type Rates = {
  readonly inputUsdPerMillion: number;
  readonly cachedInputUsdPerMillion: number;
  /** Missing: writing to a cache costs what other input costs. */
  readonly cacheWriteInputUsdPerMillion?: number;
  readonly outputUsdPerMillion: number;
  /** Missing: reasoning costs what all output costs. */
  readonly reasoningUsdPerMillion?: number;
};

/** What a model costs. Some cost more, for all of a call, when its input is longer than so many tokens. */
export type Price = Rates & {
  /** Sorted by length. */
  readonly tiers?: readonly (Rates & { readonly aboveInputTokens: number })[];
};

/** Usage without counts and costs that no call has: their sums would be endless. */
export function trustedUsage({ tokens, costUsd }: Usage): Usage {
  const isCount = (value: number) => value >= 0 && value < 1e9;
  return {
    tokens: tokens && Object.values(tokens).every(isCount) ? tokens : null,
    costUsd: costUsd !== null && isCount(costUsd) ? costUsd : null,
  };
}

export const noTokens: Tokens = { input: 0, cachedInput: 0, output: 0, reasoning: 0 };

export function addTokens(a: Tokens, b: Tokens): Tokens {
  const count = (a.cacheWriteInput ?? 0) + (b.cacheWriteInput ?? 0);
  return {
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    ...(count > 0 ? { cacheWriteInput: count } : {}),
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

export function totalTokens(tokens: Tokens): number {
  return tokens.input + tokens.output;
}

/** The cost in US dollars, or null where the price is not known. */
export function costOf(tokens: Tokens | null, price: Price | null): number | null {
  if (!price) return null;
  // However many tokens it took.
  if (isFree(price)) return 0;
  if (!tokens) return null;
  const { input, cachedInput, cacheWriteInput = 0, output, reasoning } = tokens;
  const rates = ratesFor(price, input);
  return (
    ((input - cachedInput - cacheWriteInput) * rates.inputUsdPerMillion +
      cachedInput * rates.cachedInputUsdPerMillion +
      cacheWriteInput * (rates.cacheWriteInputUsdPerMillion ?? rates.inputUsdPerMillion) +
      (output - reasoning) * rates.outputUsdPerMillion +
      reasoning * (rates.reasoningUsdPerMillion ?? rates.outputUsdPerMillion)) /
    1e6
  );
}

function isFree({ tiers = [], ...rates }: Price): boolean {
  return tiers.length === 0 && Object.values(rates).every((rate) => rate === 0);
}

/** The part of the input that was read from a provider's cache, from 0 to 1; null where nothing was sent. */
export function cacheHitRate({ input, cachedInput }: Pick<Tokens, 'input' | 'cachedInput'>): number | null {
  return input > 0 ? cachedInput / input : null;
}

/** The most that a call of at most so many tokens can cost, whatever part of them is cached, written or thought. */
export function highestCost(
  { input, output }: { readonly input: number; readonly output: number },
  price: Price | null,
): number | null {
  const dearest = highestRates(price, input);
  return dearest && (input * dearest.input + output * dearest.output) / 1e6;
}

/** Dollars per million tokens at most, for a call of at most so much input. */
export function highestRates(
  price: Price | null,
  inputTokens: number,
): { readonly input: number; readonly output: number } | null {
  if (!price) return null;
  const tiers = price.tiers?.filter(({ aboveInputTokens }) => inputTokens > aboveInputTokens) ?? [];
  const rates: readonly Rates[] = [price, ...tiers];
  const input = rates.flatMap((each) => [
    each.inputUsdPerMillion,
    each.cachedInputUsdPerMillion,
    each.cacheWriteInputUsdPerMillion ?? 0,
  ]);
  const output = rates.flatMap((each) => [each.outputUsdPerMillion, each.reasoningUsdPerMillion ?? 0]);
  return { input: Math.max(...input), output: Math.max(...output) };
}

function ratesFor(price: Price, inputTokens: number): Rates {
  return price.tiers?.findLast(({ aboveInputTokens }) => inputTokens > aboveInputTokens) ?? price;
}
