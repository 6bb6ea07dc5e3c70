import { expect, test } from 'vitest';
import { costOfTier } from './service-tiers.ts';

const price = { inputUsdPerMillion: 2, cachedInputUsdPerMillion: 1, outputUsdPerMillion: 8 };
const tokens = { input: 1_000_000, cachedInput: 0, output: 0, reasoning: 0 };

test.each([
  ['openai/m', undefined, 2],
  ['openai/m', 'default', 2],
  ['openai/m', 'flex', 1],
  ['openai/m', 'priority', null],
  ['openai/m', 'auto', null],
  ['groq/m', 'on_demand', 2],
  ['groq/m', 'flex', 2],
  ['openai-compatible/m', 'flex', null],
  ['openai-compatible/m', 'scale', null],
])('%s served as %s costs %s', (spec, tier, cost) => {
  expect(costOfTier(tokens, price, { spec, tier })).toBe(cost);
  expect(costOfTier(tokens, null, { spec, tier })).toBeNull();
});
