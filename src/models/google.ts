/**
 * Google's Gemini over the Gemini API. Its calls of tools carry no ids; each is given one that is its own in the run.
 * Thoughts are asked for, and their signatures go back with the turn they belong to.
 */
import { randomUUID } from 'node:crypto';
import { createGoogle } from '@ai-sdk/google';
import type { Model, ModelRequest } from '../core/model.ts';
import { aiSdkModel } from './ai-sdk-model.ts';
import { eventStreamFetch } from './event-stream.ts';
import { googleRules, thinkingOf } from './google-rules.ts';
import { patientFetch } from './http.ts';
import type { Connection } from './provider.ts';

export function googleModel(options: Connection): Model {
  const { id, name, baseUrl, apiKey, price, stream = true } = options;
  const fetchReply = patientFetch(options.silenceTimeoutMs);
  const provider = createGoogle({
    apiKey,
    ...(baseUrl ? { baseURL: baseUrl } : {}),
    fetch: stream ? eventStreamFetch(fetchReply) : fetchReply,
    generateId: () => `call_${randomUUID()}`,
  });
  const isGemma = name.startsWith('gemma-');
  return aiSdkModel({
    id,
    languageModel: provider(name),
    price,
    takes: { images: !/^gemma-3-1b/.test(name), tools: !isGemma },
    stream,
    secrets: [apiKey],
    rules: googleRules(name),
    hasSystemRole: !isGemma,
    prepare: ({ reasoning: _, ...callOptions }, { settings = {} }) => ({
      ...callOptions,
      providerOptions: { google: thinkingOptions(name, settings) },
    }),
  });
}

type Settings = NonNullable<ModelRequest['settings']>;

function thinkingOptions(name: string, { reasoningEffort, thinkingBudgetTokens }: Settings) {
  if (thinkingOf(name) === 'none') return {};
  return {
    thinkingConfig: {
      includeThoughts: true,
      ...(reasoningEffort === undefined ? {} : { thinkingLevel: reasoningEffort }),
      ...(thinkingBudgetTokens === undefined ? {} : { thinkingBudget: thinkingBudgetTokens }),
    },
  };
}
