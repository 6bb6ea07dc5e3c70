/**
 * Anthropic over the Messages API, with thinking and with cache markers: one after the instructions and tools, which
 * every call of a role shares, and one at the end, which moves with the conversation.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { AdaptedSettings, AssistantMessage, Model, ModelRequest, ModelSettings } from '../core/model.ts';
import { aiSdkModel } from './ai-sdk-model.ts';
import { anthropicRules, thinkingOf, thinksAlways } from './anthropic-rules.ts';
import { eventStreamFetch } from './event-stream.ts';
import { patientFetch } from './http.ts';
import type { Connection } from './provider.ts';
import { without } from './settings-rules.ts';

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
    refine: withoutLateThinking,
    prepare: ({ reasoning: _, ...callOptions }, { settings = {} }) => ({
      ...callOptions,
      ...outputOf(settings),
      prompt: withMarker(callOptions.prompt),
      providerOptions: { anthropic: { ...thinkingOptions(name, settings), cacheControl: marker } },
    }),
  });
}

/**
 * From a user's words to the next ones, all calls and results are one turn there, and it thinks in it only where the
 * turn began with a thought of its own: one that another model began is ended without.
 */
function withoutLateThinking(settings: ModelSettings, messages: ModelRequest['messages']): AdaptedSettings {
  const opening = openingOf(messages);
  const [first] = opening?.content ?? [];
  const isOurs = first?.type === 'reasoning' && first.provider?.anthropic !== undefined;
  if (!settings.thinkingBudgetTokens || !opening || isOurs) return { settings, notices: [] };
  return {
    settings: without(settings, 'thinkingBudgetTokens'),
    notices: ['It cannot begin to think between a call and its result (thinking is left out of this call).'],
  };
}

/** The first message of a turn that waits for its next reply; words beside results do not end it. */
function openingOf(messages: ModelRequest['messages']): AssistantMessage | undefined {
  let opening: AssistantMessage | undefined;
  for (const [index, message] of messages.entries()) {
    const isBesideResult = messages[index - 1]?.role === 'tool';
    if (message.role === 'assistant') opening ??= message;
    else if (message.role === 'user' && !isBesideResult) opening = undefined;
  }
  return opening;
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
