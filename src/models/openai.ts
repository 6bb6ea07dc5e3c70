/** OpenAI's Responses API without state on its side: sealed thoughts go back with the next request, from our journal alone. */
import { createHash } from 'node:crypto';
import { createOpenAI } from '@ai-sdk/openai';
import { openaiModelCatalog } from '@ai-sdk/openai/internal';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { Model, ModelRequest, ModelSettings, ReasoningEffort } from '../core/model.ts';
import { reasoningEfforts } from '../core/model.ts';
import { aiSdkModel } from './ai-sdk-model.ts';
import { readErrorBody } from './error-body.ts';
import { fetchFor } from './http.ts';
import type { Connection } from './provider.ts';
import { budgetAsEffort, efforts, range, refuses, type SettingRule } from './settings-rules.ts';
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
    fetch: fetchFor({ ...options, adaptEvent, eventsIn, isEnd }),
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
    takes: { images: sees(name), tools: true },
    rules: openAiRules(name),
    hasSystemRole: hasSystemRole(name),
    prepare: (callOptions, request) => ({
      ...callOptions,
      providerOptions: {
        openai: {
          store: false,
          promptCacheKey: cacheKeyOf(request),
          ...(request.output ? { strictJsonSchema: isStrict(request.output.schema) } : {}),
          ...(reasons(name) ? reasoning : {}),
        },
      },
    }),
  });
}

/**
 * The package skips events of types that it does not know, and throws a reply away for other things that it does not know.
 * Of errors it reads one form; gateways send others.
 */
function adaptEvent(event: JsonObject): JsonObject | null {
  const { type, error, item, output_index: index = 0 } = event;
  const response = isJsonObject(event.response) ? event.response : {};
  if (error || type === 'error') {
    const { message, codes } = readErrorBody(event);
    return { type: 'error', sequence_number: 0, code: codes, message: message || 'It has no message.' };
  }
  const hasFailed = type === 'response.completed' && response.status === 'failed';
  if (type === 'response.failed' || hasFailed)
    return { sequence_number: 0, ...event, type: 'response.failed' };
  if (typeof type !== 'string' || type.includes('annotation')) return null;
  // It says no more than who answers, and when.
  const isNamed = typeof response.model === 'string' && Number.isInteger(response.created_at);
  if (type === 'response.created' && !isNamed) return null;
  const id = `item_${index}`;
  if (isJsonObject(item)) return { ...event, item: { ...item, id: item.id ?? id } };
  return type.endsWith('.delta') ? { ...event, item_id: event.item_id ?? id } : event;
}

function isEnd({ type }: JsonObject): boolean {
  return /^response\.(completed|incomplete|failed)$/.test(String(type));
}

/** Of a complete response: gateways that do not stream send it although a stream was asked for. */
function eventsIn(json: unknown): readonly JsonObject[] {
  const response = json as Json;
  if (!isJsonObject(response) || !Array.isArray(response.output)) return [];
  const end = response.status === 'completed' || response.status === undefined ? 'completed' : 'incomplete';
  return [
    { type: 'response.created', response },
    ...response.output.filter(isJsonObject).flatMap(eventsOfItem),
    { type: `response.${end}`, response },
  ];
}

function eventsOfItem(item: JsonObject, output_index: number): readonly JsonObject[] {
  const place = { item_id: item.id ?? '', output_index };
  const parts = Array.isArray(item.content) ? item.content.filter(isJsonObject) : [];
  const isCall = item.type === 'function_call';
  const added = isCall ? { ...item, arguments: '' } : item;
  const done = isCall ? { status: 'completed', ...item } : item;
  return [
    { type: 'response.output_item.added', output_index, item: added },
    ...parts.flatMap(({ type, text, refusal }, content_index) => {
      if (type === 'output_text')
        return [{ type: 'response.output_text.delta', ...place, content_index, delta: text ?? '' }];
      return type === 'refusal'
        ? [{ type: 'response.refusal.delta', ...place, content_index, delta: refusal ?? '' }]
        : [];
    }),
    { type: 'response.output_item.done', output_index, item: done },
  ];
}

/** Requests that begin alike go to one machine there, where their beginning may still be in its cache. */
function cacheKeyOf({ messages: [first], tools = [] }: ModelRequest): string {
  const beginning = JSON.stringify([tools, first]);
  return `polya-${createHash('sha256').update(beginning).digest('hex').slice(0, 24)}`;
}

/** Models that think before they answer, and take no temperature then. */
function reasons(name: string): boolean {
  return /^(o\d|codex)/.test(name) || (/^gpt-([5-9]|\d\d)/.test(name) && !/chat/.test(name));
}

/** Some models of before 2025 read text alone. */
export function sees(name: string): boolean {
  return !/^(gpt-3\.5|gpt-4-|gpt-4$|o1-mini|o3-mini)/.test(name);
}

/** The first models of the o-series have neither system nor developer role. */
function hasSystemRole(name: string): boolean {
  return !/^o1-(mini|preview)/.test(name);
}

export function openAiRules(name: string): readonly SettingRule[] {
  const always = [
    refuses('seed', 'OpenAI’s Responses API has no seed'),
    range('maxOutputTokens', 16, Number.MAX_SAFE_INTEGER),
  ];
  if (!reasons(name)) {
    return [
      ...always,
      range('temperature', 0, 2),
      range('topP', 0, 1),
      refuses('reasoningEffort', 'It does not reason'),
      refuses('thinkingBudgetTokens', 'It does not reason'),
    ];
  }
  const taken = effortsOf(name);
  const isResting = ({ reasoningEffort }: ModelSettings) => reasoningEffort === 'none';
  const sampling = taken.includes('none') ? 'with effort none' : 'no';
  return [
    ...always,
    budgetAsEffort(taken),
    efforts(taken),
    refuses('temperature', 'It takes no temperature while it reasons', isResting, sampling),
    refuses('topP', 'It takes no top_p while it reasons', isResting, sampling),
  ];
}

/** From the AI SDK's catalogue where that knows the model, else by its family. A dated name is that of its base. */
function effortsOf(name: string): readonly ReasoningEffort[] {
  const base = name.replace(/-\d{4}-\d{2}-\d{2}$/, '');
  const entry = Object.hasOwn(openaiModelCatalog, base) ? openaiModelCatalog[base] : undefined;
  const known = entry?.capabilities.language?.reasoning.efforts;
  if (known) return reasoningEfforts.filter((effort) => known.includes(effort));
  if (/^gpt-5-pro/.test(base)) return ['high'];
  if (/-pro$/.test(base)) return ['medium', 'high', 'xhigh'];
  if (/codex-max|gpt-5\.([2-9]|\d\d)-codex/.test(base)) return ['low', 'medium', 'high', 'xhigh'];
  return ['low', 'medium', 'high'];
}
