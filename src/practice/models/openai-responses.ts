/** OpenAI's Responses API: what it answers, streamed and whole, and its errors. */
import { readResponsesRequest } from './openai-responses-request.ts';
import { createdAtSeconds, pieces, type Said, signatureOf, sse } from './said.ts';
import { retryAfter, statuses, type Told, type Wire } from './wire.ts';

type Body = Readonly<Record<string, unknown>>;
type Item = { readonly type: string; readonly id: string } & Readonly<Record<string, unknown>>;
type Status = 'in_progress' | 'completed' | 'incomplete';

export const openAiResponses: Wire = {
  name: 'openai-responses',
  path: /\/responses$/,
  key: 'authorization',
  headers: {
    'openai-version': '2020-10-01',
    'openai-processing-ms': '12',
    'x-ratelimit-limit-requests': '500',
    'x-ratelimit-remaining-requests': '499',
    'x-ratelimit-reset-requests': '120ms',
    'x-ratelimit-limit-tokens': '200000',
    'x-ratelimit-remaining-tokens': '199000',
    'x-ratelimit-reset-tokens': '300ms',
  },
  read: readResponsesRequest,
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
    status: statuses[told.kind],
    body: { error: errorOf(told) },
    headers: retryAfter(told),
  }),
  errorEvent: (told) => sse({ sequence_number: 99, ...errorOf(told), type: 'error' }, 'error'),
};

const codes: Partial<Record<Told['kind'], readonly [type: string, code: string | null]>> = {
  'rate-limit': ['requests', 'rate_limit_exceeded'],
  overloaded: ['server_error', 'server_is_overloaded'],
  auth: ['invalid_request_error', 'invalid_api_key'],
  'context-overflow': ['invalid_request_error', 'context_length_exceeded'],
  'bad-request': ['invalid_request_error', null],
};

/** The same on all of OpenAI's wires. */
export function errorOf({ kind, message }: Told) {
  if (/exceeded your current quota/.test(message)) {
    return { message, type: 'insufficient_quota', param: null, code: 'insufficient_quota' };
  }
  const [type, code] = codes[kind] ?? ['server_error', null];
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
    ...(wantsSealed ? { encrypted_content: signatureOf(summary[0]?.text ?? '') } : {}),
  };
  const part =
    said.finish === 'refusal'
      ? { type: 'refusal', refusal: said.text }
      : { type: 'output_text', text: said.text, annotations: [] };
  const message = {
    type: 'message',
    id: `msg_${said.id}`,
    status: 'completed',
    role: 'assistant',
    content: [part],
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

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

function* inside(item: Item, said: Said): Iterable<Event> {
  if (item.type === 'function_call') {
    const json = String(item.arguments);
    for (const delta of pieces(json)) yield { type: 'response.function_call_arguments.delta', delta };
    yield { type: 'response.function_call_arguments.done', arguments: json };
  } else if (item.type === 'message') yield* messageEvents(said);
  else if (Array.isArray(item.summary) && item.summary.length > 0) yield* summaryEvents(said.reasoning);
}

function* messageEvents({ text, finish }: Said): Iterable<Event> {
  const isRefusal = finish === 'refusal';
  const at = { content_index: 0 };
  const part = (words: string) =>
    isRefusal ? { type: 'refusal', refusal: words } : { type: 'output_text', text: words, annotations: [] };
  yield { type: 'response.content_part.added', ...at, part: part('') };
  const name = isRefusal ? 'response.refusal' : 'response.output_text';
  for (const delta of pieces(text)) yield { type: `${name}.delta`, ...at, delta };
  yield { type: `${name}.done`, ...at, ...(isRefusal ? { refusal: text } : { text }) };
  yield { type: 'response.content_part.done', ...at, part: part(text) };
}

function* summaryEvents(text: string): Iterable<Event> {
  const at = { summary_index: 0 };
  yield { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } };
  for (const delta of pieces(text)) yield { type: 'response.reasoning_summary_text.delta', ...at, delta };
  yield { type: 'response.reasoning_summary_text.done', ...at, text };
  yield { type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text } };
}
