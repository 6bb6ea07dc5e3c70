/** What is read of one reply is bounded, packed or not, streamed or whole, and what a server counts is believed only so far. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ask, failWith, unknown } from './asking.ts';
import { type Respond, say } from './chat-server.ts';
import { question } from './conformance.ts';

const event = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
const whole = (message: object) =>
  JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] });

function body(text: string, { stream, packed = false }: { stream: boolean; packed?: boolean }): Respond {
  return ({ response }) => {
    const type = stream ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type, ...(packed ? { 'content-encoding': 'gzip' } : {}) });
    response.end(packed ? gzipSync(text) : text);
  };
}

const megabyte = 'x'.repeat(1024 ** 2);

describe.each([{ stream: true }, { stream: false }])('%o', ({ stream }) => {
  test.each([
    [
      '9 MB of text',
      stream ? event({ content: megabyte }).repeat(9) : whole({ content: megabyte.repeat(9) }),
      '8 MB',
    ],
    [
      '9 MB of thoughts',
      stream
        ? event({ reasoning_content: megabyte }).repeat(9)
        : whole({ reasoning_content: megabyte.repeat(9) }),
      '8 MB',
    ],
    ['17 MB of nothing', stream ? `: ${megabyte}\n\n`.repeat(17) : ' '.repeat(17 * 1024 ** 2), '16 MB'],
  ])('%s are refused, packed too, and not asked for again', async (_name, text, most) => {
    for (const packed of [false, true]) {
      const failed = await failWith(body(text, { stream, packed }), { stream });
      expect(failed, failed.message.slice(0, 300)).toMatchObject({
        kind: 'malformed',
        retryable: false,
        usage: unknown,
      });
      expect(failed.message).toContain(`longer than ${most}`);
    }
  });

  test('7 MB of text are a reply', async () => {
    const text = stream
      ? `${event({ content: megabyte }).repeat(7)}data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`
      : whole({ content: megabyte.repeat(7) });
    const { reply } = await ask(body(text, { stream, packed: true }), question, { stream });
    expect(reply.ok && reply.message.content.map((each) => each.type === 'text' && each.text.length)).toEqual(
      [7 * 1024 ** 2],
    );
  });

  test.each([1e308, 1e10, -1, Number.MAX_SAFE_INTEGER])(
    '%d tokens are no count: what it cost is unknown, not endless',
    async (count) => {
      const usage = { prompt_tokens: count, completion_tokens: count, total_tokens: count, cost: count };
      const { reply } = await ask((exchange) => say(exchange, { content: 'ok', usage }), question, {
        stream,
      });
      expect(reply.ok && reply.usage).toEqual(unknown);
    },
  );

  test('arguments and objects that are nested too deeply are no JSON', async () => {
    const deep = `{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}`;
    const toolCalls = [{ id: '1', name: 'look', arguments: deep }];
    const { reply } = await ask((exchange) => say(exchange, { toolCalls }), question, { stream });
    expect(reply.ok && reply.message.content[0]).toMatchObject({ type: 'tool-call', args: null });
    const output = { name: 'x', schema: { type: 'object' } };
    const object = await ask(
      (exchange) => say(exchange, { content: deep }),
      { ...question, output },
      { stream },
    );
    expect(object.reply).toMatchObject({ ok: true, object: undefined });
  });
});

const called = (call: object) =>
  event({
    tool_calls: [{ type: 'function', ...call }],
  });
const named = { name: 'look', arguments: '{"a":"' };
const ending = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n';

test.each([
  ['by index', { index: 0 }],
  ['by id', { id: 'a' }],
  ['by nothing', {}],
])('a call of 20,000 tiny pieces, told apart %s, is one call', async (_name, by) => {
  const pieces = called({ ...by, function: { arguments: 'x' } }).repeat(20_000);
  const text = `${called({ id: 'a', ...by, function: named })}${pieces}${called({ ...by, function: { arguments: '"}' } })}${ending}`;
  const { reply } = await ask(body(text, { stream: true }), question);
  expect(reply.ok && reply.message.content).toMatchObject([{ args: { a: 'x'.repeat(20_000) } }]);
});

test('40,000 calls that share an index kept a process busy for 20 s: a reply calls 1,000 times at most', async () => {
  const calls = Array.from({ length: 40_000 }, (_, at) =>
    called({ index: 0, id: `${at}`, function: { name: 'look', arguments: '{}' } }),
  ).join('');
  const before = process.threadCpuUsage();
  const failed = await failWith(body(`${calls}${ending}`, { stream: true }));
  const { user } = process.threadCpuUsage(before);
  expect(failed).toMatchObject({ kind: 'malformed', retryable: false, usage: unknown });
  expect(failed.message).toContain('1000 calls of tools');
  expect(user / 1_000).toBeLessThan(5_000);
});
