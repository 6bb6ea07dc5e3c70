/**
 * Replies of Anthropic's Messages API, streamed and whole, as the AI SDK's package reads them. Its schemas know each type of
 * block and each field, and throw a complete reply away for one that is new or missing: what we use is taken over, and
 * nothing else. Pure.
 */
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { readErrorBody } from './error-body.ts';
import { countOf, fieldsOf } from './event-fields.ts';

/** Null for what is no part of a reply. */
export function adaptEvent(event: JsonObject): JsonObject | null {
  const { type, index = 0 } = event;
  if (event.error || type === 'error') return errorEvent(event);
  switch (type) {
    case 'message_start':
      return { type, message: { ...messageFields(event.message), content: [], stop_reason: null } };
    case 'content_block_start': {
      const content_block = blockOf(event.content_block);
      return content_block && { type, index, content_block };
    }
    case 'content_block_delta': {
      const delta = deltaOf(event.delta);
      // The most frequent event by far: where nothing changes, its text is passed on as it came.
      if (delta === event.delta && typeof event.index === 'number') return event;
      return delta && { type, index, delta };
    }
    case 'content_block_stop':
      return { type, index };
    case 'message_delta': {
      const { stop_sequence } = fieldsOf(event.delta);
      const delta = { stop_reason: stopReason(event), stop_sequence: textOrNull(stop_sequence) };
      return { type, delta, usage: usageOf(event.usage, false) };
    }
    case 'message_stop':
      return { type };
    default:
      return null;
  }
}

/** What breaks off behind it loses nothing but perhaps its usage. */
export function isEnd(event: JsonObject): boolean {
  return event.type === 'message_stop' || lastEvent(event) !== null;
}

/** Some gateways leave out the last event, behind the one that says why the reply ended. */
export function lastEvent(before: JsonObject): JsonObject | null {
  return before.type === 'message_delta' && stopReason(before) !== '' ? { type: 'message_stop' } : null;
}

/** Of a complete message: gateways that do not stream send it although a stream was asked for. */
export function eventsIn(json: unknown): readonly JsonObject[] {
  const message = json as Json;
  if (!isMessage(message)) return [];
  const { content, stop_reason = null, stop_sequence = null, usage = null } = message;
  return [
    { type: 'message_start', message },
    ...content.flatMap(eventsOfBlock),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ];
}

/** A complete message in the place where one was asked for. */
export function adaptReply(json: JsonObject): JsonObject {
  if (!isMessage(json)) return json;
  const { stop_reason, stop_sequence } = json;
  return {
    ...messageFields(json),
    content: json.content.map(blockOf).filter((block) => block !== null),
    stop_reason: textOrNull(stop_reason) ?? '',
    stop_sequence: textOrNull(stop_sequence),
  };
}

function isMessage(json: Json): json is JsonObject & { readonly content: readonly Json[] } {
  return isJsonObject(json) && json.type === 'message' && Array.isArray(json.content);
}

function errorEvent(event: JsonObject): JsonObject {
  const { message, codes } = readErrorBody(event);
  return { type: 'error', error: { type: codes || 'error', message: message || 'It has no message.' } };
}

function messageFields(value: Json | undefined): JsonObject {
  const { id, model, service_tier, usage } = fieldsOf(value);
  return {
    type: 'message',
    role: 'assistant',
    id: textOrNull(id),
    model: textOrNull(model),
    service_tier: textOrNull(service_tier),
    usage: usageOf(usage, true),
  };
}

const countNames = ['cache_creation_input_tokens', 'cache_read_input_tokens'];

/** Other servers of this API leave counts out, where the package insists on them: zeros beside text are unknown. */
function usageOf(value: Json | undefined, hasInput: boolean): JsonObject {
  const { input_tokens, output_tokens, output_tokens_details, service_tier, ...others } = fieldsOf(value);
  const thinking = countOf(fieldsOf(output_tokens_details).thinking_tokens);
  const input = countOf(input_tokens) ?? (hasInput ? 0 : null);
  const counts = countNames.flatMap((name) => {
    const count = countOf(others[name]);
    return count === null ? [] : [[name, count] as const];
  });
  return {
    ...Object.fromEntries(counts),
    ...(input === null ? {} : { input_tokens: input }),
    output_tokens: countOf(output_tokens) ?? 0,
    ...(thinking === null ? {} : { output_tokens_details: { thinking_tokens: thinking } }),
    service_tier: textOrNull(service_tier),
  };
}

function blockOf(value: Json | undefined): JsonObject | null {
  const { type, text, thinking, signature, data, id, name, input } = fieldsOf(value);
  switch (type) {
    case 'text':
      return { type, text: textOf(text) };
    case 'thinking':
      return { type, thinking: textOf(thinking), signature: textOf(signature) };
    case 'redacted_thinking':
      return { type, data: textOf(data) };
    case 'tool_use':
      return { type, id: textOf(id), name: textOf(name), input: fieldsOf(input) };
    default:
      return null;
  }
}

const deltaFields: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
};

function deltaOf(value: Json | undefined): JsonObject | null {
  const delta = fieldsOf(value);
  const { type } = delta;
  const field = typeof type === 'string' && Object.hasOwn(deltaFields, type) ? deltaFields[type] : undefined;
  if (field === undefined) return null;
  return typeof delta[field] === 'string' ? delta : { type: type ?? '', [field]: textOf(delta[field]) };
}

function eventsOfBlock(block: Json, index: number): readonly JsonObject[] {
  const known = blockOf(block);
  if (!known) return [];
  const { start, deltas } = partsOf(known);
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function partsOf(block: JsonObject): { readonly start: JsonObject; readonly deltas: readonly JsonObject[] } {
  const { text = '', thinking = '', signature = '', input = {} } = block;
  if (block.type === 'text') return { start: { ...block, text: '' }, deltas: [{ type: 'text_delta', text }] };
  if (block.type === 'tool_use') {
    const partial_json = JSON.stringify(input);
    return { start: { ...block, input: {} }, deltas: [{ type: 'input_json_delta', partial_json }] };
  }
  if (block.type !== 'thinking') return { start: block, deltas: [] };
  const signed = signature === '' ? [] : [{ type: 'signature_delta', signature }];
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [{ type: 'thinking_delta', thinking }, ...signed],
  };
}

/** Empty where its server names none: a reply that ends so is cut off, but its stream is not. */
function stopReason({ delta }: JsonObject): string {
  return textOrNull(fieldsOf(delta).stop_reason) ?? '';
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
