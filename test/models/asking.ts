/** One question to an OpenAI-compatible server that a test makes up, and what came of it on both sides. */
import { expect } from 'vitest';
import type { Model, ModelReply, ModelRequest } from '../../src/core/model.ts';
import { type OpenAiCompatibleOptions, openAiCompatibleModel } from '../../src/models/openai-compatible.ts';
import { type Exchange, modelName, type Respond, say, startChatServer } from './chat-server.ts';
import { callWith, question } from './conformance.ts';

export const apiKey = 'sk-very-secret-0123456789';
export const unknown = { tokens: null, costUsd: null };

export function modelAt(baseUrl: string, some: Partial<OpenAiCompatibleOptions> = {}): Model {
  const price = { inputUsdPerMillion: 10, cachedInputUsdPerMillion: 1, outputUsdPerMillion: 100 };
  return openAiCompatibleModel({
    id: `openai-compatible/${modelName}`,
    name: modelName,
    baseUrl,
    apiKey,
    price,
    ...some,
  });
}

type Asked = { readonly reply: ModelReply; readonly exchange: Exchange | undefined; readonly count: number };

export async function ask(
  respond: Respond,
  request: ModelRequest = question,
  options: Partial<OpenAiCompatibleOptions> = {},
): Promise<Asked> {
  await using server = await startChatServer(respond);
  const reply = await modelAt(server.baseUrl, options).generate(request, callWith());
  return { reply, exchange: server.exchanges[0], count: server.exchanges.length };
}

export async function failWith(respond: Respond, options: Partial<OpenAiCompatibleOptions> = {}) {
  const { reply, count } = await ask(respond, question, options);
  if (reply.ok) throw new Error('The call succeeded.');
  expect(count).toBeLessThanOrEqual(1);
  expect(reply.error.message).not.toContain(apiKey);
  return { ...reply.error, usage: reply.usage };
}

export const ok: Respond = (exchange) => say(exchange, { content: 'ok' });
