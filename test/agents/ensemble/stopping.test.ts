/**
 * A question ends when its vote is certain enough: as right as when all are asked, with fewer calls, and with fewer than by
 * the published rule. On answerers whose skill is known, whose errors are spread or alike.
 */
import { describe, expect, test } from 'vitest';
import { isDecided } from '../../../src/agents/ensemble/vote.ts';
import { seededChance } from '../../../src/core/seeded-chance.ts';
import {
  adaptiveConsistency,
  answersOf,
  fixed,
  measured,
  ours,
  populations,
  reviewers,
  reviewsMeasured,
  windowed,
} from '../../support/answerers.ts';
import { planned, played, prints, states } from '../../support/ensemble.ts';

const nobody = { votes: 0, weight: 0 };
const votes = (count: number) => ({ votes: count, weight: count });
const ones = (count: number) => Array.from({ length: count }, () => 1);
const rule = { toWin: 2, certainty: 0.98 };

describe('the ensemble took 4.4 times the calls of a single one', () => {
  test.each(populations.flatMap((population) => [3, 5, 9, 15].map((most) => [population, most] as const)))(
    'at equal accuracy fewer calls: $name, at most %s',
    (population, most) => {
      const chance = seededChance(`answerers ${population.name} ${most}`);
      const questions = Array.from({ length: 4_000 }, () => answersOf(population, most, chance));
      const [all, published, own] = measured([fixed, adaptiveConsistency, ours()], questions);
      if (!all || !published || !own) throw new Error('Three rules are measured.');
      expect(own.calls).toBeLessThan(0.9 * most);
      expect(own.calls).toBeLessThan(0.98 * published.calls);
      // Up to nine votes, the published rule at its published threshold and this one answer alike.
      expect(own.accuracy).toBeGreaterThan(published.accuracy - (most > 9 ? 0.004 : 0.0005));
      expect(own.accuracy).toBeGreaterThan(all.accuracy - (most > 9 ? 0.008 : 0.001));
      if (most <= 5) expect(own.otherwise, 'the answer that all would have given').toBe(0);
      expect(own.rounds).toBeLessThan(published.rounds);
    },
  );

  test('a window of answers that are the same is no more right, and asks for more or errs where errors are alike', () => {
    const trap = populations.at(-1);
    if (!trap) throw new Error('There is one.');
    const chance = seededChance('a trap for windows');
    const questions = Array.from({ length: 4_000 }, () => answersOf(trap, 9, chance));
    const [window, own] = measured([windowed(4), ours()], questions);
    expect(own?.calls).toBeLessThan(window?.calls ?? 0);
    expect(own?.accuracy).toBeGreaterThanOrEqual(window?.accuracy ?? 1);
  });
});

test.each(populations.flatMap((population) => reviewers.map((reviewer) => [population, reviewer] as const)))(
  'reviews of answers that agree are spared at equal accuracy: $name',
  (population, reviewer) => {
    const chance = seededChance(`reviewer ${population.name} ${reviewer.name}`);
    const { each, spared } = reviewsMeasured(population, reviewer, 4_000, chance);
    expect(spared.calls).toBeLessThan(0.85 * each.calls);
    // A reviewer who knows better than those who err alike is worth its price: `spareReviews=false`.
    const isBetterThanAll = reviewer.catches > 0 && population.trapped > 0;
    if (!isBetterThanAll) expect(spared.accuracy).toBeGreaterThan(each.accuracy - 0.011);
  },
);

describe('the rule', () => {
  test('a heavy vote that is out may come to the second', () => {
    const standing = { leader: votes(4), second: votes(1), rest: nobody };
    expect(isDecided(standing, rule, ones(1))).toBe(true);
    expect(isDecided(standing, rule, [4])).toBe(false);
  });
});

describe('the ensemble', () => {
  const lines = (answers: Readonly<Record<string, string>>) => ({
    planner: [planned('Use Python')],
    'self-correction': [states('0')],
    ...Object.fromEntries(
      Object.entries(answers).map(([name, text]) => [
        name,
        [(name.startsWith('program') ? prints : states)(text)],
      ]),
    ),
  });
  const places = ({ asked }: Awaited<ReturnType<typeof played>>) => asked.map(({ place }) => place);

  test('begins with two of three, and asks the third where they differ', async () => {
    const agreed = await played({ lines: lines({ 'program-1': '42', 'chain-1': '42' }) });
    expect(places(agreed).toSorted()).toEqual(['chain-1', 'planner', 'program-1']);
    expect(agreed.notes.vote?.spared).toEqual([{ strategy: 'program', begun: false }]);
    const split = await played({
      lines: lines({ 'program-1': '42', 'chain-1': '41', 'program-2': '42' }),
    });
    expect(places(split)).toHaveLength(4);
    expect(split.end.outcome).toBe('solved');
    const alone = await played({
      lines: lines({ 'program-1': '42', 'chain-1': '42' }),
      settings: { atOnce: 1 },
    });
    expect(places(alone)).toEqual(['planner', 'program-1', 'chain-1']);
    for (const { replay } of [agreed, split, alone]) expect(replay).toMatchObject({ isSame: true });
  });

  test('ends a long list where it is likely enough, and asks all of it where it may not end', async () => {
    const names = Array.from({ length: 9 }, (_, at) => `chain-${at + 1}`);
    const said = lines(Object.fromEntries(names.map((name) => [name, '42'])));
    const strategies = { python: names.map(() => 'chain') };
    const run = await played({ lines: said, settings: { strategies } });
    expect(places(run)).toHaveLength(5);
    expect(run.notes.vote?.spared).toHaveLength(5);
    const sure = await played({ lines: said, settings: { strategies, certainty: 1 } });
    expect(places(sure)).toHaveLength(6);
    for (const settings of [{ earlyStop: false }, { certainty: null, earlyStop: false }])
      expect(places(await played({ lines: said, settings: { strategies, ...settings } }))).toHaveLength(10);
  });
});
