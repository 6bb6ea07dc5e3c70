/** Limits: refusals are settlements, they stick, grading is exempt, and the wall time counts time alive. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Run, Solution } from '../../src/core/agent.ts';
import type { LimitReached } from '../../src/core/errors.ts';
import type { RunEnd } from '../../src/core/event.ts';
import { foldRun } from '../../src/core/fold.ts';
import type { Message } from '../../src/core/model.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { type RunSpec, startRun } from '../../src/run/start.ts';
import type { Runtime } from '../../src/run/world.ts';
import { answered, familyOf, modelOf, oddRun, oddWorld, outline, said, say, toolOf } from '../support/odd.ts';
import { until } from '../support/until.ts';
import { eventsOf } from '../support/world.ts';

const grade = async () => ({ correct: false, explanation: 'graded' });
const sleepingTool = (ms: number) =>
  toolOf('sleep', async (_args, { io, signal }) => {
    await io.clock.sleep(ms, signal);
    return { text: 'slept' };
  });
const step = toolOf('step', async () => ({ text: 'ok' }));
const family = familyOf({ grade, tools: [step, sleepingTool(60_000)] });

const expectReplay = async (world: Runtime): Promise<void> =>
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });

async function run(
  solve: (run: Run) => Promise<Solution>,
  limits: NonNullable<RunSpec['limits']>,
  of = family,
): Promise<{ world: Runtime; end: RunEnd; lines: string[] }> {
  const world = oddWorld({ solve, family: of });
  const end = await (await startRun(world, oddRun({ limits }))).done;
  return { world, end, lines: outline(await eventsOf(world, 'run')) };
}

describe('a limit', () => {
  test('lets the Nth call through and ends the run at the next, graded', async () => {
    let made = 0;
    const { end, lines, world } = await run(
      async (here) => {
        for (; ; made += 1) await here.tool('step', {});
      },
      { toolCalls: 3 },
    );
    expect(made).toBe(3);
    expect(end).toMatchObject({ outcome: 'limit', limit: 'toolCalls', solution: null });
    expect(end.grade?.explanation).toBe('graded');
    expect(lines.filter((line) => line.includes('refused'))).toEqual(['main#4 tool-result refused']);
    await expectReplay(world);
  });

  test.each([
    ['modelCalls', 2],
    ['tokens', 300],
    ['costUsd', 0.0003],
  ] as const)('on %s is told by its name', async (limit, max) => {
    const { end } = await run(
      async (here) => {
        for (;;) await say(here, 'x', { settings: { maxOutputTokens: 100 } });
      },
      { [limit]: max },
    );
    expect(end).toMatchObject({ outcome: 'limit', limit });
  });

  test('that was caught is met again by whatever comes later', async () => {
    const met: string[] = [];
    const { end, lines, world } = await run(
      async (here) => {
        for (const effect of [
          () => here.tool('step', {}),
          () => here.tool('step', {}),
          () => say(here, 'x'),
          () => here.now(),
          () => here.inbox(),
          () => here.branch('b', (there) => there.tool('step', {})),
        ]) {
          await effect().catch((error: LimitReached) => met.push(`${error.limit} ${error.max}`));
        }
        return answered('the best so far');
      },
      { toolCalls: 1 },
    );
    expect(met).toEqual(Array.from({ length: 5 }, () => 'toolCalls 1'));
    expect(end).toMatchObject({ outcome: 'wrong', solution: { end: 'answered' }, grade: { correct: false } });
    expect(lines).toContain('main#6 grade-end ok');
    await expectReplay(world);
  });

  test('counts a call that a model got wrong', async () => {
    const results: unknown[] = [];
    const { end, world } = await run(
      async (here) => {
        for (const [name, args] of [
          ['nothing', {}],
          ['step', null],
          ['step', ['no object']],
          ['step', {}],
        ] as const) {
          results.push((await here.tool(name, args)).isError ?? false);
        }
        return answered('');
      },
      { toolCalls: 3 },
    );
    expect(results).toEqual([true, true, true]);
    expect(end).toMatchObject({ outcome: 'limit', limit: 'toolCalls' });
    expect(foldRun(await eventsOf(world, 'run')).totals.toolCalls).toEqual({ nothing: 1, step: 2 });
  });

  test('that an agent will not hear of ends it', async () => {
    const world = oddWorld({
      family,
      solve: async (here) => {
        for (;;) await here.tool('step', {}).catch(() => undefined);
      },
    });
    const handle = await startRun(world, oddRun({ limits: { toolCalls: 1 } }));
    const error = { message: expect.stringMatching('went on asking') };
    expect(await handle.done).toMatchObject({ outcome: 'error', error });
    await expectReplay(world);
  });

  test('is never gone over by branches that ask at once', async () => {
    const { world, end } = await run(
      async (here) => {
        const branches = Array.from({ length: 12 }, (_, n) =>
          here.branch(`b${n}`, async (there) => {
            for (;;) await say(there, `${n}`, { settings: { maxOutputTokens: 7 } });
          }),
        );
        await Promise.all(branches);
        return answered('');
      },
      { tokens: 4_000 },
    );
    expect(end).toMatchObject({ outcome: 'limit', limit: 'tokens' });
    await expectReplay(world);
    const { tokens } = foldRun(await eventsOf(world, 'run')).totals;
    expect(tokens.input + tokens.output).toBeLessThanOrEqual(4_000);
    expect(tokens.input + tokens.output).toBeGreaterThan(2_900);
  });
});

describe('the wall time', () => {
  test('breaks off what is in flight, and refuses what comes later', async () => {
    // It is over when the tool is at work, and not while the run is still on its way to it.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const sleep = toolOf('sleep', async (_args, { signal }) => {
      setImmediate(() => vi.advanceTimersByTime(30));
      await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      return { text: 'slept' };
    });
    const { end, lines } = await run(
      async (here) => {
        await here.tool('sleep', {}).catch(() => undefined);
        await here.tool('step', {});
        return answered('');
      },
      { wallMs: 30 },
      familyOf({ grade, tools: [step, sleep] }),
    );
    expect(end).toMatchObject({ outcome: 'limit', limit: 'wallMs', grade: { correct: false } });
    expect(lines).toEqual([
      'run-start',
      'main#1 tool-call',
      'main#1 tool-result cancelled by limit',
      'main#2 tool-call',
      'main#2 tool-result refused',
      'main#3 grade-start',
      'main#3 grade-end ok',
      'run-end',
    ]);
  });

  test('leaves the grading alone', async () => {
    const slow = familyOf({
      grade: async (_submission, { io, signal }) => {
        await io.clock.sleep(60, signal);
        return { correct: true, explanation: '' };
      },
    });
    const world = oddWorld({ family: slow, solve: async () => answered('') });
    const end = await (await startRun(world, oddRun({ limits: { wallMs: 20 } }))).done;
    expect(end.outcome).toBe('solved');
  });

  test('of more than a timer can hold is no time that is over', async () => {
    const { end } = await run(async (here) => answered(await say(here, 'x')), { wallMs: 2 ** 40 });
    expect(end.outcome).toBe('wrong');
  });

  test('does not count the time between two lives', async () => {
    let nowMs = 1_000_000;
    const clock = {
      now: () => nowMs,
      sleep: async (_ms: number, signal?: AbortSignal) => {
        await until(() => signal?.aborted ?? false);
        signal?.throwIfAborted();
      },
    };
    let isFirst = true;
    const world = oddWorld({
      family,
      io: { clock },
      model: modelOf(() => {
        nowMs += 4_000;
        return said('x');
      }),
      solve: async (here) => {
        await say(here, 'a');
        if (isFirst) await here.tool('sleep', {});
        await say(here, 'b');
        return answered('');
      },
    });
    const handle = await startRun(world, oddRun({ limits: { wallMs: 10_000 } }));
    await until(async () => (await world.store.get('run'))?.lastSeq === 4);
    handle.stop();
    expect(await handle.done).toMatchObject({ outcome: 'cancelled', aliveMs: 4_000 });
    isFirst = false;
    nowMs += 3_600_000;
    const resumed = await resumeRun(world, 'run');
    expect(await resumed.done.catch((error: Error) => error.message)).toContain('main#2');
    expect((await world.store.get('run'))?.ended).toBe(true);
  });
});

describe('a budget', () => {
  const price = { inputUsdPerMillion: 10, cachedInputUsdPerMillion: 1, outputUsdPerMillion: 100 };

  test('is never passed by a model that takes all the room it is given', async () => {
    const rooms: (number | undefined)[] = [];
    const greedy = modelOf(
      (request) => {
        const room = request.settings?.maxOutputTokens;
        rooms.push(room);
        // A byte a token: no provider counts more.
        const input = Buffer.byteLength(JSON.stringify(request.messages));
        const tokens = { input, cachedInput: 0, output: room ?? 1e9, reasoning: 0 };
        const message = { role: 'assistant', content: [{ type: 'text', text: '数'.repeat(500) }] } as const;
        return { ok: true, message, finish: 'length', usage: { tokens, costUsd: null } };
      },
      { price },
    );
    const world = oddWorld({
      family,
      model: greedy,
      solve: async (here) => {
        const messages: Message[] = [{ role: 'user', content: '0 7 0 5 0 3\n'.repeat(40) }];
        for (;;) {
          const reply = await here.generate('solver', { messages: [...messages] });
          if (reply.ok) messages.push(reply.message, { role: 'user', content: '続けて' });
        }
      },
    });
    const end = await (await startRun(world, oddRun({ limits: { costUsd: 2 } }))).done;
    expect(end).toMatchObject({ outcome: 'limit', limit: 'costUsd' });
    const { costUsd, modelCalls } = foldRun(await eventsOf(world, 'run')).totals;
    expect(costUsd).toBeLessThanOrEqual(2);
    expect(costUsd, 'most of it can be spent').toBeGreaterThan(1.7);
    expect(modelCalls).toBeGreaterThan(2);
    expect(rooms.every((room) => room !== undefined)).toBe(true);
    await expectReplay(world);
  });

  test('is not passed by a server that ignores the limit on a reply: once it has, as much is reserved', async () => {
    const overlong = modelOf(
      () => {
        const tokens = { input: 10, cachedInput: 0, output: 30_000, reasoning: 0 };
        const message = { role: 'assistant', content: [{ type: 'text', text: 'so much' }] } as const;
        return { ok: true, message, finish: 'stop', usage: { tokens, costUsd: null } };
      },
      { price },
    );
    const request = {
      messages: [{ role: 'user', content: 'x' }],
      settings: { maxOutputTokens: 1_000 },
    } as const;
    const world = oddWorld({
      family,
      model: overlong,
      solve: async (here) => {
        for (;;) await here.generate('solver', request);
      },
    });
    const end = await (await startRun(world, oddRun({ limits: { tokens: 50_000 } }))).done;
    expect(end).toMatchObject({ outcome: 'limit', limit: 'tokens' });
    expect(foldRun(await eventsOf(world, 'run')).totals.modelCalls).toBe(1);
    await expectReplay(world);
  });

  test('is not passed by what was broken off and billed all the same, however often that happens', async () => {
    let billedUsd = 0;
    let lives = 0;
    const model = modelOf(
      async (request, { signal }) => {
        const room = request.settings?.maxOutputTokens ?? Number.NaN;
        billedUsd += (room * price.outputUsdPerMillion) / 1e6;
        lives += 1;
        await until(() => signal.aborted);
        return { ok: false, error: { kind: 'aborted', message: '', retryable: false }, usage: null };
      },
      { kind: 'live', price },
    );
    const settings = { maxOutputTokens: 3_000 };
    const solve = async (here: Run) => answered(await say(here, 'x', { settings }));
    const world = oddWorld({ family, model, solve });
    let handle = await startRun(world, oddRun({ limits: { costUsd: 2 } }));
    for (let life = 0; life < 20; life += 1) {
      let isOver = false;
      void handle.done.then(() => {
        isOver = true;
      });
      await until(() => lives > life || isOver);
      handle.stop();
      const { outcome, limit } = await handle.done;
      if (outcome !== 'cancelled') {
        expect(limit).toBe('costUsd');
        break;
      }
      handle = await resumeRun(world, 'run');
    }
    expect(lives).toBe(6);
    expect(billedUsd).toBeLessThanOrEqual(2);
  });

  test('still has what a failure was not billed for, when its run is gone on with', async () => {
    let isDown = true;
    const model = modelOf(
      () =>
        isDown
          ? { ok: false, error: { kind: 'network', message: 'down', retryable: false }, usage: null }
          : said('yes'),
      { kind: 'live', price },
    );
    const settings = { maxOutputTokens: 1_000 };
    const solve = async (here: Run) => answered(await say(here, 'x', { settings }));
    const world = oddWorld({ family, model, solve });
    const first = await (await startRun(world, oddRun({ limits: { costUsd: 0.15 } }))).done;
    expect(first).toMatchObject({ outcome: 'error', error: { unavailable: true } });
    for (const again of [1, 2]) {
      isDown = again < 2;
      const end = await (await resumeRun(world, 'run')).done;
      expect(end.limit, `resumed ${again} times`).toBeUndefined();
      expect(end.outcome).toBe(isDown ? 'error' : 'wrong');
    }
  });
});
