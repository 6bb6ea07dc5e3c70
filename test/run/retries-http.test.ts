/** One call, through every kind of trouble, over real HTTP into a real journal: each attempt an entry, each charged. */
import { expect, test } from 'vitest';
import { foldRun } from '../../src/core/fold.ts';
import { fakeClock } from '../../src/io/clock.ts';
import { openAiCompatibleModel } from '../../src/models/openai-compatible.ts';
import { startRun } from '../../src/run/start.ts';
import {
  type Respond,
  say as reply,
  sayBeginning,
  sendJson,
  startChatServer,
} from '../models/chat-server.ts';
import { answered, oddRun, oddWorld } from '../support/odd.ts';
import { eventsOf } from '../support/world.ts';

const object = {
  name: 'n',
  schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
} as const;

const trouble: readonly Respond[] = [
  ({ response }) =>
    sendJson(
      response,
      429,
      { error: { message: 'slow down' } },
      { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m3s' },
    ),
  ({ response }) => sendJson(response, 503, { error: { message: 'overloaded' } }, { 'retry-after': '5' }),
  (exchange) => {
    sayBeginning(exchange, '{"n"');
    setTimeout(() => exchange.response.destroy(), 20);
  },
  (exchange) => reply(exchange, { content: '' }),
  (exchange) => reply(exchange, { content: '{"n": "one"}' }),
  (exchange) => reply(exchange, { content: '{"n": 1}' }),
];

test('is answered in the end', async () => {
  let asked = 0;
  await using server = await startChatServer((exchange) => {
    const respond = trouble[asked];
    asked += 1;
    return respond?.(exchange);
  });
  const price = { inputUsdPerMillion: 1, cachedInputUsdPerMillion: 0.5, outputUsdPerMillion: 2 };
  const model = openAiCompatibleModel({
    id: 'test/odd',
    name: 'test-model',
    baseUrl: server.baseUrl,
    apiKey: 'a-key-of-no-use',
    price,
  });
  const clock = fakeClock(Date.now());
  let got: unknown;
  const odd = oddWorld({
    io: { clock },
    model,
    solve: async (run) => {
      got = await run.generate('solver', { messages: [{ role: 'user', content: 'x' }], output: object });
      return answered('');
    },
  });
  const retry = { maxRetries: 4, firstWaitMs: 1_000, maxWaitMs: 60_000, maxRepairs: 1 };
  await (await startRun({ ...odd, retry }, oddRun())).done;
  expect(got).toMatchObject({ ok: true, object: { n: 1 } });
  expect(clock.sleptMs).toEqual([63_000, 5_000, 4_000, 8_000]);
  const events = await eventsOf(odd, 'run');
  const ends = events.flatMap((event) => (event.kind === 'model-response' ? [event.body] : []));
  expect(ends.map((body) => (body.status === 'error' ? body.error.name : body.status))).toEqual([
    'rate-limit',
    'overloaded',
    'network',
    'malformed',
    'ok',
    'ok',
  ]);
  const { totals } = foldRun(events);
  const charged = 40 * 1 + 60 * 0.5 + 50 * 2;
  // Of the stream that was cut off, nobody knows what it cost.
  expect(totals).toMatchObject({ modelCalls: 6, failedModelCalls: 4, callsOfUnknownCost: 1 });
  expect(totals.costUsd).toBeCloseTo((3 * charged) / 1e6, 12);
  expect(server.exchanges.at(-1)?.body.messages).toHaveLength(3);
});
