/** The words of evaluations: tables that grow, comparisons, charts, sums; without a program being run. */

import { describe, expect, test } from 'vitest';
import type { Comparison } from '../../src/apps/ahc/compare/summary.ts';
import { CaseRows, comparisonText, type RowsSetting, reportText } from '../../src/apps/ahc/testing/report.ts';
import { resultOf } from '../../src/apps/ahc/testing/result.ts';
import { namesText, signedText, verdictsText } from '../../src/apps/ahc/words.ts';
import type { Output } from '../../src/cli/contract.ts';
import type { CaseOutcome } from '../../src/core/program.ts';
import { markerPaint, noPaint } from '../../src/text/paint.ts';

const output: Output = {
  write: () => undefined,
  isTerminal: false,
  columns: 80,
  paint: noPaint,
  isClosed: false,
};

function done(name: string, score: number | null, more: Partial<CaseOutcome> = {}): CaseOutcome {
  const own = { name, score, verdict: score === null ? 'WA' : 'AC', inputHash: 'i', message: '' };
  return {
    ...own,
    features: { N: 3, M: 7 },
    cpuMs: 20,
    wallMs: 31,
    memoryBytes: 2 ** 20,
    ...more,
  } as CaseOutcome;
}

describe('the table of cases', () => {
  const setting = (more: Partial<RowsSetting> = {}): RowsSetting => ({
    names: ['0', '1', '2'],
    showsAll: true,
    paint: noPaint,
    pointsOf: () => null,
    elapsedMs: () => 10_000,
    ...more,
  });

  test('keeps the order of the cases, whichever is done first, and shows the rest when it is broken off', () => {
    const rows = new CaseRows(setting());
    expect(rows.status).toBe('0 of 3: none');
    expect(rows.add(done('2', 5))).toEqual([]);
    expect(rows.status).toBe('1 of 3: 1 AC; 20 s left');
    expect(rows.add(done('0', null, { message: 'too\nfew' })).map((line) => line.slice(0, 9))).toEqual([
      '0     WA ',
    ]);
    expect(rows.rest()).toHaveLength(1);
    expect(rows.rest()[0]).toContain('AC');
    expect(rows.status).toBe('2 of 3: 1 AC, 1 WA; 5.0 s left');
  });

  test('shows the share of the best known, messages in one line, and colours', () => {
    const rows = new CaseRows(
      setting({ pointsOf: ({ name }) => (name === '1' ? null : 5e8), paint: markerPaint('4711') }),
    );
    const shown = [
      done('0', 10),
      done('1', 20),
      done('2', null, { message: `a\u001b[2J${'x'.repeat(200)}` }),
    ].flatMap((each) => rows.add(each));
    expect(shown[0]).toMatch(/50\.00 %/);
    expect(shown[1]).toMatch(/ {4}–/);
    expect(shown[2]).not.toContain('\u001b[2J');
    expect(shown[2]?.length).toBeLessThan(200);
    expect(rows.status).toContain('; 50.00 % of the best known; 0.0 s left');
  });
});

describe('a comparison', () => {
  const base: Comparison = {
    ...{
      common: 10,
      onlyNew: 0,
      onlyOld: 0,
      wins: 6,
      losses: 3,
      ties: 1,
      scoredOnlyNew: 0,
      scoredOnlyOld: 0,
    },
    ...{
      paired: 10,
      difference: 12.5,
      unit: 'score',
      change: 0.1,
      interval: { low: 1, high: 240 },
      p: 0.0123,
    },
    verdict: 'better',
  };
  const said = (more: Partial<Comparison>) => comparisonText(output, 'v1', { ...base, ...more });

  test.each([
    [
      {},
      'mean difference +12.50 (+10.00 %), 95 % interval +1.00 to +240, p = 0.012: better: more than noise',
    ],
    [{ difference: -3, change: -0.02, verdict: 'worse', p: 0.0001 }, '-3.00 (-2.00 %)'],
    [{ p: 0.0001 }, 'p < 0.001: '],
    [{ verdict: 'worse' }, 'worse: more than noise'],
    [
      { interval: null, p: null, verdict: 'noise', change: null },
      'mean difference +12.50: cannot be told from noise',
    ],
    [
      { unit: 'points', difference: -2e7, interval: { low: -3e7, high: 1e7 } },
      '−2.00 % of the best known, 95 % interval −3.00 % to +1.00 %',
    ],
    [{ paired: 8, scoredOnlyNew: 2 }, 'over the 8 that both solved'],
    [{ scoredOnlyNew: 2 }, '2 cases solved now and not before'],
    [{ scoredOnlyOld: 1 }, '1 case solved before and not now'],
    [{ onlyNew: 2, onlyOld: 3 }, 'only one was run on them: 2 of this version, 3 of the other'],
  ] as const)('%j is told as %s', (more, text) => {
    expect(said(more as Partial<Comparison>)).toContain(text);
  });

  test('of nothing that both solved has no difference', () => {
    expect(said({ paired: 0 })).toBe(
      'against v1, over 10 cases that both were run on: 6 won, 3 lost, 1 equal',
    );
  });
});

describe('a report', () => {
  const contest = {
    id: 'x',
    title: 'X',
    timeLimitMs: 1000,
    memoryLimitBytes: 1,
    isInteractive: false,
    tools: null,
    direction: 'maximise' as const,
    scoring: 'relative' as const,
  };
  const report = (
    cases: readonly CaseOutcome[],
    more: { asked?: number; group?: boolean; old?: readonly CaseOutcome[] } = {},
  ) => {
    const known = new Map(cases.map(({ name, score }) => [name, score]));
    const best = { of: ({ name }: { name: string }) => known.get(name) ?? null, size: known.size };
    const version = { name: 'v2', source: 's', file: 'main.cpp', atMs: 0 };
    const evaluation = {
      version,
      backend: 'b',
      compile: null,
      compiled: true,
      asked: more.asked ?? cases.length,
      cases,
      best,
      improved: cases.slice(0, 1).map(({ name }) => name),
    };
    const compared = more.old ? { name: 'v1', cases: more.old } : null;
    const group = more.group ? 'N' : null;
    return reportText(output, resultOf({ contest, evaluation, group, compared }));
  };

  test('sums what is scored, and says what was broken off and what comes near the limit', () => {
    const text = report([done('0', 10, { cpuMs: 950 }), done('1', null)], { asked: 5 });
    expect(text).toContain('v2 of main.cpp: 2 cases of 5, broken off: 1 AC, 1 WA');
    expect(text).toContain('total 10, average 10 over the 1 with a score');
    expect(text).toContain('relative  50.00 % of the best known on average, 1,000,000,000 points');
    expect(text).toContain('best      1 case better than all known before: 0');
    expect(text).toMatch(/near the limit of 1\.000 s: 0\. The judge's machine may be slower/);
    expect(text).toContain('furthest from the best known');
  });

  test('of nothing says nothing of times', () => {
    expect(report([])).toBe('v2 of main.cpp: 0 cases: none\n');
  });

  test('shows groups, and how each of them changed', () => {
    const cases = [done('0', 10), done('1', 30, { features: { N: 4 } })];
    expect(report(cases, { group: true })).toMatch(/groups by N\n.*of best +slowest *\n/);
    const compared = report(cases, { group: true, old: [done('0', 5)] });
    expect(compared).toMatch(/won +lost +change/);
    expect(compared).toMatch(/^4 .* 0 +0 +– +too few$/m);
    expect(compared).toContain('against v1, over 1 case that both were run on: 1 won, 0 lost, 0 equal');
  });
});

test('numbers and lists in words', () => {
  expect([signedText(1234), signedText(-0.5), signedText(0)]).toEqual(['+1,234', '-0.50', '+0.00']);
  expect(namesText(['a', 'b'])).toBe('a, b');
  expect(namesText(Array.from({ length: 10 }, (_, n) => `${n}`))).toBe('0, 1, 2, 3, 4, 5, 6, 7 and 2 more');
  expect([verdictsText({}), verdictsText({ WA: 1, RE: 2, AC: 3 })]).toEqual(['none', '3 AC, 2 RE, 1 WA']);
});
