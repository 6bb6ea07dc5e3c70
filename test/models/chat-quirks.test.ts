/** What a server refuses, by quirk: the body that is sent instead. */
import { expect, it } from 'vitest';
import type { Message, ModelRequest, ServerQuirk } from '../../src/core/model.ts';
import { modelAt } from './asking.ts';
import { type Completion, say, sendJson, startChatServer } from './chat-server.ts';
import { callWith, question, succeeded } from './conformance.ts';

async function sent(request: ModelRequest, quirks: readonly ServerQuirk[]) {
  await using server = await startChatServer((exchange) => say(exchange, { content: 'ok' }));
  succeeded(await modelAt(server.baseUrl).generate(request, { ...callWith(), quirks }));
  return server.exchanges[0]?.body ?? {};
}

const settings = {
  maxOutputTokens: 9,
  temperature: 0.5,
  topP: 0.5,
  seed: 1,
  reasoningEffort: 'low',
} as const;
const output = { name: 'verdict', schema: { type: 'object', title: 'Verdict' } };

it.each<[ServerQuirk, string, unknown]>([
  ['json-object', 'response_format', { type: 'json_object' }],
  ['json-in-prompt', 'response_format', undefined],
  ['max-completion-tokens', 'max_tokens', undefined],
  ['max-completion-tokens', 'max_completion_tokens', 9],
  ['no-output-limit', 'max_tokens', undefined],
  ['no-stream-options', 'stream_options', undefined],
  ['no-temperature', 'temperature', undefined],
  ['no-top-p', 'top_p', undefined],
  ['no-seed', 'seed', undefined],
  ['no-reasoning-effort', 'reasoning_effort', undefined],
])('%s: %s', async (quirk, field, expected) => {
  const body = await sent({ ...question, settings, output }, [quirk]);
  expect(body[field]).toEqual(expected);
  const saysSchema = JSON.stringify(body.messages).includes('Verdict');
  expect(saysSchema).toBe(quirk.startsWith('json'));
});

it.each(['json-object', 'max-completion-tokens'] as const)(
  '%s adds nothing to a plain question',
  async (quirk) => {
    expect(await sent(question, [quirk])).toEqual(await sent(question, []));
  },
);

const messages: readonly Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Add.' },
  { role: 'user', content: 'Now.' },
  { role: 'assistant', content: [{ type: 'tool-call', id: 'a', name: 'Run', args: {} }] },
  { role: 'tool', callId: 'a', name: 'Run', content: '6' },
  { role: 'system', content: 'A hint.' },
];

it('alternate-roles and no-system-role: no role follows itself', async () => {
  expect((await sent({ messages }, ['alternate-roles'])).messages).toMatchObject([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Add.\n\nNow.' },
    { role: 'assistant' },
    { role: 'tool', content: '6\n\nA hint.' },
  ]);
  const plain = await sent({ messages }, ['alternate-roles', 'no-system-role']);
  expect(JSON.stringify(plain.messages)).not.toContain('"system"');
});

it('no lone surrogate leaves in a body', async () => {
  const body = await sent({ messages: [{ role: 'user', content: 'Hot \ud83d' }] }, []);
  expect(body.messages).toEqual([{ role: 'user', content: 'Hot \ufffd' }]);
});

const pair = [
  { type: 'text', text: 'What is 6 times 7?' },
  { type: 'text', text: 'Answer in one word.' },
] as const;
const turns: readonly Message[] = [
  { role: 'user', content: pair },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'tool-call', id: 'a', name: 'Run', args: {} },
    ],
  },
  { role: 'tool', callId: 'a', name: 'Run', content: '42' },
];

it('texts alone are one string, and a turn of calls has an empty one', async () => {
  expect((await sent({ messages: turns }, [])).messages).toMatchObject([
    { role: 'user', content: 'What is 6 times 7?\n\nAnswer in one word.' },
    { role: 'assistant', content: '', reasoning_content: 'Hm.' },
    { role: 'tool', content: '42' },
  ]);
  const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
  const seen = await sent({ messages: [{ role: 'user', content: [...pair, image] }] }, []);
  expect(seen.messages).toMatchObject([{ content: [{ type: 'text' }, { type: 'text' }, {}] }]);
});

type Body = Readonly<Record<string, unknown>>;
const told = (message: string, more = {}) => ({ error: { message, ...more } });
const some = (test: (turn: Body) => boolean) => (body: Body) =>
  Array.isArray(body.messages) && body.messages.some(test);

it.each<[string, (body: Body) => boolean, number, object, readonly ServerQuirk[]]>([
  [
    'thoughts, at Groq',
    some((turn) => turn.reasoning_content !== undefined),
    400,
    told("property 'reasoning_content' is unsupported"),
    ['no-reasoning-history'],
  ],
  [
    'thoughts, by pydantic',
    some((turn) => turn.reasoning_content !== undefined),
    422,
    {
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'],
          msg: 'Extra inputs are not permitted',
        },
      ],
    },
    ['no-reasoning-history'],
  ],
  [
    'thoughts, by their number',
    some((turn) => turn.reasoning_content !== undefined),
    400,
    told("Unrecognized request argument supplied: 'messages[1].reasoning_content'"),
    ['no-reasoning-history'],
  ],
  [
    'an empty text',
    some((turn) => turn.content === ''),
    400,
    told('messages.1: text content blocks must be non-empty'),
    ['null-content'],
  ],
  [
    'an empty text, at Bedrock',
    some((turn) => turn.content === ''),
    400,
    told('The text field in the ContentBlock object at messages.1.content.0 is blank.'),
    ['null-content'],
  ],
  [
    'a stream',
    (body) => body.stream === true,
    400,
    told('Streaming is not supported for this model. Set "stream": false.', { param: 'stream' }),
    ['no-stream'],
  ],
  [
    'a stream, without a verified organization',
    (body) => body.stream === true,
    400,
    told('Your organization must be verified to stream this model.', {
      param: 'stream',
      code: 'unsupported_value',
    }),
    ['no-stream'],
  ],
  [
    'a stream, in few words',
    (body) => body.stream === true,
    501,
    told('This backend does not support streaming'),
    ['no-stream'],
  ],
  [
    'both limits, named together',
    (body) => (body.max_tokens ?? body.max_completion_tokens) !== undefined,
    400,
    told('Extra fields not allowed: max_tokens, max_completion_tokens'),
    ['no-output-limit'],
  ],
  [
    'both limits, with a slash',
    (body) => (body.max_tokens ?? body.max_completion_tokens) !== undefined,
    400,
    { message: 'Unknown field: max_tokens / max_completion_tokens' },
    ['no-output-limit'],
  ],
  [
    'one of two in a list',
    (body) => body.seed !== undefined || body.top_p !== undefined,
    400,
    told("Unsupported parameters: 'top_p', 'seed'"),
    ['no-top-p', 'no-seed'],
  ],
])('%s: refused once, then taken', async (_, isRefused, status, body, expected) => {
  await using server = await startChatServer((exchange) => {
    if (isRefused(exchange.body)) return sendJson(exchange.response, status, body);
    say(exchange, { content: 'ok' });
  });
  const quirks: ServerQuirk[] = [];
  for (;;) {
    const reply = await modelAt(server.baseUrl).generate(
      { messages: turns, settings },
      { ...callWith(), quirks },
    );
    if (reply.ok) break;
    expect(reply.error.quirk, reply.error.message).toBeDefined();
    if (reply.error.quirk === undefined || quirks.includes(reply.error.quirk)) break;
    quirks.push(reply.error.quirk);
  }
  expect(quirks).toEqual(expected);
  expect(server.exchanges).toHaveLength(expected.length + 1);
});

it.each(['reasoning', 'reasoning_content'])('a thought goes back under the name %s', async (name) => {
  const message = { content: 'ok', [name]: 'Hm.' };
  const reply: Completion = { content: 'ok' };
  await using server = await startChatServer((exchange) => {
    if (server.exchanges.length > 1) return say(exchange, reply);
    exchange.response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }));
  });
  const model = modelAt(server.baseUrl);
  const first = succeeded(await model.generate(question, callWith()));
  await model.generate({ messages: [...question.messages, first.message] }, callWith());
  expect(server.exchanges[1]?.body.messages).toMatchObject([{}, message]);
});
