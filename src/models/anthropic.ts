/**
 * Anthropic over the Messages API, with thinking and with cache markers: one after the instructions and tools, which
 * every call of a role shares, and one at the end, which moves with the conversation.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Model, ModelSettings } from '../core/model.ts';
import { aiSdkModel } from './ai-sdk-model.ts';
import { anthropicRules, thinkingOf, thinksAlways } from './anthropic-rules.ts';
import { eventStreamFetch } from './event-stream.ts';
import { patientFetch } from './http.ts';
import type { Connection } from './provider.ts';

export function anthropicModel(options: Connection): Model {
  const { id, name, baseUrl, apiKey, price, stream = true } = options;
  const fetchReply = patientFetch(options.silenceTimeoutMs);
  const provider = createAnthropic({
    apiKey,
    ...(baseUrl ? { baseURL: baseUrl } : {}),
    fetch: stream ? eventStreamFetch(fetchReply) : fetchReply,
  });
  return aiSdkModel({
    id,
    languageModel: provider(name),
    price,
    takes: { images: true, tools: true },
    stream,
    secrets: [apiKey],
    rules: anthropicRules(name),
    prepare: ({ reasoning: _, ...callOptions }, { settings = {} }) => ({
      ...callOptions,
      ...outputOf(settings),
      prompt: withMarker(callOptions.prompt),
      providerOptions: { anthropic: { ...thinkingOptions(name, settings), cacheControl: marker } },
    }),
  });
}

const marker = { type: 'ephemeral' } as const;

/** The last of the leading system messages: the tools stand before it on the wire. */
function withMarker(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const last = prompt.findIndex(({ role }) => role !== 'system') - 1;
  return prompt.map((message, index) =>
    index === last ? { ...message, providerOptions: { anthropic: { cacheControl: marker } } } : message,
  );
}

/** The package adds the budget to what it is told; a reply shall have no more tokens than its user said. */
function outputOf({
  maxOutputTokens: most,
  thinkingBudgetTokens: budget = 0,
}: ModelSettings): Pick<LanguageModelV4CallOptions, 'maxOutputTokens'> {
  return most === undefined ? {} : { maxOutputTokens: most - budget };
}

function thinkingOptions(
  name: string,
  { reasoningEffort: effort, thinkingBudgetTokens: budget }: ModelSettings,
) {
  if (thinkingOf(name) === 'budget') {
    return budget ? { thinking: { type: 'enabled', budgetTokens: budget } } : {};
  }
  if (effort === 'none') return { thinking: { type: 'disabled' } };
  // Without a word from the user, only what thinks anyhow is asked to tell of it.
  if (!effort && !thinksAlways(name)) return {};
  return { thinking: { type: 'adaptive', display: 'summarized' }, ...(effort ? { effort } : {}) };
}
