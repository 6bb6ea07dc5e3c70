/** Anthropic's Messages API, streamed and whole, with the checks and errors of the real server. */
import { z } from 'zod';
import type { ImagePart, Message, ModelRequest, TextPart } from '../../../src/core/model.ts';
import type { AssistantPart, Body, Said, Told, Wire, WireRequest } from './wire.ts';
import {
  argumentsOf,
  failures,
  jsonObject,
  parse,
  pieces,
  Refusal,
  retryAfter,
  signatureOf,
  sse,
} from './wire.ts';

export const anthropicMessages: Wire = {
  name: 'anthropic-messages',
  path: /\/messages$/,
  key: 'x-api-key',
  read: readRequest,

  whole: (said) => ({
    ...headOf(said),
    content: blocksOf(said).map(({ block }) => block),
    stop_reason: reasonOf(said),
    stop_sequence: null,
    usage: { ...inputOf(said), ...outputOf(said) },
  }),

  *events(said) {
    const event = (type: string, data: object) => sse({ type, ...data }, type);
    const usage = { ...inputOf(said), ...(said.tokens ? { output_tokens: 1 } : {}) };
    yield event('message_start', {
      message: { ...headOf(said), content: [], stop_reason: null, stop_sequence: null, usage },
    });
    yield event('ping', {});
    for (const [index, { empty, deltas }] of blocksOf(said).entries()) {
      yield event('content_block_start', { index, content_block: empty });
      for (const [type, field, text] of deltas) {
        yield event('content_block_delta', { index, delta: { type, [field]: text } });
      }
      yield event('content_block_stop', { index });
    }
    yield event('message_delta', {
      delta: { stop_reason: reasonOf(said), stop_sequence: null },
      usage: outputOf(said),
    });
    yield event('message_stop', {});
  },

  error: (told) => ({
    status: told.kind === 'overloaded' ? 529 : failures[told.kind].status,
    body: { type: 'error', error: errorOf(told), request_id: 'req_1' },
    headers: retryAfter(told),
  }),
  errorEvent: (told) => sse({ type: 'error', error: errorOf(told) }, 'error'),
};

function errorOf({ kind, message }: Told) {
  return { type: failures[kind].anthropic, message };
}

function headOf({ id, model }: Said) {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model };
}

function reasonOf({ finish, calls }: Said): string {
  if (finish === 'length') return 'max_tokens';
  if (finish === 'refusal') return 'refusal';
  return calls.length > 0 ? 'tool_use' : 'end_turn';
}

function inputOf({ tokens }: Said) {
  const { input = 0, cachedInput = 0, cacheWriteInput = 0 } = tokens ?? {};
  return {
    input_tokens: input - cachedInput - cacheWriteInput,
    cache_creation_input_tokens: cacheWriteInput,
    cache_read_input_tokens: cachedInput,
  };
}

function outputOf({ tokens }: Said) {
  const { output = 0, reasoning = 0 } = tokens ?? {};
  return { output_tokens: output, output_tokens_details: { thinking_tokens: reasoning } };
}

type Block = { readonly type: string } & Body;
type Delta = readonly [kind: string, field: string, text: string];

/** Each block as it is announced, as it grows, and as it is in the end. */
function blocksOf({
  reasoning,
  text,
  calls,
}: Said): readonly { empty: Block; deltas: Delta[]; block: Block }[] {
  const signature = signatureOf(reasoning);
  const deltasOf = (kind: string, field: string, words: string) =>
    pieces(words).map((piece): Delta => [kind, field, piece]);
  const thinking = {
    empty: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...deltasOf('thinking_delta', 'thinking', reasoning),
      ['signature_delta', 'signature', signature] satisfies Delta,
    ],
    block: { type: 'thinking', thinking: reasoning, signature },
  };
  const words = {
    empty: { type: 'text', text: '' },
    deltas: deltasOf('text_delta', 'text', text),
    block: { type: 'text', text },
  };
  const uses = calls.map(({ id, name, json }) => {
    const block = { type: 'tool_use', id: `toolu_${id}`, name };
    return {
      empty: { ...block, input: {} },
      deltas: deltasOf('input_json_delta', 'partial_json', json),
      block: { ...block, input: argumentsOf(json).args ?? {} },
    };
  });
  return [...(reasoning ? [thinking] : []), ...(text ? [words] : []), ...uses];
}

const cached = {
  cache_control: z.object({ type: z.literal('ephemeral'), ttl: z.string().optional() }).nullish(),
};
const textBlock = z.looseObject({ type: z.literal('text'), text: z.string().min(1), ...cached });
/** One text, or several that are one. */
const words = z.union([
  z.string(),
  z.array(textBlock).transform((blocks) => blocks.map(({ text }) => text).join('')),
]);
const blockSchema = z.discriminatedUnion('type', [
  textBlock,
  z.looseObject({
    type: z.literal('image'),
    source: z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
    ...cached,
  }),
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: jsonObject,
    ...cached,
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: words.default(''),
    is_error: z.boolean().nullish(),
    ...cached,
  }),
]);
const messageSchema = z.looseObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string().transform((text) => [{ type: 'text' as const, text }]), z.array(blockSchema)]),
});
const toolSchema = z
  .looseObject({
    name: z.string(),
    description: z.string().default(''),
    input_schema: jsonObject,
    ...cached,
  })
  .transform(({ name, description, input_schema: parameters }) => ({ name, description, parameters }));
const bodySchema = z.looseObject({
  model: z.string(),
  max_tokens: z.int().positive(),
  system: words.optional(),
  messages: z.array(messageSchema),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  thinking: z.looseObject({ type: z.string(), budget_tokens: z.int().min(1024).optional() }).optional(),
  tools: z.array(toolSchema).optional(),
  output_config: z.looseObject({ format: z.looseObject({ schema: jsonObject }).optional() }).optional(),
});

type AskedBlock = z.infer<typeof messageSchema>['content'][number];

function readRequest(raw: Body): WireRequest {
  const body = parse(bodySchema, raw);
  refuseImpossible(body, JSON.stringify(raw).split('"cache_control":{').length - 1);
  const { system, messages, tools, output_config: output, max_tokens: maxOutputTokens } = body;
  const names = new Map(
    messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.name] as const] : [])),
    ),
  );
  const request: ModelRequest = {
    messages: [
      ...(system ? [{ role: 'system' as const, content: system }] : []),
      ...messages.flatMap(({ role, content }): readonly Message[] =>
        role === 'assistant' ? [{ role, content: content.map(assistantPart) }] : userTurn(content, names),
      ),
    ],
    tools: tools?.length ? tools : undefined,
    output: output?.format && { name: 'reply', schema: output.format.schema },
    settings: { maxOutputTokens },
  };
  return { request, model: body.model, streams: body.stream === true };
}

function refuseImpossible(body: z.infer<typeof bodySchema>, markers: number): void {
  const { thinking, max_tokens: most, temperature, messages } = body;
  if (thinking?.budget_tokens !== undefined && thinking.budget_tokens >= most) {
    throw new Refusal('`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  if (thinking && thinking.type !== 'disabled' && temperature !== undefined && temperature !== 1) {
    throw new Refusal('`temperature` may only be set to 1 when thinking is enabled.');
  }
  const ended = messages.findLastIndex(
    ({ role, content }) => role === 'user' && content.every(({ type }) => type !== 'tool_result'),
  );
  const begins = messages[ended + 1]?.content[0]?.type;
  if (thinking?.type === 'enabled' && begins && begins !== 'thinking' && begins !== 'redacted_thinking') {
    throw new Refusal(
      `messages.${ended + 1}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${begins}\`.`,
    );
  }
  if (markers > 4) {
    throw new Refusal(`A maximum of 4 blocks with cache_control may be provided. Found ${markers}.`);
  }
  for (const [index, { content }] of messages.entries()) {
    const answered = (messages[index + 1]?.content ?? []).map((block) =>
      block.type === 'tool_result' ? block.tool_use_id : '',
    );
    const open = content.find((block) => block.type === 'tool_use' && !answered.includes(block.id));
    if (open?.type !== 'tool_use') continue;
    throw new Refusal(
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.id}.`,
    );
  }
}

/** `names`: of the tools that were called, by the ids of the calls. */
function userTurn(blocks: readonly AskedBlock[], names: ReadonlyMap<string, string>): readonly Message[] {
  const parts = blocks.flatMap((block): (TextPart | ImagePart)[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    if (block.type !== 'image') return [];
    return [{ type: 'image', mediaType: block.source.media_type, data: block.source.data }];
  });
  const results = blocks.flatMap((block): Message[] => {
    if (block.type !== 'tool_result') return [];
    const { tool_use_id: callId, content, is_error: isError } = block;
    const name = names.get(callId) ?? '';
    return [{ role: 'tool', callId, name, content, ...(isError ? { isError } : {}) }];
  });
  return [...results, ...(parts.length > 0 ? [{ role: 'user' as const, content: parts }] : [])];
}

function assistantPart(block: AskedBlock): AssistantPart {
  if (block.type === 'tool_use')
    return { type: 'tool-call', id: block.id, name: block.name, args: block.input };
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'redacted_thinking') return { type: 'reasoning', text: '' };
  if (block.type !== 'thinking')
    throw new Refusal(`An assistant's turn cannot hold a block of type ${block.type}.`);
  if (block.signature === signatureOf(block.thinking)) return { type: 'reasoning', text: block.thinking };
  throw new Refusal('Invalid `signature` in `thinking` block.');
}
