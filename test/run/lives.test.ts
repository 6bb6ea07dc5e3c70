/** What several lives of one run add up to: time alive, limits on it, calls that may have been billed, the ledger. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foldRun } from '../../src/core/fold.ts';
import { Ledger, reservationFor } from '../../src/core/limits.ts';
import type { ModelReply } from '../../src/core/model.ts';
import { fakeClock } from '../../src/io/clock.ts';
import { forkRun } from '../../src/run/fork.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { thisProcess } from '../../src/store/owner.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { coded } from '../support/coded.ts';
import { answered, modelOf, oddRun, oddWorld, said, say } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { eventsOf } from '../support/world.ts';

const hour = 3_600_000;

/** A call that is answered by nothing but its abort. */
function abortedBy(signal: AbortSignal): Promise<ModelReply> {
  const error = { kind: 'aborted', message: 'aborted', retryable: false } as const;
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ ok: false, error, usage: null }));
  });
}

test('a life that says nothing more is counted up to its last heartbeat', async () => {
  const clock = fakeClock(1_000_000);
  let isFirst = true;
  const world = oddWorld({
    io: { clock },
    model: modelOf((_request, { signal }) => {
      if (!isFirst) return said('at last');
      isFirst = false;
      return abortedBy(signal);
    }),
    solve: async (run) => answered(await say(run, 'x')),
  });
  const first = await startRun(world, oddRun());
  await until(() => !isFirst);
  clock.advance(2 * hour);
  first.stop();
  await first.done;
  clock.advance(5 * hour);
  const end = await (await resumeRun(world, 'run')).done;
  expect(end.outcome).not.toBe('cancelled');
  const view = foldRun(await eventsOf(world, 'run'));
  expect(end.aliveMs).toBeGreaterThanOrEqual(2 * hour);
  expect(end.aliveMs).toBeLessThan(3 * hour);
  expect(view.aliveMs).toBe(end.aliveMs);
});

test('the wall time that earlier lives have used is gone', async () => {
  const clock = fakeClock(1_000_000);
  let calls = 0;
  const world = oddWorld({
    io: { clock },
    model: modelOf((_request, { signal }) => {
      calls += 1;
      return abortedBy(signal);
    }),
    solve: async (run) => answered(await say(run, 'x')),
  });
  const first = await startRun(world, oddRun({ limits: { wallMs: hour } }));
  await until(() => calls > 0);
  clock.advance(hour);
  first.stop();
  await first.done;
  const end = await (await resumeRun(world, 'run')).done;
  expect(end).toMatchObject({ outcome: 'limit', limit: 'wallMs' });
  expect(calls).toBeLessThanOrEqual(2);
});

test('what was used takes the place of what was reserved', () => {
  const request = { messages: [], settings: { maxOutputTokens: 900 } };
  const reservation = reservationFor({ request, spec: 'test/odd', price: null });
  const ledger = new Ledger({ tokens: 1_100 });
  for (let call = 0; call < 5; call += 1) {
    expect(ledger.rejection('model', reservation), `call ${call}`).toBeNull();
    ledger.begin('model', reservation);
    const tokens = { input: 5, cachedInput: 0, output: 5, reasoning: 0 };
    ledger.settle(reservation, { status: 'ok', result: null, usage: { tokens, costUsd: null } });
  }
});

test('a run of many calls fits a limit that their reservations together would break', async () => {
  const world = oddWorld({
    model: modelOf(() => said('yes')),
    solve: async (run) => {
      for (let call = 0; call < 10; call += 1) await say(run, `call ${call}`);
      return answered('done');
    },
  });
  const end = await (await startRun(world, oddRun({ limits: { tokens: 12_000 } }))).done;
  expect(end.limit).toBeUndefined();
});

test("a fork tells whose words its beginning holds, and what was paid for them is its parent's", async () => {
  const world = oddWorld({
    model: modelOf(() => said('yes')),
    solve: async (run) => answered(await say(run, 'x')),
  });
  await (await startRun(world, oddRun())).done;
  const fork = await forkRun(world, 'run', { id: 'fork', models: { default: 'another' } });
  await fork.done;
  expect(fork.header.fork?.models.map(({ spec }) => spec)).toEqual([oddRun().models.default]);
  const row = await world.store.get('fork');
  expect(row?.summary.models).toEqual(expect.arrayContaining(['another', oddRun().models.default]));
  expect(foldRun(await eventsOf(world, 'fork')).possiblyBilled).toBe(0);
});

const leaps = [
  ['forward', [25]],
  ['back', [-25]],
  ['both ways', [30, -55, 26, -27]],
] as const;

test.each(leaps)(
  'a clock that leaps %s over a day loses no run and makes no time negative',
  async (_way, hours) => {
    const clock = fakeClock(2_000_000_000);
    const folder = temporaryFolder();
    const open = () => openSqliteStore({ file: join(folder, 'polya.db'), now: clock.now });
    const another = open();
    let calls = 0;
    const makeWorld = (fails: number) =>
      oddWorld({
        folder,
        io: { clock },
        wrapStore: (store) => {
          void store.close();
          return open();
        },
        model: modelOf(async () => {
          clock.advance((hours[calls % hours.length] ?? 0) * hour);
          calls += 1;
          // A lease is the process's, whatever the clock says.
          await expect(another.acquire('run', thisProcess())).rejects.toThrow(coded('run-owned'));
          const error = { kind: 'network', message: 'gone', retryable: false } as const;
          return calls === fails ? { ok: false, error, usage: null } : said('yes');
        }),
        solve: async (run) => {
          for (let call = 0; call < 6; call += 1) await say(run, `call ${call}`);
          return answered('done');
        },
      });
    const first = makeWorld(4);
    const broken = await (await startRun(first, oddRun())).done;
    expect(broken.outcome).toBe('error');
    clock.advance((hours[0] ?? 0) * -2 * hour);
    const end = await (await resumeRun(makeWorld(0), 'run')).done;
    expect(end).toMatchObject({ outcome: 'answered' });
    expect(end.aliveMs).toBeGreaterThanOrEqual(broken.aliveMs);
    const events = await eventsOf(first, 'run');
    const lifeOf = events.findIndex(({ kind }) => kind === 'run-resume');
    for (const life of [events.slice(0, lifeOf), events.slice(lifeOf)]) {
      const times = life.map(({ atMs }) => atMs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
    const { aliveMs, stages } = foldRun(events);
    expect(aliveMs).toBe(end.aliveMs);
    for (const stage of stages) expect(stage.aliveMs).toBeGreaterThanOrEqual(0);
  },
);
