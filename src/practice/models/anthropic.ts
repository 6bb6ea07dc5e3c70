/** Anthropic's Messages API: what it answers, streamed and whole, and its errors. */
import { readMessagesRequest } from './anthropic-request.ts';
import { argumentsOf } from './reading.ts';
import { pieces, type Said, signatureOf, sse } from './said.ts';
import { retryAfter, statuses, type Told, type Wire } from './wire.ts';

type Block = { readonly type: string } & Readonly<Record<string, unknown>>;
type Delta = readonly [kind: string, field: string, text: string];

export const anthropicMessages: Wire = {
  name: 'anthropic-messages',
  path: /\/messages$/,
  key: 'x-api-key',
  headers: {
    'anthropic-ratelimit-requests-limit': '1000',
    'anthropic-ratelimit-requests-remaining': '999',
    'anthropic-ratelimit-requests-reset': '2031-01-01T00:00:00Z',
    'anthropic-ratelimit-tokens-limit': '400000',
    'anthropic-ratelimit-tokens-remaining': '399000',
    'anthropic-ratelimit-tokens-reset': '2031-01-01T00:00:00Z',
    'request-id': 'req_1',
  },
  read: readMessagesRequest,

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
    status: told.kind === 'overloaded' ? 529 : statuses[told.kind],
    body: { type: 'error', error: errorOf(told), request_id: 'req_1' },
    headers: retryAfter(told),
  }),
  errorEvent: (told) => sse({ type: 'error', error: errorOf(told) }, 'error'),
};

const types: Partial<Record<Told['kind'], string>> = {
  'rate-limit': 'rate_limit_error',
  overloaded: 'overloaded_error',
  auth: 'authentication_error',
  timeout: 'timeout_error',
  'bad-request': 'invalid_request_error',
  'context-overflow': 'invalid_request_error',
};

function errorOf({ kind, message }: Told) {
  return { type: types[kind] ?? 'api_error', message };
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

/** Each block as it is announced, as it grows, and as it is in the end. */
function blocksOf(said: Said): readonly { empty: Block; deltas: readonly Delta[]; block: Block }[] {
  const { reasoning, text, calls } = said;
  const signature = signatureOf(reasoning);
  const thinking = {
    empty: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces(reasoning).map((piece): Delta => ['thinking_delta', 'thinking', piece]),
      ['signature_delta', 'signature', signature] as const,
    ],
    block: { type: 'thinking', thinking: reasoning, signature },
  };
  const words = {
    empty: { type: 'text', text: '' },
    deltas: pieces(text).map((piece): Delta => ['text_delta', 'text', piece]),
    block: { type: 'text', text },
  };
  const uses = calls.map(({ id, name, json }) => {
    const block = { type: 'tool_use', id: `toolu_${id}`, name };
    return {
      empty: { ...block, input: {} },
      deltas: pieces(json).map((piece): Delta => ['input_json_delta', 'partial_json', piece]),
      block: { ...block, input: argumentsOf(json).args ?? {} },
    };
  });
  return [...(reasoning ? [thinking] : []), ...(text ? [words] : []), ...uses];
}
