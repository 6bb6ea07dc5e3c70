/** A model call that fails: which failures are tried again, when, how each attempt is journaled and what it cost. */
import { expect, test } from 'vitest';
import { foldRun } from '../../src/core/fold.ts';
import type { ModelErrorKind, ModelReply } from '../../src/core/model.ts';
import type { Usage } from '../../src/core/usage.ts';
import { leapingClock } from '../../src/io/clock.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { answered, modelOf, oddRun, oddWorld, outline, said } from '../support/odd.ts';
import { eventsOf } from '../support/world.ts';

const failure = (
  kind: ModelErrorKind,
  more: { retryable?: boolean; retryAfterMs?: number } = {},
  usage: Usage | null = null,
): ModelReply => ({ ok: false, error: { kind, message: kind, retryable: true, ...more }, usage });

async function ask(replies: readonly (ModelReply | Error)[]) {
  const clock = leapingClock(1_000_000);
  let got: unknown;
  const attempts: number[] = [];
  const world = oddWorld({
    io: { clock },
    model: modelOf((_request, { attempt }) => {
      attempts.push(attempt);
      const reply = replies[attempt];
      if (!reply || reply instanceof Error) throw reply ?? new Error('not expected');
      return reply;
    }),
    solve: async (run) => {
      got = await run.generate('solver', { messages: [{ role: 'user', content: 'x' }] });
      return answered('');
    },
  });
  await (await startRun(world, oddRun())).done;
  const first = JSON.stringify(got);
  expect(await replayRun(world, 'run')).toMatchObject({ isSame: true });
  expect(JSON.stringify(got), 'the replay gives the agent the same').toBe(first);
  const events = await eventsOf(world, 'run');
  return { got, events, lines: outline(events).slice(1, -1), sleptMs: clock.sleptMs, attempts };
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
