/** Every way in which a chat-completions server can fail, and what the caller is told of it. */
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apiKey, ask, failWith, modelAt, ok, unknown } from './asking.ts';
import {
  openStream,
  type Respond,
  sayBeginning,
  sendEvent,
  sendJson,
  someUsage,
  startChatServer,
} from './chat-server.ts';
import { callWith, question } from './conformance.ts';

describe.each([{ stream: true }, { stream: false }])('a failure, %o', ({ stream }) => {
  const status =
    (code: number, body: unknown, headers = {}): Respond =>
    ({ response }) =>
      sendJson(response, code, body, headers);
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
    expect(await failWith(status(code, body), { stream })).toMatchObject(expected);
  });

  it('tells when to come back', async () => {
    const wait = (headers: object) => failWith(status(429, error('later'), headers), { stream });
    expect(await wait({ 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7000 });
    expect(await wait({ 'retry-after-ms': '1234', 'retry-after': '2' })).toMatchObject({
      retryAfterMs: 1234,
    });
    expect((await wait({})).retryAfterMs).toBeUndefined();
  });

  it('shows the words of a page that is no JSON', async () => {
    const page: Respond = ({ response }) => {
      response.writeHead(503, { 'content-type': 'text/html' });
      response.end('<html><style>p{}</style><p>Down for\n maintenance</p></html>');
    };
    expect((await failWith(page, { stream })).message).toContain('Down for maintenance');
  });

  it('never shows the key that a server repeats', async () => {
    const body = error(`Incorrect key ${apiKey}, sent as Bearer ${apiKey}`);
    const { message } = await failWith(status(401, body), { stream });
    expect(message).toBe('HTTP 401: Incorrect key [redacted], sent as Bearer [redacted]');
  });

  it.each([
    [
      { message: 'quota', code: 429 },
      { kind: 'rate-limit', retryable: true, retryAfterMs: 7000 },
    ],
    [
      { message: 'quota', code: '429' },
      { kind: 'rate-limit', retryable: true },
    ],
    [
      { message: 'pay', code: 'insufficient_quota' },
      { kind: 'rate-limit', retryable: false },
    ],
    [{ code: 503 }, { kind: 'overloaded', retryable: true }],
    [
      { message: 'who?', code: 401 },
      { kind: 'auth', retryable: false },
    ],
    [
      'model is loading',
      { kind: 'other', retryable: true, message: 'The reply is an error: model is loading' },
    ],
  ])('of HTTP 200 with an error in the place of a reply: %j', async (told, expected) => {
    const failed = await failWith(status(200, { error: told }, { 'retry-after': '7' }), { stream });
    expect(failed).toMatchObject({ usage: unknown, ...expected });
  });

  it('of HTTP 200 with a page in the place of a reply: its words are shown, without the key', async () => {
    const page: Respond = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('\n<!DOCTYPE html><html>');
      response.end(`<p>Please <b>log in</b></p>${'x'.repeat(455)} ${apiKey}</html>`);
    };
    const failed = await failWith(page, { stream });
    expect(failed).toMatchObject({ kind: 'malformed', retryable: true, usage: unknown });
    expect(failed.message).toContain('Please log in');
    expect(failed.message).not.toContain(apiKey.slice(0, 8));
  });

  it('of a reply that is garbage or empty', async () => {
    const garbage: Respond = ({ response }) => void response.end(stream ? 'data: {"cho\n\n' : '{"cho');
    const empty: Respond = ({ response }) => void response.end();
    const expected = { kind: 'malformed', retryable: true, usage: unknown };
    expect(await failWith(garbage, { stream })).toMatchObject(expected);
    expect(await failWith(empty, { stream })).toMatchObject(expected);
  });

  it('of a connection that is cut', async () => {
    const beforeHeaders: Respond = ({ response }) => void response.destroy();
    const within: Respond = (exchange) => {
      if (stream) sayBeginning(exchange, 'The ans');
      else exchange.response.write('{"choices":');
      setTimeout(() => exchange.response.destroy(), 20);
    };
    const expected = { kind: 'network', retryable: true, usage: unknown };
    expect(await failWith(beforeHeaders, { stream })).toMatchObject(expected);
    expect(await failWith(within, { stream })).toMatchObject(expected);
  });

  it('of a server of this machine that is not there: it is asked whether it runs, not the server again', async () => {
    // Another address of this machine: at 127.0.0.1, a server of another test may have got the port meanwhile.
    const baseUrl = `http://127.255.255.254:${await freePort()}/v1`;
    const { reply } = await ask(ok, question, { stream, baseUrl });
    const error = {
      kind: 'network',
      retryable: false,
      message: expect.stringContaining('Is the server running?'),
    };
    expect(reply).toMatchObject({ error, usage: null });
  });

  it('of a server that keeps silent longer than allowed', async () => {
    const silent: Respond = () => {};
    expect(await failWith(silent, { stream, silenceTimeoutMs: 50 })).toMatchObject({
      kind: 'timeout',
      retryable: true,
      usage: unknown,
    });
  });

  it('of a key that no header can hold', async () => {
    await using server = await startChatServer(ok);
    const reply = await modelAt(server.baseUrl, { stream, apiKey: 'sk-line\nbreak' }).generate(
      question,
      callWith(),
    );
    expect(reply).toMatchObject({ ok: false, error: { retryable: false } });
    expect(!reply.ok && reply.error.message).not.toMatch(/sk-line|break/);
  });

  it('is told to the server when it is an abort', async () => {
    await using server = await startChatServer((exchange) => {
      if (stream) sayBeginning(exchange, 'The ans');
    });
    const controller = new AbortController();
    const call = callWith({ signal: controller.signal });
    const pending = modelAt(server.baseUrl, { stream }).generate(question, call);
    while (!server.exchanges[0]) await new Promise((resolve) => setTimeout(resolve, 5));
    setTimeout(() => controller.abort(new Error('somebody won the race')), 20);
    expect(await pending).toMatchObject({ error: { kind: 'aborted', retryable: false }, usage: unknown });
    await server.exchanges[0]?.abandoned;
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

  it.each([
    [
      { message: 'Too fast', type: 'rate_limit_exceeded' },
      { kind: 'rate-limit', retryable: true },
    ],
    [
      { message: 'Busy', code: 'overloaded_error' },
      { kind: 'overloaded', retryable: true },
    ],
    [
      { message: 'Busy', code: 503 },
      { kind: 'overloaded', retryable: true },
    ],
    [{ message: 'prompt is too long' }, { kind: 'context-overflow', retryable: false }],
    [{ message: 'Something broke' }, { kind: 'other', retryable: true, message: 'Something broke' }],
  ])('%j', async (error, expected) => {
    expect(await failWith(streaming(beginning, { error }))).toMatchObject({ usage: unknown, ...expected });
  });

  it('is charged where the usage came all the same', async () => {
    const failed = await failWith(streaming(beginning, { error: { message: 'broke' } }, usage));
    expect(failed.usage).toMatchObject({ tokens: { input: 100, output: 50 } });
    expect(failed.usage?.costUsd).toBeGreaterThan(0);
  });

  it('is a cut-off where no finish reason comes', async () => {
    expect(await failWith(streaming(beginning))).toMatchObject({ kind: 'network', retryable: true });
  });

  it('is malformed where a tool call has no name', async () => {
    const nameless = { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '{}' } }] } }] };
    expect(await failWith(streaming(nameless))).toMatchObject({ kind: 'malformed' });
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}
