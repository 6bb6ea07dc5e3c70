/**
 * Replies of OpenAI's Responses API, streamed and whole, as the AI SDK's package reads them: gateways leave out fields that
 * its schemas insist on, and have events and annotations of their own. Pure.
 */
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { readErrorBody } from './error-body.ts';
import { countOf, fieldsOf } from './event-fields.ts';

/** Null for what is no part of a reply. The package skips events of types that it does not know. */
export function adaptEvent(event: JsonObject): JsonObject | null {
  const { type, error, response } = event;
  if (error || type === 'error') {
    const { message, codes } = readErrorBody(event);
    return { type: 'error', sequence_number: 0, code: codes, message: message || 'It has no message.' };
  }
  switch (type) {
    case 'response.created':
      return { type, response: createdFields(response) };
    case 'response.failed':
      return { sequence_number: 0, ...event };
    case 'response.completed':
    case 'response.incomplete':
      if (fieldsOf(response).status === 'failed')
        return { sequence_number: 0, type: 'response.failed', response: endFields(response) };
      return { type, response: endFields(response) };
    case 'response.output_item.added':
    case 'response.output_item.done':
      return {
        ...event,
        output_index: event.output_index ?? 0,
        item: itemWithId(event.item, event.output_index),
      };
    // Nothing of ours reads them, and the package knows some of their types alone.
    case 'response.output_text.annotation.added':
    case 'response.in_progress':
      return null;
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return deltaFields(event);
    default:
      return typeof type === 'string' ? event : null;
  }
}

/** What breaks off behind it loses nothing but perhaps its usage. */
export function isEnd({ type }: JsonObject): boolean {
  return /^response\.(completed|incomplete|failed)$/.test(String(type));
}

/** Of a complete response: gateways that do not stream send it although a stream was asked for. */
export function eventsIn(json: unknown): readonly JsonObject[] {
  const response = json as Json;
  if (!isJsonObject(response) || !Array.isArray(response.output)) return [];
  const end = response.status === 'completed' || response.status === undefined ? 'completed' : 'incomplete';
  return [
    { type: 'response.created', response },
    ...response.output.filter(isJsonObject).flatMap(eventsOfItem),
    { type: `response.${end}`, response },
  ];
}

/** A complete response in the place where one was asked for. */
export function adaptReply(json: JsonObject): JsonObject {
  if (!Array.isArray(json.output)) return json;
  const output = json.output.map(itemWithId).filter(({ type }) => itemTypes.has(String(type)));
  return { ...createdFields(json), ...endFields(json), output };
}

const itemTypes = new Set(['message', 'reasoning', 'function_call']);

function eventsOfItem(item: JsonObject, output_index: number): readonly JsonObject[] {
  const position = { item_id: idOf(item, output_index), output_index };
  const parts = Array.isArray(item.content) ? item.content.filter(isJsonObject) : [];
  const isCall = item.type === 'function_call';
  const added = isCall ? { ...item, arguments: '' } : item;
  const done = isCall ? { status: 'completed', ...item } : item;
  return [
    { type: 'response.output_item.added', output_index, item: added },
    ...parts.flatMap(({ type, text, refusal }, content_index) => {
      if (type === 'output_text')
        return [{ type: 'response.output_text.delta', ...position, content_index, delta: text ?? '' }];
      return type === 'refusal'
        ? [{ type: 'response.refusal.delta', ...position, content_index, delta: refusal ?? '' }]
        : [];
    }),
    { type: 'response.output_item.done', output_index, item: done },
  ];
}

function createdFields(value: Json | undefined): JsonObject {
  const { id, created_at, model, service_tier = null } = fieldsOf(value);
  return {
    id: typeof id === 'string' ? id : '',
    created_at: typeof created_at === 'number' ? Math.floor(created_at) : 0,
    model: typeof model === 'string' ? model : '',
    service_tier,
  };
}

function endFields(value: Json | undefined): JsonObject {
  const { usage, incomplete_details, service_tier, status = null, error = null } = fieldsOf(value);
  const { reason } = fieldsOf(incomplete_details);
  return {
    status,
    error,
    usage: usageOf(usage),
    incomplete_details: typeof reason === 'string' ? { reason } : null,
    service_tier: typeof service_tier === 'string' ? service_tier : null,
  };
}

/** Null, which is unknown, where input or output is not said. */
function usageOf(value: Json | undefined): JsonObject | null {
  const { input_tokens, output_tokens, input_tokens_details, output_tokens_details } = fieldsOf(value);
  const [input, output] = [countOf(input_tokens), countOf(output_tokens)];
  if (input === null || output === null) return null;
  return {
    input_tokens: input,
    output_tokens: output,
    input_tokens_details: countsIn(input_tokens_details),
    output_tokens_details: countsIn(output_tokens_details),
  };
}

function countsIn(details: Json | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(fieldsOf(details)).flatMap(([name, value]) => {
      const count = countOf(value);
      return count === null ? [] : [[name, count]];
    }),
  );
}

function itemWithId(value: Json | undefined, index: Json | undefined): JsonObject {
  const item = fieldsOf(value);
  const withId = { ...item, id: idOf(item, index) };
  const annotated = Array.isArray(item.content) && item.content.some((part) => fieldsOf(part).annotations);
  if (!annotated || !Array.isArray(item.content)) return withId;
  return { ...withId, content: item.content.map((part) => ({ ...fieldsOf(part), annotations: [] })) };
}

function idOf({ id }: JsonObject, index: Json | undefined): string {
  return typeof id === 'string' && id !== '' ? id : `item-${index ?? 0}`;
}

function deltaFields(event: JsonObject): JsonObject {
  const { type = '', item_id, output_index = 0, content_index = 0, delta, logprobs } = event;
  // The most frequent event by far: where nothing changes, its text is passed on as it came.
  const isPlain = logprobs === undefined || (Array.isArray(logprobs) && logprobs.length === 0);
  if (isPlain && typeof item_id === 'string' && item_id !== '' && typeof delta === 'string') return event;
  return {
    type,
    item_id: typeof item_id === 'string' && item_id !== '' ? item_id : `item-${output_index ?? 0}`,
    output_index,
    content_index,
    delta: typeof delta === 'string' ? delta : '',
  };
}
