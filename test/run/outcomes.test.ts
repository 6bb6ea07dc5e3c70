/** How a run ends: every outcome, from what the agent says and the grade together. */
import { describe, expect, test } from 'vitest';
import type { Run, Solution } from '../../src/core/agent.ts';
import { UserError } from '../../src/core/errors.ts';
import type { RunEnd } from '../../src/core/event.ts';
import type { Grade } from '../../src/core/problem.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { answered, familyOf, oddRun, oddWorld, outline, say } from '../support/odd.ts';
import { eventsOf } from '../support/world.ts';

async function endOf(solve: (run: Run) => Promise<Solution>, grade?: Grade | Error): Promise<RunEnd> {
  const family = familyOf(
    grade
      ? {
          grade: async () => {
            if (grade instanceof Error) throw grade;
            return grade;
          },
        }
      : {},
  );
  const world = oddWorld({ solve, family });
  const end = await (await startRun(world, oddRun())).done;
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  expect((await eventsOf(world, 'run')).at(-1)?.body).toEqual(JSON.parse(JSON.stringify(end)));
  expect((await world.store.get('run'))?.summary.outcome).toBe(end.outcome);
  await world.store.close();
  return end;
}

const right: Grade = { correct: true, explanation: '' };
const wrong: Grade = { correct: false, explanation: '' };

describe('the outcome', () => {
  test.each<[RunEnd['outcome'], Solution['end'], Grade | undefined]>([
    ['solved', 'answered', right],
    ['solved', 'gave-up', right],
    ['wrong', 'answered', wrong],
    ['stopped', 'stopped', wrong],
    ['gave-up', 'gave-up', wrong],
    ['refused', 'refused', wrong],
    ['malformed', 'malformed', wrong],
    ['answered', 'answered', undefined],
    ['gave-up', 'gave-up', undefined],
    ['scored', 'answered', { score: 3, explanation: '' }],
    ['wrong', 'answered', { correct: false, score: 0.5, explanation: 'half of it' }],
    ['solved', 'answered', { correct: true, score: 1, explanation: 'all of it' }],
  ])('is %s where the agent says %s and the grade is %o', async (outcome, end, grade) => {
    const solution = { ...answered('x'), end };
    expect(await endOf(async () => solution, grade)).toMatchObject({
      outcome,
      solution,
      grade: grade ?? null,
    });
  });

  test('is not scored where nothing was handed in', async () => {
    const end = await endOf(async () => ({ end: 'gave-up' }), { score: 3, explanation: '' });
    expect(end.outcome).toBe('gave-up');
  });

  test('is an error with a stack where the agent has a bug, and nothing is graded', async () => {
    const end = await endOf(async () => {
      throw new TypeError('a bug');
    }, right);
    expect(end).toMatchObject({ outcome: 'error', grade: null, error: { name: 'TypeError' } });
    expect(end.error?.stack).toContain('a bug');
  });

  test('is an error without one where it is told to a person', async () => {
    const end = await endOf(async () => {
      throw new UserError({ code: 'not-so', what: 'Not so.' });
    });
    expect(end).toMatchObject({ outcome: 'error', error: { name: 'UserError', message: 'Not so.' } });
    expect(end.error?.stack).toBeUndefined();
  });

  test('is an error where the grading fails', async () => {
    const end = await endOf(async () => answered('x'), new TypeError('grader broken'));
    expect(end).toMatchObject({ outcome: 'error', grade: null, error: { message: 'grader broken' } });
  });

  test('is an error where the agent uses what the problem does not have', async () => {
    for (const use of [
      (run: Run) => run.check({ type: 'text', text: '' }),
      (run: Run) => run.evaluate('', []),
    ]) {
      const end = await endOf(async (run) => {
        await use(run);
        return answered('');
      });
      expect(end.error?.message).toMatch(/The problem has no (check|program)/);
    }
  });

  test('is an error where an answer cannot be written down', async () => {
    const end = await endOf(async () => ({ end: 'answered', detail: 1n as unknown as string }));
    expect(end).toMatchObject({ outcome: 'error', error: { name: 'UserCodeError' } });
  });
});

test('what is asked for and cannot be written down is an error of the agent that leaves no trace', async () => {
  const caught: string[] = [];
  const world = oddWorld({
    solve: async (run) => {
      const lengthy = 'x'.repeat(1000);
      const args = { lengthy, big: 1n } as unknown as { lengthy: string };
      await run.tool('t', args).catch((error: Error) => caught.push(error.name));
      await run.tool('t', { lengthy });
      return { end: 'gave-up' };
    },
  });
  await (await startRun(world, oddRun())).done;
  expect(caught).toEqual(['TypeError']);
  const events = await eventsOf(world, 'run');
  expect(outline(events)).toEqual(['run-start', 'main#2 tool-call', 'main#2 tool-result ok', 'run-end']);
  expect(await replayRun(world, 'run')).toMatchObject({ isSame: true });
});

test('the same seed has the same chance in every branch, and another seed another', async () => {
  const drawn: number[][] = [];
  const world = oddWorld({
    solve: async (run) => {
      const here = [run.random(), run.random()];
      const there = await run.branch('a', async (branch) => [branch.random(), branch.random()]);
      drawn.push([...here, ...there]);
      return { end: 'gave-up' };
    },
  });
  for (const [id, seed] of [
    ['one', 'x'],
    ['two', 'x'],
    ['three', 'y'],
  ] as const) {
    await (await startRun(world, oddRun({ id, seed }))).done;
  }
  expect(drawn[1]).toEqual(drawn[0]);
  expect(new Set(drawn.flat()).size).toBe(8);
  expect(drawn.flat().every((chance) => chance >= 0 && chance < 1)).toBe(true);
});

test('an agent sees a result as the journal gives it back', async () => {
  const family = familyOf({
    check: async () => ({
      pass: true,
      feedback: 'x',
      data: { at: new Date(0) as unknown as string, none: undefined, nan: Number.NaN },
    }),
  });
  let seen = '';
  const world = oddWorld({
    family,
    solve: async (run) => {
      const { data = {} } = await run.check({ type: 'text', text: '' });
      seen = `${typeof data.at} ${'none' in data} ${data.nan}`;
      return answered(await say(run, seen));
    },
  });
  await (await startRun(world, oddRun())).done;
  expect(seen).toBe('string false null');
  expect(await replayRun(world, 'run')).toMatchObject({ isSame: true });
});

test('a list of messages may be written on while a call is in flight', async () => {
  let sent = 0;
  const world = oddWorld({
    solve: async (run) => {
      const messages = [{ role: 'user', content: 'a' } as const];
      const asked = run.generate('solver', { messages });
      messages.push({ role: 'user', content: 'a' });
      await asked;
      sent = messages.length;
      return { end: 'gave-up' };
    },
  });
  await (await startRun(world, oddRun())).done;
  const request = (await eventsOf(world, 'run')).find(({ kind }) => kind === 'model-request');
  expect([sent, request?.body]).toMatchObject([2, { messages: [{ content: 'a' }] }]);
});
