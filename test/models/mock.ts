/** Every provider of live models against the server of models, through the catalogue as a user would reach it. */
import type { Model, ModelReply } from '../../src/core/model.ts';
import type { Tokens } from '../../src/core/usage.ts';
import { anthropicModel } from '../../src/models/anthropic.ts';
import { resolveModel } from '../../src/models/catalogue.ts';
import { googleModel } from '../../src/models/google.ts';
import { openAiModel } from '../../src/models/openai.ts';
import { openAiCompatibleModel } from '../../src/models/openai-compatible.ts';
import type { Connection } from '../../src/models/provider.ts';
import { openrouter } from '../../src/models/providers/openrouter.ts';
import { failure, parseToolArgs } from '../../src/models/reply.ts';
import type { Conduct } from '../support/model-server/conduct.ts';
import { type Exchange, startModelServer } from '../support/model-server/server.ts';
import type { Intent } from './conformance.ts';

export const secret = 'sk-very-secret-0123456789';

export type Contact = {
  /** As a user writes it. */
  readonly id: string;
  readonly wire: 'openai-responses' | 'openai-chat' | 'anthropic-messages' | 'gemini';
  /** The environment that leads to the server at `url`. */
  readonly env: (url: string) => Record<string, string>;
};

const chat = (id: string, name: string, key?: string): Contact => ({
  id,
  wire: 'openai-chat',
  env: (url) => ({ [name]: `${url}/v1`, ...(key ? { [key]: secret } : {}) }),
});

export const contacts: readonly Contact[] = [
  {
    id: 'openai/gpt-5.1-codex',
    wire: 'openai-responses',
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: secret }),
  },
  {
    id: 'google/gemini-3-pro-preview',
    wire: 'gemini',
    env: (url) => ({ GEMINI_BASE_URL: `${url}/v1beta`, GEMINI_API_KEY: secret }),
  },
  {
    id: 'anthropic/claude-sonnet-4-5',
    wire: 'anthropic-messages',
    env: (url) => ({ ANTHROPIC_BASE_URL: `${url}/v1`, ANTHROPIC_API_KEY: secret }),
  },
  chat('openrouter/vendor/model:free', 'OPENROUTER_BASE_URL', 'OPENROUTER_API_KEY'),
  {
    id: 'ollama/llama3:8b',
    wire: 'openai-chat',
    env: (url) => ({ OLLAMA_HOST: url.replace('http://', '') }),
  },
  chat('vllm/qwen3', 'VLLM_BASE_URL', 'VLLM_API_KEY'),
  chat('lm-studio/gemma-4', 'LM_STUDIO_BASE_URL'),
  chat('llama.cpp/any', 'LLAMA_CPP_BASE_URL'),
  chat('openai-compatible/any', 'OPENAI_COMPATIBLE_BASE_URL', 'OPENAI_COMPATIBLE_API_KEY'),
];

export const someTokens: Tokens = { input: 100, cachedInput: 60, output: 50, reasoning: 30 };

export type Met = AsyncDisposable & { readonly model: Model; readonly exchanges: readonly Exchange[] };

const price = { inputUsdPerMillion: 1, cachedInputUsdPerMillion: 0.1, outputUsdPerMillion: 10 };

export type Meeting = {
  readonly intent?: Intent;
  readonly tokens?: Tokens | null;
  readonly conduct?: (exchange: Exchange) => Conduct;
  /** Another model than the contact's. */
  readonly id?: string;
  /** False: asks for the whole reply at once, which no user can choose. */
  readonly stream?: boolean;
  readonly silenceTimeoutMs?: number;
};

/** A server that says what is intended, and a model that speaks to it. */
export async function meet(contact: Contact, meeting: Meeting = {}): Promise<Met> {
  const { intent = { text: 'ok' }, tokens = someTokens, conduct } = meeting;
  const exchanges: Exchange[] = [];
  const id = meeting.id ?? contact.id;
  const server = await startModelServer({
    model: { ...speaker, generate: async () => replyOf(intent, tokens) },
    models: [{ name: id.slice(id.indexOf('/') + 1), sees: true }],
    onExchange: (exchange) => exchanges.push(exchange),
    conduct: (exchange) => ({ ...(intent.silent ? { hangsAfter: 0 } : {}), ...conduct?.(exchange) }),
  });
  const model =
    meeting.stream === false || meeting.silenceTimeoutMs
      ? await made(contact, id, server.url, meeting)
      : await resolveModel(id, { env: contact.env(server.url), priceOf: () => price });
  return { model, exchanges, [Symbol.asyncDispose]: () => server.close() };
}

const makers = {
  'openai-responses': openAiModel,
  'openai-chat': openAiCompatibleModel,
  'anthropic-messages': anthropicModel,
  gemini: googleModel,
};

async function made(
  { wire }: Contact,
  id: string,
  url: string,
  { stream, silenceTimeoutMs }: Meeting,
): Promise<Model> {
  const make = id.startsWith('openrouter/')
    ? (options: Connection) => openrouter.connect(options, {})
    : makers[wire];
  return make({
    id,
    name: id.slice(id.indexOf('/') + 1),
    baseUrl: `${url}/${wire === 'gemini' ? 'v1beta' : 'v1'}`,
    apiKey: secret,
    price,
    ...(stream === undefined ? {} : { stream }),
    ...(silenceTimeoutMs ? { silenceTimeoutMs } : {}),
  });
}

/** One contact for each wire. */
export const wires = contacts.filter(
  ({ wire, id }) => wire !== 'openai-chat' || id.startsWith('openai-compatible'),
);

const speaker: Omit<Model, 'generate'> = {
  id: 'test/speaker',
  kind: 'script',
  takes: { images: true, tools: true },
  price: null,
};

function replyOf(intent: Intent, tokens: Tokens | null): ModelReply {
  const { text, reasoning, toolCalls = [], finish, fail } = intent;
  if (fail) return failure(fail, `as asked: ${fail}`, { retryable: true, usage: null });
  return {
    ok: true,
    message: {
      role: 'assistant',
      content: [
        ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
        ...(text ? [{ type: 'text' as const, text }] : []),
        ...toolCalls.map(({ name, json }, index) => ({
          type: 'tool-call' as const,
          id: String(index),
          name,
          ...parseToolArgs(json),
        })),
      ],
    },
    finish: finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop'),
    usage: { tokens, costUsd: null },
  };
}
