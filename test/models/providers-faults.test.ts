/** Every fault of every wire, over real HTTP, and what the caller is told of it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ModelFailure } from '../../src/core/model.ts';
import { resolveModel } from '../../src/models/catalogue.ts';
import { type Conduct, faults } from '../support/model-server/conduct.ts';
import { echoModel } from '../support/model-server/echo.ts';
import { startModelServer } from '../support/model-server/server.ts';
import { until } from '../support/until.ts';
import { callWith, question } from './conformance.ts';
import { type Contact, type Meeting, meet, secret, wires } from './mock.ts';

const unknown = { tokens: null, costUsd: null };
const words = { text: 'A reply of some words, long enough for several pieces of a stream.' };

async function failWith(contact: Contact, conduct: Conduct, more: Meeting = {}) {
  await using met = await meet(contact, { intent: words, conduct: () => conduct, ...more });
  const reply = await met.model.generate(question, callWith());
  if (reply.ok) throw new Error(`The call succeeded: ${JSON.stringify(reply.message)}`);
  // A call that is given up after some milliseconds may be so before its server has come to look at it.
  await until(() => met.exchanges.length > 0);
  expect(met.exchanges).toHaveLength(1);
  expect(reply.error.message).not.toContain(secret);
  expect(reply.error.message).not.toMatch(/\n\s+at /);
  return { ...reply.error, usage: reply.usage };
}

type Expected = Partial<ModelFailure['error']> & { readonly usage?: unknown };

const expected: Readonly<Record<string, Expected>> = {
  'rate-limit': { kind: 'rate-limit', retryable: true, retryAfterMs: 1000, usage: null },
  overloaded: { kind: 'overloaded', retryable: true },
  auth: { kind: 'auth', retryable: false, usage: null },
  timeout: { kind: 'timeout', retryable: true, usage: unknown },
  'bad-request': { kind: 'bad-request', retryable: false, usage: null },
  'context-overflow': { kind: 'context-overflow', retryable: false, usage: null },
  cut: { kind: 'network', retryable: true, usage: unknown },
  garbage: { kind: 'malformed', retryable: true, usage: unknown },
  empty: { kind: 'malformed', retryable: true, usage: unknown },
  page: { kind: 'malformed', usage: unknown },
};

const inStreams: Readonly<Record<string, Expected>> = {
  'error-in-stream': { kind: 'overloaded', retryable: true },
  'early-end': { kind: 'network', retryable: true },
};

describe.each(wires)('$wire, streamed', (contact) => {
  it.each(Object.entries({ ...expected, ...inStreams }))('%s', async (name, told) => {
    expect(await failWith(contact, faults[name] ?? {})).toMatchObject(told);
  });

  it('a server that sends its callers elsewhere is not followed: neither keys nor words go there', async () => {
    const heard: unknown[] = [];
    const strayed: unknown[] = [];
    const elsewhere = await startModelServer({
      model: echoModel,
      onExchange: (exchange) => strayed.push(exchange.headers),
    });
    const gateway = createServer((request, response) => {
      heard.push(request.url);
      response.writeHead(307, { location: `${elsewhere.url}${request.url}?to=${secret}` }).end();
    }).listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    const { port } = gateway.address() as AddressInfo;
    const env = contact.env(`http://127.0.0.1:${port}`);
    const model = await resolveModel(contact.id, { env, priceOf: () => null });
    const reply = await model.generate(question, callWith());
    expect(reply).toMatchObject({ ok: false, error: { kind: 'bad-request', retryable: false }, usage: null });
    expect(!reply.ok && reply.error.message).toContain(`the server sends its callers to ${elsewhere.url}`);
    expect(JSON.stringify(reply)).not.toContain(secret);
    expect({ heard: heard.length, strayed }).toEqual({ heard: 1, strayed: [] });
    await elsewhere.close();
    gateway.close();
  });

  it('a silent server is given up', async () => {
    const failed = await failWith(contact, { hangsAfter: 0 }, { silenceTimeoutMs: 50 });
    expect(failed).toMatchObject({ kind: 'timeout', retryable: true, usage: unknown });
  });

  it('a stream that stops in its middle is given up', async () => {
    const failed = await failWith(contact, { hangsAfter: 4 }, { silenceTimeoutMs: 50 });
    expect(failed).toMatchObject({ kind: 'timeout', retryable: true });
  });

  it('an abort in the middle of a stream is seen by the server', async () => {
    await using met = await meet(contact, { intent: words, conduct: () => ({ hangsAfter: 4 }) });
    const controller = new AbortController();
    const heard: string[] = [];
    const pending = met.model.generate(
      question,
      callWith({ signal: controller.signal, onDelta: ({ text }) => heard.push(text) }),
    );
    const exchange = await until(() => met.exchanges[0]);
    setTimeout(() => controller.abort(new Error('somebody won the race')), 30);
    expect(await pending).toMatchObject({ error: { kind: 'aborted', retryable: false }, usage: unknown });
    await exchange.abandoned;
  });

  it('a slow first byte and odd headers do no harm', async () => {
    const headers = {
      'retry-after': 'soon',
      'x-ratelimit-remaining-requests': 'many',
      'x-odd': '☃'.normalize('NFKD').replace(/[^\x20-\x7e]/g, '?'),
    };
    await using met = await meet(contact, { intent: words, conduct: () => ({ firstByteMs: 300, headers }) });
    expect(await met.model.generate(question, callWith())).toMatchObject({ ok: true });
  });

  it('a key that the server repeats is never told', async () => {
    const fails = { kind: 'auth', message: `Incorrect API key provided: ${secret}.` } as const;
    const { message } = await failWith(contact, { fails });
    expect(message).toContain('Incorrect API key provided: [redacted]');
  });

  it('an account without money is not asked again', async () => {
    const message =
      'You exceeded your current quota, please check your plan and billing details. credit balance is too low';
    const kind = contact.wire === 'anthropic-messages' ? 'bad-request' : 'rate-limit';
    const failed = await failWith(contact, { fails: { kind, message } });
    expect(failed.retryable).toBe(contact.wire === 'gemini');
  });
});

describe.each(wires)('$wire, whole', (contact) => {
  it.each(Object.entries(expected))('%s', async (name, told) => {
    expect(await failWith(contact, faults[name] ?? {}, { stream: false })).toMatchObject(told);
  });
});
