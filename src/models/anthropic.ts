/** Anthropic's Messages API, with thinking, and cache markers after the instructions and at the end of the conversation. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { getAnthropicLanguageModelEntry } from '@ai-sdk/anthropic/internal';
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type {
  AdaptedSettings,
  AssistantMessage,
  Model,
  ModelRequest,
  ModelSettings,
  ReasoningEffort,
} from '../core/model.ts';
import { aiSdkModel } from './ai-sdk-model.ts';
import { adaptEvent, adaptReply, eventsIn, isEnd, lastEvent } from './anthropic-events.ts';
import { fetchFor } from './http.ts';
import type { Connection } from './provider.ts';
import type { SettingRule } from './settings-rules.ts';
import {
  budgetAsEffort,
  effortAsBudget,
  limitEfforts,
  range,
  rejectSetting,
  without,
} from './settings-rules.ts';

export function anthropicModel(connection: Connection): Model {
  const { name, baseUrl: baseURL, apiKey } = connection;
  const provider = createAnthropic({
    apiKey,
    baseURL,
    fetch: fetchFor({
      ...connection,
      adaptEvent,
      adaptReply,
      eventsIn,
      isEnd,
      lastEvent,
      endTimeoutMs: 2_000,
    }),
  });
  return aiSdkModel({
    ...connection,
    languageModel: provider(name),
    takes: { images: true, tools: true },
    rules: anthropicRules(name),
    refine: dropLateThinking,
    prepare: ({ reasoning: _, ...callOptions }, { settings = {} }) => ({
      ...callOptions,
      ...outputOf(settings),
      prompt: withMarker(callOptions.prompt),
      providerOptions: { anthropic: { ...thinkingOptions(name, settings), cacheControl: marker } },
    }),
  });
}

/** Anthropic takes thoughts only in a turn that began with one of its own: a turn that another model began is ended without. */
function dropLateThinking(settings: ModelSettings, messages: ModelRequest['messages']): AdaptedSettings {
  const assistantMessage = lastAssistantMessage(messages);
  const [first] = assistantMessage?.content ?? [];
  const isLocal = first?.type === 'reasoning' && first.provider?.anthropic !== undefined;
  if (!settings.thinkingBudgetTokens || !assistantMessage || isLocal) return { settings, notices: [] };
  return {
    settings: without(settings, 'thinkingBudgetTokens'),
    notices: ['It cannot begin to think between a call and its result (thinking is left out of this call).'],
  };
}

/** The first message of a turn that waits for its next reply; words beside results do not end it. */
function lastAssistantMessage(messages: ModelRequest['messages']): AssistantMessage | undefined {
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
  if (!effort && !alwaysThinks(name)) return {};
  return { thinking: { type: 'adaptive', display: 'summarized' }, ...(effort ? { effort } : {}) };
}

/** The least that Anthropic lets a model think, where it thinks at all. */
const leastBudget = 1024;
/** Where no output is bounded by the user, thinking still leaves room for an answer. */
const mostBudget = 32_000;

/** How the model takes its thinking time: in tokens, or as an effort. */
function thinkingOf(name: string): 'budget' | 'effort' {
  return getAnthropicLanguageModelEntry(name).capabilities.language.reasoning.adaptive ? 'effort' : 'budget';
}

function alwaysThinks(name: string): boolean {
  return !getAnthropicLanguageModelEntry(name).capabilities.language.reasoning.canDisable;
}

export function anthropicRules(name: string): readonly SettingRule[] {
  const { capabilities, requestConfig } = getAnthropicLanguageModelEntry(name);
  const { sampling, reasoning } = capabilities.language;
  const most = requestConfig.language.knownModel
    ? requestConfig.language.maxOutputTokens
    : Number.MAX_SAFE_INTEGER;
  return [
    rejectSetting('seed', 'Anthropic has no seed'),
    range('maxOutputTokens', 1, most),
    ...(thinkingOf(name) === 'effort'
      ? effortRules(reasoning.supportsXhighEffort, reasoning.canDisable)
      : budgetRules),
    ...(sampling.temperature === true
      ? samplingRules
      : [
          rejectSetting('temperature', 'It takes no temperature'),
          rejectSetting('topP', 'It takes no top_p'),
        ]),
  ];
}

function effortRules(hasXhigh: boolean, canRest: boolean): readonly SettingRule[] {
  const rest: readonly ReasoningEffort[] = canRest ? ['none'] : [];
  const high: readonly ReasoningEffort[] = hasXhigh ? ['high', 'xhigh', 'max'] : ['high', 'max'];
  const claimed = [...rest, 'low', 'medium', ...high] as const;
  return [budgetAsEffort(claimed), limitEfforts(claimed)];
}

/** A budget lies within the output: half of a short one is left for the answer. */
const budgetRules: readonly SettingRule[] = [
  effortAsBudget({ min: 0, max: mostBudget }),
  {
    setting: 'thinkingBudgetTokens',
    takes: `0, or from ${leastBudget} to below the max output tokens`,
    adapt(settings) {
      const { thinkingBudgetTokens: budget, maxOutputTokens: most = Number.MAX_SAFE_INTEGER } = settings;
      if (!budget) return null;
      if (budget >= leastBudget && budget < most) return null;
      const value = Math.max(leastBudget, Math.min(budget, Math.floor(most / 2)));
      if (value >= most) {
        const notice = `No thinking fits into ${most} output tokens (the thinking budget is left out).`;
        return { settings: without(settings, 'thinkingBudgetTokens'), notice };
      }
      const notice = `It takes a thinking budget from ${leastBudget} to below the max output tokens, not ${budget} (${value} is used).`;
      return { settings: { ...settings, thinkingBudgetTokens: value }, notice };
    },
  },
];

const samplingRules: readonly SettingRule[] = [
  rejectSetting('temperature', 'It takes no temperature while it thinks', isNotThinking, 'without thinking'),
  rejectSetting('topP', 'It takes no top_p while it thinks', isNotThinking, 'without thinking'),
  range('temperature', 0, 1),
  range('topP', 0, 1),
  rejectSetting(
    'topP',
    'It takes a temperature or a top_p, not both',
    ({ temperature }) => temperature === undefined,
    'without a temperature',
  ),
];

function isNotThinking({ reasoningEffort = 'none', thinkingBudgetTokens }: ModelSettings): boolean {
  return reasoningEffort === 'none' && !thinkingBudgetTokens;
}
