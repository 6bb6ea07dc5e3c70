/** Calls whose usage nobody tells: each is charged what it may have cost at most, in this life and the next. */
import { expect, test } from 'vitest';
import { LimitReached } from '../../src/core/errors.ts';
import { foldRun } from '../../src/core/fold.ts';
import { maxExpense } from '../../src/core/spending.ts';
import { totalSpend } from '../../src/core/totals.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { SharedBudget } from '../../src/run/shared-budget.ts';
import { readSpending } from '../../src/run/spending.ts';
import { startRun } from '../../src/run/start.ts';
import { answered, modelOf, oddRun, oddWorld, said } from '../support/odd.ts';
import { eventsOf } from '../support/world.ts';

const unknown = { tokens: null, costUsd: null };
const replies = {
  'that tells no usage': () => ({ ...said('x'), usage: unknown }),
  'that fails after it was answered': () => ({
    ok: false as const,
    error: { kind: 'malformed' as const, message: 'It cannot be read.', retryable: true },
    usage: unknown,
  }),
  'of a tier without a known price': () => ({ ...said('x'), serviceTier: 'priority' }),
};
const price = { inputUsdPerMillion: 5, cachedInputUsdPerMillion: 5, outputUsdPerMillion: 20 };
const budget = 0.05;

function calling(
  reply: () => ReturnType<(typeof replies)[keyof typeof replies]>,
  onCall = (_calls: number) => {},
) {
  const seen = { calls: 0 };
  const model = modelOf(
    () => {
      seen.calls += 1;
      onCall(seen.calls);
      return reply();
    },
    { price },
  );
  const world = oddWorld({
    model,
    solve: async (run) => {
      try {
        for (let n = 0; n < 40; n += 1)
          await run.generate('solver', {
            messages: [{ role: 'user', content: 'x'.repeat(100) }],
            settings: { maxOutputTokens: 200 },
          });
      } catch (error) {
        if (!(error instanceof LimitReached)) throw error;
        return answered(error.limit);
      }
      return answered('done');
    },
  });
  return { world, seen };
}

/** About 180 bytes are sent, and a reply has 200 tokens at most: $0.0049 a call. */
const affordable = 10;

test.each(Object.entries(replies))(
  'a call %s leaves the budget as it is, also after a resume',
  async (_what, reply) => {
    const stopping: { stop: () => void } = { stop: () => undefined };
    const { world, seen } = calling(reply, (calls) => calls === 4 && stopping.stop());
    const handle = await startRun(world, oddRun({ limits: { costUsd: budget } }));
    stopping.stop = () => handle.stop();
    expect((await handle.done).outcome).toBe('cancelled');
    const end = await (await resumeRun(world, 'run')).done;
    expect(end.solution?.answer).toEqual({ type: 'text', text: 'costUsd' });
    expect(seen.calls).toBeGreaterThan(4);
    expect(seen.calls).toBeLessThanOrEqual(affordable + 1);
    const most = maxExpense(await readSpending(world.store));
    expect(most.costUsd).toBeGreaterThan(budget / 2);
    expect(most.costUsd).toBeLessThanOrEqual(budget);
    expect(totalSpend(foldRun(await eventsOf(world, 'run')).totals).costUsd).toBeNull();
    expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  },
);

test.each(Object.entries(replies))('a call %s leaves a shared budget as it is', async (_what, reply) => {
  const { world, seen } = calling(reply);
  const shared = new SharedBudget({ costUsd: budget });
  const share = shared.shareOf(() => undefined);
  for (const id of ['one', 'two'])
    await (await startRun({ ...world, sharedBudget: share }, oddRun({ id }))).done;
  expect(seen.calls).toBeLessThanOrEqual(affordable);
  expect(shared.refusal).toMatchObject({ limit: 'costUsd' });
});
