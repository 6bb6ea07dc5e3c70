/** What the status of a chat-completions server means, and failures of this wire alone; odd replies are in the tables of wires. */
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cutFeedback, describeCut } from '../../src/core/cut-off.ts';
import { apiKey, ask, failWith, modelAt, ok, unknown } from './asking.ts';
import {
  openStream,
  type Respond,
  say,
  sendEvent,
  sendJson,
  someUsage,
  startChatServer,
} from './chat-server.ts';
import { callWith, question } from './conformance.ts';

describe('a failure', () => {
  const status =
    (code: number, body: unknown): Respond =>
    ({ response }) =>
      sendJson(response, code, body);
  const error = (message: string, more = {}) => ({ error: { message, ...more } });

  it.each([
    [400, error('bad'), { kind: 'bad-request', retryable: false, usage: null }],
    [400, error('x', { code: 'context_length_exceeded' }), { kind: 'context-overflow', retryable: false }],
    [400, error('This model has a maximum context length of 8192 tokens.'), { kind: 'context-overflow' }],
    [401, error('bad key'), { kind: 'auth', retryable: false, usage: null }],
    [403, error('no'), { kind: 'auth', retryable: false }],
    [404, error('no such model'), { kind: 'bad-request', message: 'HTTP 404: no such model' }],
    [429, error('slow down'), { kind: 'rate-limit', retryable: true, usage: null }],
    [429, error('pay', { code: 'insufficient_quota' }), { kind: 'rate-limit', retryable: false }],
    [500, error('oops'), { kind: 'overloaded', retryable: true, usage: null }],
    [501, error('never'), { kind: 'other', retryable: false, usage: null }],
    [502, error('gateway'), { kind: 'overloaded', retryable: true, usage: unknown }],
    [503, error('busy'), { kind: 'overloaded', retryable: true, usage: null }],
    [504, error('late'), { kind: 'timeout', retryable: true, usage: unknown }],
  ])('of HTTP %i: %j', async (code, body, expected) => {
    expect(await failWith(status(code, body))).toMatchObject(expected);
  });

  it.each([
    [
      401,
      `Incorrect API key provided: ${apiKey.slice(0, 20)}***.`,
      'HTTP 401: Incorrect API key provided: [redacted]***.',
    ],
    [401, `Key ***${apiKey.slice(-10)}`, 'HTTP 401: Key ***[redacted]'],
    [400, 'Upstream: sk-otherKEYabcdefghij', 'HTTP 400: Upstream: [redacted]'],
  ])('of HTTP %i shows no piece of a key: %s', async (code, message, expected) => {
    expect((await failWith(status(code, error(message)))).message).toBe(expected);
  });

  it('of HTTP 200 with a page in the place of a reply: its words are shown, without the key, and the base URL is doubted', async () => {
    const page: Respond = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('\n<!DOCTYPE html><html>');
      response.end(`<p>Please <b>log in</b></p>${'x'.repeat(455)} ${apiKey}</html>`);
    };
    const failed = await failWith(page);
    expect(failed).toMatchObject({ kind: 'malformed', retryable: false, usage: unknown });
    expect(failed.message).toContain('The base URL is probably wrong');
    expect(failed.message).toContain('Please log in');
    expect(failed.message).not.toContain(apiKey.slice(0, 8));
  });

  it('of a server of this machine that is not there: it is asked whether it runs, not the server again', async () => {
    // Another address of this machine: at 127.0.0.1, a server of another test may have got the port meanwhile.
    const baseUrl = `http://127.255.255.254:${await freePort()}/v1`;
    const { reply } = await ask(ok, question, { baseUrl });
    const error = {
      kind: 'network',
      retryable: false,
      message: expect.stringContaining('Is the server running?'),
    };
    expect(reply).toMatchObject({ error, usage: null });
  });

  it('of thoughts alone: what may be the cause is named', async () => {
    const failed = await failWith((exchange) => say(exchange, { reasoning: 'It is 42.' }));
    expect(failed).toMatchObject({ kind: 'malformed', retryable: true });
    expect(failed.message).toMatch(/thoughts only.*parser of reasoning.*limit of output/s);
  });

  it('of a key that no header can hold', async () => {
    await using server = await startChatServer(ok);
    const reply = await modelAt(server.baseUrl, { apiKey: 'sk-line\nbreak' }).generate(question, callWith());
    expect(reply).toMatchObject({ ok: false, error: { retryable: false } });
    expect(!reply.ok && reply.error.message).not.toMatch(/sk-line|break/);
  });
});

describe('a failure within a stream', () => {
  const streaming =
    (...events: readonly unknown[]): Respond =>
    (exchange) => {
      openStream(exchange);
      for (const event of events) sendEvent(exchange, event);
      exchange.response.end('data: [DONE]\n\n');
    };
  const beginning = { choices: [{ delta: { content: 'The' } }] };
  const usage = { choices: [], usage: someUsage };

  it('is charged where the usage came all the same', async () => {
    const failed = await failWith(streaming(beginning, { error: { message: 'broke' } }, usage));
    expect(failed.usage).toMatchObject({ tokens: { input: 100, output: 50 } });
    expect(failed.usage?.costUsd).toBeGreaterThan(0);
  });

  it('behind a complete reply is no failure, and is told', async () => {
    const end = { choices: [{ delta: { content: 'ok' }, finish_reason: 'stop' }], usage: someUsage };
    const { reply } = await ask(streaming(end, usage, { error: { message: 'post-call hook failed' } }));
    expect(reply).toMatchObject({ ok: true, notices: [expect.stringContaining('post-call hook failed')] });
  });

  it('is malformed where a tool call has no name', async () => {
    const nameless = { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '{}' } }] } }] };
    expect(await failWith(streaming(nameless))).toMatchObject({ kind: 'malformed' });
  });
});

it('a promised call that is not there is told as that, to people and to the model', async () => {
  const promise: Respond = (exchange) => say(exchange, { content: 'ok', finishReason: 'tool_calls' });
  const tools = [{ name: 'Run', description: '', parameters: { type: 'object' } }];
  const { reply } = await ask(promise, { ...question, tools });
  if (!reply.ok) throw new Error(reply.error.message);
  // No call can be missing where no tool was sent: a call may stand in the text.
  expect((await ask(promise)).reply).toMatchObject({ finish: 'stop', rawFinish: 'tool_calls' });
  expect(reply.notices).toEqual([expect.stringContaining('promised a tool call and holds none')]);
  expect(describeCut(reply)).toContain('it promised a tool call and holds none');
  expect(cutFeedback(reply)).toContain('cut off before its tool call');
});

it('a connection serves one call after the other, though its server ends a body behind the mark of its end', async () => {
  const sockets = new Set<unknown>();
  await using server = await startChatServer((exchange) => {
    sockets.add(exchange.response.socket);
    openStream(exchange);
    sendEvent(exchange, { choices: [{ delta: { content: 'ok' }, finish_reason: 'stop' }] });
    sendEvent(exchange, { choices: [], usage: someUsage });
    exchange.response.write('data: [DONE]\n\n', () => setTimeout(() => exchange.response.end(), 2));
  });
  const model = modelAt(server.baseUrl);
  for (let call = 0; call < 20; call += 1) await model.generate(question, callWith());
  // Two are enough; under load a server may be later than anybody waits for it.
  expect(sockets.size).toBeLessThan(10);
});

describe('a connection that its server keeps open', () => {
  it.each([
    ['[DONE]', 'data: [DONE]\n\n'],
    ['the usage', `data: ${JSON.stringify({ choices: [], usage: someUsage })}\n\n`],
  ])('is closed behind %s, so that no process waits for it', async (_name, last) => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    await using server = await startChatServer((exchange) => {
      openStream(exchange);
      sendEvent(exchange, { choices: [{ delta: { content: 'ok' }, finish_reason: 'stop' }] });
      exchange.response.write(last);
      exchange.abandoned.then(resolve);
    });
    expect(await modelAt(server.baseUrl).generate(question, callWith())).toMatchObject({ ok: true });
    await closed;
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}
