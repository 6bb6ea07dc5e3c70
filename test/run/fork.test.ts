/** Forks: what they share, what they change, and what does not fit. */

import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/core/agent.ts';
import { DivergenceError } from '../../src/core/errors.ts';
import { foldRun } from '../../src/core/fold.ts';
import { type ForkSpec, forkRun } from '../../src/run/fork.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { type RunSpec, startRun } from '../../src/run/start.ts';
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
  say,
  toolOf,
} from '../support/odd.ts';
import { until } from '../support/until.ts';
import { eventsOf } from '../support/world.ts';

/** Says N things, each with what it was told; every call is counted by its model. */
function talker(options: OddOptions = {}) {
  const asked: string[] = [];
  const model = (name: string) =>
    modelOf((request) => {
      const text = String(request.messages[0]?.content);
      asked.push(`${name}: ${text}`);
      return `${name} on ${text}`;
    });
  const world = oddWorld({
    agent: agentOf(async (run, settings) => {
      const hints: string[] = [];
      const said: string[] = [];
      for (let n = 0; n < Number(settings.rounds ?? 3); n += 1) {
        said.push(await say(run, `${run.prompt('go')} ${n} ${hints.join()}`.trim()));
        hints.push(...(await run.inbox()));
      }
      return answered(said.join(' | '));
    }),
    model: model('old'),
    models: { new: model('new') },
    ...options,
  });
  return { asked, world };
}

async function run(world: Runtime, spec: Partial<RunSpec> = {}): Promise<void> {
  await (await startRun(world, oddRun(spec))).done;
}

async function fork(world: Runtime, spec: Partial<ForkSpec>, of = 'run') {
  const handle = await forkRun(world, of, { id: 'fork', ...spec });
  const end = await handle.done;
  expect(await replayRun(world, handle.id)).toMatchObject({ complete: true, isSame: true });
  const answer = end.solution?.answer;
  return { end, text: answer?.type === 'text' ? answer.text : '' };
}

describe('a fork', () => {
  test.each<[string, Partial<ForkSpec>, string[], string]>([
    [
      'another model',
      { models: { default: 'new' } },
      ['new: go 1', 'new: go 2'],
      'old on go 0 | new on go 1 | new on go 2',
    ],
    [
      'another prompt',
      { prompts: { go: 'run' } },
      ['old: run 1', 'old: run 2'],
      'old on go 0 | old on run 1 | old on run 2',
    ],
    ['another setting', { settings: { rounds: 2 } }, ['old: go 1'], 'old on go 0 | old on go 1'],
    [
      'a hint',
      { hint: 'left' },
      ['old: go 1', 'old: go 2 left'],
      'old on go 0 | old on go 1 | old on go 2 left',
    ],
  ])('with %s lives on with it, and pays nothing of what it shares', async (_what, spec, newly, text) => {
    const { asked, world } = talker();
    await run(world);
    const parent = await eventsOf(world, 'run');
    asked.length = 0;
    // After the first inbox: request, response, inbox.
    const forked = await fork(world, { at: 4, ...spec });
    expect(asked).toEqual(newly);
    expect(forked.text).toBe(text);
    const events = await eventsOf(world, 'fork');
    expect(events.slice(0, 4)).toEqual(parent.slice(0, 4));
    expect(events[4]).toMatchObject({ seq: 5, kind: 'run-fork', body: { fork: { run: 'run', seq: 4 } } });
    expect(await eventsOf(world, 'run')).toEqual(parent);
    expect((await world.store.get('fork'))?.parent).toEqual({ run: 'run', seq: 4 });
    expect(foldRun(events).inherited.modelCalls).toBe(1);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('may be made at event %i', async (at) => {
    const { asked, world } = talker();
    await run(world);
    asked.length = 0;
    const { text } = await fork(world, { at, models: { solver: 'new' } });
    const kept = (await eventsOf(world, 'run')).filter(
      ({ seq, kind }) => seq <= at && kind === 'model-response',
    );
    expect(asked).toHaveLength(3 - kept.length);
    expect(text.split(' | ').map((each) => each.slice(0, 3))).toEqual([
      ...kept.map(() => 'old'),
      ...asked.map(() => 'new'),
    ]);
    expect(foldRun(await eventsOf(world, 'fork')).possiblyBilled).toBe(0);
  });

  test('of a run that has ended shares all but its grading, and may go on where it ended', async () => {
    const family = familyOf({ grade: async () => ({ correct: false, explanation: '' }) });
    const { asked, world } = talker({ family });
    await run(world, { settings: { rounds: 1 } });
    asked.length = 0;
    const { end } = await fork(world, { settings: { rounds: 2 } });
    expect(asked).toEqual(['old: go 1']);
    expect(end.outcome).toBe('wrong');
    expect(outline(await eventsOf(world, 'run')).filter((line) => line.includes('grade'))).toHaveLength(2);
  });

  test('of a fork, also at an event before its own fork, keeps the settings of the fork', async () => {
    const { asked, world } = talker();
    await run(world);
    await fork(world, { id: 'b', at: 4, models: { default: 'new' } });
    asked.length = 0;
    expect((await fork(world, { id: 'c', prompts: { go: 'run' }, settings: { rounds: 4 } }, 'b')).text).toBe(
      'old on go 0 | new on go 1 | new on go 2 | new on run 3',
    );
    expect(asked).toEqual(['new: run 3']);
    expect((await fork(world, { id: 'd', at: 3 }, 'b')).text).toBe('old on go 0 | new on go 1 | new on go 2');
  });

  test('is readable, and can be gone on with, when its parent is deleted', async () => {
    const { asked, world } = talker();
    await run(world);
    const handle = await forkRun(world, 'run', { id: 'fork', at: 7 });
    handle.stop();
    await handle.done;
    await world.store.delete('run');
    await expect(eventsOf(world, 'run')).rejects.toThrow(coded('no-such-run'));
    await expect(forkRun(world, 'run', { id: 'x' })).rejects.toThrow(coded('no-such-run'));
    asked.length = 0;
    const end = await (await resumeRun(world, 'fork')).done;
    expect(asked).toEqual(['old: go 2']);
    expect(end.outcome).toBe('answered');
    expect(await replayRun(world, 'fork')).toMatchObject({ isSame: true });
  });

  test('goes on where a limit of its parent ended it', async () => {
    const { asked, world } = talker();
    await run(world, { limits: { modelCalls: 2 } });
    expect((await world.store.get('run'))?.summary.outcome).toBe('limit');
    asked.length = 0;
    expect((await fork(world, { id: 'same' })).end).toMatchObject({ outcome: 'limit', limit: 'modelCalls' });
    expect(asked).toEqual([]);
    const { end } = await fork(world, { id: 'more', limits: { modelCalls: 3 } });
    expect(asked).toEqual(['old: go 2']);
    expect(end.outcome).toBe('answered');
  });

  test('goes on where its parent was stopped, and it can be killed and resumed', async () => {
    let isHanging = true;
    const tool = toolOf('wait', async (_args, { signal }) => {
      if (isHanging) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      return { text: 'waited' };
    });
    const world = oddWorld({
      family: familyOf({ tools: [tool] }),
      solve: async (here) => answered((await here.tool('wait', {})).text),
    });
    const handle = await startRun(world, oddRun());
    await until(async () => (await world.store.get('run'))?.lastSeq === 2);
    handle.stop();
    await handle.done;
    isHanging = false;
    expect((await fork(world, {})).text).toBe('waited');
  });

  test('at a settlement keeps the stage that it opened', async () => {
    const family = familyOf({
      spec: { stages: ['one', 'two'] },
      tools: [
        toolOf('submit', async (_args, { stage }) => ({
          text: `in ${stage}`,
          advance: { to: stage === 'one' ? 'two' : null, statement: '' },
        })),
      ],
    });
    const world = oddWorld({
      family,
      agent: agentOf(async (here) => {
        const stages = [here.stage];
        for (const _ of [1, 2]) stages.push((await here.tool('submit', {})).text, here.stage);
        return answered(stages.join());
      }),
    });
    await run(world);
    const { text } = await fork(world, { at: 3 });
    expect(text).toBe('one,in one,two,in two,');
    const lines = outline(await eventsOf(world, 'fork'));
    expect(lines.slice(2, 6)).toEqual(['main#1 tool-result ok', 'stage-end', 'stage-start', 'run-fork']);
    expect(
      foldRun(await eventsOf(world, 'fork')).stages.map(({ stage, isDone }) => `${stage} ${isDone}`),
    ).toEqual(['one true', 'two true', ' false']);
  });
});

describe('a fork is refused', () => {
  test.each([
    [{ at: 99 }, 'has no event 99'],
    [{ at: 0 }, 'has no event 0'],
    [{ models: { judge: 'new' } }, 'has no role judge'],
    [{ prompts: { nope: '' } }, 'has no prompt named nope'],
    [{ id: 'run' }, 'There is a run run already'],
  ])('with %o', async (spec, message) => {
    const { world } = talker();
    await run(world);
    await expect(forkRun(world, 'run', { id: 'fork', ...spec })).rejects.toThrow(message);
    expect(await world.store.get('fork')).toBeNull();
  });

  test('with a budget in dollars that nobody can keep', async () => {
    const { world } = talker({ models: { unpriced: modelOf(() => 'x', { price: null }) } });
    await run(world);
    const spec = { id: 'fork', models: { default: 'unpriced' }, limits: { costUsd: 1 } };
    await expect(forkRun(world, 'run', spec)).rejects.toThrow(coded('price-unknown'));
  });

  test.each<[string, string, (run: Run) => Promise<unknown>]>([
    ['another kind', 'main#2', async (here) => [await say(here, 'x'), await here.now()]],
    ['less', 'main#4', async (here) => [await say(here, 'x'), await here.inbox(), await say(here, 'x')]],
  ])('where its agent asks for %s in what it shares', async (_what, position, solve) => {
    const { world } = talker();
    await run(world);
    const changed: Runtime = {
      ...world,
      agent: async () =>
        agentOf(async (here) => {
          await solve(here);
          return answered('');
        }),
    };
    const forked = (await forkRun(changed, 'run', { id: 'fork', at: 7 })).done;
    await expect(forked).rejects.toThrow(DivergenceError);
    await expect(forked).rejects.toThrow(coded('diverged', position));
  });
});
