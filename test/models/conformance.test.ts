/** Every model of the room against the one suite. */
import type { FinishReason, ModelErrorKind } from '../../src/core/model.ts';
import { openAiCompatibleModel } from '../../src/models/openai-compatible.ts';
import { parseToolArgs } from '../../src/models/reply.ts';
import { type ScriptError, type ScriptSuccess, scriptedModel } from '../../src/models/scripted.ts';
import { type Completion, type Exchange, modelName, say, sendJson, startChatServer } from './chat-server.ts';
import { type Intent, modelConformance, type Subject } from './conformance.ts';

const scripted: Subject = {
  name: 'scripted',
  failures: ['rate-limit', 'overloaded', 'network', 'timeout', 'auth', 'malformed', 'other'],
  async prepare(intent) {
    const delayMs = intent.silent ? 60_000 : 0;
    const model = scriptedModel({ id: 'scripted/test', script: () => scriptReply(intent), delayMs });
    return { model, async [Symbol.asyncDispose]() {} };
  },
};

function scriptReply({ toolCalls = [], fail, silent: _, ...said }: Intent): ScriptSuccess | ScriptError {
  if (fail) return { error: { kind: fail } };
  return { ...said, toolCalls: toolCalls.map(({ name, json }) => ({ name, ...parseToolArgs(json) })) };
}

const statuses: Partial<Record<ModelErrorKind, number>> = {
  'rate-limit': 429,
  overloaded: 503,
  timeout: 504,
  auth: 401,
  'bad-request': 400,
  'context-overflow': 400,
  other: 501,
};

const wireCodes: Partial<Record<ModelErrorKind, string>> = { 'context-overflow': 'context_length_exceeded' };

const wireReasons: Partial<Record<FinishReason, string>> = { length: 'length', refusal: 'content_filter' };

function openAiCompatible(stream: boolean): Subject {
  return {
    name: `openai-compatible, ${stream ? 'streamed' : 'whole'}`,
    failures: [
      'rate-limit',
      'overloaded',
      'timeout',
      'auth',
      'bad-request',
      'context-overflow',
      'malformed',
      'network',
      'other',
    ],
    async prepare(intent) {
      const server = await startChatServer((exchange) => answer(exchange, intent));
      const model = openAiCompatibleModel({
        id: `openai-compatible/${modelName}`,
        name: modelName,
        baseUrl: server.baseUrl,
        apiKey: 'sk-test',
        price: { inputUsdPerMillion: 1, cachedInputUsdPerMillion: 0.1, outputUsdPerMillion: 10 },
        stream,
      });
      return { model, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
    },
  };
}

function answer(exchange: Exchange, intent: Intent): void {
  if (intent.silent) return;
  if (intent.fail === 'network') return void exchange.response.destroy();
  if (intent.fail === 'malformed') return void exchange.response.end();
  if (intent.fail) {
    const error = { message: `as asked: ${intent.fail}`, code: wireCodes[intent.fail] };
    return sendJson(exchange.response, statuses[intent.fail] ?? 501, { error });
  }
  say(exchange, completionOf(intent));
}

function completionOf({ text, reasoning, toolCalls = [], finish }: Intent): Completion {
  const finishReason = finish && wireReasons[finish];
  return {
    ...(text === undefined ? {} : { content: text }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(finishReason === undefined ? {} : { finishReason }),
    toolCalls: toolCalls.map(({ name, json }, index) => ({ id: `call_${index}`, name, arguments: json })),
  };
}

modelConformance(scripted);
modelConformance(openAiCompatible(true));
modelConformance(openAiCompatible(false));
