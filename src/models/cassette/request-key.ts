/** What makes two requests the same question: all that a model reads, without ids and times of a conversation. Pure. */
import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../../core/json.ts';
import type { Message, ModelRequest } from '../../core/model.ts';

/** A program takes another time and other memory whenever it is run. */
const measured = /\b\d[\d.,]{0,40}\s?(?:[mµun]?s|seconds|minutes|[KMG]i?B|bytes)\b/g;

/** Ids of tool calls become their order. Measurements, thoughts, metadata and settings are left out. */
export function requestKey({ messages, tools, output }: ModelRequest): string {
  const ids = new Map<string, string>();
  const said = messages.map((message) => plain(message, ids));
  const whole = { messages: said, tools: tools ?? [], output: output ?? null };
  return createHash('sha256').update(canonicalJson(whole)).digest('hex').slice(0, 32);
}

function plain(message: Message, ids: Map<string, string>): JsonObject {
  if (message.role === 'tool') {
    const content = message.content.replaceAll(measured, '#');
    return { ...message, content, callId: orderOf(message.callId, ids) };
  }
  if (message.role !== 'assistant') return message as unknown as JsonObject;
  const content = message.content.flatMap((part): JsonObject[] => {
    if (part.type === 'reasoning') return [];
    if (part.type === 'text') return [part];
    const { provider: _, ...call } = part;
    return [{ ...call, id: orderOf(part.id, ids) }];
  });
  return { role: message.role, content };
}

function orderOf(id: string, ids: Map<string, string>): string {
  const known = ids.get(id) ?? `call ${ids.size + 1}`;
  ids.set(id, known);
  return known;
}
