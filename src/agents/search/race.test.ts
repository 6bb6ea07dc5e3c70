/** What a candidate is compared with, its own parent first, and what becomes of cases that a busy machine left open. */
import { expect, test } from 'vitest';
import type { Run } from '../../core/agent.ts';
import type { CaseOutcome } from '../../core/program.ts';
import { seededChance } from '../../core/seeded-chance.ts';
import { Points } from './points.ts';
import { race } from './race.ts';

const cases = Array.from({ length: 20 }, (_, at) => `c${at}`);

function outcomesOf(score: number, names: readonly string[] = cases): CaseOutcome[] {
  return names.map((name) => ({
    name,
    verdict: 'AC',
    score,
    cpuMs: 10,
    wallMs: 10,
    memoryBytes: 1,
    message: '',
    features: {},
  }));
}

const { next } = seededChance('race');
const runWith = (score: number) =>
  ({
    random: next,
    evaluate: async (_source: string, names: readonly string[]) => ({
      score: null,
      data: { compiled: true, message: '', cases: outcomesOf(score, names), backend: 'toy' },
    }),
  }) as unknown as Run;

const raced = (score: number, run = runWith(score)) =>
  race(run, {
    source: 'child',
    cases,
    points: new Points({ direction: 'maximise', scoring: 'absolute', best: {}, timeLimitMs: 2_000 }),
    rules: () => ({ onFailure: 'all', raceAfter: [3, 8], raceLevel: 0.2 }),
    references: () => [
      { program: { id: 'weak', source: 'weak', outcomes: outcomesOf(100) }, name: 'its parent weak' },
      { program: { id: 'best', source: 'best', outcomes: outcomesOf(900) }, name: 'the best of its island' },
    ],
    mayGoOn: async () => true,
  });

test('what is better than its weak parent is not dropped for being behind the best: a weak beginning could not improve', async () => {
  expect(await raced(105)).toMatchObject({ status: 'evaluated', evaluation: { cases: { length: 20 } } });
});

test('what is worse than its parent is dropped, and compared with nothing else', async () => {
  expect(await raced(95)).toMatchObject({
    status: 'cut',
    detail: '5 worse than its parent weak on 3 cases, hardly by chance',
  });
});

test('what is as good as its parent is compared with the best', async () => {
  expect(await raced(100)).toMatchObject({
    status: 'cut',
    detail: '800 worse than the best of its island on 3 cases, hardly by chance',
  });
});

test('a case that a busy machine left open is run again later, and is no part of any comparison until then', async () => {
  const requests: (readonly string[])[] = [];
  const evaluate = async (_source: string, names: readonly string[]) => {
    requests.push(names);
    const isBusy = requests.length <= 3;
    const outcomes = outcomesOf(105, names).map((each) =>
      isBusy && each.name === 'c3' ? { ...each, verdict: 'NJ' as const, score: null } : each,
    );
    return { score: null, data: { compiled: true, message: '', cases: outcomes, backend: 'toy' } };
  };
  const found = await raced(105, { random: next, evaluate } as unknown as Run);
  expect(found).toMatchObject({ status: 'evaluated', evaluation: { cases: { length: 20 } } });
  expect(requests.filter((names) => names.includes('c3')).length).toBeGreaterThan(1);
  expect(found.evaluation.cases.every(({ verdict }) => verdict === 'AC')).toBe(true);
});

test('a program of which some case is never judged is neither failed nor dropped: nothing is said of it', async () => {
  const evaluate = async (_source: string, names: readonly string[]) => {
    const outcomes = outcomesOf(105, names).map((each) =>
      each.name === 'c3' ? { ...each, verdict: 'NJ' as const, score: null } : each,
    );
    return { score: null, data: { compiled: true, message: '', cases: outcomes, backend: 'toy' } };
  };
  expect(await raced(105, { random: next, evaluate } as unknown as Run)).toMatchObject({
    status: 'unjudged',
    detail: 'the machine was too busy to judge 1 of its cases',
  });
});
