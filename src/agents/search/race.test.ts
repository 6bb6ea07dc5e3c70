/** What a candidate is compared with: its own parent first, then the best of its island. */
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

const raced = (score: number) =>
  race(runWith(score), {
    source: 'child',
    cases,
    points: new Points({ direction: 'maximise', scoring: 'absolute', best: {}, timeLimitMs: 2_000 }),
    rules: () => ({ onFailure: 'all', timeMargin: 0.9, raceAfter: [5, 10], raceLevel: 0.05 }),
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
    detail: '5 worse than its parent weak on 5 cases, hardly by chance',
  });
});

test('what is as good as its parent is compared with the best', async () => {
  expect(await raced(100)).toMatchObject({
    status: 'cut',
    detail: '800 worse than the best of its island on 5 cases, hardly by chance',
  });
});
