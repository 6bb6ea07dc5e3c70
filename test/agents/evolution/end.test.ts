/** The end of a search: what is left to run when its time is over has a bound, and how sure the final choice is. */
import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/event.ts';
import type { ProgramTask } from '../../../src/core/program.ts';
import { fakeClock } from '../../../src/io/clock.ts';
import { evolved, evolvingTask, notesOf } from '../../support/evolving.ts';

const one = { islands: 1, linesPerIsland: 1, populationSize: 5, maxGenerations: 100, searchCases: 30 };

/** Every case takes a second. How long the run was, what it noted, and how many cases were run when the time was over. */
async function timed(settings: Record<string, unknown>) {
  const beganAtMs = 1_000_000;
  const clock = fakeClock(beganAtMs);
  const task = evolvingTask();
  const evaluate: ProgramTask['evaluate'] = (source, names, context) => {
    clock.advance(names.length * 1000);
    return task.evaluate(source, names, context);
  };
  const { events, replay, end } = await evolved({
    settings: { ...one, ...settings },
    task: { evaluate },
    world: { io: { clock } },
  });
  expect(replay).toMatchObject({ isSame: true });
  expect(end.solution).toMatchObject({ end: 'answered' });
  return { events, seconds: (clock.now() - beganAtMs) / 1000, final: notesOf(events, 'final')[0] };
}

test('a tuning that is under way when the time is over ends there: it ran to its end, for minutes', async () => {
  const operators = { change: 0, rewrite: 0.01, tune: 100 };
  const { events, seconds, final } = await timed({ operators, timeLimitSeconds: 110, heldOutCases: 0 });
  // At most one stage of all programs of a round comes after it.
  expect(seconds).toBeLessThan(110 + 60);
  const last = notesOf(events, 'candidate').at(-1);
  expect(last).toMatchObject({ operator: 'tune', status: 'unusable' });
  expect(last?.detail).toBe('The search was over before a change of its constants had proved better.');
  expect(final?.because).toContain('held out');
});

test('a candidate in the middle of its race is not run on all other cases when the time is over', async () => {
  const operators = { change: 1, rewrite: 0, tune: 0 };
  const { events, seconds } = await timed({
    operators,
    timeLimitSeconds: 99,
    heldOutCases: 0,
  });
  expect(seconds).toBeLessThan(99 + 15);
  const cut = notesOf(events, 'candidate').filter(({ detail }) => detail.includes('the time was over'));
  expect(cut).toHaveLength(1);
  expect(cut[0]).toMatchObject({ status: 'cut', score: null });
});

test('the final choice overruns the limit by one stage, or a tenth: what all were run on by then decides', async () => {
  const { events, seconds, final } = await timed({ timeLimitSeconds: 200, heldOutCases: 50 });
  expect(seconds).toBeLessThan(200 + 20 + 2 * 40);
  expect(final?.cases).toBe(10);
  expect(final?.because).toMatch(
    /on 10 held-out cases, \d+(\.\d+)? better than the next, gen.*; there was no time for the other 40$/,
  );
  const late = notesOf(events, 'more-cases').filter(({ why }) => why === 'final');
  expect(new Set(late.map(({ evaluation }) => evaluation.cases.map(({ name }) => name).join())).size).toBe(1);
});

test('a search that ends before its time has all held-out cases for the final choice, each program noted once', async () => {
  const { events, final } = await timed({ maxGenerations: 1, timeLimitSeconds: 10_000, heldOutCases: 35 });
  expect(final?.cases).toBe(35);
  expect(final?.because).not.toContain('no time');
  const late = notesOf(events, 'more-cases').filter(({ why }) => why === 'final');
  expect(new Set(late.map(({ id }) => id)).size).toBe(late.length);
  expect(late.every(({ evaluation }) => evaluation.cases.length === 35)).toBe(true);
});

test('a proposal that nobody could use any more is not waited for, and the grading is told what time is left', async () => {
  const { events, replay, end } = await evolved({
    // One that never ends by itself; the template is there to be handed in.
    reply: ({ messages }, { role, signal }) =>
      role.startsWith('solver') && messages.length > 0
        ? new Promise<never>((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          )
        : null,
    settings: { ...one, timeLimitSeconds: 0.5, heldOutCases: 0 },
  });
  expect(replay).toMatchObject({ isSame: true });
  expect(end).toMatchObject({ outcome: 'scored', solution: { end: 'answered' } });
  expect(end.solution?.detail).toContain('gen00_id01. The time limit of 0.5 s is over.');
  // Not even begun, where the machine is so busy that the time is over before.
  const isUnheard = ({ kind, body }: Event) =>
    kind === 'model-response' && 'status' in body && body.status !== 'ok';
  expect(events.filter(isUnheard)).toHaveLength(1);
  const grading = events.find(({ kind }) => kind === 'grade-start')?.body as { readonly withinMs: number };
  expect(grading.withinMs).toBe(end.solution?.gradeWithinMs);
  // The tenth of the limit by which all may be overrun, but for what has passed of it.
  expect(grading.withinMs).toBeLessThanOrEqual(50);
});

test('the interval of the chosen program allows for its having been chosen among several', async () => {
  const { events, final } = await timed({ maxGenerations: 2, timeLimitSeconds: 10_000, heldOutCases: 50 });
  const compared = final?.standings.filter(({ gain }) => gain !== null) ?? [];
  expect(compared).toHaveLength(3);
  const ran = notesOf(events, 'more-cases').filter(({ why }) => why === 'final');
  const scoresOf = (id?: string) => ran.find((each) => each.id === id)?.evaluation.cases ?? [];
  const root = scoresOf(final?.standings.find(({ gain }) => gain === null)?.id);
  const [first] = compared;
  const gains = scoresOf(first?.id).map(({ score }, at) => (score ?? 0) - (root[at]?.score ?? 0));
  const mean = gains.reduce((sum, each) => sum + each, 0) / gains.length;
  const variance = gains.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (gains.length - 1);
  const errors = ((first?.high ?? 0) - (first?.low ?? 0)) / 2 / Math.sqrt(variance / gains.length);
  // 2.39 standard errors in the place of 1.96, but for the chance of the bootstrap.
  expect(errors).toBeGreaterThan(2.1);
  expect(errors).toBeLessThan(2.8);
});
