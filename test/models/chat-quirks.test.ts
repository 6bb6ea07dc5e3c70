/** What a server refuses, by quirk: the body that is sent instead. */
import { expect, it } from 'vitest';
import type { Message, ModelRequest, ServerQuirk } from '../../src/core/model.ts';
import { modelAt } from './asking.ts';
import { type Completion, say, startChatServer } from './chat-server.ts';
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
