/**
 * OpenAI over the Responses API, stateless: nothing is kept there, thoughts come sealed and go back with the next
 * request, so that a conversation can be resumed, replayed and forked from our journal alone.
 */
import { createHash } from 'node:crypto';
import { createOpenAI } from '@ai-sdk/openai';
import type { Model, ModelRequest } from '../core/model.ts';
import { aiSdkModel } from './ai-sdk-model.ts';
import { eventStreamFetch } from './event-stream.ts';
import { patientFetch } from './http.ts';
import { hasSystemRole, openAiRules, reasons, sees } from './openai-rules.ts';
import type { Connection } from './provider.ts';
import { isStrict } from './strict-schema.ts';

export type OpenAiOptions = Connection & {
  /** `none` for accounts that may not see summaries of thoughts. */
  readonly reasoningSummary?: 'auto' | 'concise' | 'detailed' | 'none';
};

export function openAiModel(options: OpenAiOptions): Model {
  const { id, name, baseUrl, apiKey, price, stream = true, reasoningSummary = 'auto' } = options;
  const fetchReply = patientFetch(options.silenceTimeoutMs);
  const provider = createOpenAI({
    apiKey,
    ...(baseUrl ? { baseURL: baseUrl } : {}),
    fetch: stream ? eventStreamFetch(fetchReply) : fetchReply,
  });
  const doesReason = reasons(name);
  return aiSdkModel({
    id,
    languageModel: provider.responses(name),
    price,
    takes: { images: sees(name), tools: true },
    stream,
    secrets: [apiKey],
    rules: openAiRules(name),
    hasSystemRole: hasSystemRole(name),
    prepare: (callOptions, request) => ({
      ...callOptions,
      providerOptions: {
        openai: {
          store: false,
          promptCacheKey: cacheKeyOf(request),
          ...(request.output ? { strictJsonSchema: isStrict(request.output.schema) } : {}),
          ...(doesReason ? { forceReasoning: true, include: ['reasoning.encrypted_content'] } : {}),
          // Null asks for none; a missing one would be asked for as soon as there is an effort.
          ...(doesReason ? { reasoningSummary: reasoningSummary === 'none' ? null : reasoningSummary } : {}),
        },
      },
    }),
  });
}

/** Requests that begin alike go to one machine there, where their beginning may still be in its cache. */
function cacheKeyOf({ messages: [first], tools = [] }: ModelRequest): string {
  const beginning = JSON.stringify([tools, first]);
  return `polya-${createHash('sha256').update(beginning).digest('hex').slice(0, 24)}`;
}
