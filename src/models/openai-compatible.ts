/** Any server with OpenAI's chat completions: what is peculiar to this wire; ai-sdk-model.ts keeps the contract. */
import type { MetadataExtractor, OpenAICompatibleProviderSettings } from '@ai-sdk/openai-compatible';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4Prompt, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { z } from 'zod';
import type { JsonObject } from '../core/json.ts';
import { type Model, reasoningEfforts, type ServerQuirk, serverQuirks } from '../core/model.ts';
import { type AiSdkModelOptions, aiSdkModel } from './ai-sdk-model.ts';
import { fetchFor } from './http.ts';
import type { Connection } from './provider.ts';
import { quirkForRefusal } from './refused-field.ts';
import { budgetAsEffort, range, type SettingRule } from './settings-rules.ts';
import { isStrict } from './strict-schema.ts';

export type OpenAiCompatibleOptions = Connection &
  Partial<Pick<AiSdkModelOptions, 'takes' | 'rules' | 'hasSystemRole' | 'tellsCost'>> & {
    readonly baseUrl: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Keeps what OpenRouter's providers seal and sign of their thoughts. */
    readonly keepsDetails?: boolean;
    /** Changes the body before it is sent, for what only this server understands. */
    readonly changeBody?: (body: Record<string, unknown>) => Record<string, unknown>;
  };

export function openAiCompatibleModel(options: OpenAiCompatibleOptions): Model {
  const { name, baseUrl, apiKey, headers, changeBody, keepsDetails } = options;
  const provider = createOpenAICompatible({
    // Not the key of the wire's own options below: what is kept under it would be sent as fields of a message.
    name: 'compatible',
    baseURL: baseUrl,
    apiKey,
    headers,
    transformRequestBody: (body) => applyQuirks(changeBody ? changeBody(body) : body),
    metadataExtractor: keepsDetails ? detailsExtractor : undefined,
    fetch: fetchFor(options),
    includeUsage: true,
    // Without it the schema of a structured reply is dropped with a mere warning.
    supportsStructuredOutputs: true,
    convertUsage,
  });
  return aiSdkModel({
    takes: { images: !isBlind(name), tools: true },
    rules: compatibleRules,
    hasSystemRole: templateHasSystemRole(name),
    ...options,
    languageModel: provider.chatModel(name),
    keep: keepsDetails ? keptDetails : undefined,
    quirkOf: ({ statusCode, responseBody, message, requestBodyValues }) =>
      quirkForRefusal({
        status: statusCode,
        text: responseBody || message,
        sent: fieldsOf.parse(requestBodyValues ?? {}),
      }),
    prepare: (callOptions, { output, settings }, { quirks }) => ({
      ...callOptions,
      prompt: keepsDetails ? withDetails(callOptions.prompt) : callOptions.prompt,
      providerOptions: {
        ...(output ? { openaiCompatible: { strictJsonSchema: isStrict(output.schema) } } : {}),
        // A field of the body, where rules have left a budget: `changeBody` knows what to make of it.
        compatible: {
          ...(settings?.thinkingBudgetTokens === undefined
            ? {}
            : { thinking_budget: settings.thinkingBudgetTokens }),
          ...(quirks?.length ? { [quirksField]: [...quirks] } : {}),
        },
      },
    }),
  });
}

const fieldsOf = z.record(z.string(), z.unknown());
/** Carries the quirks of a call to `applyQuirks`; it is never sent. */
const quirksField = 'polya_quirks';

const left: { readonly [quirk in ServerQuirk]?: string } = {
  'json-in-prompt': 'response_format',
  'no-stream-options': 'stream_options',
  'no-temperature': 'temperature',
  'no-top-p': 'top_p',
  'no-seed': 'seed',
  'no-reasoning-effort': 'reasoning_effort',
  'no-parallel-tool-calls': 'parallel_tool_calls',
  'no-output-limit': 'max_tokens',
};

const quirkedBody = z.looseObject({
  [quirksField]: z.array(z.enum(serverQuirks)).default([]),
  max_tokens: z.number().optional(),
  response_format: z
    .looseObject({ json_schema: z.looseObject({ schema: z.unknown() }).optional() })
    .optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
});

/** Until the wire is our own. */
function applyQuirks(sent: Record<string, unknown>): Record<string, unknown> {
  const { [quirksField]: quirks, ...body } = quirkedBody.parse(sent);
  if (quirks.length === 0) return body;
  const has = (quirk: ServerQuirk) => quirks.includes(quirk);
  const changed: Record<string, unknown> = { ...body };
  const schema = body.response_format?.json_schema?.schema;
  if (schema && (has('json-object') || has('json-in-prompt'))) {
    const words = `Reply with nothing but JSON that fits this JSON Schema:\n${JSON.stringify(schema)}`;
    changed.messages = [...body.messages, { role: 'user', content: words }];
    changed.response_format = { type: 'json_object' };
  }
  if (has('max-completion-tokens') && body.max_tokens !== undefined) {
    if (!has('no-output-limit')) changed.max_completion_tokens = body.max_tokens;
    delete changed.max_tokens;
  }
  if (has('alternate-roles')) {
    const joined: typeof body.messages = [];
    for (const message of body.messages) {
      const last = joined.at(-1);
      if (last?.role !== message.role || message.role === 'assistant') joined.push({ ...message });
      else last.content = `${last.content}\n\n${message.content}`;
    }
    changed.messages = joined;
  }
  for (const quirk of quirks) delete changed[left[quirk] ?? ''];
  return changed;
}

/** Efforts are sent as they are: which of them a server knows, it says itself. */
export const compatibleRules: readonly SettingRule[] = [
  range('temperature', 0, 2),
  range('topP', 0, 1),
  range('maxOutputTokens', 1, Number.MAX_SAFE_INTEGER),
  budgetAsEffort(reasoningEfforts),
];

/** The chat templates of these models refuse a system turn. */
function templateHasSystemRole(name: string): boolean {
  return !/\bgemma-?[1-3]?(-|:|$)|mistral-7b-instruct-v0\.[12]|o1-(mini|preview)/i.test(name);
}

type ConvertUsage = NonNullable<OpenAICompatibleProviderSettings['convertUsage']>;

/** The package makes missing counts zeros. Reasoning beside `completion_tokens` (xAI, Gemini) shows in the total. */
const convertUsage: ConvertUsage = (usage) => {
  const input = usage?.prompt_tokens ?? undefined;
  const completion = usage?.completion_tokens ?? undefined;
  const cacheRead = usage?.prompt_tokens_details?.cached_tokens ?? 0;
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? 0;
  const apart = usage?.total_tokens === (input ?? 0) + (completion ?? 0) + reasoning;
  const output = completion === undefined ? undefined : completion + (apart ? reasoning : 0);
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead, cacheWrite: cacheWriteIn(usage) },
    outputTokens: { total: output, text: undefined, reasoning },
    ...(typeof usage?.cost === 'number' ? { raw: { cost: usage.cost } } : {}),
  };
};

/** OpenRouter's own. */
function cacheWriteIn(usage: Parameters<ConvertUsage>[0]): number | undefined {
  const written = usage?.prompt_tokens_details?.cache_write_tokens;
  return typeof written === 'number' ? written : undefined;
}

const blind: readonly RegExp[] = [
  /\bdeepseek-?(r1|v[23]|chat|coder|reasoner)/,
  /\bgpt-(3\.5|oss)/,
  /\bo[13]-mini/,
  /\bgemma-?2\b/,
  /\bllama-?3(\.[13])?[-:]/,
  /\b(mixtral|codestral|qwq)\b/,
  /\bmistral-7b/,
  /\bqwen[\d.]*-coder/,
];

/** What others have taught to see says so. */
const seeing = /vision|llava|\bvl\b|multimodal|omni/;

export function isBlind(name: string): boolean {
  const lower = name.toLowerCase();
  return !seeing.test(lower) && blind.some((pattern) => pattern.test(lower));
}

const detail = z.record(z.string(), z.json());
const details = z.array(detail);
const holder = z.object({ reasoning_details: details.nullish() });
const replySchema = z.object({
  choices: z.array(z.object({ message: holder.optional(), delta: holder.optional() })),
});

const detailsKey = 'openrouter';

/** The part of a reply's metadata that its thoughts must keep. */
function keptDetails(metadata: SharedV4ProviderMetadata): SharedV4ProviderMetadata | undefined {
  const found = metadata[detailsKey];
  return found ? { [detailsKey]: found } : undefined;
}

/** Back into the turns that they came with. */
function withDetails(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map((message) => {
    if (message.role !== 'assistant') return message;
    const holding = message.content.find((part) => part.providerOptions?.[detailsKey]);
    const found = holding?.providerOptions?.[detailsKey];
    return found ? { ...message, providerOptions: { openaiCompatible: found } } : message;
  });
}

const detailsExtractor: MetadataExtractor = {
  extractMetadata: async ({ parsedBody }) => metadataOf(detailsIn(parsedBody)),
  createStreamExtractor() {
    const seen: JsonObject[] = [];
    return {
      processChunk: (chunk) => void seen.push(...detailsIn(chunk)),
      buildMetadata: () => metadataOf(joined(seen)),
    };
  },
};

function detailsIn(reply: unknown): readonly JsonObject[] {
  const { choices = [] } = replySchema.safeParse(reply).data ?? {};
  return choices.flatMap(({ message, delta }) => (message ?? delta)?.reasoning_details ?? []);
}

function metadataOf(found: readonly JsonObject[]) {
  if (found.length === 0) return undefined;
  return { [detailsKey]: { reasoning_details: details.parse(found) } };
}

/** Pieces of one detail have its index; their words are put together, of all else the last word counts. */
function joined(pieces: readonly JsonObject[]): readonly JsonObject[] {
  const whole = new Map<string, JsonObject>();
  for (const [at, piece] of pieces.entries()) {
    const key = piece.index === undefined ? `piece ${at}` : `${piece.type} ${piece.index}`;
    whole.set(key, grown(whole.get(key) ?? {}, piece));
  }
  return [...whole.values()];
}

const growing = ['text', 'summary'];

function grown(before: JsonObject, piece: JsonObject): JsonObject {
  const told = Object.entries(piece).filter(([, value]) => value !== null);
  return {
    ...before,
    ...Object.fromEntries(
      told.map(([name, value]) => [
        name,
        growing.includes(name) && typeof value === 'string' ? `${before[name] ?? ''}${value}` : value,
      ]),
    ),
  };
}
