/** OpenAI's Chat Completions, as OpenRouter, Ollama, vLLM, LM Studio, llama.cpp and many others speak them. */
import { z } from 'zod';
import type { Message, ModelRequest } from '../../../src/core/model.ts';
import { errorOf } from './openai-responses.ts';
import type { AssistantPart, Body, Said, Wire, WireRequest } from './wire.ts';
import {
  argumentsOf,
  createdAtSeconds,
  failures,
  jsonObject,
  parse,
  pieces,
  Refusal,
  retryAfter,
  signatureOf,
  sse,
  userParts,
  wordsOf,
} from './wire.ts';

export const openAiChat: Wire = {
  name: 'openai-chat',
  path: /\/chat\/completions$/,
  key: null,
  read: readRequest,

  whole(said, body) {
    const { text, reasoning, calls } = said;
    const isRefusal = said.finish === 'refusal';
    const message = {
      role: 'assistant',
      content: isRefusal || !text ? null : text,
      reasoning_content: reasoning || undefined,
      reasoning_details: body.reasoning ? [thoughtOf(said)] : undefined,
      refusal: isRefusal ? text : undefined,
      tool_calls: calls.length > 0 ? calls.map((each) => ({ ...callOf(each), type: 'function' })) : undefined,
    };
    return {
      ...headOf(said, 'chat.completion'),
      choices: [{ index: 0, message, logprobs: null, finish_reason: reasonOf(said) }],
      ...usageOf(said, body),
    };
  },

  *events(said, body) {
    const chunk = (delta: object, reason: string | null = null) =>
      sse({
        ...headOf(said, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
      });
    yield chunk({ role: 'assistant', content: '' });
    for (const piece of pieces(said.reasoning)) yield chunk({ reasoning_content: piece });
    if (body.reasoning) {
      const { signature, text: _, ...head } = thoughtOf(said);
      for (const text of pieces(said.reasoning)) yield chunk({ reasoning_details: [{ ...head, text }] });
      yield chunk({ reasoning_details: [{ ...head, signature }] });
    }
    const name = said.finish === 'refusal' ? 'refusal' : 'content';
    for (const piece of pieces(said.text)) yield chunk({ [name]: piece });
    for (const delta of callDeltas(said)) yield chunk(delta);
    yield chunk({}, reasonOf(said));
    const wantsUsage = JSON.stringify(body.stream_options ?? {}).includes('"include_usage":true');
    if (wantsUsage)
      yield sse({ ...headOf(said, 'chat.completion.chunk'), choices: [], ...usageOf(said, body) });
    yield 'data: [DONE]\n\n';
  },

  error: (told) => ({
    status: failures[told.kind].status,
    body: { error: errorOf(told) },
    headers: retryAfter(told),
  }),
  errorEvent: (told) => sse({ error: errorOf(told) }),
};

/** What OpenRouter's providers sign of their thoughts, where a client asks for thinking in OpenRouter's way. */
function thoughtOf({ reasoning }: Said) {
  return { type: 'reasoning.text', index: 0, text: reasoning, signature: signatureOf(reasoning) };
}

function headOf({ id, model }: Said, object: string) {
  return { id: `chatcmpl-${id}`, object, created: createdAtSeconds, model: `${model}-2031-01-01` };
}

function reasonOf({ finish, calls }: Said): string {
  if (finish === 'length') return 'length';
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function callOf({ id, name, json }: Said['calls'][number]) {
  return { id: `call_${id}`, function: { name, arguments: json } };
}

/** Parallel calls arrive interleaved, as providers may send them. */
function* callDeltas({ calls }: Said): Iterable<object> {
  for (const [index, each] of calls.entries()) {
    const { id, function: called } = callOf(each);
    yield { tool_calls: [{ index, id, type: 'function', function: { ...called, arguments: '' } }] };
  }
  const split = calls.map(({ json }) => pieces(json));
  const longest = Math.max(0, ...split.map(({ length }) => length));
  for (let at = 0; at < longest; at += 1) {
    for (const [index, parts] of split.entries()) {
      const piece = parts[at];
      if (piece) yield { tool_calls: [{ index, function: { arguments: piece } }] };
    }
  }
}

/** What OpenRouter adds where it is asked to. */
const openRouterCost = { cost: 0.0125, cost_details: { upstream_inference_cost: null } };

function usageOf({ tokens }: Said, body: Body) {
  if (!tokens) return {};
  return {
    usage: {
      prompt_tokens: tokens.input,
      completion_tokens: tokens.output,
      total_tokens: tokens.input + tokens.output,
      prompt_tokens_details: {
        cached_tokens: tokens.cachedInput,
        cache_write_tokens: tokens.cacheWriteInput || undefined,
      },
      completion_tokens_details: { reasoning_tokens: tokens.reasoning },
      ...(body.usage ? openRouterCost : {}),
    },
  };
}

const content = z.union([
  z.string(),
  z.array(
    z.looseObject({
      type: z.enum(['text', 'image_url']),
      text: z.string().optional(),
      image_url: z
        .object({ url: z.string() })
        .transform(({ url }) => url)
        .optional(),
    }),
  ),
]);
const call = z.looseObject({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
const assistantSchema = z.looseObject({
  role: z.literal('assistant'),
  content: content.nullish(),
  reasoning_content: z.string().nullish(),
  reasoning_details: z
    .array(z.looseObject({ text: z.string().default(''), signature: z.string().optional() }))
    .nullish(),
  tool_calls: z.array(call).nullish(),
});
const messageSchema = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content }),
  z.looseObject({ role: z.literal('user'), content }),
  assistantSchema,
  z.looseObject({ role: z.literal('tool'), content, tool_call_id: z.string() }),
]);
const toolSchema = z.looseObject({
  name: z.string(),
  description: z.string().default(''),
  parameters: jsonObject,
});
const bodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema),
  stream: z.boolean().nullish(),
  /** OpenRouter's own. */
  reasoning: z.looseObject({}).nullish(),
  max_tokens: z.int().positive().nullish(),
  tools: z.array(z.looseObject({ function: toolSchema })).nullish(),
  response_format: z
    .looseObject({ json_schema: z.looseObject({ name: z.string(), schema: jsonObject }).optional() })
    .nullish(),
});

function readRequest(raw: Body): WireRequest {
  const body = parse(bodySchema, raw);
  const { model, messages, tools, stream, max_tokens: maxOutputTokens, response_format: form } = body;
  const request: ModelRequest = {
    messages: messagesOf(messages),
    tools: tools?.length ? tools.map((tool) => tool.function) : undefined,
    output: form?.json_schema && { name: form.json_schema.name, schema: form.json_schema.schema },
    settings: maxOutputTokens ? { maxOutputTokens } : undefined,
  };
  return { request, model, streams: stream === true };
}

function messagesOf(asked: z.infer<typeof bodySchema>['messages']): readonly Message[] {
  const names = new Map<string, string>();
  return asked.map((message): Message => {
    if (message.role === 'user') return { role: 'user', content: userParts(message.content) };
    if (message.role === 'tool') {
      const { tool_call_id: callId } = message;
      const name = names.get(callId);
      if (name === undefined) {
        throw new Refusal(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        );
      }
      return { role: 'tool', callId, name, content: wordsOf(message.content) };
    }
    if (message.role !== 'assistant') return { role: 'system', content: wordsOf(message.content) };
    for (const { id, function: called } of message.tool_calls ?? []) names.set(id, called.name);
    return { role: 'assistant', content: partsOf(message) };
  });
}

function partsOf(message: z.infer<typeof assistantSchema>): readonly AssistantPart[] {
  const {
    content: said,
    reasoning_content: reasoning,
    reasoning_details: details,
    tool_calls: calls,
  } = message;
  if (details?.some(({ text, signature }) => signature !== signatureOf(text)))
    throw new Refusal('Provider returned error: a thought is not signed as it was.');
  return [
    ...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []),
    ...(said ? [{ type: 'text' as const, text: wordsOf(said) }] : []),
    ...(calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
      type: 'tool-call' as const,
      id,
      name,
      ...argumentsOf(json),
    })),
  ];
}
