/**
 * What a client of chat completions asks, as one of our requests. Like the real servers it wants a call for every
 * result, and OpenRouter's signatures as they were.
 */
import { z } from 'zod';
import type { AssistantMessage, Message, ModelRequest } from '../../core/model.ts';
import { argumentsOf, imageOf, jsonObject, parse } from './reading.ts';
import { signatureOf } from './said.ts';
import { Refusal, type WireRequest } from './wire.ts';

const content = z.union([
  z.string(),
  z.array(
    z.looseObject({
      type: z.enum(['text', 'image_url']),
      text: z.string().optional(),
      image_url: z.object({ url: z.string() }).optional(),
    }),
  ),
]);
const call = z.looseObject({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
const messageSchema = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content }),
  z.looseObject({ role: z.literal('user'), content }),
  z.looseObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    reasoning_content: z.string().nullish(),
    reasoning_details: z
      .array(z.looseObject({ text: z.string().default(''), signature: z.string().optional() }))
      .nullish(),
    tool_calls: z.array(call).nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), content, tool_call_id: z.string() }),
]);
const bodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema),
  stream: z.boolean().nullish(),
  /** OpenRouter's own. */
  reasoning: z.looseObject({}).nullish(),
  max_tokens: z.int().positive().nullish(),
  tools: z
    .array(
      z.looseObject({
        function: z.looseObject({
          name: z.string(),
          description: z.string().default(''),
          parameters: jsonObject,
        }),
      }),
    )
    .nullish(),
  response_format: z
    .looseObject({ json_schema: z.looseObject({ name: z.string(), schema: jsonObject }).optional() })
    .nullish(),
});

export function readChatRequest(raw: Readonly<Record<string, unknown>>): WireRequest {
  const body = parse(bodySchema, raw);
  refuseUnsigned(body);
  const { model, messages, tools, stream, max_tokens: maxOutputTokens, response_format: form } = body;
  const request: ModelRequest = {
    messages: messagesOf(messages),
    ...(tools?.length ? { tools: tools.map((tool) => tool.function) } : {}),
    ...(form?.json_schema
      ? { output: { name: form.json_schema.name, schema: form.json_schema.schema } }
      : {}),
    ...(maxOutputTokens ? { settings: { maxOutputTokens } } : {}),
  };
  return { request, model, streams: stream === true };
}

function refuseUnsigned({ messages }: z.infer<typeof bodySchema>): void {
  for (const message of messages) {
    const details = (message.role === 'assistant' && message.reasoning_details) || [];
    if (details.every(({ text, signature }) => signature === signatureOf(text))) continue;
    throw new Refusal('Provider returned error: a thought is not signed as it was.');
  }
}

function messagesOf(wire: readonly z.infer<typeof messageSchema>[]): readonly Message[] {
  const names = new Map<string, string>();
  return wire.map((message): Message => {
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

function partsOf(
  message: Extract<z.infer<typeof messageSchema>, { role: 'assistant' }>,
): AssistantMessage['content'] {
  const { content: said, reasoning_content: reasoning, tool_calls: calls } = message;
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

function wordsOf(words: z.infer<typeof content>): string {
  return typeof words === 'string' ? words : words.map(({ text = '' }) => text).join('');
}

function userParts(words: z.infer<typeof content>) {
  if (typeof words === 'string') return words;
  return words.map(({ text = '', image_url: image }) =>
    image ? imageOf(image.url) : { type: 'text' as const, text },
  );
}
