/** What a run may use, changed by its user while it goes on, and before it is resumed. */
import { describe, expect, test } from 'vitest';
import type { Run } from '../../src/core/agent.ts';
import { LimitReached } from '../../src/core/errors.ts';
import { foldRun } from '../../src/core/fold.ts';
import { changeLimits } from '../../src/run/changed-limits.ts';
import { forkRun } from '../../src/run/fork.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import type { Runtime } from '../../src/run/world.ts';
import { coded } from '../support/coded.ts';
import { answered, familyOf, oddRun, oddWorld, outline, say, toolOf } from '../support/odd.ts';
import { until } from '../support/until.ts';
import { eventsOf } from '../support/world.ts';

const changesIn = async (world: Runtime) =>
  (await eventsOf(world, 'run')).flatMap(({ kind, body }) => (kind === 'run-limits' ? [body] : []));

/** Calls its tool until a limit is reached. The second call waits until the test lets it go. */
function calling(most: number) {
  const gate = Promise.withResolvers<void>();
  const hold = toolOf('hold', async ({ number }, { signal }) => {
    const isOver = new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    );
    if (number === 2) await Promise.race([gate.promise, isOver]);
    return { text: '' };
  });
  const solve = async (run: Run) => {
    let done = 0;
    try {
      for (let number = 1; number <= most; number += 1) {
        await run.tool('hold', { number });
        done = number;
      }
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      return answered(`${done} of ${run.limits.toolCalls}, then ${error.max}`);
    }
    return answered(`${done} of ${run.limits.toolCalls}`);
  };
  return { world: oddWorld({ family: familyOf({ tools: [hold] }), solve }), open: gate.resolve };
}

/** Of a run that is alive: as soon as its owner has written it down. */
async function changed(world: Runtime, limits: object): Promise<void> {
  const before = (await changesIn(world)).length;
  await changeLimits(world, 'run', limits);
  await until(async () => (await changesIn(world)).length > before);
}

const isAt = (world: Runtime, seq: number) =>
  until(async () => ((await world.store.get('run'))?.lastSeq ?? 0) >= seq);
const textOf = (end: { solution: unknown }) => (end.solution as { answer: { text: string } }).answer.text;

describe('limits of a run that is alive', () => {
  test.each([
    { now: 4, told: '4 of 3, then 4' },
    { now: 9, told: '5 of 3' },
    { now: 2, told: '2 of 3, then 2' },
    { now: 1, told: '2 of 3, then 1' },
  ])('changed to $now tool calls hold from the next one on, and in a replay', async ({ now, told }) => {
    const { world, open } = calling(5);
    const handle = await startRun(world, oddRun({ limits: { toolCalls: 3 } }));
    await isAt(world, 4);
    await changed(world, { toolCalls: now });
    open();
    expect(textOf(await handle.done)).toBe(told);
    expect(await replayRun(world, 'run')).toMatchObject({ isSame: true });
    expect(foldRun(await eventsOf(world, 'run')).header?.limits).toEqual({ toolCalls: now });
  });

  test('hold in later lives and in forks, and are written down once', async () => {
    const { world, open } = calling(5);
    const handle = await startRun(world, oddRun({ limits: { toolCalls: 3, tokens: 1_000 } }));
    await isAt(world, 4);
    await changed(world, { toolCalls: 4 });
    await changed(world, { costUsd: 2 });
    handle.stop();
    await handle.done;
    open();
    const fork = await forkRun(world, 'run', { id: 'fork', limits: { tokens: 500 } });
    expect(fork.header.limits).toEqual({ toolCalls: 4, tokens: 500, costUsd: 2 });
    await fork.done;
    const early = await forkRun(world, 'run', { id: 'early', at: 2 });
    expect(early.header.limits).toEqual({ toolCalls: 3, tokens: 1_000 });
    await early.done;
    const resumed = await resumeRun(world, 'run');
    expect(resumed.header.limits).toEqual({ toolCalls: 4, tokens: 1_000, costUsd: 2 });
    expect(textOf(await resumed.done)).toBe('4 of 3, then 4');
    expect(await changesIn(world)).toHaveLength(2);
    expect(await replayRun(world, 'run')).toMatchObject({ isSame: true });
  });
});

test('limits that are changed before a resume hold from its first call on', async () => {
  const { world, open } = calling(5);
  const handle = await startRun(world, oddRun({ limits: { toolCalls: 2 } }));
  await isAt(world, 4);
  handle.stop();
  await handle.done;
  open();
  await changeLimits(world, 'run', { toolCalls: 9 });
  await changeLimits(world, 'run', { toolCalls: 3 });
  expect(textOf(await (await resumeRun(world, 'run')).done)).toBe('3 of 2, then 3');
  const lines = outline(await eventsOf(world, 'run'));
  const resumed = lines.indexOf('run-resume');
  expect(lines.slice(resumed, resumed + 4)).toEqual([
    'run-resume',
    'run-limits',
    'run-limits',
    'main#2 tool-result ok',
  ]);
  expect(await replayRun(world, 'run')).toMatchObject({ isSame: true });
});

test('what is no limit, or of a run that has ended, is refused and changes nothing', async () => {
  const world = oddWorld({ solve: async (run) => answered(await say(run, 'x')) });
  await (await startRun(world, oddRun())).done;
  await expect(changeLimits(world, 'run', { costUsd: 1 })).rejects.toEqual(coded('run-ended', 'fork'));
  const { world: other } = calling(5);
  const handle = await startRun(other, oddRun({ limits: { toolCalls: 3 } }));
  for (const odd of [{}, null, 'x', { costUsd: 0 }, { tokens: 1.5 }, { wallMs: 1 }, { toolCalls: '3' }])
    await expect(changeLimits(other, 'run', odd), JSON.stringify(odd)).rejects.toEqual(
      coded('limit-invalid'),
    );
  // Nor does a letter of another hand change any.
  await other.store.post('run', { kind: 'limits', text: '{"toolCalls":-1}', atMs: 1 });
  await other.store.post('run', { kind: 'limits', text: 'no JSON', atMs: 1 });
  await changed(other, { toolCalls: 7 });
  expect(await changesIn(other)).toMatchObject([{ limits: { toolCalls: 7 } }]);
  handle.stop();
  await handle.done;
});
