/** Choosing cases, features of inputs, sums, and comparisons of versions. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareVersions, nearLimit, slowest, summaryOf, worst } from '../../src/apps/ahc/compare/summary.ts';
import type { CaseOutcome } from '../../src/core/program.ts';
import { seededChance } from '../../src/core/seeded-chance.ts';
import { selectCases } from '../../src/families/ahc/cases.ts';
import { featureIndex, featureNames, grouped, leadingNumbers } from '../../src/families/ahc/features.ts';
import { coded } from '../support/coded.ts';

const names = Array.from({ length: 120 }, (_, n) => String(n).padStart(4, '0'));

const record = (name: string, score: number | null, more: Partial<CaseOutcome> = {}): CaseOutcome => ({
  name,
  inputHash: 'same',
  message: '',
  features: {},
  verdict: score === null ? 'WA' : 'AC',
  score,
  cpuMs: 10,
  wallMs: 12,
  memoryBytes: 1,
  ...more,
});

const bestOf = (scores: Readonly<Record<string, number>>) => ({
  of: ({ name }: { readonly name: string }) => scores[name] ?? null,
  size: 0,
});
const chance = () => seededChance('test').next;

describe('cases', () => {
  test('are named by numbers, ranges and names', () => {
    expect(selectCases(names, '0-2, 7,0119')).toEqual(['0000', '0001', '0002', '0007', '0119']);
    expect(selectCases(['a', 'b'], 'b')).toEqual(['b']);
    expect(selectCases(names, undefined)).toBe(names);
  });

  test.each([
    ['', 'A number of a case is missing.'],
    ['500', 'There is no case 500.'],
    ['x', 'There is no case x.'],
    ['3-1', 'The range 3-1 ends before it begins.'],
    ['1,,2', 'A number of a case is missing.'],
    ['-5', 'There is no case -5.'],
  ])('that %j names are not there', (text, message) => {
    expect(() => selectCases(['0000', '0001', '0002', '0009'], text)).toThrow(message);
  });

  test('are never others than there are, each once and in order', () => {
    const part = fc.oneof(
      fc.nat(150).map(String),
      fc.tuple(fc.nat(150), fc.nat(150)).map(([a, b]) => `${a}-${b}`),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        try {
          const chosen = selectCases(names, parts.join(','));
          expect(chosen).toEqual(names.filter((name) => chosen.includes(name)));
        } catch (error) {
          expect(String(error)).toMatch(/There is no case \S|The range \d+-\d+ ends before it begins/);
        }
      }),
      { seed: 1 },
    );
  });
});

describe('features', () => {
  test('have the names of the statement until dots begin', () => {
    expect(featureNames('N K\nC_1 C_2\nA_{0,0} \\cdots A_{0,N-1}\n\\vdots\n')).toEqual([
      'N',
      'K',
      'C_1',
      'C_2',
    ]);
    expect(featureNames('The input:\n\n```\n$N$ $M$\n<var>\\epsilon</var>\ns_1\ns_2 t\n```\n')).toEqual([
      'N',
      'M',
      'epsilon',
      's_1',
      's_2',
      't',
    ]);
    expect(featureNames(null)).toEqual([]);
    // Dots were a name, and so was everything behind them.
    expect(featureNames('N M Q\nX Y\nx_1 y_1 w_1\n\\vdots\nx_N y_N w_N\n')).toEqual([
      'N',
      'M',
      'Q',
      'X',
      'Y',
    ]);
    expect(featureNames('N\nx_1\n:\nx_N\n')).toEqual(['N']);
    expect(featureNames('入力は以下の形式\nN M')).toEqual([]);
  });

  test('are the numbers at the beginning', () => {
    expect(leadingNumbers(' 63 8 0.5\n-1\nabc 4')).toEqual([63, 8, 0.5, -1]);
    expect(leadingNumbers('')).toEqual([]);
    expect(leadingNumbers(Array.from({ length: 99 }, () => '1').join(' '))).toHaveLength(20);
  });

  test('are asked for by name or place', () => {
    expect([featureIndex(['N', 'n'], 'n'), featureIndex(['N', 'M'], 'm'), featureIndex([], '3')]).toEqual([
      1, 1, 2,
    ]);
    expect(() => featureIndex(['N', 'M'], 'X')).toThrow(coded('no-such-feature'));
    expect(() => featureIndex([], 'X')).toThrow(coded('no-such-feature'));
  });

  test('make a group for each value, or four ranges', () => {
    expect(grouped([3, 1, 3], (each) => each)).toEqual([
      { label: '1', members: [1] },
      { label: '3', members: [3, 3] },
    ]);
    const many = Array.from({ length: 100 }, (_, n) => n);
    expect(grouped(many, (each) => each).map(({ label, members }) => [label, members.length])).toEqual([
      ['0–24', 25],
      ['25–49', 25],
      ['50–74', 25],
      ['75–99', 25],
    ]);
    expect(grouped(['x'], () => undefined)).toEqual([{ label: 'unknown', members: ['x'] }]);
  });

  test('lose and double no case', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: -50, max: 50 }), { nil: undefined })), (values) => {
        const items = values.map((value, index) => ({ value, index }));
        const members = grouped(items, ({ value }) => value).flatMap((group) => group.members);
        expect(members.map(({ index }) => index).sort((a, b) => a - b)).toEqual(
          items.map(({ index }) => index),
        );
      }),
      { seed: 1 },
    );
  });
});

describe('sums', () => {
  const cases = [record('a', 100), record('b', 50), record('c', null, { verdict: 'TLE', cpuMs: 2100 })];

  test('are of what has a score; without one there are no points', () => {
    const summary = summaryOf(cases, { direction: 'maximise', best: bestOf({ a: 200, b: 50, c: 7 }) });
    expect(summary).toEqual({
      cases: 3,
      verdicts: { AC: 2, TLE: 1 },
      scored: 2,
      total: 150,
      average: 75,
      relativeTotal: 1.5e9,
      relativeAverage: 0.5e9,
      slowestMs: 2100,
    });
    expect(summaryOf([record('a', null)], { direction: 'maximise', best: bestOf({}) })).toMatchObject({
      total: null,
      average: null,
      relativeAverage: null,
    });
  });

  test('know the slowest, and the furthest from the best known', () => {
    const scale = { direction: 'minimise' as const, best: bestOf({ a: 99, b: 50, c: 1 }) };
    expect(slowest(cases, 1).map(({ name }) => name)).toEqual(['c']);
    expect(worst(cases, scale, 5).map(({ name }) => name)).toEqual(['c', 'a']);
  });

  test('warn near the limit', () => {
    const [late, early] = [record('a', 1, { wallMs: 950 }), record('b', 1, { cpuMs: 800 })];
    const found = nearLimit([late, early, record('c', null, { cpuMs: 999 })], 1000);
    expect(found.map(({ name }) => name)).toEqual(['a']);
  });
});

describe('a comparison', () => {
  const best = bestOf({});
  const list = (score: (n: number) => number | null) =>
    names.slice(0, 50).map((name, n) => record(name, score(n)));

  test('tells a difference from noise', () => {
    const options = { direction: 'maximise' as const, scoring: 'absolute' as const, best };
    const random = seededChance('scores').next;
    const base = list(() => 1000 + Math.round(random() * 100));
    const better = base.map((each) => ({
      ...each,
      score: (each.score ?? 0) + 20 + Math.round(random() * 10),
    }));
    const shaken = base.map((each, n) => ({ ...each, score: (each.score ?? 0) + (n % 2 === 0 ? 30 : -30) }));
    const found = compareVersions(better, base, { ...options, random: chance() });
    expect(found).toMatchObject({
      verdict: 'better',
      wins: 50,
      losses: 0,
      ties: 0,
      common: 50,
      unit: 'score',
    });
    expect(found.interval?.low).toBeGreaterThan(15);
    expect(compareVersions(base, better, { ...options, random: chance() }).verdict).toBe('worse');
    expect(compareVersions(shaken, base, { ...options, random: chance() })).toMatchObject({
      verdict: 'noise',
      wins: 25,
      losses: 25,
    });
    expect(compareVersions(better, base, { ...options, random: chance() })).toEqual(found);
  });

  test.each([
    [5, 45, 'few'],
    [6, 0, 'better'],
    [0, 50, 'noise'],
  ])('where %i cases are far better and %i equal is told as %s', (moved, equal, verdict) => {
    const base = names.slice(0, moved + equal).map((name) => record(name, 100));
    const found = compareVersions(
      base.map((each, n) => ({ ...each, score: n < moved ? 1_000 : 100 })),
      base,
      { direction: 'maximise', scoring: 'absolute', best, random: chance() },
    );
    expect(found).toMatchObject({ wins: moved, ties: equal, verdict });
  });

  test('turns around where less is better', () => {
    const options = { direction: 'minimise' as const, scoring: 'absolute' as const, best, random: chance() };
    const found = compareVersions(
      list(() => 90),
      list(() => 100),
      options,
    );
    expect(found).toMatchObject({ difference: 10, change: 0.1, verdict: 'better', wins: 50 });
  });

  test('is in points where a contest is scored by them', () => {
    const known = bestOf({ a: 50, b: 100 });
    const options = {
      direction: 'minimise' as const,
      scoring: 'relative' as const,
      best: known,
      random: chance(),
    };
    const found = compareVersions(
      [record('a', 50), record('b', 200)],
      [record('a', 100), record('b', 200)],
      options,
    );
    expect(found).toMatchObject({ unit: 'points', difference: 0.25e9, wins: 1, ties: 1, verdict: 'few' });
  });

  test('is over common cases alone: other inputs are other cases, failures are won or lost', () => {
    const options = { direction: 'maximise' as const, scoring: 'absolute' as const, best, random: chance() };
    const news = [
      record('a', 5),
      record('b', 5, { inputHash: 'new' }),
      record('c', null),
      record('d', 7),
      record('n', null),
    ];
    const olds = [
      record('a', 5),
      record('b', 5),
      record('c', 3),
      record('d', null),
      record('n', null),
      record('z', 1),
    ];
    expect(compareVersions(news, olds, options)).toMatchObject({
      common: 4,
      onlyNew: 1,
      onlyOld: 2,
      wins: 1,
      losses: 1,
      ties: 2,
      scoredOnlyNew: 1,
      scoredOnlyOld: 1,
      paired: 1,
      verdict: 'noise',
    });
    expect(compareVersions([], [], options)).toMatchObject({
      common: 0,
      difference: null,
      interval: null,
      p: null,
      change: null,
    });
  });
});
