import { describe, expect, test } from 'vitest';
import { addTokens, costOf, noTokens, type Price, totalTokens } from './usage.ts';

const price: Price = {
  inputUsdPerMillion: 4,
  cachedInputUsdPerMillion: 1,
  cacheWriteInputUsdPerMillion: 5,
  outputUsdPerMillion: 10,
  reasoningUsdPerMillion: 20,
  tiers: [
    { aboveInputTokens: 100, inputUsdPerMillion: 8, cachedInputUsdPerMillion: 2, outputUsdPerMillion: 16 },
  ],
};

describe('the cost of a call', () => {
  test('has a rate for what is read from a cache, what is put into it, and what is thought', () => {
    const tokens = { input: 100, cachedInput: 30, cacheWriteInput: 20, output: 50, reasoning: 40 };
    const usd = (50 * 4 + 30 * 1 + 20 * 5 + 10 * 10 + 40 * 20) / 1e6;
    expect(costOf(tokens, price)).toBeCloseTo(usd, 12);
  });

  test('is that of all input and output where no rate of their own is known', () => {
    const { cacheWriteInputUsdPerMillion: _, reasoningUsdPerMillion: __, ...plain } = price;
    const tokens = { input: 100, cachedInput: 0, cacheWriteInput: 20, output: 50, reasoning: 40 };
    expect(costOf(tokens, plain)).toBeCloseTo((100 * 4 + 50 * 10) / 1e6, 12);
  });

  test('is higher as a whole where the input is long', () => {
    const tokens = { input: 101, cachedInput: 1, output: 10, reasoning: 5 };
    expect(costOf(tokens, price)).toBeCloseTo((100 * 8 + 1 * 2 + 10 * 16) / 1e6, 12);
  });

  test('is not known where tokens or price are not', () => {
    expect(costOf(null, price)).toBeNull();
    expect(costOf(noTokens, null)).toBeNull();
  });
});

test('tokens add up, those put into a cache where there are any', () => {
  const some = { input: 3, cachedInput: 1, cacheWriteInput: 1, output: 2, reasoning: 1 };
  expect(addTokens(some, noTokens)).toEqual(some);
  expect(addTokens(noTokens, noTokens)).toEqual(noTokens);
  expect(totalTokens(addTokens(some, some))).toBe(10);
});
