/**
 * Any server that speaks OpenAI's chat completions: OpenAI itself, OpenRouter, vLLM, llama.cpp, Ollama and others.
 * Only what is peculiar to this wire stands here; the contract is kept in ai-sdk-model.ts. It reads no environment.
 */
import { createOpenAICompatible, type OpenAICompatibleProviderSettings } from '@ai-sdk/openai-compatible';
import type { Json, JsonObject } from '../core/json.ts';
import type { Model } from '../core/model.ts';
import type { Price } from '../core/usage.ts';
import { aiSdkModel } from './ai-sdk-model.ts';
import { eventStreamFetch } from './event-stream.ts';
import { patientFetch } from './http.ts';
import { isJsonObject } from './reply.ts';

export type OpenAiCompatibleOptions = {
  /** As the user wrote it: `openai-compatible/NAME`. */
  readonly id: string;
  /** The model's name on the server. */
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly price: Price | null;
  /** False: ask for the whole reply at once. */
  readonly stream?: boolean;
  readonly takes?: Model['takes'];
  /** Ends a call with kind `timeout` after so long without a byte. 0 or missing: never. */
  readonly silenceTimeoutMs?: number;
};

export function openAiCompatibleModel(options: OpenAiCompatibleOptions): Model {
  const { stream = true } = options;
  const fetchReply = patientFetch(options.silenceTimeoutMs);
  const provider = createOpenAICompatible({
    // Not the key of the wire's own options below: what is kept under it would be sent as fields of a message.
    name: 'compatible',
    baseURL: options.baseUrl,
    apiKey: options.apiKey,
    fetch: stream ? eventStreamFetch(fetchReply) : fetchReply,
    includeUsage: true,
    // Without it the schema of a structured reply is dropped with a mere warning.
    supportsStructuredOutputs: true,
    convertUsage,
  });
  return aiSdkModel({
    id: options.id,
    languageModel: provider.chatModel(options.name),
    price: options.price,
    takes: options.takes ?? { images: true, tools: true },
    stream,
    secrets: [options.apiKey],
    providerOptions: ({ output }) =>
      output ? { openaiCompatible: { strictJsonSchema: isStrict(output.schema) } } : {},
  });
}

type ConvertUsage = NonNullable<OpenAICompatibleProviderSettings['convertUsage']>;

/**
 * The package's own conversion turns missing counts into zeros. Servers that count reasoning outside of
 * `completion_tokens` (xAI, Gemini) are known by a total that only fits with it added.
 */
const convertUsage: ConvertUsage = (usage) => {
  const input = usage?.prompt_tokens ?? undefined;
  const completion = usage?.completion_tokens ?? undefined;
  const cacheRead = usage?.prompt_tokens_details?.cached_tokens ?? 0;
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? 0;
  const apart = usage?.total_tokens === (input ?? 0) + (completion ?? 0) + reasoning;
  const output = completion === undefined ? undefined : completion + (apart ? reasoning : 0);
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning },
  };
};

/**
 * Whether a schema keeps the rules of strict mode: every object is closed and requires all its properties. OpenAI
 * refuses a request that says strict and breaks them; without the word the schema is still followed, less firmly.
 */
export function isStrict(schema: JsonObject): boolean {
  const { properties, required, additionalProperties } = schema;
  if (isJsonObject(properties)) {
    const names = Array.isArray(required) ? required : [];
    const closed = additionalProperties === false;
    if (!closed || Object.keys(properties).some((name) => !names.includes(name))) return false;
  } else if (schema.type === 'object') return false;
  return Object.values(schema).every(isStrictInside);
}

function isStrictInside(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.every(isStrictInside);
  if (!isJsonObject(value)) return true;
  return isStrict(value);
}
