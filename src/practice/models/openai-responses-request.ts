/**
 * What a client of OpenAI's Responses API asks, as one of our requests. Like the real server it refuses what a
 * reasoning model does not take, references to items that it never kept, and thoughts that are not its own.
 */
import { z } from 'zod';
import type { AssistantMessage, Message, ModelRequest } from '../../core/model.ts';
import { argumentsOf, imageOf, jsonObject, parse } from './reading.ts';
import { signatureOf } from './said.ts';
import { Refusal, type WireRequest } from './wire.ts';

const textOrParts = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional(), image_url: z.string().optional() })),
]);
const itemSchema = z.union([
  z.looseObject({ type: z.literal('item_reference'), id: z.string() }),
  z.looseObject({
    type: z.literal('function_call'),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: z.string(), output: textOrParts }),
  z.looseObject({
    type: z.literal('reasoning'),
    id: z.string().optional(),
    encrypted_content: z.string().nullish(),
    summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
  }),
  z.looseObject({
    type: z.literal('message').optional(),
    role: z.enum(['system', 'developer', 'user', 'assistant']),
    content: textOrParts,
  }),
]);
type Item = z.infer<typeof itemSchema>;
const toolSchema = z.looseObject({
  type: z.literal('function'),
  name: z.string(),
  description: z.string().default(''),
  parameters: jsonObject,
  strict: z.boolean().nullish(),
});
const bodySchema = z.looseObject({
  model: z.string(),
  input: z.array(itemSchema),
  stream: z.boolean().optional(),
  store: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_output_tokens: z.int().min(16).nullish(),
  reasoning: z.looseObject({ effort: z.string().optional(), summary: z.string().nullish() }).optional(),
  tools: z.array(toolSchema).optional(),
  text: z
    .looseObject({ format: z.looseObject({ name: z.string(), schema: jsonObject }).optional() })
    .optional(),
});
type Body = z.infer<typeof bodySchema>;

export function readResponsesRequest(raw: Readonly<Record<string, unknown>>): WireRequest {
  if (raw.seed !== undefined) throw new Refusal("Unknown parameter: 'seed'.");
  const body = parse(bodySchema, raw);
  refuseSampling(body);
  for (const { name, strict, parameters } of body.tools ?? []) {
    if (strict && parameters.additionalProperties !== false) throw notStrict(name);
  }
  const { tools = [], text, max_output_tokens: maxOutputTokens } = body;
  const request: ModelRequest = {
    messages: messagesOf(body.input),
    ...(tools.length > 0
      ? { tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })) }
      : {}),
    ...(text?.format ? { output: { name: text.format.name, schema: text.format.schema } } : {}),
    ...(maxOutputTokens ? { settings: { maxOutputTokens } } : {}),
  };
  return { request, model: body.model, streams: body.stream === true };
}

const reasoningModel = /^(o\d|gpt-[5-9]|codex)/;

function refuseSampling({ model, temperature, top_p: topP, reasoning }: Body): void {
  const reasons = reasoningModel.test(model);
  const name = temperature != null ? 'temperature' : topP != null ? 'top_p' : null;
  if (reasons && name && reasoning?.effort !== 'none') throw unsupported(name);
  if (!reasons && reasoning) throw unsupported('reasoning.effort');
}

function unsupported(name: string): Refusal {
  return new Refusal(`Unsupported parameter: '${name}' is not supported with this model.`);
}

function notStrict(name: string): Refusal {
  return new Refusal(
    `Invalid schema for function '${name}': In context=(), 'additionalProperties' is required to be supplied and to be false.`,
  );
}

/** Items of one turn that follow one another are one message of ours. */
function messagesOf(items: readonly Item[]): readonly Message[] {
  const messages: Message[] = [];
  const names = new Map<string, string>();
  const say = (part: AssistantMessage['content'][number]): void => {
    const last = messages.at(-1);
    if (last?.role === 'assistant')
      messages[messages.length - 1] = { ...last, content: [...last.content, part] };
    else messages.push({ role: 'assistant', content: [part] });
  };
  for (const item of items) {
    if (item.type === 'item_reference') throw notKept(item.id);
    if (item.type === 'function_call') {
      names.set(item.call_id, item.name);
      say({ type: 'tool-call', id: item.call_id, name: item.name, ...argumentsOf(item.arguments) });
    } else if (item.type === 'function_call_output') {
      const name = names.get(item.call_id);
      if (name === undefined) throw nobodyCalled(item.call_id);
      messages.push({ role: 'tool', callId: item.call_id, name, content: wordsOf(item.output) });
    } else if (item.type === 'reasoning') {
      say({ type: 'reasoning', text: thoughtOf(item) });
    } else if (item.role === 'assistant') say({ type: 'text', text: wordsOf(item.content) });
    else if (item.role === 'user') messages.push({ role: 'user', content: userParts(item.content) });
    else messages.push({ role: 'system', content: wordsOf(item.content) });
  }
  return messages;
}

type Words = z.infer<typeof textOrParts>;

function wordsOf(content: Words): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
}

function userParts(content: Words) {
  if (typeof content === 'string') return content;
  return content.map(({ text = '', image_url: url }) =>
    url === undefined ? { type: 'text' as const, text } : imageOf(url),
  );
}

function thoughtOf({
  id = '',
  encrypted_content: sealed,
  summary,
}: Extract<Item, { type: 'reasoning' }>): string {
  const text = summary.map((part) => part.text).join('');
  if (!sealed) throw notKept(id);
  if (sealed === signatureOf(text)) return text;
  throw new Refusal(`The encrypted content for item ${id} could not be verified.`);
}

function notKept(id: string): Refusal {
  return new Refusal(
    `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
  );
}

function nobodyCalled(callId: string): Refusal {
  return new Refusal(`No tool call found for function call output with call_id ${callId}.`);
}
