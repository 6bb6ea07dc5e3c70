/** The statistics against SciPy 1.10.1's values (`binomtest`, `norm`, `permutation_test`), and what must always hold. */
import { array, assert, double, integer, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededChance } from '../seeded-chance.ts';
import { bootstrapMean, mean } from './bootstrap.ts';
import { holm, mcnemarExact, permutationTest } from './paired.ts';
import { wilsonInterval } from './proportion.ts';
import { logGamma, normalCdf, normalQuantile } from './special.ts';

/** successes, trials, and low and high of: Wilson 95 %, Wilson 99 %. */
const intervals = [
  [0, 10, 0.0, 0.27753279986288926, 0.0, 0.39885409330490806],
  [1, 10, 0.017876213095072896, 0.4041500267952385, 0.011851503411032915, 0.5072317712328935],
  [5, 10, 0.236593090512564, 0.7634069094874361, 0.1842255182472355, 0.8157744817527646],
  [10, 10, 0.7224672001371109, 1.0, 0.6011459066950919, 1.0],
  [81, 263, 0.2552885198782742, 0.36620957698280004, 0.24013690268760768, 0.3852825023182298],
  [537, 600, 0.8679075557284014, 0.9170667004707748, 0.8583303183183632, 0.9230292814274225],
  [1, 1, 0.20654931437723745, 1.0, 0.13097754328018596, 1.0],
  [0, 1, 0.0, 0.7934506856227626, 0.0, 0.8690224567198142],
  [249, 250, 0.977694214434584, 0.9992935524659349, 0.9668231771356777, 0.9995302038137357],
] as const;

describe('intervals for a proportion', () => {
  test.each(intervals)('%i of %i are those of SciPy', (successes, trials, ...values) => {
    const all = [wilsonInterval(successes, trials), wilsonInterval(successes, trials, 0.99)].flatMap(
      ({ low, high }) => [low, high],
    );
    for (const [at, value] of values.entries()) expect(all[at]).toBeCloseTo(value, 9);
  });

  test('hold the share, lie in 0 to 1, and narrow with more trials', () => {
    const counts = record({
      successes: integer({ min: 0, max: 400 }),
      failures: integer({ min: 0, max: 400 }),
    });
    assert(
      property(counts, ({ successes, failures }) => {
        const trials = successes + failures;
        const { low, high } = wilsonInterval(successes, trials);
        const share = trials === 0 ? 0.5 : successes / trials;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(share);
        expect(high).toBeGreaterThanOrEqual(share);
        const more = wilsonInterval(successes * 10, trials * 10);
        if (trials > 0) expect(more.high - more.low).toBeLessThan(high - low);
      }),
      { seed: 9, numRuns: 60 },
    );
  });

  test('mirror: what succeeds and what fails', () => {
    const [a, b] = [wilsonInterval(37, 90), wilsonInterval(53, 90)];
    expect(a.low).toBeCloseTo(1 - b.high, 10);
    expect(a.high).toBeCloseTo(1 - b.low, 10);
  });

  test('nothing known is everything possible, and nonsense is refused', () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
    expect(() => wilsonInterval(3, 2)).toThrow(RangeError);
    expect(() => wilsonInterval(0.5, 2)).toThrow(RangeError);
    expect(() => wilsonInterval(1, 2, 1)).toThrow(/level/);
  });
});

describe('paired tests', () => {
  test.each([
    [0, 0, 1],
    [1, 0, 1],
    [5, 15, 0.04138946533203125],
    [10, 10, 1],
    [3, 12, 0.03515625],
    [0, 6, 0.03125],
    [25, 40, 0.08168153394154003],
    [101, 59, 0.0011229051962340457],
    [300, 420, 8.807756168615114e-6],
    [500, 520, 0.5519226142149162],
    [2000, 2150, 0.020715456049267052],
  ])("McNemar with %i and %i is SciPy's binomial test", (first, second, p) => {
    expect(mcnemarExact(first, second)).toBeCloseTo(p, 10);
    expect(mcnemarExact(second, first)).toBe(mcnemarExact(first, second));
  });

  test('the permutation test enumerates what is small, as SciPy does', () => {
    const random = (): number => {
      throw new Error('chance is not needed');
    };
    expect(permutationTest([1.2, -0.3, 0.5, 2.2, -1.1, 0.7, 0.4, 3.0], { random })).toBe(0.125);
    expect(permutationTest([], { random })).toBe(1);
    expect(permutationTest([0, 0], { random })).toBe(1);
    // 0.1 + 0.2 is not 0.3: the pattern itself must still count.
    expect(permutationTest([0.1, 0.2, 0.3], { random })).toBe(0.25);
  });

  test('drawn, it comes near to what is enumerated, and its seed decides', () => {
    const small = [1.2, -0.3, 0.5, 2.2, -1.1, 0.7, 0.4, 3.0];
    // Sixteen more that cancel out keep the sum and pass the bound of what is enumerated.
    const many = [...small, ...Array.from({ length: 16 }, (_, at) => (at % 2 ? 0.01 : -0.01))];
    const p = permutationTest(many, { random: seededChance('one').next, rounds: 20_000 });
    expect(p).toBeGreaterThan(0.1);
    expect(p).toBeLessThan(0.15);
    expect(permutationTest(many, { random: seededChance('one').next, rounds: 20_000 })).toBe(p);
    expect(permutationTest(many.map(Math.abs), { random: seededChance('one').next })).toBeGreaterThan(0);
  });

  test('tests are two-sided: the order of the two does not matter', () => {
    const differences = array(integer({ min: -9, max: 9 }), { maxLength: 10 });
    assert(
      property(differences, (values) => {
        const random = seededChance('two').next;
        const turned = values.map((each) => -each);
        expect(permutationTest(values, { random })).toBe(permutationTest(turned, { random }));
      }),
      { seed: 9, numRuns: 100 },
    );
  });
});

describe('the bootstrap', () => {
  test('holds the mean, is as wide as theory says, and is the same for the same seed', () => {
    const randomSource = seededChance('values');
    const values = Array.from({ length: 400 }, () => randomSource.next());
    const found = bootstrapMean(values, { random: seededChance('draws').next });
    expect(found).toEqual(bootstrapMean(values, { random: seededChance('draws').next }));
    const centre = mean(values) ?? Number.NaN;
    // Uniform numbers have a deviation of √(1/12).
    const half = 1.96 * Math.sqrt(1 / 12 / 400);
    expect(found?.low).toBeCloseTo(centre - half, 2);
    expect(found?.high).toBeCloseTo(centre + half, 2);
  });

  test('of one value, or equal ones, is that value; of none there is none', () => {
    const random = seededChance('x').next;
    expect(bootstrapMean([7], { random })).toEqual({ low: 7, high: 7 });
    expect(bootstrapMean([2, 2, 2], { random })).toEqual({ low: 2, high: 2 });
    expect(bootstrapMean([], { random })).toBeNull();
    expect(mean([])).toBeNull();
  });
});

describe("Holm's correction", () => {
  test('is that of its definition', () => {
    const corrected = holm([0.01, 0.04, 0.03, 0.005]);
    for (const [at, p] of [0.03, 0.06, 0.06, 0.02].entries()) expect(corrected[at]).toBeCloseTo(p, 12);
    expect(holm([])).toEqual([]);
    expect(holm([0.3])).toEqual([0.3]);
    expect(holm([0.9, 0.8])).toEqual([1, 1]);
  });

  test('keeps the order, lowers nothing, and stays below Bonferroni', () => {
    const pValues = array(double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
    assert(
      property(pValues, (values) => {
        const corrected = holm(values);
        for (const [a, p] of values.entries()) {
          const own = corrected[a] ?? Number.NaN;
          expect(own).toBeGreaterThanOrEqual(p);
          expect(own).toBeLessThanOrEqual(Math.min(1, p * values.length));
          for (const [b, other] of values.entries()) {
            if (p <= other) expect(own).toBeLessThanOrEqual(corrected[b] ?? Number.NaN);
          }
        }
      }),
      { seed: 9, numRuns: 100 },
    );
  });
});

describe('special functions', () => {
  test.each([
    [0.001, 6.907178885383853],
    [0.1, 2.252712651734206],
    [0.5, 0.5723649429247],
    [1.5, -0.12078223763524526],
    [10.5, 13.940625219403763],
    [100, 359.1342053695754],
    [1e6, 12815504.569147611],
  ])('log Γ(%d)', (x, value) => {
    expect(Math.abs(logGamma(x) - value)).toBeLessThanOrEqual(1e-11 * Math.abs(value));
  });

  test.each([
    [0.5, 0],
    [0.6, 0.2533471031357997],
    [0.9, 1.2815515655446004],
    [0.975, 1.959963984540054],
    [0.9999, 3.719016485455709],
    [0.001, -3.090232306167813],
    [1e-9, -5.9978070150076865],
  ])('the normal quantile of %d', (p, x) => {
    expect(normalQuantile(p)).toBeCloseTo(x, 7);
    expect(normalCdf(x)).toBeCloseTo(p, 12);
  });
});
