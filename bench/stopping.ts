/**
 * When enough answerers of known skill were asked: the ensemble's rule against all of them, Adaptive-Consistency at its
 * published threshold (0.95) and the windows of Early-Stopping Self-Consistency; and second looks at answers that differ
 * against second looks at all. Accuracies and calls a question.
 */
import { seededChance } from '../src/core/seeded-chance.ts';
import {
  adaptiveConsistency,
  answersOf,
  fixed,
  type Measured,
  measured,
  ours,
  populations,
  reviewers,
  reviewsMeasured,
  windowed,
} from '../test/support/answerers.ts';
import type { Bench, Row } from './measure.ts';

const questions = 20_000;

export const stoppingBench: Bench = {
  name: 'stopping',
  note: `${questions.toLocaleString('en')} questions; every rule hears the same answers.`,
  async run() {
    const rules = populations.flatMap((population) =>
      [3, 5, 9, 15, 40].flatMap((most) => {
        const chance = seededChance(`answerers ${population.name} ${most}`);
        const asked = Array.from({ length: questions }, () => answersOf(population, most, chance));
        const rules = [fixed, adaptiveConsistency, windowed(most < 9 ? 2 : 4), ours()];
        const results = measured(rules, asked);
        const own = results.at(-1);
        return results
          .slice(0, -1)
          .flatMap((other) => (own ? rowsOf(population.name, most, own, other) : []));
      }),
    );
    const looks = populations.flatMap((population) =>
      reviewers.flatMap((reviewer) => {
        const chance = seededChance(`reviewer ${population.name} ${reviewer.name}`);
        const { each, spared } = reviewsMeasured(population, reviewer, questions, chance);
        const name = `${population.name}, a reviewer who ${reviewer.name}`;
        const base = { rounds: 0, otherwise: 0 };
        return rowsOf(
          name,
          3,
          { ...base, ...spared, rule: 'ours' },
          { ...base, ...each, rule: 'each is reviewed' },
        );
      }),
    );
    return [...rules, ...looks];
  },
};

function rowsOf(name: string, most: number, own: Measured, other: Measured): readonly Row[] {
  const row = (what: string, unit: string, of: (result: Measured) => number): Row => ({
    what: `${name}, at most ${most}: ${what}`,
    unit,
    measured: of(own),
    floor: of(other),
    against: other.rule,
    ratio: of(own) / of(other),
    aim: null,
  });
  return [row('calls', '', ({ calls }) => calls), row('right', '%', ({ accuracy }) => 100 * accuracy)];
}
