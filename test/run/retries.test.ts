/** A model call that fails: which failures are tried again, when, how each attempt is journaled and what it cost. */
import { expect, test } from 'vitest';
import type { RetryPolicy } from '../../src/core/event.ts';
import { foldRun } from '../../src/core/fold.ts';
import {
  type ModelErrorKind,
  type ModelReply,
  type ModelRequest,
  type ModelSuccess,
  textOf,
} from '../../src/core/model.ts';
import type { Usage } from '../../src/core/usage.ts';
import { fakeClock } from '../../src/io/clock.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { answered, modelOf, oddRun, oddWorld, outline, said } from '../support/odd.ts';
import { eventsOf } from '../support/world.ts';

const failure = (
  kind: ModelErrorKind,
  more: { retryable?: boolean; retryAfterMs?: number } = {},
  usage: Usage | null = null,
): ModelReply => ({ ok: false, error: { kind, message: kind, retryable: true, ...more }, usage });

type Asking = {
  readonly policy?: RetryPolicy;
  readonly request?: ModelRequest;
  readonly kind?: 'live' | 'script';
};

async function ask(
  replies: readonly (ModelReply | Error)[],
  { policy, request = { messages: [{ role: 'user', content: 'x' }] }, kind = 'live' }: Asking = {},
) {
  const requests: ModelRequest[] = [];
  const clock = fakeClock(1_000_000);
  let got: unknown;
  const attempts: number[] = [];
  const model = modelOf((asked, { attempt }) => {
    attempts.push(attempt);
    requests.push(asked);
    const reply = replies[attempt];
    if (!reply || reply instanceof Error) throw reply ?? new Error('not expected');
    return reply;
  });
  const odd = oddWorld({
    io: { clock },
    model: { ...model, kind },
    solve: async (run) => {
      got = await run.generate('solver', request);
      return answered('');
    },
  });
  const world = policy ? { ...odd, retry: policy } : odd;
  await (await startRun(world, oddRun())).done;
  const first = JSON.stringify(got);
  expect(await replayRun(world, 'run')).toMatchObject({ isSame: true });
  expect(JSON.stringify(got), 'the replay gives the agent the same').toBe(first);
  const events = await eventsOf(world, 'run');
  return { got, events, lines: outline(events).slice(1, -1), sleptMs: clock.sleptMs, attempts, requests };
}

test('every attempt is an entry of its own, with its own usage', async () => {
  const tokens = { input: 7, cachedInput: 0, output: 0, reasoning: 0 };
  const { got, lines, attempts, events } = await ask([
    failure('overloaded', {}, { tokens, costUsd: null }),
    said('yes'),
  ]);
  expect(got).toMatchObject({ ok: true, finish: 'stop' });
  expect(lines).toEqual([
    'main#1 model-request',
    'main#1 model-response error',
    'main#1.1 model-request',
    'main#1.1 model-response ok',
  ]);
  expect(attempts).toEqual([0, 1]);
  const { totals } = foldRun(events);
  expect(totals).toMatchObject({ modelCalls: 2, failedModelCalls: 1, tokens: { input: 17, output: 3 } });
  expect(totals.costUsd).toBeCloseTo((17 + 2 * 3) / 1e6, 12);
});

test('a wait doubles up to its bound, unless the provider names its own', async () => {
  const plain = await ask([failure('network'), failure('network'), said('yes')]);
  expect(plain.sleptMs).toEqual([1, 2]);
  const named = await ask([
    failure('rate-limit', { retryAfterMs: 4_000 }),
    failure('network', { retryAfterMs: 0 }),
    said('x'),
  ]);
  expect(named.sleptMs).toEqual([4_000, 0]);
});

test('a script waited in real time for retries: it does so only where it names a wait', async () => {
  const empty = { ...said(''), message: { role: 'assistant', content: [] } } as ModelReply;
  const plain = await ask([failure('network'), empty, said('yes')], { kind: 'script' });
  expect(plain.sleptMs).toEqual([0, 0]);
  const named = await ask([failure('rate-limit', { retryAfterMs: 4_000 }), said('x')], { kind: 'script' });
  expect(named.sleptMs).toEqual([4_000]);
});

test('the last failure is what the agent gets', async () => {
  const { got, attempts } = await ask([failure('network'), failure('timeout'), failure('overloaded')]);
  expect(got).toMatchObject({ ok: false, error: { kind: 'overloaded', retryable: true }, usage: null });
  expect(attempts).toEqual([0, 1, 2]);
});

test('what would fail again is not tried again', async () => {
  const { got, attempts, sleptMs } = await ask([failure('bad-request', { retryable: false })]);
  expect(got).toEqual({
    ok: false,
    error: { kind: 'bad-request', message: 'bad-request', retryable: false },
    usage: null,
  });
  expect([attempts, sleptMs]).toEqual([[0], []]);
});

test('a model that throws, against its contract, has failed for good', async () => {
  const { got, attempts } = await ask([new TypeError('defect')]);
  expect(got).toMatchObject({ ok: false, error: { kind: 'other', message: 'defect', retryable: false } });
  expect(attempts).toEqual([0]);
});

test('a provider that wants to be left alone for a day is out of service, and is not waited for', async () => {
  const { got, sleptMs } = await ask([failure('rate-limit', { retryAfterMs: 86_400_000 })]);
  expect(got).toMatchObject({ ok: false, error: { kind: 'rate-limit' } });
  expect(sleptMs).toEqual([]);
});

const asks = {
  messages: [{ role: 'user', content: 'x' }],
  output: { name: 'n', schema: schemaOfNumber() },
} as const;

function schemaOfNumber() {
  return { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;
}

const json = (text: string, more: Partial<ModelSuccess> = {}): ModelReply => {
  const reply = said(text) as ModelSuccess;
  try {
    return { ...reply, object: JSON.parse(text), ...more };
  } catch {
    return { ...reply, ...more };
  }
};

test('an empty reply has failed, was paid for, and is asked for again less often than what costs nothing', async () => {
  const empty = { ...(said('') as ModelSuccess) };
  const policy = { maxRetries: 4, firstWaitMs: 1, maxWaitMs: 5, maxMalformedRetries: 1 };
  const { got, lines, events } = await ask([empty, empty, said('too late')], { policy });
  expect(got).toMatchObject({ ok: false, error: { kind: 'malformed' }, usage: { tokens: { input: 10 } } });
  expect(lines.filter((line) => line.includes('error'))).toHaveLength(2);
  expect(foldRun(events).totals).toMatchObject({ failedModelCalls: 2, tokens: { input: 20 } });
});

test('a reply of thoughts alone is empty, one that ran out of room while thinking is not', async () => {
  const thoughts = { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] } as const;
  const thinking = { ...(said('') as ModelSuccess), message: thoughts };
  expect((await ask([thinking, said('yes')])).attempts).toEqual([0, 1]);
  const cut = { ...thinking, finish: 'length' } as const;
  expect((await ask([cut])).got).toMatchObject({ ok: true, finish: 'length' });
});

const policy = { maxRetries: 2, firstWaitMs: 1, maxWaitMs: 5, maxRepairs: 1 };

test('a reply that fails its schema is shown to its model once, and both are charged', async () => {
  const { got, requests, lines, events, sleptMs } = await ask([json('{"n":"one"}'), json('{"n":1}')], {
    policy,
    request: asks,
  });
  expect(got).toMatchObject({ ok: true, object: { n: 1 } });
  expect(got).not.toHaveProperty('misfit');
  expect(lines.map((line) => line.slice(0, 8))).toEqual(['main#1 m', 'main#1 m', 'main#1.1', 'main#1.1']);
  expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(JSON.stringify(requests[1]?.messages[2])).toMatch(/expected number/);
  expect(foldRun(events).totals).toMatchObject({ modelCalls: 2, failedModelCalls: 0, tokens: { input: 20 } });
  expect(sleptMs, 'there is nothing to wait for').toEqual([]);
});

test('one that is no JSON at all too; what fails twice is told to the agent', async () => {
  const { got, attempts } = await ask([json('one'), json('still one')], { policy, request: asks });
  expect(got).toMatchObject({ ok: true, misfit: 'it is no JSON.' });
  expect(attempts).toEqual([0, 1]);
});

test('who reads other forms too is not made to pay for a second reply', async () => {
  const request = { ...asks, output: { ...asks.output, repair: false } } as const;
  const { got, attempts } = await ask([json('PLAN: one')], { policy, request });
  expect(got).toMatchObject({ ok: true, misfit: 'it is no JSON.' });
  expect(attempts).toEqual([0]);
});

test('what was cut off, refused, or calls tools is not repaired', async () => {
  for (const finish of ['length', 'refusal', 'tool-calls'] as const) {
    expect((await ask([json('no', { finish })], { policy, request: asks })).attempts).toEqual([0]);
  }
});

test('a journal of an older policy is not repaired when it is replayed', async () => {
  const { got, attempts } = await ask([json('one')], { request: asks });
  expect(got).toMatchObject({ ok: true, misfit: 'it is no JSON.' });
  expect(attempts).toEqual([0]);
});

test('a repair that meets an outage is tried again like any call', async () => {
  const { got, attempts, requests } = await ask([json('one'), failure('network'), json('{"n":1}')], {
    policy,
    request: asks,
  });
  expect(got).toMatchObject({ ok: true, object: { n: 1 } });
  expect(attempts).toEqual([0, 1, 2]);
  expect(requests[2]).toEqual(requests[1]);
});

test('a schema that nobody can read lets every JSON pass', async () => {
  const request = { ...asks, output: { name: 'n', schema: { type: 'no such type' } } };
  expect((await ask([json('{"n":"one"}')], { policy, request })).got).not.toHaveProperty('misfit');
});

test('a filter that answers with an error is a refusal, which is an outcome', async () => {
  const { got, lines, attempts } = await ask([failure('refusal', { retryable: false })]);
  expect(got).toMatchObject({ ok: true, finish: 'refusal', message: { content: [] } });
  expect(lines).toEqual(['main#1 model-request', 'main#1 model-response ok']);
  expect(attempts).toEqual([0]);
});

test('a conversation that is too long is told by its kind, for agents that can compress it', async () => {
  const { got } = await ask([failure('context-overflow', { retryable: false })]);
  expect(got).toMatchObject({ ok: false, error: { kind: 'context-overflow', retryable: false } });
});

test('the same question, asked twice to the letter, is two calls', async () => {
  let calls = 0;
  const world = oddWorld({
    model: modelOf(() => {
      calls += 1;
      return said(`answer ${calls}`);
    }),
    solve: async (run) => {
      const same = { messages: [{ role: 'user', content: 'x' }] } as const;
      const both = await Promise.all([run.generate('solver', same), run.generate('solver', same)]);
      return answered(JSON.stringify(both.map((reply) => reply.ok && textOf(reply.message))));
    },
  });
  const end = await (await startRun(world, oddRun())).done;
  expect(end.solution?.answer).toMatchObject({ text: '["answer 1","answer 2"]' });
});
