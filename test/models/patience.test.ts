/**
 * Calls of over an hour. Nobody waits so long in a test: the time of undici's own timers, which are what ends a silent
 * call, is set forward, and all else is real. Node's own fetch would give up after 300 s.
 */
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ModelReply } from '../../src/core/model.ts';
import { resolveModel } from '../../src/models/catalogue.ts';
import { modelName, say, startChatServer } from './chat-server.ts';
import { callWith, question } from './conformance.ts';
import { contacts, type Meeting, meet } from './mock.ts';

const { tick } = createRequire(import.meta.url)('undici/lib/util/timers.js') as { tick(ms: number): void };

const minuteMs = 60_000;
const twoHoursMs = 120 * minuteMs;

/** Undefined while it is still waited for. */
async function now(pending: Promise<ModelReply>): Promise<ModelReply | undefined> {
  return Promise.race([pending, sleep(30).then(() => undefined)]);
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(2);
  // What was sent last is on its way: there in some turns of this process, which is the server too, and not after some
  // time, in which a busy machine may not come to it. And a timer begins to count at the first look at it.
  for (let turn = 0; turn < 50; turn += 1) await sleep(5);
  tick(1_000);
}

describe.each(contacts)('$id', (contact) => {
  const silences: readonly [string, Pick<Meeting, 'conduct'>][] = [
    ['before the first byte', { conduct: () => ({ hangsAfter: 0 }) }],
    ['in the middle of a reply', { conduct: () => ({ hangsAfter: 4 }) }],
  ];
  it.each(silences)('bears two hours of silence %s, and no more', async (_name, meeting) => {
    await using met = await meet(contact, {
      intent: { text: 'A reply of some words, long enough for several pieces of a stream.' },
      ...meeting,
    });
    const pending = met.model.generate(question, callWith());
    await until(() => met.exchanges.length > 0);
    for (const waitedMs of [6 * minuteMs, 60 * minuteMs, twoHoursMs - 67 * minuteMs]) {
      tick(waitedMs);
      expect(await now(pending)).toBeUndefined();
    }
    tick(2 * minuteMs);
    expect(await pending).toMatchObject({ ok: false, error: { kind: 'timeout', retryable: true } });
  });
});

it('a reply that comes after an hour is the reply', async () => {
  const { promise: hour, resolve: strike } = Promise.withResolvers<void>();
  let asked = 0;
  await using server = await startChatServer(async (exchange) => {
    asked += 1;
    await hour;
    say(exchange, { content: 'At last.' });
  });
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.baseUrl, OPENAI_COMPATIBLE_API_KEY: 'none' };
  const model = await resolveModel(`openai-compatible/${modelName}`, { env, priceOf: () => null });
  const pending = model.generate(question, callWith());
  await until(() => asked === 1);
  tick(61 * minuteMs);
  strike();
  expect(await pending).toMatchObject({ ok: true, message: { content: [{ text: 'At last.' }] } });
});

it('a server may be given more patience, or less, by its user', async () => {
  await using server = await startChatServer(() => new Promise(() => undefined));
  const patient = async (seconds: string) => {
    const access = { OPENAI_COMPATIBLE_BASE_URL: server.baseUrl, OPENAI_COMPATIBLE_API_KEY: 'none' };
    const env = { ...access, OPENAI_COMPATIBLE_SILENCE_SECONDS: seconds };
    const model = await resolveModel(`openai-compatible/${modelName}`, { env, priceOf: () => null });
    return model.generate(question, callWith());
  };
  const [short, long] = [patient('600'), patient('86400')];
  await until(() => server.exchanges.length === 2);
  tick(9 * minuteMs);
  expect(await now(short)).toBeUndefined();
  tick(2 * minuteMs);
  expect(await short).toMatchObject({ ok: false, error: { kind: 'timeout' } });
  tick(23 * 60 * minuteMs);
  expect(await now(long)).toBeUndefined();
  tick(60 * minuteMs);
  expect(await long).toMatchObject({ ok: false, error: { kind: 'timeout' } });
});
