/**
 * Odd replies on the wires that are not chat completions, over real HTTP, streamed and in one JSON object: Anthropic's
 * Messages, OpenAI's Responses and Google's Gemini. What is no part of a reply is skipped, only a known good end makes it
 * complete, and both forms of a reply give the same.
 */
import { describe, expect, test } from 'vitest';
import { anthropicModel } from '../../src/models/anthropic.ts';
import { googleModel } from '../../src/models/google.ts';
import { openAiModel } from '../../src/models/openai.ts';
import type { Connection } from '../../src/models/provider.ts';
import { askCase, outcomeOf, wireSchema } from './case-server.ts';
import { question } from './conformance.ts';

type Counts = { readonly input: number; readonly output: number };
type Reply = { readonly finish?: string; readonly counts?: Counts | null };

type Wire = {
  readonly model: (connection: Connection) => ReturnType<typeof openAiModel>;
  readonly name: string;
  /** The events of a stream: what begins it and says `42`, and what ends it. */
  stream(reply: Reply): { readonly beginning: readonly object[]; readonly end: readonly object[] };
  whole(reply: Reply): object;
  readonly finish: { readonly stop: string; readonly length: string; readonly refusal: string };
  /** An error as the provider sends it within a stream. */
  readonly error: object;
};

const hundred = { input: 100, output: 20 };

const anthropic: Wire = {
  model: anthropicModel,
  name: 'claude-sonnet-4-5',
  finish: { stop: 'end_turn', length: 'max_tokens', refusal: 'refusal' },
  error: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  stream({ finish = 'end_turn', counts = hundred }) {
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'c',
      content: [],
      stop_reason: null,
      usage: counts && { input_tokens: counts.input, output_tokens: 0 },
    };
    return {
      beginning: [
        { type: 'message_start', message },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '42' } },
      ],
      end: [
        { type: 'content_block_stop', index: 0 },
        {
          type: 'message_delta',
          delta: { stop_reason: finish, stop_sequence: null },
          usage: counts && { output_tokens: counts.output },
        },
        { type: 'message_stop' },
      ],
    };
  },
  whole: ({ finish = 'end_turn', counts = hundred }) => ({
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'c',
    stop_reason: finish,
    stop_sequence: null,
    content: [{ type: 'text', text: '42' }],
    usage: counts && { input_tokens: counts.input, output_tokens: counts.output },
  }),
};

/** This API says in words only why a reply is incomplete. */
const statusOf = (finish: string): object =>
  finish === 'completed'
    ? { status: finish, incomplete_details: null }
    : { status: 'incomplete', incomplete_details: { reason: finish } };

const responses: Wire = {
  model: openAiModel,
  name: 'gpt-4.1',
  finish: { stop: 'completed', length: 'max_output_tokens', refusal: 'content_filter' },
  error: { type: 'error', sequence_number: 5, code: 'server_error', message: 'Overloaded', param: null },
  stream({ finish = 'completed', counts = hundred }) {
    const usage = counts && { input_tokens: counts.input, output_tokens: counts.output };
    const item = { type: 'message', id: 'i', role: 'assistant', content: [] };
    const response = { id: 'r', created_at: 1, model: 'g' };
    return {
      beginning: [
        { type: 'response.created', response },
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_text.delta', item_id: 'i', output_index: 0, content_index: 0, delta: '42' },
      ],
      end: [
        { type: 'response.output_item.done', output_index: 0, item },
        {
          type: finish === 'completed' ? 'response.completed' : 'response.incomplete',
          response: { ...response, ...statusOf(finish), usage },
        },
      ],
    };
  },
  whole: ({ finish = 'completed', counts = hundred }) => ({
    id: 'r',
    object: 'response',
    created_at: 1,
    model: 'g',
    ...statusOf(finish),
    output: [
      {
        type: 'message',
        id: 'i',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: '42', annotations: [] }],
      },
    ],
    usage: counts && { input_tokens: counts.input, output_tokens: counts.output },
  }),
};

const geminiChunk = (text: string, { finish, counts = null }: Reply) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: finish }],
  usageMetadata: counts && {
    promptTokenCount: counts.input,
    candidatesTokenCount: counts.output,
    totalTokenCount: counts.input + counts.output,
  },
});

const gemini: Wire = {
  model: googleModel,
  name: 'gemini-2.0-flash',
  finish: { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' },
  error: { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } },
  stream: ({ finish = 'STOP', counts = hundred }) => ({
    beginning: [geminiChunk('4', {}), geminiChunk('2', {})],
    end: [geminiChunk('', { finish, counts })],
  }),
  whole: ({ finish = 'STOP', counts = hundred }) => geminiChunk('42', { finish, counts }),
};

const wires = { 'Anthropic Messages': anthropic, 'OpenAI Responses': responses, Gemini: gemini };

function served(wire: Wire, reply: object, stream: boolean) {
  const replies = [{ ...reply }];
  const connection = { id: `test/${wire.name}`, name: wire.name, apiKey: 'some-key', price: null, stream };
  return askCase(wireSchema.parse({ replies }), question, (baseUrl) =>
    wire.model({ ...connection, baseUrl }),
  );
}

const received = async (...asked: Parameters<typeof served>) => outcomeOf(await served(...asked));

const answered = { finish: 'stop', text: '42', requests: 1 };

describe.each(Object.entries(wires))('%s', (_name, wire) => {
  const streamed = (reply: Reply, between: readonly unknown[] = [], after: readonly unknown[] = []) => {
    const { beginning, end } = wire.stream(reply);
    return received(wire, { sse: [...beginning, ...between, ...end, ...after] }, true);
  };

  test.each<[string, readonly unknown[]]>([
    ['a comment', ['raw:: keep-alive\n\n']],
    ['a ping', ['raw:event: ping\ndata: {"type": "ping"}\n\n']],
    ['null', ['null']],
    ['an empty list', ['[]']],
    ['an empty object', [{}]],
    ['an event of a type that nobody knows', [{ type: 'vendor.progress', percent: 50 }]],
    ['a name without data', ['raw:event: heartbeat\n\n']],
    ['[DONE]', ['[DONE]']],
  ])('%s in a stream is skipped', async (_what, between) => {
    const tokens = { input: 100, output: 20 };
    expect(await streamed({}, between)).toMatchObject({ ...answered, tokens });
    expect(await streamed({}, [], between)).toMatchObject({ ...answered, tokens });
  });

  test('a connection that breaks behind the end of a reply, or stays open, loses nothing', async () => {
    const { beginning, end } = wire.stream({});
    // Gemini's has no last event, so it is waited for.
    for (const more of [{ cut: true }, ...(wire === gemini ? [] : [{ open: true }])])
      expect(await received(wire, { sse: [...beginning, ...end], ...more }, true)).toMatchObject(answered);
    expect(await received(wire, { sse: beginning, cut: true }, true)).toMatchObject({ failure: 'network' });
  });

  test('an empty event is skipped, and what is skipped is counted', async () => {
    expect(await streamed({}, ['null', '[]', ''])).toMatchObject({ ...answered, skipped: 3 });
    const signs = [{ type: 'ping' }, { type: 'response.in_progress' }];
    if (wire !== gemini) expect((await streamed({}, signs)).skipped).toBeUndefined();
  });

  test.each<[string, Reply, object]>([
    ['a good end', {}, { ...answered, tokens: { input: 100, output: 20 } }],
    ['zeros as usage beside text', { counts: { input: 0, output: 0 } }, { ...answered, tokens: null }],
    ['a limit of length', { finish: wire.finish.length }, { ...answered, finish: 'length' }],
    ['a refusal', { finish: wire.finish.refusal }, { ...answered, finish: 'refusal' }],
    ['an end that nobody knows', { finish: 'halted_by_moon' }, { ...answered, finish: 'cut' }],
  ])('%s: the same streamed and whole', async (_what, reply, expected) => {
    expect(await streamed(reply)).toMatchObject(expected);
    expect(await received(wire, { json: wire.whole(reply) }, false)).toMatchObject(expected);
  });

  test('a complete reply as JSON in the place of a stream is read: it was paid three times and lost', async () => {
    const tokens = { input: 100, output: 20 };
    expect(await received(wire, { json: wire.whole({}) }, true)).toMatchObject({ ...answered, tokens });
    const { finish } = wire;
    expect(await received(wire, { json: wire.whole({ finish: finish.length }) }, true)).toMatchObject({
      ...answered,
      finish: 'length',
    });
  });

  test('usage that a stream leaves out is unknown', async () => {
    expect(await streamed({ counts: null })).toMatchObject({ ...answered, tokens: null });
  });

  test('an error in a stream, or in its place, is that error, whatever comes behind it', async () => {
    const { beginning } = wire.stream({});
    const sse = [...beginning, wire.error];
    expect(await received(wire, { sse }, true)).toMatchObject({ failure: 'overloaded' });
    expect(await streamed({}, [wire.error])).toMatchObject({ failure: 'overloaded' });
    expect(await received(wire, { json: wire.error }, true)).toMatchObject({ failure: 'overloaded' });
  });
});

/** What is new or missing in a complete reply: the package's schemas threw it away, and it was paid three times. */
const odd = (value: object, ...changes: readonly (readonly [RegExp, string])[]) => {
  let text = JSON.stringify(value);
  for (const [pattern, replacement] of changes) text = text.replace(pattern, replacement);
  return JSON.parse(text);
};
const block = (content_block: object, delta: object) => [
  { type: 'content_block_start', index: 1, content_block },
  { type: 'content_block_delta', index: 1, delta },
  { type: 'content_block_stop', index: 1 },
];
const annotation = {
  type: 'response.output_text.annotation.added',
  item_id: 'i',
  output_index: 0,
  annotation: { type: 'vendor_citation' },
};

test.each<[string, Wire, readonly unknown[]]>([
  ['an empty event', anthropic, ['raw:data:\n\n']],
  [
    'a new type of block',
    anthropic,
    block({ type: 'oracle', vision: 1 }, { type: 'oracle_delta', vision: 2 }),
  ],
  [
    'a new type of delta',
    anthropic,
    [{ type: 'content_block_delta', index: 0, delta: { type: 'mood_delta' } }],
  ],
  [
    'a new citation',
    anthropic,
    [{ type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: { type: 'x' } } }],
  ],
  [
    'a text block of null',
    anthropic,
    block({ type: 'text', text: null }, { type: 'text_delta', text: null }),
  ],
  ['a new annotation', responses, [annotation]],
  ['a text part of its own form', responses, [{ type: 'response.content_part.added', part: null }]],
])('%s in the middle of a stream (%o) loses nothing', async (_what, wire, between) => {
  const { beginning, end } = wire.stream({});
  const tokens = { input: 100, output: 20 };
  expect(await received(wire, { sse: [...beginning, ...between, ...end] }, true)).toMatchObject({
    ...answered,
    tokens,
  });
});

test.each<[string, Wire, readonly (readonly [RegExp, string])[], object]>([
  ['counts as text', anthropic, [[/"input_tokens":100/, '"input_tokens":"100"']], { input: 100, output: 20 }],
  ['null counts', anthropic, [[/"output_tokens":20/, '"output_tokens":null']], {}],
  [
    'a time with a fraction and no model',
    responses,
    [[/"created_at":1,"model":"g"/, '"created_at":1.5']],
    {},
  ],
  ['items without id', responses, [[/"id":"i",/, '']], { input: 100, output: 20 }],
  ['a refused reason as text', responses, [[/"incomplete_details":null/, '"incomplete_details":"none"']], {}],
])('%s in a stream and in a complete reply lose nothing', async (_what, wire, changes, tokens) => {
  const { beginning, end } = wire.stream({});
  const sse = [...beginning, ...end].map((event) => odd(event, ...changes));
  const expected = { ...answered, ...(Object.keys(tokens).length > 0 ? { tokens } : {}) };
  expect(await received(wire, { sse }, true)).toMatchObject(expected);
  for (const stream of [true, false])
    expect(await received(wire, { json: odd(wire.whole({}), ...changes) }, stream)).toMatchObject(expected);
});

test('Anthropic: a stream that ends behind a good reason is complete, although its last event is missing', async () => {
  const { beginning, end } = anthropic.stream({});
  const sse = [...beginning, ...end.slice(0, -1)];
  expect(await received(anthropic, { sse }, true)).toMatchObject(answered);
  expect(await received(anthropic, { sse: sse.slice(0, -1) }, true)).toMatchObject({ failure: 'network' });
});

test('Anthropic: a stream that ends without a reason is cut, and is not asked for again', async () => {
  const { beginning, end } = anthropic.stream({});
  const unnamed = end.map((event) => JSON.parse(JSON.stringify(event).replace('"end_turn"', 'null')));
  const sse = [...beginning, ...unnamed];
  expect(await received(anthropic, { sse }, true)).toMatchObject({ ...answered, finish: 'cut' });
});

test('Responses: a response that is completed and says that it failed has failed', async () => {
  const { beginning } = responses.stream({});
  const error = { code: 'server_error', message: 'engine died' };
  const sse = [...beginning, { type: 'response.completed', response: { id: 'r', status: 'failed', error } }];
  expect(await received(responses, { sse }, true)).toMatchObject({ failure: 'overloaded' });
});

const failedResponse = (code: string, message: string) => ({
  type: 'response.failed',
  response: { id: 'r', status: 'failed', error: { code, message } },
});

test.each<[string, object, string, RegExp]>([
  [
    'a full context',
    failedResponse('context_length_exceeded', 'Your input exceeds the context window of this model.'),
    'context-overflow',
    /exceeds the context window/,
  ],
  [
    'an empty account',
    failedResponse('insufficient_quota', 'You exceeded your current quota.'),
    'rate-limit',
    /current quota/,
  ],
  [
    'an error in the form of chat completions',
    { error: { message: 'InternalServerError: upstream gone', type: 'server_error', code: '500' } },
    'overloaded',
    /upstream gone/,
  ],
])('Responses: %s in a stream keeps its words', async (_what, event, failure, words) => {
  const { beginning } = responses.stream({});
  for (const sse of [
    [beginning[0], event],
    [...beginning, event],
  ]) {
    const { reply } = await served(responses, { sse }, true);
    expect(reply).toMatchObject({ error: { kind: failure, message: expect.stringMatching(words) } });
  }
});

test.each<[string, Wire, object]>([
  [
    'Anthropic',
    anthropic,
    {
      ...anthropic.whole({ finish: 'tool_use' }),
      content: [
        { type: 'thinking', thinking: 'I add.', signature: 's' },
        { type: 'text', text: 'Now.' },
        { type: 'tool_use', id: 't1', name: 'add', input: { a: 1, b: 2 } },
      ],
    },
  ],
  [
    'Responses',
    responses,
    {
      ...responses.whole({}),
      output: [{ type: 'function_call', id: 'f', call_id: 't1', name: 'add', arguments: '{"a":1,"b":2}' }],
    },
  ],
])(
  '%s: a tool call in a complete reply in the place of a stream is that of the same reply',
  async (_name, wire, json) => {
    const streamed = await received(wire, { json }, true);
    expect(streamed).toEqual(await received(wire, { json }, false));
    expect(JSON.stringify(streamed)).toContain('add');
  },
);

test('Gemini: a stream that breaks off is no reply where each of its chunks has a reason', async () => {
  const sse = [geminiChunk('4', { finish: 'STOP' }), geminiChunk('2', { finish: 'STOP' })];
  expect(await received(gemini, { sse, cut: true }, true)).toMatchObject({ failure: 'network' });
  expect(await received(gemini, { sse }, true)).toMatchObject(answered);
});

test.each([
  ['one chunk', geminiChunk('42', { finish: 'STOP', counts: hundred })],
  ['a list of chunks', [geminiChunk('4', {}), geminiChunk('2', { finish: 'STOP', counts: hundred })]],
])('Gemini: %s as JSON in the place of a stream is read', async (_what, json) => {
  expect(await received(gemini, { json }, true)).toMatchObject(answered);
});
