/** Constants are tuned without a model: what is better is found and proved, and what is noise is said to be noise. */
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { operated, searched, tuned, untuned, valuesIn } from '../../support/tunable.ts';

const sourceOf = ({ end }: Awaited<ReturnType<typeof tuned>>): string => {
  const answer = end.solution?.answer;
  return answer?.type === 'source' ? answer.source : '';
};

describe('the search', () => {
  test('finds better values, proves them on cases it never saw, and hands in the program with them', async () => {
    const run = await tuned({ evaluations: 120 });
    const { search, trials, tuned: result } = run.view;
    expect(search).toMatchObject({ cases: 24, unseen: 50, areFresh: true, evaluations: 120 });
    expect(search?.constants.map(({ name, value }) => [name, value])).toEqual([
      ['A', 300],
      ['B', 0.9],
      ['WIDTH', 10],
    ]);
    expect(result?.gain).toMatchObject({ verdict: 'better', cases: 50, rescued: 0 });
    // 300 and 0.9 lose some 550 points against the best values.
    expect(result?.gain?.low).toBeGreaterThan(350);
    const values = valuesIn(sourceOf(run));
    expect(values).toEqual(result?.values);
    expect(values.A).toBeGreaterThan(8);
    expect(values.A).toBeLessThan(80);
    expect(result?.evaluations).toBeLessThanOrEqual(122);
    expect(trials.filter(({ fate }) => fate === 'best').length).toBeGreaterThan(1);
    expect(trials.filter(({ cases }) => cases < 24).length).toBeGreaterThan(trials.length / 2);
    expect(run.end).toMatchObject({ outcome: 'scored', solution: { end: 'answered' } });
    expect(run.end.solution?.detail).toContain('A 300 → ');
    expect(run.replay).toMatchObject({ complete: true, isSame: true });
    expect(run.events.some(({ kind }) => kind === 'model-request')).toBe(false);
  });

  test('sees no unseen case while it searches', async () => {
    const { events } = await tuned({ evaluations: 40 });
    const asked = events.flatMap(({ kind, body }) =>
      kind === 'evaluate-start' ? [(body as { cases: string[] }).cases] : [],
    );
    const firstFresh = asked.findIndex((cases) => cases.some((name) => name.startsWith('f')));
    expect(firstFresh).toBe(asked.length - 2);
    expect(new Set(asked.slice(firstFresh).flat()).size).toBe(50);
  });

  test('takes luck for luck: where constants change nothing but noise, the program stays as it was', async () => {
    const run = await tuned({ evaluations: 80 }, { worth: null });
    expect(sourceOf(run)).toBe(untuned);
    expect(run.view.tuned?.values).toEqual({ A: 300, B: 0.9, WIDTH: 10 });
    expect(run.view.tuned?.gain?.verdict ?? 'noise').toBe('noise');
    expect(run.end.solution?.detail).toContain('No gain beyond noise');
  });

  test('never takes a value with which a case comes too near the time limit, however well it scores', async () => {
    const worth = ({ WIDTH = 0 }: Readonly<Record<string, number>>) => WIDTH;
    const source = 'const int WIDTH = 30; // tune: int 10..500 log\n';
    const run = await tuned({ source, evaluations: 60 }, { worth });
    expect(run.view.tuned?.gain?.verdict).toBe('better');
    expect(valuesIn(sourceOf(run)).WIDTH).toBeLessThanOrEqual(50);
    expect(valuesIn(sourceOf(run)).WIDTH).toBeGreaterThan(30);
  });

  test('minimises, and counts by shares of the best known, where the contest does', async () => {
    const worth = ({ B = 0 }: Readonly<Record<string, number>>) => 2000 * (B - 0.3) ** 2;
    const run = await tuned(
      { evaluations: 60, parameters: [{ name: 'B', low: 0, high: 1, scale: 'linear' }] },
      { worth, task: { direction: 'minimise', scoring: 'relative' }, fresh: false },
    );
    expect(run.view.search).toMatchObject({ cases: 16, unseen: 8, areFresh: false });
    expect(run.view.tuned?.gain?.verdict).toBe('better');
    expect(run.view.tuned?.gain?.mean).toBeLessThan(1);
    const values = valuesIn(sourceOf(run));
    expect(values).toMatchObject({ A: 300, WIDTH: 10 });
    expect(Math.abs((values.B ?? 0) - 0.3)).toBeLessThan(0.25);
  });

  test('ends when all values there are have been tried', async () => {
    const source = 'const int WIDTH = 2; // tune: int 1..3\n';
    const { view } = await tuned({ source, evaluations: 500 });
    expect(view.trials.length).toBe(2);
    expect(view.tuned?.because).toContain('Nothing new was left');
  });

  test('ends with what it has when its time is up, or a limit of the run is reached', async () => {
    // A whole search may be over within the millisecond of a real clock; this one is a second later at each look.
    let nowMs = 1_000_000;
    const now = () => {
      nowMs += 1_000;
      return nowMs;
    };
    const late = await tuned({ timeLimitSeconds: 0.5 }, { io: { clock: { ...systemClock, now } } });
    expect(late.view.tuned).toMatchObject({ trials: 0, gain: null, because: 'The time was up.' });
    expect(late.end.solution).toMatchObject({ end: 'answered' });
  });
});

describe('what cannot be searched', () => {
  test('is said in words before anything is run', async () => {
    const why = async (settings: Parameters<typeof tuned>[0]) =>
      (await tuned(settings)).end.error?.message ?? '';
    expect(await why({ source: 'int main() {}' })).toContain('no constant that could be tuned');
    expect(await why({ source: 'double x = 0.5; // tune: high\n' })).toContain('Line 1: `high` is no range');
    const parameters = [{ name: 'C', low: 0, high: 1, scale: 'linear' as const }];
    expect(await why({ parameters })).toContain('It has: A, B, WIDTH.');
    expect(await why({ cases: ['s001', 'x'] })).toContain('There is no case x.');
  });

  test('is a program that does not compile', async () => {
    const { end } = await tuned({ source: `#error\n${untuned}` });
    expect(end).toMatchObject({ outcome: 'gave-up', solution: { end: 'gave-up' } });
    expect(end.solution?.detail).toContain('does not compile: main.cpp:1');
  });
});

describe('the operator of a search', () => {
  test('proposes a program with better constants, or nothing', async () => {
    const better = await operated({ evaluations: 60 });
    expect(better?.summary).toMatch(/A 300 → [\d.]+/);
    expect(valuesIn(better?.source ?? '')).toEqual(better?.constants);
    expect(better?.evaluations).toBeLessThanOrEqual(60);
    expect(await operated({ evaluations: 60 }, { worth: null })).toBeNull();
    expect(await operated({ source: 'int main() {}' })).toBeNull();
    // A round takes more than there is.
    expect(await operated({ evaluations: 4 })).toBeNull();
  });

  test('takes all of very few cases for both, the search and the proof', async () => {
    const few = await operated({ evaluations: 60, cases: searched.slice(0, 7) });
    expect(few?.summary).toContain('A 300 → ');
  });
});
