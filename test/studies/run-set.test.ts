/** Run-sets: many runs, some at once, one budget, an end that one of them brings about; refused before they begin. */

import { describe, expect, test, vi } from 'vitest';
import { UnavailableError } from '../../src/core/errors.ts';
import type { ModelReply } from '../../src/core/model.ts';
import type { Runtime } from '../../src/run/world.ts';
import { RowAssigner } from '../../src/studies/fleet/given-rows.ts';
import { beginSet, prepareRows, resumeSet } from '../../src/studies/run-set/execute.ts';
import type { RunSet } from '../../src/studies/run-set/plan.ts';
import { readRows } from '../../src/studies/run-set/rows.ts';
import { coded } from '../support/coded.ts';
import { agentOf, answered, familyOf, modelOf, said, say } from '../support/odd.ts';
import { until } from '../support/until.ts';
import { rowOf, setOfRows, setWorld } from './sets.ts';

async function begin(world: Runtime, set: RunSet) {
  return beginSet(world, set, { prepared: await prepareRows(world, set) });
}

async function resume(world: Runtime, set: RunSet) {
  return resumeSet(world, set, { prepared: await prepareRows(world, set) });
}

const rows = (count: number) => Array.from({ length: count }, (_, n) => rowOf({ name: `row ${n}` }));
const later = (reply: ModelReply | string, ms = 2) =>
  new Promise<ModelReply | string>((resolve) => setTimeout(() => resolve(reply), ms));

test('every row comes to its end, no more of them at once than were asked for', async () => {
  const runs = new Set<string>();
  let most = 0;
  const world = setWorld(
    modelOf(async (_request, { run = '' }) => {
      runs.add(run);
      most = Math.max(most, runs.size);
      // So many must come to be there together; who comes besides them has some time to be seen.
      await until(() => most >= 3);
      const reply = await later('yes', 60);
      runs.delete(run);
      return reply;
    }),
  );
  const set = setOfRows(rows(9), { concurrency: 3 });
  expect(await (await begin(world, set)).done).toBe('done');
  const results = await readRows(world.store, set);
  expect(results.map(({ state, view }) => `${state} ${view?.end?.outcome}`)).toEqual(
    Array.from({ length: 9 }, () => 'ended wrong'),
  );
  expect(most).toBe(3);
  expect(await world.store.getSet('set')).toMatchObject({ ending: { reason: 'done' }, owner: null });
  expect((await world.store.listSets()).map(({ id }) => id)).toEqual(['set']);
});

test('rows that others do are watched again when the store is back, and given up when the set is another’s', async () => {
  const { waitsOut } = RowAssigner.prototype;
  for (const [code, stops] of [
    ['database-unreachable', 0],
    ['ownership-lost', 1],
  ] as const) {
    const broken = new UnavailableError({ code, what: 'It cannot be asked.', fix: 'Wait.' });
    const beat = Promise.withResolvers<void>();
    const heartbeatSet = async () => {
      beat.resolve();
      throw broken;
    };
    const model = modelOf(async () => 'yes');
    const world = setWorld(model, { wrapStore: (store) => Object.assign(store, { heartbeatSet }) });
    const row = Promise.withResolvers<null>();
    let stopped = 0;
    const stop = () => {
      stopped += 1;
      row.resolve(null);
    };
    const begun = Promise.withResolvers<void>();
    const nothing = async () => undefined;
    const begin = async () => {
      begun.resolve();
      return { done: row.promise, stop };
    };
    const runner = { ...{ atOnce: 1, refusal: null, open: nothing, close: nothing }, waitsOut, begin };
    const set = setOfRows(rows(1));
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { done } = await beginSet(world, set, { prepared: await prepareRows(world, set), runner });
      await begun.promise;
      await later('');
      vi.advanceTimersByTime(2_000);
      await beat.promise;
      await later('');
      row.resolve(null);
      await done;
    } finally {
      vi.useRealTimers();
    }
    expect(stopped, code).toBe(stops);
  }
});

describe('one budget', () => {
  const price = { inputUsdPerMillion: 0, cachedInputUsdPerMillion: 0, outputUsdPerMillion: 1_000 };
  /** It takes all the room that it is given. */
  const greedy = modelOf(
    async (request) => {
      const output = request.settings?.maxOutputTokens ?? Number.NaN;
      const tokens = { input: 10, cachedInput: 0, output, reasoning: 0 };
      return later({
        ...(said('yes') as Extract<ModelReply, { ok: true }>),
        usage: { tokens, costUsd: null },
      });
    },
    { kind: 'live', price },
  );

  test('is never passed, however many rows take from it at once', async () => {
    const world = setWorld(greedy);
    const set = setOfRows(rows(12), { concurrency: 6, budget: { costUsd: 40 } });
    expect(await (await begin(world, set)).done).toBe('budget');
    const results = await readRows(world.store, set);
    const spent = results.reduce((sum, { view }) => sum + (view?.totals.costUsd ?? 0), 0);
    expect(spent).toBeLessThanOrEqual(40);
    expect(spent, 'and what it is for').toBeGreaterThan(38);
    expect(results.some(({ view }) => view?.end?.limit === 'costUsd')).toBe(true);
    expect(results.some(({ state }) => state === 'missing')).toBe(true);
  });

  test('counts what earlier processes spent, and a larger one goes on', async () => {
    const world = setWorld(greedy);
    const small = setOfRows(rows(4), { concurrency: 1, budget: { costUsd: 5 } });
    expect(await (await begin(world, small)).done).toBe('budget');
    expect(await (await resume(world, small)).done).toBe('budget');
    const sum = async () =>
      (await readRows(world.store, small)).reduce((all, { view }) => all + (view?.totals.costUsd ?? 0), 0);
    expect(await sum()).toBeLessThanOrEqual(5);
    const large = setOfRows(rows(4), { concurrency: 1, budget: { costUsd: 1_000 } });
    expect(await (await resume(world, large)).done).toBe('done');
    expect(await sum()).toBeGreaterThan(5);
    expect((await world.store.getSet('set'))?.plan).toMatchObject({ budget: { costUsd: 1_000 } });
  });

  test('of which nothing is left calls off the rows that have got nothing: a larger one goes on with them', async () => {
    const world = setWorld(greedy);
    const one = rowOf({ settings: { calls: 1 }, modelSettings: { default: { maxOutputTokens: 2_000 } } });
    const set = (costUsd: number) => setOfRows(Array(6).fill(one), { concurrency: 3, budget: { costUsd } });
    const states = async () => (await readRows(world.store, set(1))).map(({ state }) => state);
    expect(await (await begin(world, set(7))).done).toBe('budget');
    const [done, rest] = [await states(), await world.store.getSet('set')];
    expect(done.filter((state) => state === 'ended')).toHaveLength(3);
    expect(rest?.ending).toEqual({ reason: 'budget' });
    for (let time = 0; time < 2; time += 1)
      expect(await (await resume(world, set(7))).done, 'the same budget is not enough again').toBe('budget');
    expect(await states()).toEqual(done.map((state) => (state === 'missing' ? expect.any(String) : state)));
    expect(await (await resume(world, set(100))).done).toBe('done');
    expect((await readRows(world.store, set(100))).map(({ view }) => view?.end?.outcome)).toEqual(
      Array(6).fill('wrong'),
    );
  });

  test('of tokens is kept alike, and a row of its own limits ends by those', async () => {
    const world = setWorld(modelOf(() => later('yes')));
    const limited = rowOf({ limits: { modelCalls: 1 } });
    const set = setOfRows([limited, ...rows(30)], { concurrency: 4, budget: { tokens: 1_600 } });
    expect(await (await begin(world, set)).done).toBe('budget');
    const results = await readRows(world.store, set);
    expect(results[0]?.view?.end?.limit).toBe('modelCalls');
    const spent = results.reduce((all, { view }) => all + (view?.totals.tokens.input ?? 0), 0);
    expect(spent).toBeLessThan(1_600);
    expect(spent).toBeGreaterThan(100);
  });

  test('means nothing without a price: the set is refused before it begins', async () => {
    const world = setWorld(modelOf(() => 'yes', { kind: 'live', price: null }));
    const set = setOfRows(rows(2), { budget: { costUsd: 1 } });
    await expect(prepareRows(world, set)).rejects.toThrow(
      /Row 1 \(row 0\): The price of test\/odd is unknown/,
    );
    expect(await world.store.list()).toEqual([]);
  });
});

test('the first row that solves cancels the rest, where that was asked for', async () => {
  const solving = modelOf(async (_request, { run, signal }) => {
    if (run === 'set-2') return 'solved';
    await until(() => signal.aborted);
    return { ok: false, error: { kind: 'aborted', message: '', retryable: false }, usage: null };
  });
  const world = setWorld(solving);
  const set = setOfRows(rows(5), { concurrency: 3, stopWhen: 'solved' });
  expect(await (await begin(world, set)).done).toBe('solved');
  const results = await readRows(world.store, set);
  expect(results.map(({ state, view }) => `${state} ${view?.end?.outcome ?? ''}`.trim())).toEqual([
    'interrupted cancelled',
    'ended solved',
    'interrupted cancelled',
    'missing',
    'missing',
  ]);
});

describe('an answer that nobody grades', () => {
  const plain = familyOf({});
  /** Run 2 answers; run 1 gives up first, which is an end and no success; the others wait until they are broken off. */
  const model = modelOf(async (_request, { run = '', signal }) => {
    if (run === 'set-1') return 'nothing';
    if (run === 'set-2') {
      await until(async () => (await current?.store.get('set-1'))?.ended);
      return 'answer';
    }
    if (run === 'set-5') return later('answer', 40);
    await until(() => signal.aborted);
    return { ok: false, error: { kind: 'aborted', message: '', retryable: false }, usage: null };
  });
  const agent = agentOf(async (run) => {
    const said = await say(run, 'try');
    return said === 'answer' ? answered(said) : { end: 'gave-up', answer: { type: 'text', text: said } };
  });
  let current: Runtime | null = null;
  const ungraded = (): Runtime => {
    current = setWorld(model, { family: plain, agent });
    return current;
  };
  const told = async (world: Runtime, set: RunSet) =>
    (await readRows(world.store, set)).map(({ state, view }) =>
      `${state} ${view?.end?.outcome ?? ''}`.trim(),
    );

  test('ends the set where that is asked for; giving up does not', async () => {
    const world = ungraded();
    const set = setOfRows(rows(4), { concurrency: 3, stopWhen: 'answered' });
    expect(await (await begin(world, set)).done).toBe('answered');
    const states = await told(world, set);
    expect(states.slice(0, 3)).toEqual(['ended gave-up', 'ended answered', 'interrupted cancelled']);
    expect(await (await resume(world, set)).done, 'nothing is left to do').toBe('answered');
    expect(await told(world, set)).toEqual(states);
  });

  test('is not "solved", which only a grade says', async () => {
    const world = ungraded();
    const set = setOfRows(rows(2), { stopWhen: 'solved' });
    expect(await (await begin(world, set)).done).toBe('done');
    expect(await told(world, set)).toEqual(['ended gave-up', 'ended answered']);
  });

  test('cancels the rows of its own problem alone, where that is asked for', async () => {
    const world = ungraded();
    const of = (n: number) => rowOf({ problem: { n } });
    const set = setOfRows([of(1), of(1), of(1), of(2), of(2)], {
      concurrency: 5,
      stopWhen: 'answered',
      stopWithin: 'problem',
    });
    expect(await (await begin(world, set)).done).toBe('answered');
    expect(await told(world, set)).toEqual([
      ...['ended gave-up', 'ended answered', 'interrupted cancelled'],
      ...['interrupted cancelled', 'ended answered'],
    ]);
  });

  test('of one problem is not one of every problem: the set has ended, and not as answered', async () => {
    const world = ungraded();
    const of = (n: number) => rowOf({ problem: { n } });
    const set = setOfRows([of(1), of(2), of(2)], {
      concurrency: 3,
      stopWhen: 'answered',
      stopWithin: 'problem',
    });
    expect(await (await begin(world, set)).done).toBe('done');
    expect(await told(world, set)).toEqual(['ended gave-up', 'ended answered', 'interrupted cancelled']);
  });
});

test('a set that is stopped has rows that can be gone on with; what was settled is not made again', async () => {
  const asked: string[] = [];
  let isSlow = true;
  const world = setWorld(
    modelOf(async (request, { run, signal }) => {
      const words = JSON.stringify(request.messages);
      if (isSlow && words.includes('call 2')) await until(() => signal.aborted);
      if (signal.aborted) {
        return { ok: false, error: { kind: 'aborted', message: '', retryable: false }, usage: null };
      }
      asked.push(`${run} ${words}`);
      return 'yes';
    }),
  );
  const set = setOfRows(rows(4), { concurrency: 2 });
  const handle = await begin(world, set);
  await until(() => asked.length === 4);
  handle.stop();
  expect(await handle.done).toBeNull();
  expect(await world.store.getSet('set')).toMatchObject({ ending: null, owner: null });
  isSlow = false;
  expect(await (await resume(world, set)).done).toBe('done');
  expect(asked).toHaveLength(4 * 3);
  expect(new Set(asked).size).toBe(4 * 3);
});

describe('what cannot begin', () => {
  test.each([
    ['an agent', { agent: 'none' }, 'Row 2'],
    ['a role', { models: { nobody: 'test/odd' } }, /no role nobody/],
    ['no model', { models: {} }, /No model is named/],
  ])('%s is found in its row before anything is made', async (_name, wrong, message) => {
    const world = setWorld(modelOf(() => 'yes'));
    const set = setOfRows([rowOf(), rowOf(wrong)]);
    await expect(prepareRows(world, set)).rejects.toThrow(message);
    expect(await world.store.list()).toEqual([]);
  });

  test('a set that somebody is at work on is left to them', async () => {
    const { promise: isRefused, resolve: letGo } = Promise.withResolvers<void>();
    const world = setWorld(modelOf(() => isRefused.then(() => 'yes')));
    const set = setOfRows(rows(1));
    const handle = await begin(world, set);
    await expect(resume(world, set)).rejects.toThrow(coded('run-owned'));
    letGo();
    await handle.done;
  });

  test('a row that fails by a defect leaves the others alone', async () => {
    const failures: string[] = [];
    const world = setWorld(modelOf(() => 'yes'));
    const set = setOfRows(rows(3), { concurrency: 1 });
    await (await begin(world, setOfRows(rows(1)))).done;
    const prepared = await prepareRows(world, set);
    // Its run appears between the look and the begin.
    const twice = new Map([...prepared].map(([index, each]) => [index, index === 1 ? renamed(each) : each]));
    const handle = await resumeSet(world, set, {
      prepared: twice,
      observer: { onFailure: (index, error) => failures.push(`${index} ${error.message}`) },
    });
    expect(await handle.done).toBeNull();
    expect(failures).toEqual(['1 There is a run set-1 already.']);
    expect((await readRows(world.store, set)).map(({ state }) => state)).toEqual([
      'ended',
      'missing',
      'ended',
    ]);
  });
});

function renamed<T extends { header: { runId: string } }>(prepared: T): T {
  return { ...prepared, header: { ...prepared.header, runId: 'set-1' } };
}
