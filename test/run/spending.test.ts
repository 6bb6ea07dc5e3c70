/** What the journals say was spent: every call once, in its role and on its model, forks and broken calls included. */
import { expect, test } from 'vitest';
import { maxExpense, spendingBy, sumOf } from '../../src/core/spending.ts';
import type { Store } from '../../src/core/store.ts';
import { fakeClock } from '../../src/io/clock.ts';
import { forkRun } from '../../src/run/fork.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { readExpenses, readSpending, totalSpent } from '../../src/run/spending.ts';
import { startRun } from '../../src/run/start.ts';
import type { Runtime } from '../../src/run/world.ts';
import { agentOf, answered, modelOf, oddRun, oddWorld, said, say } from '../support/odd.ts';
import { until } from '../support/until.ts';

/** As each run summed itself up at its end, without its journal. */
async function expectSummedUp({ store }: Runtime): Promise<void> {
  const closed: Store = Object.create(store, {
    events: { value: () => Promise.reject(new Error('opened')) },
  });
  for (const row of await store.list())
    expect(await totalSpent(closed, row)).toEqual(sumOf('', await readExpenses(store, row)));
}

const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
const agent = agentOf(
  async (run) => {
    await say(run, 'to the solver');
    await run.generate('grader', { messages: [{ role: 'user', content: 'to the grader' }] });
    return answered('');
  },
  { roles: ['solver', 'grader'] },
);
const price = { inputUsdPerMillion: 1e6, cachedInputUsdPerMillion: 0, outputUsdPerMillion: 0 };

test('is told by role, model, run and day, failed attempts included', async () => {
  const dear = modelOf(
    (_request, { role, attempt }) =>
      role === 'grader' && attempt === 0
        ? {
            ok: false,
            error: { kind: 'malformed', message: '', retryable: true },
            usage: { tokens: { input: 4, cachedInput: 2, output: 0, reasoning: 0 }, costUsd: null },
          }
        : said('yes'),
    { kind: 'live', price },
  );
  // Of one day, also at midnight.
  const clock = fakeClock(Date.UTC(2026, 5, 1));
  const models = { 'test/odd': dear, 'test/free': modelOf(() => 'yes') };
  const world = oddWorld({ agent, models, io: { clock } });
  await (await startRun(world, oddRun())).done;
  await (await startRun(world, oddRun({ id: 'free', models: { default: 'test/free' } }))).done;
  const expenses = await readSpending(world.store);
  expect(expenses).toHaveLength(5);
  expect(
    spendingBy(expenses, 'model', day).map(({ name, costUsd, isFree }) => [name, costUsd, isFree]),
  ).toEqual([
    ['test/odd', 22, false],
    ['test/free', expect.any(Number), true],
  ]);
  const paid = expenses.filter(({ kind }) => kind === 'live');
  expect(spendingBy(paid, 'role', day)).toMatchObject([
    { name: 'grader', calls: 2, costUsd: 12, tokens: { input: 14, cachedInput: 2 } },
    { name: 'solver', calls: 1, costUsd: 10 },
  ]);
  expect(spendingBy(expenses, 'run', day).map(({ name }) => name)).toEqual(['run', 'free']);
  expect(spendingBy(expenses, 'family', day)).toMatchObject([{ name: 'odd', calls: 5 }]);
  expect(spendingBy(expenses, 'day', day)).toHaveLength(1);
  expect(await readSpending(world.store, clock.now() + 1_000)).toEqual([]);
  await expectSummedUp(world);
});

test('what a fork took over was paid once, by its parent', async () => {
  const live = modelOf(() => said('yes'), { kind: 'live', price });
  const world = oddWorld({ agent, model: live });
  await (await startRun(world, oddRun())).done;
  await (await forkRun(world, 'run', { id: 'fork', at: 3 })).done;
  const sums = spendingBy(await readSpending(world.store), 'run', day);
  expect(sums).toMatchObject([
    { name: 'run', calls: 2, costUsd: 20 },
    { name: 'fork', calls: 1, costUsd: 10 },
  ]);
  await expectSummedUp(world);
});

test('a call that was broken off may have been billed, at most what was reserved; what it cost again is known', async () => {
  let isFirst = true;
  const slow = modelOf(
    async (_request, { signal }) => {
      if (!isFirst) return said('yes');
      await until(() => signal.aborted);
      return { ok: false, error: { kind: 'aborted', message: '', retryable: false }, usage: null };
    },
    { kind: 'live', price },
  );
  const world = oddWorld({ model: slow, solve: async (run) => answered(await say(run, 'x')) });
  const handle = await startRun(world, oddRun());
  await until(async () => ((await world.store.get('run'))?.lastSeq ?? 0) >= 2);
  handle.stop();
  await handle.done;
  isFirst = false;
  await (await resumeRun(world, 'run')).done;
  const expenses = await readSpending(world.store);
  const sum = sumOf('all', expenses);
  expect(sum).toMatchObject({ calls: 2, possiblyBilled: 1, costUsd: 10, callsOfUnknownCost: 0 });
  expect(sum.possiblyUsd).toBeGreaterThan(80);
  expect(expenses.map(({ role }) => role)).toEqual(['solver', 'solver']);
  await expectSummedUp(world);
});

test('an unknown cost is no cost of nothing', async () => {
  const world = oddWorld({
    model: modelOf(() => said('yes'), { kind: 'live', price: null }),
    solve: async (run) => answered(await say(run, 'x')),
  });
  await (await startRun(world, oddRun())).done;
  expect(sumOf('all', await readSpending(world.store))).toMatchObject({ costUsd: 0, callsOfUnknownCost: 1 });
});

test('a reply without a price counts as its tokens, not as all that was reserved for it', async () => {
  const usage = { tokens: { input: 7, cachedInput: 0, output: 2, reasoning: 0 }, costUsd: null };
  const replies = [
    said('yes'),
    { ...said('yes'), usage },
    { ...said('yes'), usage: { ...usage, tokens: null } },
  ];
  const tokensOf = async (reply: (typeof replies)[number] | undefined) => {
    const world = oddWorld({
      model: modelOf(() => reply ?? said('no'), { kind: 'live', price: null }),
      solve: async (run) => answered(await say(run, 'x')),
    });
    await (await startRun(world, oddRun({ limits: { tokens: 10_000 } }))).done;
    return maxExpense(await readSpending(world.store)).tokens;
  };
  expect(await tokensOf(replies[1])).toBe(9);
  expect(await tokensOf(replies[0])).toBeLessThan(100);
  expect(await tokensOf(replies[2]), 'nobody knows').toBeGreaterThan(4_000);
});

test.each([1e308, -1e308, 1e10])(
  '%d tokens or dollars of an old journal are unknown, not an endless sum',
  async (count) => {
    const tokens = { input: count, cachedInput: 0, output: count, reasoning: 0 };
    const live = modelOf(() => ({ ...said('yes'), usage: { tokens, costUsd: count } }), {
      kind: 'live',
      price,
    });
    const world = oddWorld({ agent, model: live });
    await (await startRun(world, oddRun())).done;
    const [sum] = spendingBy(await readSpending(world.store), 'run', day);
    expect(sum).toMatchObject({
      calls: 2,
      tokens: { input: 0, output: 0 },
      costUsd: 0,
      callsOfUnknownCost: 2,
    });
  },
);

test('each journal is asked for once: the cost of 10,000 runs took 8 s', async () => {
  let asked = 0;
  const wrapStore = (store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        if (name === 'events') asked += 1;
        return Reflect.get(target, name)?.bind(target);
      },
    });
  const world = oddWorld({ agent, wrapStore });
  for (const id of ['a', 'b', 'c']) await (await startRun(world, oddRun({ id }))).done;
  expect(await readSpending(world.store)).toHaveLength(6);
  expect(asked).toBe(3);
});
