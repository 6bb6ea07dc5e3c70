/** Going on with a run that was stopped or ended for want of something; and when going on is refused. */

import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/core/agent.ts';
import { DivergenceError, UnavailableError } from '../../src/core/errors.ts';
import { foldRun } from '../../src/core/fold.ts';
import type { Store } from '../../src/core/store.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import type { Runtime } from '../../src/run/world.ts';
import { coded } from '../support/coded.ts';
import {
  agentOf,
  answered,
  familyOf,
  modelOf,
  type OddOptions,
  oddRun,
  oddWorld,
  outline,
  said,
  say,
  toolOf,
} from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { eventsOf, normalise } from '../support/world.ts';

/** Everything outside that a test switches between two lives. */
function outside() {
  const calls: string[] = [];
  const state = { isBroken: false, isHanging: false };
  const tool = toolOf('fetch', async (args, { signal }) => {
    calls.push(`call ${args.n}`);
    if (state.isHanging) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
    if (state.isBroken) throw new UnavailableError({ code: 'site-down', what: 'The site is down.' });
    return { text: `fetched ${args.n}` };
  });
  return { calls, state, tool };
}

async function linesOf(world: Runtime): Promise<string[]> {
  return outline(await eventsOf(world, 'run'));
}

async function expectReplay(world: Runtime): Promise<void> {
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
}

/** `isUnderway`: whether what the last line intends has begun outside, which is later than the line. */
async function stopWhenAt(world: Runtime, seq: number, isUnderway = () => true): Promise<void> {
  const handle = await startRun(world, oddRun());
  await until(async () => ((await world.store.get('run'))?.lastSeq ?? 0) >= seq && isUnderway());
  handle.stop();
  expect((await handle.done).outcome).toBe('cancelled');
}

describe('a run that ended because something was missing', () => {
  test('makes the failed effect again, and only that', async () => {
    const { calls, state, tool } = outside();
    const world = oddWorld({
      family: familyOf({ tools: [tool] }),
      solve: async (run) => {
        await run.tool('fetch', { n: 1 });
        state.isBroken = calls.length === 1;
        return answered((await run.tool('fetch', { n: 2 })).text);
      },
    });
    const end = await (await startRun(world, oddRun())).done;
    expect(end).toMatchObject({
      outcome: 'error',
      error: { message: 'The site is down.', unavailable: true },
      again: [{ branch: '', ordinal: 2, attempt: 0 }],
    });
    await expectReplay(world);
    state.isBroken = false;
    const resumed = await (await resumeRun(world, 'run')).done;
    expect(resumed.solution?.answer).toEqual({ type: 'text', text: 'fetched 2' });
    expect(calls).toEqual(['call 1', 'call 2', 'call 2']);
    expect((await linesOf(world)).slice(-4)).toEqual([
      'run-end',
      'run-resume',
      'main#2 tool-result ok',
      'run-end',
    ]);
    await expectReplay(world);
  });

  test('makes all of them again where branches failed together, and none that its agent lived with', async () => {
    const { calls, state, tool } = outside();
    const world = oddWorld({
      family: familyOf({ tools: [tool] }),
      solve: async (run) => {
        const fetch = (n: number) => (here: Run) => here.tool('fetch', { n });
        await run.branch('lived-with', fetch(0)).catch(() => undefined);
        await say(run, 'so be it');
        await Promise.all([run.branch('a', fetch(1)), run.branch('b', fetch(2))]);
        return answered('all');
      },
    });
    state.isBroken = true;
    const end = await (await startRun(world, oddRun())).done;
    expect(end.again).toEqual([
      { branch: 'a', ordinal: 1, attempt: 0 },
      { branch: 'b', ordinal: 1, attempt: 0 },
    ]);
    state.isBroken = false;
    calls.length = 0;
    expect((await (await resumeRun(world, 'run')).done).outcome).toBe('answered');
    expect(calls).toEqual(['call 1', 'call 2']);
    await expectReplay(world);
  });

  test('makes again what the failure broke off in other branches, and not what a race had broken off before', async () => {
    const { calls, state } = outside();
    let begun = 0;
    const haveBegun = (count: number) => until(() => !state.isHanging || begun >= count);
    const quick = toolOf('quick', async () => {
      await haveBegun(1);
      return { text: 'quick' };
    });
    const wait = toolOf('wait', async (args, { signal }) => {
      calls.push(`wait ${args.n}`);
      begun += 1;
      if (state.isHanging) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      return { text: `waited ${args.n}` };
    });
    const gone = toolOf('gone', async () => {
      await haveBegun(3);
      if (state.isBroken) throw new UnavailableError({ code: 'site-down', what: 'The site is down.' });
      return { text: 'there' };
    });
    const world = oddWorld({
      family: familyOf({ tools: [quick, wait, gone] }),
      solve: async (run) => {
        const call = (name: string, n: number) => (here: Run) => here.tool(name, { n });
        await run.race({ quick: call('quick', 0), slow: call('wait', 0) });
        const all = { a: call('wait', 1), b: call('wait', 2), c: call('gone', 3) };
        // As islands are: what goes wrong on one ends all of them.
        const ended = await run.until(all, (results) => results.some(({ ok }) => !ok));
        for (const result of ended) if (!result.ok) throw result.error;
        return answered('all');
      },
    });
    Object.assign(state, { isHanging: true, isBroken: false });
    const handle = await startRun(world, oddRun());
    state.isBroken = true;
    const end = await handle.done;
    expect(end).toMatchObject({ outcome: 'error', error: { unavailable: true } });
    expect(end.again?.map(({ branch }) => branch).sort()).toEqual(['a', 'b', 'c']);
    await expectReplay(world);
    const view = foldRun(await eventsOf(world, 'run'));
    expect(view.suspended.map(({ event }) => event.branch).sort()).toEqual(['a', 'b', 'c']);

    Object.assign(state, { isHanging: false, isBroken: false });
    calls.length = 0;
    expect((await (await resumeRun(world, 'run')).done).outcome).toBe('answered');
    expect(calls.sort()).toEqual(['wait 1', 'wait 2']);
    await expectReplay(world);
  });

  test('may fail again, and go on later', async () => {
    const { state, tool } = outside();
    const world = oddWorld({
      family: familyOf({ tools: [tool] }),
      solve: async (run) => answered((await run.tool('fetch', { n: 1 })).text),
    });
    state.isBroken = true;
    await (await startRun(world, oddRun())).done;
    expect((await (await resumeRun(world, 'run')).done).error?.unavailable).toBe(true);
    state.isBroken = false;
    expect((await (await resumeRun(world, 'run')).done).outcome).toBe('answered');
    await expectReplay(world);
  });

  test('asks a model again that was away too long', async () => {
    let isAway = true;
    const away = {
      ok: false,
      error: { kind: 'network', message: 'away', retryable: true },
      usage: null,
    } as const;
    const world = oddWorld({
      model: modelOf(() => (isAway ? away : said('back'))),
      solve: async (run) => answered(await say(run, 'x')),
    });
    expect((await (await startRun(world, oddRun())).done).error).toMatchObject({ unavailable: true });
    isAway = false;
    const end = await (await resumeRun(world, 'run')).done;
    expect(end.solution?.answer).toEqual({ type: 'text', text: 'back' });
    await expectReplay(world);
  });

  test('is graded when the grader is there again', async () => {
    let isThere = false;
    const family = familyOf({
      grade: async () => {
        if (!isThere) throw new UnavailableError({ code: 'no-grader', what: 'No grader.' });
        return { correct: true, explanation: '' };
      },
    });
    const world = oddWorld({ family, solve: async (run) => answered(await say(run, 'x')) });
    expect((await (await startRun(world, oddRun())).done).outcome).toBe('error');
    isThere = true;
    expect((await (await resumeRun(world, 'run')).done).outcome).toBe('solved');
    await expectReplay(world);
  });
});

describe('a run that was stopped', () => {
  test('goes on as if nothing had happened, what it noted about the stop aside', async () => {
    const { calls, state, tool } = outside();
    const options: OddOptions = {
      family: familyOf({ tools: [tool] }),
      solve: async (run) => {
        run.note('begin', { n: 1 });
        try {
          await run.branch('a', (here) => here.tool('fetch', { n: 1 }));
        } catch (error) {
          run.note('broken off', {});
          throw error;
        }
        run.note('end', { n: 2 });
        return answered('');
      },
    };
    const whole = oddWorld(options);
    await (await startRun(whole, oddRun())).done;
    const expected = normalise(await eventsOf(whole, 'run'));

    const world = oddWorld(options);
    state.isHanging = true;
    await stopWhenAt(world, 3, () => calls.length === 2);
    await expectReplay(world);
    expect((await world.store.get('run'))?.summary.outcome).toBe('cancelled');
    state.isHanging = false;
    const resumed = await resumeRun(world, 'run', {
      onEvent: async ({ kind }) => {
        if (kind !== 'run-resume') return;
        expect(await world.store.get('run')).toMatchObject({ ended: false, summary: { outcome: null } });
      },
    });
    await resumed.done;
    expect(calls).toEqual(['call 1', 'call 1', 'call 1']);
    const got = normalise(await eventsOf(world, 'run'));
    const extra = got.filter((line) => !expected.includes(line));
    expect(extra.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'a#1.0 tool-result',
      '#null.0 note',
      '#null.0 run-end',
    ]);
    expect(got.filter((line) => expected.includes(line))).toEqual(expected);
    await expectReplay(world);
  });

  test('before it had begun has done nothing, and can begin', async () => {
    const world = oddWorld({
      solve: async (run) => answered(await say(run, 'x')),
      wrapStore: withSlowMail,
    });
    const handle = await startRun(world, oddRun());
    handle.stop();
    expect((await handle.done).outcome).toBe('cancelled');
    expect(await linesOf(world)).toEqual(['run-start', 'run-end']);
    await expectReplay(world);
    expect((await (await resumeRun(world, 'run')).done).outcome).toBe('answered');
    await expectReplay(world);
  });

  test('while it goes through its history is stopped at its end', async () => {
    const { state, tool } = outside();
    const world = oddWorld({
      family: familyOf({ tools: [tool] }),
      solve: async (run) => {
        for (let n = 0; n < 20; n += 1) await say(run, `${n}`);
        return answered((await run.tool('fetch', { n: 1 })).text);
      },
    });
    state.isHanging = true;
    await stopWhenAt(world, 42);
    const handle = await resumeRun(world, 'run');
    handle.stop();
    expect((await handle.done).outcome).toBe('cancelled');
    state.isHanging = false;
    expect((await (await resumeRun(world, 'run')).done).outcome).toBe('answered');
    await expectReplay(world);
  });

  test('while it was graded is graded again', async () => {
    let isHanging = true;
    const family = familyOf({
      grade: async (_submission, { signal }) => {
        if (isHanging) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
        return { correct: true, explanation: '' };
      },
    });
    const world = oddWorld({ family, solve: async () => answered('x') });
    await stopWhenAt(world, 2);
    await expectReplay(world);
    isHanging = false;
    expect((await (await resumeRun(world, 'run')).done).outcome).toBe('solved');
  });

  test('by mail is stopped as by its own process; mail of an earlier life is no mail for the next', async () => {
    const { state, tool } = outside();
    const world = oddWorld({
      family: familyOf({ tools: [tool] }),
      solve: async (run) => answered((await run.tool('fetch', { n: 1 })).text),
    });
    state.isHanging = true;
    const handle = await startRun(world, oddRun());
    await until(async () => (await world.store.get('run'))?.lastSeq === 2);
    await world.store.post('run', { kind: 'stop', text: '', atMs: 1 });
    expect((await handle.done).outcome).toBe('cancelled');
    state.isHanging = false;
    expect((await (await resumeRun(world, 'run')).done).outcome).toBe('answered');
  });
});

describe('an interrupted call that may not simply be repeated', () => {
  test.each([
    ['was made', 'found', ['call', 'reconcile']],
    ['was not made', 'called', ['call', 'reconcile', 'call']],
  ])('is looked for first; it %s', async (_what, text, expected) => {
    const seen: string[] = [];
    let isHanging = true;
    const submit = toolOf(
      'submit',
      async (_args, { signal }) => {
        seen.push('call');
        if (isHanging) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
        return { text: 'called' };
      },
      {
        repeat: {
          reconcile: async () => {
            seen.push('reconcile');
            return text === 'found' ? { text } : null;
          },
        },
      },
    );
    const world = oddWorld({
      family: familyOf({ tools: [submit] }),
      solve: async (run) => answered((await run.tool('submit', {})).text),
    });
    await stopWhenAt(world, 2, () => seen.length > 0);
    isHanging = false;
    const end = await (await resumeRun(world, 'run')).done;
    expect(end.solution?.answer).toEqual({ type: 'text', text });
    expect(seen).toEqual(expected);
  });
});

describe('going on is refused', () => {
  const stopped = async (options: OddOptions) => {
    const { state, tool } = outside();
    const folder = temporaryFolder();
    const family = familyOf({ tools: [tool] });
    const world = oddWorld({ folder, family, ...options });
    state.isHanging = true;
    await stopWhenAt(world, 4);
    state.isHanging = false;
    await world.store.close();
    return { folder, family };
  };
  const asked = async (run: Run, text = 'a'): Promise<void> => {
    await say(run, text);
    await run.tool('fetch', { n: 1 });
  };
  const first: OddOptions = {
    solve: async (run) => {
      await asked(run);
      return answered('');
    },
  };

  test.each<[string, string, (run: Run) => Promise<unknown>]>([
    ['asks something else', 'main#1', (run) => asked(run, 'b')],
    ['does something else', 'main#1', (run) => run.tool('fetch', { n: 1 })],
    [
      'does something else where nothing was settled',
      'main#2',
      async (run) => {
        await say(run, 'a');
        await run.tool('fetch', { n: 2 });
      },
    ],
    ['asks elsewhere', 'main#1', (run) => run.branch('b', (here) => say(here, 'a'))],
    [
      'asks elsewhere later',
      'main#2',
      async (run) => {
        await say(run, 'a');
        await run.branch('b', (here) => here.tool('fetch', { n: 1 }));
      },
    ],
    ['asks for nothing', 'main#1', async () => undefined],
    ['asks for less', 'main#2', (run) => say(run, 'a')],
    [
      'makes a note of it',
      'main#1',
      async (run) => {
        run.note('a new note', {});
        await say(run, 'b').catch(() => run.note('caught', {}));
      },
    ],
  ])('where the agent %s: the position is named, and nothing is written', async (_what, position, solve) => {
    const { folder, family } = await stopped(first);
    const world = oddWorld({
      folder,
      family,
      solve: async (run) => {
        await solve(run);
        return answered('');
      },
    });
    const before = await world.store.events('run');
    const diverged = (await resumeRun(world, 'run')).done;
    await expect(diverged).rejects.toThrow(DivergenceError);
    await expect(diverged).rejects.toThrow(coded('diverged', `${position}, event `));
    // Hashes of the journal say nothing to a person.
    await expect(diverged).rejects.not.toThrow(/"\$(messages|blob)"/);
    expect(await world.store.events('run')).toEqual(before);
    expect(await world.store.get('run')).toMatchObject({ owner: null, ended: true });
    if (position === 'main#1') await expect(replayRun(world, 'run')).rejects.toThrow(coded('diverged'));
    await world.store.close();
  });

  test('where the problem is another one now; where it cannot be read, it is taken as it was', async () => {
    const { folder } = await stopped(first);
    const changed = familyOf({ spec: { contentHash: 'another' }, tools: [] });
    const world = oddWorld({ folder, family: changed, ...first });
    await expect(resumeRun(world, 'run')).rejects.toThrow(coded('problem-changed'));
    expect((await world.store.get('run'))?.owner).toBeNull();
    await world.store.close();

    const offline = { ...familyOf({ tools: [toolOf('fetch', async () => ({ text: '' }))] }) };
    offline.load = async () => {
      throw new UnavailableError({ code: 'no-network', what: 'No network.' });
    };
    const notices: string[] = [];
    const later = oddWorld({ folder, family: offline, ...first });
    await (await resumeRun(later, 'run', { onNotice: (notice) => notices.push(notice) })).done;
    expect(notices.join()).toContain('No network.');
  });

  test('where the run has ended by itself', async () => {
    const world = oddWorld({ solve: async () => answered('') });
    await (await startRun(world, oddRun())).done;
    await expect(resumeRun(world, 'run')).rejects.toThrow(coded('run-ended'));
    expect((await world.store.get('run'))?.owner).toBeNull();
  });

  test('where this very process has it in hand', async () => {
    const { state, tool } = outside();
    state.isHanging = true;
    const world = oddWorld({
      family: familyOf({ tools: [tool] }),
      agent: agentOf(async (run) => answered((await run.tool('fetch', {})).text)),
    });
    const handle = await startRun(world, oddRun());
    await expect(resumeRun(world, 'run')).rejects.toThrow(coded('run-owned'));
    handle.stop();
    await handle.done;
  });
});

/** A run looks into its mailbox before it begins. */
function withSlowMail(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name !== 'mail') return Reflect.get(target, name)?.bind(target);
      return async (...call: Parameters<Store['mail']>) => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        return target.mail(...call);
      };
    },
  });
}

describe('a run whose journal cannot be written any more', () => {
  test('ends with what was wrong, and nothing more is done', async () => {
    let left = 3;
    const wrapStore = (store: Store): Store =>
      new Proxy(store, {
        get(target, name) {
          if (name === 'append' && left-- <= 0) {
            return async () => {
              throw new UnavailableError({ code: 'disk-full', what: 'The disk is full.' });
            };
          }
          return Reflect.get(target, name)?.bind(target);
        },
      });
    const { calls, tool } = outside();
    const world = oddWorld({
      wrapStore,
      family: familyOf({ tools: [tool] }),
      solve: async (run) => {
        for (let n = 1; ; n += 1) await run.tool('fetch', { n });
      },
    });
    await expect((await startRun(world, oddRun())).done).rejects.toThrow(coded('disk-full'));
    expect(calls).toEqual(['call 1', 'call 2']);
    expect((await eventsOf(world, 'run')).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });
});
