/** Runs that wait for their turn at a live model: not in the journal, not in the call's time, and not in a replay. */
import { describe, expect, test } from 'vitest';
import { Pacer } from '../../src/run/pacing/pacer.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import type { Runtime } from '../../src/run/world.ts';
import { manualClock } from '../support/manual-clock.ts';
import { answered, modelOf, oddRun, oddWorld, outline, said, say } from '../support/odd.ts';
import { until } from '../support/until.ts';
import { eventsOf } from '../support/world.ts';

const one = [{ name: 'test/odd', limits: { callsAtOnce: 1 }, fits: () => true }];

/** A world whose model answers when the test says so. */
function held(kind: 'live' | 'script' = 'live') {
  const calls: { run: string; answer(): void }[] = [];
  const clock = manualClock();
  const model = modelOf(
    (_request, { run = '', signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () =>
          resolve({ ok: false, error: { kind: 'aborted', message: '', retryable: false }, usage: null }),
        );
        calls.push({ run, answer: () => resolve(said('yes')) });
      }),
    { kind },
  );
  const waits: (string | null)[] = [];
  const odd = oddWorld({ model, solve: async (run) => answered(await say(run, 'x')) });
  const world: Runtime = { ...odd, pacer: new Pacer({ clock, lines: one }) };
  const observer = { onWait: (_position: unknown, reason: string | null) => waits.push(reason) };
  return { world, calls, waits, observer, clock };
}

describe('a call that waits for its turn', () => {
  test('is shown, is not in the journal yet, and goes on when another run is done', async () => {
    const { world, calls, waits, observer } = held();
    const first = await startRun(world, oddRun({ id: 'a' }));
    await until(() => calls.length === 1);
    const second = await startRun(world, oddRun({ id: 'b' }), observer);
    await until(() => waits.length === 1);
    expect(outline(await eventsOf(world, 'b'))).toEqual(['run-start']);
    calls[0]?.answer();
    await first.done;
    await until(() => calls.length === 2);
    expect(waits).toEqual(['test/odd takes 1 calls at once', null]);
    calls[1]?.answer();
    expect((await second.done).outcome).not.toBe('error');
    expect(await replayRun(world, 'b')).toMatchObject({ isSame: true });
    expect(calls.map(({ run }) => run)).toEqual(['a', 'b']);
  });

  test('can be stopped, leaves nothing open, and is made when the run is resumed', async () => {
    const { world, calls, waits, observer } = held();
    await startRun(world, oddRun({ id: 'a' }));
    await until(() => calls.length === 1);
    const second = await startRun(world, oddRun({ id: 'b' }), observer);
    await until(() => waits.length === 1);
    second.stop();
    expect((await second.done).outcome).toBe('cancelled');
    expect(outline(await eventsOf(world, 'b'))).toEqual(['run-start', 'run-end']);
    calls[0]?.answer();
    const again = await resumeRun(world, 'b');
    await until(() => calls.length === 2);
    calls[1]?.answer();
    await again.done;
  });

  test('is refused as soon as the time of its run is over', async () => {
    const { world, calls } = held();
    await startRun(world, oddRun({ id: 'a' }));
    await until(() => calls.length === 1);
    const second = await startRun(world, oddRun({ id: 'b', limits: { wallMs: 50 } }));
    expect(await second.done).toMatchObject({ outcome: 'limit', limit: 'wallMs' });
    expect(outline(await eventsOf(world, 'b'))).toContain('main#1 model-response refused');
    calls[0]?.answer();
  });
});

test('scripts wait for nobody', async () => {
  const { world, calls } = held('script');
  for (const id of ['a', 'b', 'c']) await startRun(world, oddRun({ id }));
  await until(() => calls.length === 3);
});

test('a model that is out of service ends a run as something missing: it can be resumed', async () => {
  const { world, calls, clock } = held();
  const turn = await world.pacer?.turn({
    model: 'test/odd',
    run: 'x',
    tokens: 1,
    signal: new AbortController().signal,
    onWait: () => undefined,
  });
  turn?.end();
  for (let n = 0; n < 10; n += 1) {
    const next = world.pacer?.turn({
      model: 'test/odd',
      run: 'x',
      tokens: 1,
      signal: new AbortController().signal,
      onWait: () => undefined,
    });
    await clock.advance(200_000);
    (await next)?.end({ kind: 'network' });
  }
  const end = await (await startRun(world, oddRun())).done;
  expect(end).toMatchObject({ outcome: 'error', error: { unavailable: true } });
  expect(end.error?.message).toMatch(/out of service/);
  expect(calls).toEqual([]);
  await clock.advance(300_000);
  const again = await resumeRun(world, 'run');
  await until(() => calls.length === 1);
  calls[0]?.answer();
  expect((await again.done).outcome).not.toBe('error');
});

test('a run of many branches keeps to one call at once, and comes out whole', async () => {
  let atOnce = 0;
  let most = 0;
  const model = modelOf(
    async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setTimeout(resolve, 1));
      atOnce -= 1;
      return said('yes');
    },
    { kind: 'live' },
  );
  const odd = oddWorld({
    model,
    solve: async (run) => {
      const branch = (n: number) => run.branch(`b${n}`, (there) => say(there, `${n}`));
      return answered((await Promise.all(Array.from({ length: 20 }, (_, n) => branch(n)))).join());
    },
  });
  const world = { ...odd, pacer: new Pacer({ clock: odd.io.clock, lines: one }) };
  await (await startRun(world, oddRun())).done;
  expect(most).toBe(1);
  expect(await replayRun(world, 'run')).toMatchObject({ isSame: true });
});

test('where a turn cannot be had because something is broken, no call is made and the run says so', async () => {
  const { world, calls } = held();
  const pacer = {
    turn: () => Promise.reject(new Error('the queue is broken')),
  } as unknown as NonNullable<Runtime['pacer']>;
  const broken = await startRun({ ...world, pacer }, oddRun({ id: 'a' }));
  await expect(broken.done).rejects.toThrow('the queue is broken');
  expect(calls).toEqual([]);
});
