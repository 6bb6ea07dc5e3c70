/** Rows that were at work when the shared budget ended: with a larger one they go on, and nothing is paid twice. */
import { expect, test } from 'vitest';
import { LimitReached } from '../../src/core/errors.ts';
import type { ProblemSpec } from '../../src/core/problem.ts';
import { replayRun } from '../../src/run/replay.ts';
import type { Runtime } from '../../src/run/world.ts';
import { beginSet, prepareRows, resumeSet } from '../../src/studies/run-set/execute.ts';
import type { RunSet } from '../../src/studies/run-set/plan.ts';
import { readRows } from '../../src/studies/run-set/rows.ts';
import { agentOf, answered, familyOf, modelOf, say, toolOf } from '../support/odd.ts';
import { graded, rowOf, setOfRows, setWorld } from './sets.ts';

async function begin(world: Runtime, set: RunSet) {
  return (await beginSet(world, set, { prepared: await prepareRows(world, set) })).done;
}

async function resume(world: Runtime, set: RunSet) {
  return (await resumeSet(world, set, { prepared: await prepareRows(world, set) })).done;
}

async function told(world: Runtime, set: RunSet) {
  const rows = await readRows(world.store, set);
  return rows.map(({ state, view }) => `${state} ${view?.end?.outcome ?? ''}`.trim());
}

/** Of which a call takes some 150 at most, and 15 in the end. */
const small = { tokens: 210 };
const bounded = { default: { maxOutputTokens: 100 } };

function asked() {
  const questions: string[] = [];
  const model = modelOf((request) => {
    const [first] = request.messages;
    const question = typeof first?.content === 'string' ? first.content : '';
    questions.push(question);
    return question.startsWith('call 7') ? 'solved' : 'more';
  });
  return { questions, model };
}

test('a row goes on where the budget ended, and asks nothing again', async () => {
  const { questions, model } = asked();
  const world = setWorld(model);
  const row = rowOf({ settings: { calls: 8 }, modelSettings: bounded });
  const set = (tokens: number) => setOfRows([row], { budget: { tokens } });
  expect(await begin(world, set(small.tokens))).toBe('budget');
  expect(await told(world, set(1))).toEqual(['interrupted limit']);
  const before = questions.length;
  expect(before).toBeGreaterThan(1);
  expect(before).toBeLessThan(8);

  expect(await resume(world, set(small.tokens)), 'the same budget has no more room').toBe('budget');
  expect(await told(world, set(1))).toEqual(['interrupted limit']);
  expect(questions).toHaveLength(before);

  expect(await resume(world, set(10_000))).toBe('done');
  expect(await told(world, set(1))).toEqual(['ended solved']);
  expect(questions).toHaveLength(8);
  expect(new Set(questions).size).toBe(8);
  const [{ runId, view } = {}] = await readRows(world.store, set(1));
  expect(view?.totals.modelCalls).toBe(8);
  expect(view?.open).toEqual([]);
  expect(await replayRun(world, runId ?? '')).toMatchObject({ complete: true, isSame: true });
});

test('an agent that handed in its best is graded, and goes on as if it had not', async () => {
  const { questions, model } = asked();
  let lookups = 0;
  const { promise: isLate, resolve: letGo } = Promise.withResolvers<void>();
  const slow = toolOf('slow', async () => {
    lookups += 1;
    await isLate;
    return { text: 'looked up' };
  });
  const agent = agentOf(async (run) => {
    const lines = [
      run.branch('asks', async (line) => {
        for (let call = 0; call < 8; call += 1) await say(line, `call ${call}`);
      }),
      run.branch('looks', async (line) => {
        await line.tool('slow', {});
        await say(line, 'after the look');
      }),
    ];
    // The look ends when the budget has.
    lines[0]?.catch(letGo);
    const ends = await Promise.allSettled(lines);
    const short = ends.filter(
      (end) => end.status === 'rejected' && end.reason instanceof LimitReached,
    ).length;
    run.note('ends', { short });
    // What is done in either case must not be taken for the same.
    if (short > 0) await run.now().catch(() => undefined);
    return answered(short === 0 ? 'solved' : `the best of ${short}`);
  });
  const { grade } = graded.open({} as ProblemSpec);
  const family = familyOf({ tools: [slow], ...(grade ? { grade } : {}) });
  const world = setWorld(model, { agent, family });
  const set = (tokens: number) => setOfRows([rowOf({ modelSettings: bounded })], { budget: { tokens } });

  expect(await begin(world, set(small.tokens))).toBe('budget');
  const [row] = await readRows(world.store, set(1));
  expect(row?.view?.end).toMatchObject({
    outcome: 'wrong',
    cutShort: true,
    solution: { answer: { text: 'the best of 2' } },
    grade: { explanation: 'the best of 2' },
  });
  expect(await resume(world, set(10_000))).toBe('done');
  expect(await told(world, set(1))).toEqual(['ended solved']);
  expect(lookups, 'what came after the refusal is kept').toBe(1);
  expect([...questions].sort()).toEqual([
    'after the look',
    ...Array.from({ length: 8 }, (_, call) => `call ${call}`),
  ]);
  expect(await replayRun(world, row?.runId ?? '')).toMatchObject({ complete: true, isSame: true });
});

test('what is solved with the budget’s last is solved, and not gone on with', async () => {
  const agent = agentOf(async (run) => {
    for (;;) await say(run, 'more');
  });
  const family = familyOf({ grade: async () => ({ correct: true, explanation: 'somehow' }) });
  const world = setWorld(asked().model, { agent, family });
  const set = setOfRows([rowOf({ modelSettings: bounded })], { budget: small });
  expect(await begin(world, set)).toBe('budget');
  expect(await told(world, set)).toEqual(['ended solved']);
});
