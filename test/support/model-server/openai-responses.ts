/** OpenAI's Responses API, streamed and whole, with the checks and errors of the real server. It keeps no items. */
import { z } from 'zod';
import type { Message, ModelRequest } from '../../../src/core/model.ts';
import type { AssistantPart, Body, Said, Told, Wire, WireRequest } from './wire.ts';
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

type Item = { readonly type: string; readonly id: string } & Body;
type Status = 'in_progress' | 'completed' | 'incomplete';

export const openAiResponses: Wire = {
  name: 'openai-responses',
  path: /\/responses$/,
  key: 'authorization',
  read: readRequest,
  whole: (said, body) => responseOf(said, outputOf(said, body), statusOf(said)),

  *events(said, body) {
    let number = 0;
    const event = (type: string, data: object) => sse({ type, sequence_number: number++, ...data }, type);
    const begun = responseOf({ ...said, tokens: null }, [], 'in_progress');
    yield event('response.created', { response: begun });
    yield event('response.in_progress', { response: begun });
    const output = outputOf(said, body);
    for (const [index, item] of output.entries()) {
      yield event('response.output_item.added', { output_index: index, item: emptied(item) });
      for (const { type, ...data } of inside(item, said)) {
        yield event(type, { item_id: item.id, output_index: index, ...data });
      }
      yield event('response.output_item.done', { output_index: index, item });
    }
    const status = statusOf(said);
    yield event(`response.${status}`, { response: responseOf(said, output, status) });
  },

  error: (told) => ({
    status: failures[told.kind].status,
    body: { error: errorOf(told) },
    headers: retryAfter(told),
  }),
  errorEvent: (told) => sse({ sequence_number: 99, ...errorOf(told), type: 'error' }, 'error'),
};

/** The same on all of OpenAI's wires. */
export function errorOf({ kind, message }: Told) {
  if (/exceeded your current quota/.test(message)) {
    return { message, type: 'insufficient_quota', param: null, code: 'insufficient_quota' };
  }
  const { type, code } = failures[kind].openAi;
  return { message, type, param: null, code };
}

function statusOf({ finish }: Said): Status {
  return finish === 'length' ? 'incomplete' : 'completed';
}

function responseOf(said: Said, output: readonly Item[], status: Status) {
  return {
    id: `resp_${said.id}`,
    object: 'response',
    created_at: createdAtSeconds,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    model: `${said.model}-2031-01-01`,
    output,
    parallel_tool_calls: true,
    store: false,
    service_tier: 'default',
    usage: usageOf(said),
    metadata: {},
  };
}

function usageOf({ tokens }: Said) {
  if (!tokens) return null;
  return {
    input_tokens: tokens.input,
    input_tokens_details: { cached_tokens: tokens.cachedInput },
    output_tokens: tokens.output,
    output_tokens_details: { reasoning_tokens: tokens.reasoning },
    total_tokens: tokens.input + tokens.output,
  };
}

/** A thought is told in a summary where one was asked for, and sealed where the client wants to bring it back. */
function outputOf(said: Said, body: Body): readonly Item[] {
  const wantsSealed = Array.isArray(body.include) && body.include.includes('reasoning.encrypted_content');
  const wantsSummary = JSON.stringify(body.reasoning ?? {}).includes('"summary"');
  const summary = wantsSummary && said.reasoning ? [{ type: 'summary_text', text: said.reasoning }] : [];
  const thought = {
    type: 'reasoning',
    id: `rs_${said.id}`,
    summary,
    encrypted_content: wantsSealed ? signatureOf(summary[0]?.text ?? '') : undefined,
  };
  const message = {
    type: 'message',
    id: `msg_${said.id}`,
    status: 'completed',
    role: 'assistant',
    content: [contentPart(said.text, said.finish === 'refusal')],
  };
  return [
    ...(said.reasoning || wantsSealed ? [thought] : []),
    ...(said.text ? [message] : []),
    ...said.calls.map(({ id, name, json }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: `call_${id}`,
      status: 'completed',
      name,
      arguments: json,
    })),
  ];
}

/** An item as it is announced, before its first word. */
function emptied(item: Item): Item {
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  if (item.type === 'reasoning') return { ...item, summary: [] };
  return { ...item, status: 'in_progress', content: [] };
}

type ItemEvent = { readonly type: string } & Body;

function* inside(item: Item, { text, reasoning, finish }: Said): Iterable<ItemEvent> {
  if (item.type === 'function_call') {
    const json = String(item.arguments);
    for (const delta of pieces(json)) yield { type: 'response.function_call_arguments.delta', delta };
    yield { type: 'response.function_call_arguments.done', arguments: json };
  } else if (item.type === 'message') {
    const isRefusal = finish === 'refusal';
    const at = { content_index: 0 };
    const name = isRefusal ? 'response.refusal' : 'response.output_text';
    yield { type: 'response.content_part.added', ...at, part: contentPart('', isRefusal) };
    for (const delta of pieces(text)) yield { type: `${name}.delta`, ...at, delta };
    yield { type: `${name}.done`, ...at, ...(isRefusal ? { refusal: text } : { text }) };
    yield { type: 'response.content_part.done', ...at, part: contentPart(text, isRefusal) };
  } else if (Array.isArray(item.summary) && item.summary.length > 0) {
    const at = { summary_index: 0 };
    const part = (words: string) => ({ type: 'summary_text', text: words });
    yield { type: 'response.reasoning_summary_part.added', ...at, part: part('') };
    for (const delta of pieces(reasoning))
      yield { type: 'response.reasoning_summary_text.delta', ...at, delta };
    yield { type: 'response.reasoning_summary_text.done', ...at, text: reasoning };
    yield { type: 'response.reasoning_summary_part.done', ...at, part: part(reasoning) };
  }
}

function contentPart(text: string, isRefusal: boolean) {
  return isRefusal ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] };
}

const textOrParts = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional(), image_url: z.string().optional() })),
]);
const reasoningItem = z.looseObject({
  type: z.literal('reasoning'),
  id: z.string().default(''),
  encrypted_content: z.string().nullish(),
  summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
});
const itemSchema = z.union([
  z.looseObject({ type: z.literal('item_reference'), id: z.string() }),
  z.looseObject({
    type: z.literal('function_call'),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: z.string(), output: textOrParts }),
  reasoningItem,
  z.looseObject({
    type: z.literal('message').optional(),
    role: z.enum(['system', 'developer', 'user', 'assistant']),
    content: textOrParts,
  }),
]);
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

function readRequest(raw: Body): WireRequest {
  if (raw.seed !== undefined) throw new Refusal("Unknown parameter: 'seed'.");
  const body = parse(bodySchema, raw);
  const { tools = [], text, max_output_tokens: maxOutputTokens } = body;
  refuseSampling(body);
  const loose = tools.find(({ strict, parameters }) => strict && parameters.additionalProperties !== false);
  if (loose)
    throw new Refusal(
      `Invalid schema for function '${loose.name}': In context=(), 'additionalProperties' is required to be supplied and to be false.`,
    );
  const definitions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const request: ModelRequest = {
    messages: messagesOf(body.input),
    tools: tools.length > 0 ? definitions : undefined,
    output: text?.format && { name: text.format.name, schema: text.format.schema },
    settings: maxOutputTokens ? { maxOutputTokens } : undefined,
  };
  return { request, model: body.model, streams: body.stream === true };
}

function refuseSampling({ model, temperature, top_p: topP, reasoning }: z.infer<typeof bodySchema>): void {
  const reasons = /^(o\d|gpt-[5-9]|codex)/.test(model);
  const sampling = temperature != null ? 'temperature' : topP != null ? 'top_p' : null;
  const refused = reasons ? reasoning?.effort !== 'none' && sampling : reasoning && 'reasoning.effort';
  if (refused) throw new Refusal(`Unsupported parameter: '${refused}' is not supported with this model.`);
}

/** Items of one turn that follow one another are one message of ours. */
function messagesOf(items: readonly z.infer<typeof itemSchema>[]): readonly Message[] {
  const messages: Message[] = [];
  const names = new Map<string, string>();
  const say = (part: AssistantPart): void => {
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
      const { call_id: callId } = item;
      const name = names.get(callId);
      if (name === undefined)
        throw new Refusal(`No tool call found for function call output with call_id ${callId}.`);
      messages.push({ role: 'tool', callId, name, content: wordsOf(item.output) });
    } else if (item.type === 'reasoning') say({ type: 'reasoning', text: thoughtOf(item) });
    else if (item.role === 'assistant') say({ type: 'text', text: wordsOf(item.content) });
    else if (item.role === 'user') messages.push({ role: 'user', content: userParts(item.content) });
    else messages.push({ role: 'system', content: wordsOf(item.content) });
  }
  return messages;
}

function thoughtOf({ id, encrypted_content: sealed, summary }: z.infer<typeof reasoningItem>): string {
  const text = wordsOf(summary);
  if (!sealed) throw notKept(id);
  if (sealed === signatureOf(text)) return text;
  throw new Refusal(`The encrypted content for item ${id} could not be verified.`);
}

function notKept(id: string): Refusal {
  return new Refusal(
    `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
  );
}
