/**
 * What a client of Anthropic's Messages API asks, as one of our requests. Like the real server it wants an answer to
 * every tool it used, room for the thinking, its own signature under every thought, and at most four cache markers.
 */
import { z } from 'zod';
import type { AssistantMessage, ImagePart, Message, ModelRequest, TextPart } from '../../core/model.ts';
import { jsonObject, parse } from './reading.ts';
import { signatureOf } from './said.ts';
import { Refusal, type WireRequest } from './wire.ts';

const cached = {
  cache_control: z.object({ type: z.literal('ephemeral'), ttl: z.string().optional() }).nullish(),
};
const textBlock = z.looseObject({ type: z.literal('text'), text: z.string().min(1), ...cached });
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
    content: z.union([z.string(), z.array(textBlock)]).optional(),
    is_error: z.boolean().nullish(),
    ...cached,
  }),
]);
type Block = z.infer<typeof blockSchema>;
const bodySchema = z.looseObject({
  model: z.string(),
  max_tokens: z.int().positive(),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  messages: z.array(
    z.looseObject({
      role: z.enum(['user', 'assistant']),
      content: z.union([z.string(), z.array(blockSchema)]),
    }),
  ),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  thinking: z.looseObject({ type: z.string(), budget_tokens: z.int().min(1024).optional() }).optional(),
  tools: z
    .array(
      z.looseObject({
        name: z.string(),
        description: z.string().default(''),
        input_schema: jsonObject,
        ...cached,
      }),
    )
    .optional(),
  output_config: z.looseObject({ format: z.looseObject({ schema: jsonObject }).optional() }).optional(),
});
type Body = z.infer<typeof bodySchema>;

export function readMessagesRequest(raw: Readonly<Record<string, unknown>>): WireRequest {
  const body = parse(bodySchema, raw);
  refuseImpossible(body, raw);
  const { system, tools = [], output_config: output, max_tokens: maxOutputTokens } = body;
  const request: ModelRequest = {
    messages: [...systemOf(system), ...body.messages.flatMap((message) => messagesOf(message, body))],
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, input_schema: parameters }) => ({
            name,
            description,
            parameters,
          })),
        }
      : {}),
    ...(output?.format ? { output: { name: 'reply', schema: output.format.schema } } : {}),
    settings: { maxOutputTokens },
  };
  return { request, model: body.model, streams: body.stream === true };
}

function refuseImpossible({ thinking, max_tokens: most, temperature, messages }: Body, raw: object): void {
  const budget = thinking?.budget_tokens;
  if (budget !== undefined && budget >= most) {
    throw new Refusal('`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  if (thinking && thinking.type !== 'disabled' && temperature !== undefined && temperature !== 1) {
    throw new Refusal('`temperature` may only be set to 1 when thinking is enabled.');
  }
  const ended = messages.findLastIndex(
    (message) => message.role === 'user' && blocksOf(message).every(({ type }) => type !== 'tool_result'),
  );
  const opening = messages[ended + 1];
  const begins = opening && blocksOf(opening)[0]?.type;
  if (thinking?.type === 'enabled' && begins && begins !== 'thinking' && begins !== 'redacted_thinking') {
    throw new Refusal(
      `messages.${ended + 1}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${begins}\`.`,
    );
  }
  const markers = JSON.stringify(raw).split('"cache_control":{').length - 1;
  if (markers > 4) {
    throw new Refusal(`A maximum of 4 blocks with cache_control may be provided. Found ${markers}.`);
  }
  for (const [index, message] of messages.entries()) {
    const asked = blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    const next = messages[index + 1];
    const answered = new Set(
      next ? blocksOf(next).map((block) => ('tool_use_id' in block ? block.tool_use_id : '')) : [],
    );
    const open = asked.find((id) => !answered.has(id));
    if (open === undefined) continue;
    throw new Refusal(
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open}.`,
    );
  }
}

function systemOf(system: Body['system']): readonly Message[] {
  if (!system) return [];
  const content = typeof system === 'string' ? system : system.map(({ text }) => text).join('');
  return [{ role: 'system', content }];
}

function blocksOf({ content }: Body['messages'][number]): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function messagesOf(message: Body['messages'][number], body: Body): readonly Message[] {
  const blocks = blocksOf(message);
  if (message.role === 'assistant') return [{ role: 'assistant', content: blocks.map(partOf) }];
  const parts = blocks.flatMap((block): (TextPart | ImagePart)[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text }];
    if (block.type !== 'image') return [];
    return [{ type: 'image', mediaType: block.source.media_type, data: block.source.data }];
  });
  const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [resultOf(block, body)] : []));
  return [...results, ...(parts.length > 0 ? [{ role: 'user' as const, content: parts }] : [])];
}

function resultOf(block: Extract<Block, { type: 'tool_result' }>, { messages }: Body): Message {
  const { tool_use_id: callId, content = '', is_error: isError } = block;
  const call = messages.flatMap(blocksOf).find((each) => each.type === 'tool_use' && each.id === callId);
  const words = typeof content === 'string' ? content : content.map(({ text }) => text).join('');
  const name = call?.type === 'tool_use' ? call.name : '';
  return { role: 'tool', callId, name, content: words, ...(isError ? { isError } : {}) };
}

function partOf(block: Block): AssistantMessage['content'][number] {
  if (block.type === 'tool_use')
    return { type: 'tool-call', id: block.id, name: block.name, args: block.input };
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'redacted_thinking') return { type: 'reasoning', text: '' };
  if (block.type !== 'thinking')
    throw new Refusal(`An assistant's turn cannot hold a block of type ${block.type}.`);
  if (block.signature === signatureOf(block.thinking)) return { type: 'reasoning', text: block.thinking };
  throw new Refusal('Invalid `signature` in `thinking` block.');
}
