/** OpenAI serves a call by the tier of its project: the cost follows the tier that the stream names last. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { openAiModel } from '../../src/models/openai.ts';

const price = { inputUsdPerMillion: 2, cachedInputUsdPerMillion: 1, outputUsdPerMillion: 8 };
const usage = { input_tokens: 500_000, output_tokens: 125_000, input_tokens_details: { cached_tokens: 0 } };

function eventsFor(tier: string | null): readonly object[] {
  const response = {
    id: 'r',
    object: 'response',
    created_at: 1,
    model: 'gpt-5.1',
    output: [],
    service_tier: tier,
  };
  const item = { type: 'message', id: 'm', role: 'assistant', content: [] };
  const place = { output_index: 0, item_id: 'm', content_index: 0 };
  return [
    { type: 'response.created', response: { ...response, service_tier: 'auto' } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_text.delta', ...place, delta: '42' },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, usage } },
  ];
}

test.each([
  [null, undefined, 2],
  ['default', undefined, 2],
  ['flex', 'flex', 1],
  ['priority', 'priority', null],
])('served as %s', async (tier, serviceTier, costUsd) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of eventsFor(tier)) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const model = openAiModel({ id: 'openai/gpt-5.1', name: 'gpt-5.1', baseUrl, apiKey: 'key', price });
  const call = { role: 'solver', branch: '', index: 0, attempt: 0, signal: new AbortController().signal };
  const reply = await model.generate({ messages: [{ role: 'user', content: 'x' }] }, call);
  server.close();
  expect(reply).toMatchObject({ ok: true, usage: { costUsd } });
  expect(reply.ok && reply.serviceTier).toBe(serviceTier);
});
