/** OpenAI's Responses API without state on its side: sealed thoughts go back with the next request, from our journal alone. */
import { createHash } from 'node:crypto';
import { createOpenAI } from '@ai-sdk/openai';
import { openaiModelCatalog } from '@ai-sdk/openai/internal';
import type { Model, ModelRequest, ModelSettings, ReasoningEffort } from '../core/model.ts';
import { reasoningEfforts } from '../core/model.ts';
import { aiSdkModel } from './ai-sdk-model.ts';
import { fetchFor } from './http.ts';
import { adaptEvent, adaptReply, eventsIn, isEnd } from './openai-events.ts';
import type { Connection } from './provider.ts';
import { budgetAsEffort, limitEfforts, range, rejectSetting, type SettingRule } from './settings-rules.ts';
import { isStrict } from './strict-schema.ts';

export type OpenAiOptions = Connection & {
  /** `none` for accounts that may not see summaries of thoughts. */
  readonly reasoningSummary?: 'auto' | 'concise' | 'detailed' | 'none';
};

export function openAiModel(options: OpenAiOptions): Model {
  const { name, baseUrl: baseURL, apiKey, reasoningSummary = 'auto' } = options;
  const provider = createOpenAI({
    apiKey,
    baseURL,
    fetch: fetchFor({ ...options, adaptEvent, adaptReply, eventsIn, isEnd, endTimeoutMs: 2_000 }),
  });
  const reasoning = {
    forceReasoning: true,
    include: ['reasoning.encrypted_content'],
    // Null asks for none; a missing one would be asked for as soon as there is an effort.
    reasoningSummary: reasoningSummary === 'none' ? null : reasoningSummary,
  };
  return aiSdkModel({
    ...options,
    languageModel: provider.responses(name),
    takes: { images: supportsImages(name), tools: true },
    rules: openAiRules(name),
    hasSystemRole: hasSystemRole(name),
    prepare: (callOptions, request) => ({
      ...callOptions,
      providerOptions: {
        openai: {
          store: false,
          promptCacheKey: cacheKeyOf(request),
          ...(request.output ? { strictJsonSchema: isStrict(request.output.schema) } : {}),
          ...(isReasoningModel(name) ? reasoning : {}),
        },
      },
    }),
  });
}

/** Requests that begin alike go to one machine there, where their beginning may still be in its cache. */
function cacheKeyOf({ messages: [first], tools = [] }: ModelRequest): string {
  const prefix = JSON.stringify([tools, first]);
  return `polya-${createHash('sha256').update(prefix).digest('hex').slice(0, 24)}`;
}

/** Models that think before they answer, and take no temperature then. */
function isReasoningModel(name: string): boolean {
  return /^(o\d|codex)/.test(name) || (/^gpt-([5-9]|\d\d)/.test(name) && !/chat/.test(name));
}

/** Some models of before 2025 read text alone. */
export function supportsImages(name: string): boolean {
  return !/^(gpt-3\.5|gpt-4-|gpt-4$|o1-mini|o3-mini)/.test(name);
}

/** The first models of the o-series have neither system nor developer role. */
function hasSystemRole(name: string): boolean {
  return !/^o1-(mini|preview)/.test(name);
}

export function openAiRules(name: string): readonly SettingRule[] {
  const always = [
    rejectSetting('seed', 'OpenAI’s Responses API has no seed'),
    range('maxOutputTokens', 16, Number.MAX_SAFE_INTEGER),
  ];
  if (!isReasoningModel(name)) {
    return [
      ...always,
      range('temperature', 0, 2),
      range('topP', 0, 1),
      rejectSetting('reasoningEffort', 'It does not reason'),
      rejectSetting('thinkingBudgetTokens', 'It does not reason'),
    ];
  }
  const claimed = supportedEfforts(name);
  const isResting = ({ reasoningEffort }: ModelSettings) => reasoningEffort === 'none';
  const sampling = claimed.includes('none') ? 'with effort none' : 'no';
  return [
    ...always,
    budgetAsEffort(claimed),
    limitEfforts(claimed),
    rejectSetting('temperature', 'It takes no temperature while it reasons', isResting, sampling),
    rejectSetting('topP', 'It takes no top_p while it reasons', isResting, sampling),
  ];
}

/** From the AI SDK's catalogue where that knows the model, else by its family. A dated name is that of its base. */
function supportedEfforts(name: string): readonly ReasoningEffort[] {
  const base = name.replace(/-\d{4}-\d{2}-\d{2}$/, '');
  const entry = Object.hasOwn(openaiModelCatalog, base) ? openaiModelCatalog[base] : undefined;
  const known = entry?.capabilities.language?.reasoning.efforts;
  if (known) return reasoningEfforts.filter((effort) => known.includes(effort));
  if (/^gpt-5-pro/.test(base)) return ['high'];
  if (/-pro$/.test(base)) return ['medium', 'high', 'xhigh'];
  if (/codex-max|gpt-5\.([2-9]|\d\d)-codex/.test(base)) return ['low', 'medium', 'high', 'xhigh'];
  return ['low', 'medium', 'high'];
}
