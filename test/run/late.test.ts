/** Model calls that are of use until a time alone: broken off when it is over, accounted, and the same again in any later life. */
import { expect, test } from 'vitest';
import type { OfUse, Run } from '../../src/core/agent.ts';
import { foldRun } from '../../src/core/fold.ts';
import type { ModelCall, ModelReply } from '../../src/core/model.ts';
import { forkRun } from '../../src/run/fork.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { answered, modelOf, oddRun, oddWorld, outline, said } from '../support/odd.ts';
import { eventsOf } from '../support/world.ts';

const asked = { messages: [{ role: 'user', content: 'go' }] } as const;

/** What came of a call: its words, or why there are none. */
async function heard(run: Run, use?: OfUse): Promise<string> {
  const reply = await run.generate('solver', asked, use);
  return reply.ok ? 'said' : `${reply.error.kind}: ${reply.error.message}`;
}

const beganAt = performance.now();
/** So long from now, at least, as the run's own clock has it. */
const inMs = (ms: number): number => performance.now() - beganAt + ms;

const endless = ({ signal }: ModelCall): Promise<ModelReply> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('one that is in flight then is broken off and may have been billed; one that would begin later is not made', async () => {
  const calls: string[] = [];
  const world = oddWorld({
    model: modelOf((_request, call) => {
      calls.push(call.branch);
      return call.branch === 'in-time' ? said('yes') : endless(call);
    }),
    solve: async (run) => {
      // When both are in flight, however long that takes.
      const soon = { untilAliveMs: () => (calls.length >= 2 ? 0 : inMs(100)) };
      const line = (name: string, use?: OfUse) => run.branch(name, (here) => heard(here, use));
      const [b, a] = await Promise.all([line('b', soon), line('a', soon)]);
      return answered(
        JSON.stringify([
          a,
          b,
          await line('too-late', soon),
          await line('in-time', { untilAliveMs: () => null }),
        ]),
      );
    },
  });
  const end = await (await startRun(world, oddRun())).done;
  const words = 'aborted: Its answer would have come too late to be of use.';
  expect(end.solution?.answer).toEqual({ type: 'text', text: JSON.stringify([words, words, words, 'said']) });
  expect(calls.toSorted()).toEqual(['a', 'b', 'in-time']);
  const events = await eventsOf(world, 'run');
  expect(
    outline(events)
      .filter((line) => line.includes('model-response'))
      .toSorted(),
  ).toEqual([
    'a#1 model-response cancelled by late',
    'b#1 model-response cancelled by late',
    'in-time#1 model-response ok',
    'too-late#1 model-response error',
  ]);
  expect(foldRun(events).possiblyBilled).toBe(2);
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  // A fork behind it has it as it was: what came of it is part of what was decided then.
  const at = events.find(({ kind, branch }) => kind === 'model-request' && branch === 'in-time')?.seq ?? 0;
  const fork = await (await forkRun(world, 'run', { id: 'fork', at: at - 1 })).done;
  expect(fork.solution?.answer).toEqual(end.solution?.answer);
  expect(calls.filter((name) => name === 'a')).toHaveLength(1);
  await world.store.close();
});

test('the time may be put off while it is in flight', async () => {
  const given: { reply: (reply: ModelReply) => void } = { reply: () => undefined };
  const world = oddWorld({
    model: modelOf(() => new Promise<ModelReply>((resolve) => (given.reply = resolve))),
    solve: async (run) => {
      let looks = 0;
      const use = {
        untilAliveMs: () => {
          looks += 1;
          // When the first time is over, there is another one, and the answer comes.
          if (looks > 2) given.reply(said('yes'));
          return looks > 2 ? null : inMs(50);
        },
      };
      return answered(await heard(run, use));
    },
  });
  const end = await (await startRun(world, oddRun())).done;
  expect(end.solution?.answer).toEqual({ type: 'text', text: 'said' });
  await world.store.close();
});

test('a wait before it is made again is no longer than it is of use', async () => {
  let calls = 0;
  const world = oddWorld({
    model: modelOf(() => {
      calls += 1;
      const error = { kind: 'rate-limit', message: 'later', retryable: true, retryAfterMs: 600_000 } as const;
      return { ok: false, error, usage: null };
    }),
    solve: async (run) => answered(await heard(run, { untilAliveMs: () => (calls > 0 ? 0 : null) })),
  });
  const end = await (await startRun(world, oddRun())).done;
  expect(end.solution?.answer).toMatchObject({ text: expect.stringMatching(/^aborted: .* too late/) });
  expect(calls).toBe(1);
  expect(foldRun(await eventsOf(world, 'run')).possiblyBilled).toBe(0);
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  await world.store.close();
});
