/** What models make of settings: by provider and model, and for any settings whatever. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ModelSettings, reasoningEfforts } from '../core/model.ts';
import { anthropicRules } from './anthropic.ts';
import { googleRules } from './google.ts';
import { openAiRules } from './openai.ts';
import { compatibleRules } from './openai-compatible.ts';
import { providers } from './providers/index.ts';
import { applyRules } from './settings-rules.ts';

const adapt = (rules: Parameters<typeof applyRules>[0], settings: ModelSettings) =>
  applyRules(rules, settings);

describe('OpenAI', () => {
  it.each([
    ['gpt-5.1-codex', { temperature: 0.1 }, {}],
    ['gpt-5.1-codex', { reasoningEffort: 'xhigh' }, { reasoningEffort: 'high' }],
    ['gpt-5.1-codex-max', { reasoningEffort: 'xhigh' }, { reasoningEffort: 'xhigh' }],
    ['gpt-5', { reasoningEffort: 'none' }, { reasoningEffort: 'minimal' }],
    ['gpt-5-2025-08-07', { reasoningEffort: 'minimal' }, { reasoningEffort: 'minimal' }],
    ['gpt-5-pro', { reasoningEffort: 'low' }, { reasoningEffort: 'high' }],
    ['gpt-5.2-pro', { reasoningEffort: 'low' }, { reasoningEffort: 'medium' }],
    ['gpt-5.1', { reasoningEffort: 'none', temperature: 1 }, { reasoningEffort: 'none', temperature: 1 }],
    ['gpt-5.1', { topP: 0.5 }, {}],
    ['o3', { thinkingBudgetTokens: 32_768 }, { reasoningEffort: 'high' }],
    ['o3', { thinkingBudgetTokens: 100_000, reasoningEffort: 'low' }, { reasoningEffort: 'low' }],
    ['gpt-4o', { temperature: 0.1, topP: 1 }, { temperature: 0.1, topP: 1 }],
    ['gpt-4o', { temperature: 3, seed: 1, reasoningEffort: 'low' }, { temperature: 2 }],
    ['gpt-4.1', { thinkingBudgetTokens: 1 }, {}],
    ['gpt-5-chat-latest', { temperature: 0.2 }, { temperature: 0.2 }],
    ['codex-mini-latest', { maxOutputTokens: 3 }, { maxOutputTokens: 16 }],
  ] as const)('%s: %j becomes %j', (name, asked, claimed) => {
    expect(adapt(openAiRules(name), asked).settings).toEqual(claimed);
  });
});

describe('Gemini', () => {
  it.each([
    ['gemini-2.5-pro', { thinkingBudgetTokens: 32_768 }, { thinkingBudgetTokens: 32_768 }],
    ['gemini-2.5-pro', { thinkingBudgetTokens: 0 }, { thinkingBudgetTokens: 128 }],
    ['gemini-2.5-flash', { thinkingBudgetTokens: 0 }, { thinkingBudgetTokens: 0 }],
    ['gemini-2.5-flash', { thinkingBudgetTokens: 32_768 }, { thinkingBudgetTokens: 24_576 }],
    ['gemini-2.5-flash', { reasoningEffort: 'medium' }, { thinkingBudgetTokens: 9830 }],
    ['gemini-2.5-flash', { reasoningEffort: 'none' }, { thinkingBudgetTokens: 0 }],
    ['gemini-2.5-flash', { reasoningEffort: 'low', thinkingBudgetTokens: 9 }, { thinkingBudgetTokens: 9 }],
    [
      'gemini-3-pro-preview',
      { thinkingBudgetTokens: 32_768, temperature: 0.1 },
      { reasoningEffort: 'high', temperature: 0.1 },
    ],
    ['gemini-3-pro-preview', { reasoningEffort: 'minimal' }, { reasoningEffort: 'low' }],
    ['gemini-2.0-flash', { thinkingBudgetTokens: 1000, maxOutputTokens: 9000 }, { maxOutputTokens: 8192 }],
    ['gemma-3-27b-it', { reasoningEffort: 'high', seed: 3 }, { seed: 3 }],
  ] as const)('%s: %j becomes %j', (name, asked, claimed) => {
    expect(adapt(googleRules(name), asked).settings).toEqual(claimed);
  });
});

describe('Anthropic', () => {
  it.each([
    ['claude-sonnet-4-5', { temperature: 0.1 }, { temperature: 0.1 }],
    ['claude-sonnet-4-5', { temperature: 1.5, topP: 0.9 }, { temperature: 1 }],
    ['claude-sonnet-4-5', { temperature: 0.1, thinkingBudgetTokens: 2000 }, { thinkingBudgetTokens: 2000 }],
    ['claude-sonnet-4-5', { thinkingBudgetTokens: 10 }, { thinkingBudgetTokens: 1024 }],
    [
      'claude-sonnet-4-5',
      { thinkingBudgetTokens: 32_768, maxOutputTokens: 8000 },
      { thinkingBudgetTokens: 4000, maxOutputTokens: 8000 },
    ],
    ['claude-sonnet-4-5', { thinkingBudgetTokens: 2000, maxOutputTokens: 500 }, { maxOutputTokens: 500 }],
    ['claude-sonnet-4-5', { reasoningEffort: 'medium' }, { thinkingBudgetTokens: 12_800 }],
    ['claude-sonnet-4-5', { maxOutputTokens: 100_000, seed: 4 }, { maxOutputTokens: 64_000 }],
    ['claude-opus-4-6', { reasoningEffort: 'high', temperature: 0.5 }, { reasoningEffort: 'high' }],
    ['claude-opus-4-6', { thinkingBudgetTokens: 32_768 }, { reasoningEffort: 'high' }],
    [
      'claude-opus-4-8',
      { temperature: 0.1, topP: 0.1, reasoningEffort: 'xhigh' },
      { reasoningEffort: 'xhigh' },
    ],
    ['claude-fable-5', { reasoningEffort: 'none' }, { reasoningEffort: 'low' }],
  ] as const)('%s: %j becomes %j', (name, asked, claimed) => {
    expect(adapt(anthropicRules(name), asked).settings).toEqual(claimed);
  });
});

it('an effort in the words of a budget is no change, a budget in the words of an effort is told', () => {
  expect(adapt(googleRules('gemini-2.5-flash'), { reasoningEffort: 'high' }).notices).toEqual([]);
  expect(adapt(openAiRules('o3'), { thinkingBudgetTokens: 5000 }).notices).toEqual([
    'It takes no thinking budget in tokens (5000 asked for, effort medium is used).',
  ]);
  expect(adapt(compatibleRules, { reasoningEffort: 'max', seed: 1, temperature: 0 }).notices).toEqual([]);
});

const names = [
  'gpt-5.1-codex',
  'gpt-5.1',
  'gpt-4o',
  'gemini-2.5-pro',
  'gemini-3-pro-preview',
  'gemini-2.0-flash',
  'claude-sonnet-4-5',
  'claude-opus-4-6',
  'claude-opus-5-5',
  'unheard-of',
];
const anySettings = fc.record(
  {
    temperature: fc.double({ min: 0, max: 5, noNaN: true }),
    topP: fc.double({ min: 0, max: 1, noNaN: true }),
    maxOutputTokens: fc.integer({ min: 1, max: 1_000_000 }),
    reasoningEffort: fc.constantFrom(...reasoningEfforts),
    thinkingBudgetTokens: fc.integer({ min: 0, max: 200_000 }),
    seed: fc.integer(),
  },
  { requiredKeys: [] },
);

describe.each(providers)('any settings, $name', (provider) => {
  it('are adapted once and for all, and every change but of words is told', async () => {
    for (const name of names) {
      const rules = await provider.rules(name);
      fc.assert(
        fc.property(anySettings, (asked) => {
          const once = applyRules(rules, asked);
          expect(applyRules(rules, once.settings)).toEqual({ settings: once.settings, notices: [] });
          const isSame = JSON.stringify(once.settings) === JSON.stringify(asked);
          if (!isSame && once.notices.length === 0) expect(asked).toHaveProperty('reasoningEffort');
          for (const notice of once.notices) expect(notice).toMatch(/^\S.* \(.+\)\.$/);
        }),
        { numRuns: 60, seed: 7 },
      );
    }
  });
});
