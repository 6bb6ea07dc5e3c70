/** The course of a score over versions as bars of text, and as a picture. Pure. */

import { lineChart } from '../../cli/charts/line-chart.ts';
import { count } from '../../text/format.ts';
import type { Course } from './compare/course.ts';
import { scoreText, shareText } from './words.ts';

const mostBars = 40;

/** A bar a version. The shortest bar is the least value, not zero, so that differences are visible. */
export function chartText({ points, unit }: Course, columns: number): string {
  const shown = points.slice(-mostBars);
  const values = shown.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const texts = values.map((value) => valueText(value, unit));
  const nameWidth = shown.reduce((width, { name }) => Math.max(width, name.length), 0);
  const textWidth = texts.reduce((width, text) => Math.max(width, text.length), 0);
  const room = Math.max(10, Math.min(60, columns - nameWidth - textWidth - 6));
  const lines = shown.map(({ name, value }, index) => {
    const part = most > least ? (value - least) / (most - least) : 1;
    const bar = '█'.repeat(Math.max(1, Math.round(part * room)));
    return `${name.padStart(nameWidth)}  ${(texts[index] ?? '').padStart(textWidth)}  ${bar}`;
  });
  const omitted = points.length - shown.length;
  return [...(omitted > 0 ? [`(${omitted} older versions are not drawn)`] : []), ...lines].join('\n');
}

export function valueText(value: number, unit: Course['unit']): string {
  return unit === 'points' ? shareText(value) : scoreText(value);
}

export function chartSvg({ points, unit, common }: Course, title: string): string {
  const series = {
    name: 'versions',
    as: 'line' as const,
    points: points.map(({ name, value }, x) => ({
      x,
      y: unit === 'points' ? value / 1e7 : value,
      about: `${name}: ${valueText(value, unit)}`,
    })),
  };
  return lineChart([series], {
    title: `Course of the score, ${title}`,
    heading: `${title}: mean over the ${count(common, 'case')} that all of these versions were run on`,
    x: 'version',
    y: unit === 'points' ? 'share of the best known, %' : 'score',
    names: points.map(({ name }) => name),
  });
}
