/** Charts and pages of ours: round numbers at the axes, every mark in its room, and nothing in them that obeys. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barChart } from '../../../src/cli/charts/bar-chart.ts';
import { bulkOf, chartSize, scaleOf } from '../../../src/cli/charts/frame.ts';
import { lineChart, type Series } from '../../../src/cli/charts/line-chart.ts';
import { folded, pageOf, paragraph, tableOf } from '../../../src/cli/charts/page.ts';

describe('a scale', () => {
  test('has round numbers, each told from the next', () => {
    const texts = (values: number[]) => scaleOf(values, { from: 0, to: 100 }).ticks.map(({ text }) => text);
    expect(texts([0, 100])).toEqual(['0', '20', '40', '60', '80', '100']);
    expect(texts([0, 4_000_000])).toEqual(['0', '1M', '2M', '3M', '4M']);
    expect(texts([1_000_100, 1_000_104])).toEqual(['1000100', '1000101', '1000102', '1000103', '1000104']);
    expect(texts([0.001, 0.002])).toEqual(['0.0010', '0.0012', '0.0014', '0.0016', '0.0018', '0.0020']);
    expect(texts([-5, 5])).toEqual(['-4', '-2', '0', '2', '4']);
  });

  test('has room where there is one value, or none', () => {
    for (const values of [[], [7], [0], [-3, -3], [Number.NaN]]) {
      const { at, ticks } = scaleOf(values, { from: 0, to: 100 });
      expect(ticks.length).toBeGreaterThan(1);
      expect(Number.isFinite(at(values[0] || 0))).toBe(true);
    }
  });

  test('of any values keeps them and its ticks in the room, in their order', () => {
    const values = fc.array(fc.double({ min: -1e12, max: 1e12, noNaN: true }), {
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(values, (all) => {
        const { at, ticks } = scaleOf(all, { from: 300, to: 20 });
        for (const value of [...all, ...ticks.map((tick) => tick.value)]) {
          expect(at(value)).toBeLessThanOrEqual(300.001);
          expect(at(value)).toBeGreaterThanOrEqual(19.999);
        }
        expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length);
      }),
      { seed: 1 },
    );
  });
});

describe('a chart', () => {
  const numbersIn = (svg: string, name: string) =>
    [...svg.matchAll(new RegExp(`${name}="(-?[\\d.]+)"`, 'g'))].map(([, text]) => Number(text));

  test('of lines has steps, lines, dots, a legend, and all of it within', () => {
    const points = [
      { x: 0, y: 10, about: 'gen00_id01' },
      { x: 60, y: 30 },
    ];
    const svg = lineChart(
      [
        { name: 'best', as: 'steps', points },
        { name: 'mean', as: 'line', points },
        { name: 'each', as: 'dots', points },
      ],
      { title: 'Score', x: 'minutes', y: 'score' },
    );
    expect(svg).toContain('H');
    expect(svg).toMatch(/M[\d.]+ [\d.]+L/);
    expect(svg.match(/<circle/g)).toHaveLength(6);
    expect(svg).toContain('<title>gen00_id01</title>');
    expect(svg.match(/class="legend"/g)).toHaveLength(3);
    expect(Math.max(...numbersIn(svg, 'cx'))).toBeLessThanOrEqual(chartSize.width);
    expect(Math.max(...numbersIn(svg, 'cy'))).toBeLessThanOrEqual(chartSize.height);
  });

  test('names a colour once, and no more of them than there is room for', () => {
    const points = [{ x: 1, y: 1 }];
    const many = Array.from({ length: 60 }, (_, at): Series => ({ name: `c${at >> 1}`, as: 'dots', points }));
    const svg = lineChart(many, { title: 'Course', x: 'tokens', y: 'score' });
    expect(svg.match(/class="legend"/g)).toHaveLength(12);
    expect(svg).toContain('>and 19 more<');
    const rows = [...svg.matchAll(/class="legend" x="\d+" y="(-?\d+)"/g)].map(([, y]) => Number(y));
    expect(Math.min(...rows)).toBeGreaterThan(chartSize.top);
    expect(lineChart(many.slice(0, 2), { title: 'Course', x: 'tokens' })).not.toContain('legend');
  });

  test('of bars has a row each, with its interval', () => {
    const bars = [
      { name: 'gpt', value: 3, low: 2, high: 5, text: '3 of 9' },
      { name: 'a name that is much longer than there is room for it', value: -1 },
    ];
    const svg = barChart(bars, { title: 'Gain', x: 'points', isFromZero: true });
    expect(svg.match(/<rect/g)).toHaveLength(2);
    expect(svg.match(/class="interval"/g)).toHaveLength(1);
    expect(svg).toContain('3 of 9');
    expect(svg).toContain('a name that is much longer …');
    expect(Math.min(...numbersIn(svg, 'width'))).toBeGreaterThanOrEqual(0);
    expect(barChart(bars, { title: 'Gain', x: 'points', isFromZero: false })).not.toContain('<rect');
  });
});

test('a page shows what others wrote, and obeys none of it', () => {
  const evil = '<script>alert(1)</script><img src=x onerror=alert(1)>"';
  const page = pageOf({
    title: evil,
    subtitle: evil,
    facts: [[evil, evil]],
    sections: [
      { heading: evil, body: tableOf([evil, 'n'], [[evil, 3]]) },
      { heading: 'code', body: folded(evil, evil) + paragraph(evil) },
      {
        heading: 'chart',
        body: barChart([{ name: evil, value: 1, text: evil }], { title: evil, x: evil, isFromZero: true }),
      },
      {
        heading: 'lines',
        body: lineChart([{ name: evil, as: 'dots', points: [{ x: 1, y: 1, about: evil }] }], {
          title: evil,
          x: evil,
          y: evil,
        }),
      },
    ],
  });
  expect(page).not.toMatch(/<script|<img/i);
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  expect(page).toContain('<td class="number">3</td>');
});

describe('the bulk of values', () => {
  test.each([
    ['one far below is left out', [1, 1300, 1360, 1442, 1455], [1300, 1360, 1442, 1455]],
    ['one far above, too', [10, 11, 12, 13, 9000], [10, 11, 12, 13]],
    ['where none is far, all are in', [0, 50, 100, 150], [0, 50, 100, 150]],
    ['of two none is left out', [1, 1400], [1, 1400]],
    ['equal ones', [5, 5, 5, 5], [5, 5, 5, 5]],
  ])('%s', (_what, values, bulk) => {
    expect(bulkOf(values)).toEqual(bulk);
  });

  test('a chart begins where the scores are, and what lies far below stands at its edge', () => {
    const points = [1, 1300, 1360, 1442, 1455].map((y, x) => ({ x, y, about: `${y}` }));
    const svg = lineChart([{ name: 'a', as: 'line', points }], { title: 't', x: 'x', y: 'y' });
    expect(svg).toContain('>1.40k<');
    expect(svg).not.toContain('>0.50k<');
    expect(svg).toContain('<title>1</title>');
  });
});
