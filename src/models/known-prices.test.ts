import { describe, expect, test } from 'vitest';
import { knownPrice } from './known-prices.ts';

const atMs = Date.parse('2026-03-01T12:00:00Z');
const priceOf = (id: string, baseUrl?: string) => knownPrice({ id, baseUrl, atMs });

describe('a price that is known', () => {
  test('has the rate of what is cached', () => {
    expect(priceOf('openai/gpt-5')).toEqual({
      inputUsdPerMillion: 1.25,
      cachedInputUsdPerMillion: 0.125,
      outputUsdPerMillion: 10,
    });
  });

  test('has the higher rates of long input, and that of writing to a cache', () => {
    const price = priceOf('anthropic/claude-sonnet-4-5');
    expect(price).toMatchObject({ inputUsdPerMillion: 3, cacheWriteInputUsdPerMillion: 3.75 });
    expect(price?.tiers).toMatchObject([{ aboveInputTokens: 200_000, outputUsdPerMillion: 22.5 }]);
  });

  test('is the one of its time, and of the dearest hour of a day', () => {
    expect(priceOf('openai/o3')?.outputUsdPerMillion).toBe(8);
    const before = knownPrice({ id: 'openai/o3', atMs: Date.parse('2025-05-01') });
    expect(before?.outputUsdPerMillion).toBe(40);
    const price = knownPrice({ id: 'deepseek/deepseek-chat', atMs: Date.parse('2026-03-01T20:00:00Z') });
    expect(price).toEqual(priceOf('deepseek/deepseek-chat'));
  });

  test('is found by where a server of many is', () => {
    expect(priceOf('openai-compatible/deepseek-chat', 'https://api.deepseek.com/v1')).not.toBeNull();
    expect(priceOf('openrouter/deepseek/deepseek-chat')).not.toBeNull();
    expect(priceOf('gemini/gemini-2.5-pro')).toEqual(priceOf('google/gemini-2.5-pro'));
  });
});

test.each([
  ['a model that nobody knows', 'openai/none-such'],
  ['a provider that nobody knows', 'ollama/qwen3'],
  ['a name without a provider', 'gpt-5'],
  ['a server of nobody knows whom', 'openai-compatible/gpt-5'],
])('%s has no price', (_name, id) => {
  expect(priceOf(id)).toBeNull();
});

test('a server on this machine has no price, whatever its model is called', () => {
  expect(priceOf('openai-compatible/gpt-5', 'http://127.0.0.1:11434/v1')).toBeNull();
});
