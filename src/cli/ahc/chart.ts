/** The course of a score over versions as bars of text, and as a picture. Pure. */
import type { Course } from '../../index.ts';
import { escaped } from '../charts/markup.ts';
import { scoreText, shareText } from './words.ts';

const mostBars = 40;

/** A bar a version. The shortest stands for the least value, not for zero: differences are what is looked for. */
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

const size = { width: 800, height: 320, left: 90, right: 20, top: 40, bottom: 40 };

/** Every label is ours or a number: nothing in it needs escaping but the title. */
export function chartSvg({ points, unit, common }: Course, title: string): string {
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (index: number): number =>
    size.left + (index * (size.width - size.left - size.right)) / Math.max(1, points.length - 1);
  const y = (value: number): number =>
    size.height -
    size.bottom -
    ((value - least) / (most - least || 1)) * (size.height - size.top - size.bottom);
  const path = points.map(({ value }, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  const step = Math.ceil(points.length / 20);
  const dots = points.map(
    ({ name, value }, index) =>
      `<circle cx="${x(index).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3" fill="#0b63ce"><title>${name}: ${valueText(value, unit)}</title></circle>`,
  );
  const names = points.flatMap(({ name }, index) =>
    index % step === 0
      ? [`<text x="${x(index).toFixed(1)}" y="${size.height - 16}" text-anchor="middle">${name}</text>`]
      : [],
  );
  const marks = [...new Set([least, most])].map(
    (value) =>
      `<text x="${size.left - 10}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${valueText(value, unit)}</text>`,
  );
  const heading = `${title}: mean over the ${common} cases that all of these versions were run on`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<text x="${size.left}" y="20">${escaped(heading)}</text>`,
    `<polyline points="${path}" fill="none" stroke="#0b63ce" stroke-width="1.5"/>`,
    ...dots,
    ...names,
    ...marks,
    '</svg>',
    '',
  ].join('\n');
}
