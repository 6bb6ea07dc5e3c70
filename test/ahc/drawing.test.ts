/** What of a visualizer's files the page is told: pictures as addresses that hold them, and files to save. */
import { expect, test } from 'vitest';
import { toldDrawing } from '../../src/apps/ahc/drawing.ts';
import { coded } from '../support/coded.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const told = (files: Readonly<Record<string, string>>, said = '') =>
  toldDrawing({
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bytesOf(text)])),
    score: 1234,
    said,
    isKept: true,
  });
const shown = (files: Readonly<Record<string, string>>) => {
  const [, type, base64 = ''] = /^data:([^;]+);base64,(.*)$/.exec(told(files).picture ?? '') ?? [];
  return type && [type, Buffer.from(base64, 'base64').toString()];
};

test('an SVG is shown as it is, and of a page of HTML the drawing in it, which says of what kind it is', () => {
  const xmlns = 'xmlns="http://www.w3.org/2000/svg"';
  const svg = `<svg ${xmlns}><g/></svg>`;
  expect(shown({ 'out.svg': svg })).toEqual(['image/svg+xml', svg]);
  expect(shown({ 'vis.html': `<p>1</p>${svg}<p>2</p>` })).toEqual(['image/svg+xml', svg]);
  expect(shown({ 'vis.html': '<SVG id="a"><svg/></svg></SVG>' })).toEqual([
    'image/svg+xml',
    `<svg ${xmlns} id="a"><svg/></svg></SVG>`,
  ]);
  expect(shown({ 'a.PNG': 'bytes' })).toEqual(['image/png', 'bytes']);
  expect(told({ 'out.svg': svg }).about).toBe('score 1,234, from the output that was scored');
});

test('what holds no drawing, or too large a one, can be saved alone', () => {
  for (const html of ['<canvas>', '</svg><svg ', '<svgs></svgs>', '<svg '.repeat(1_500_000)]) {
    expect(told({ 'vis.html': html })).toMatchObject({ picture: null, files: [{ name: 'vis.html' }] });
  }
  expect(told({ 'out.svg': ' '.repeat(9_000_000) }).picture).toBe(null);
});

test('nothing at all, and too much to be sent, say so with what the tool said', () => {
  expect(() => told({}, 'The output is odd.')).toThrow(coded('nothing-drawn', 'The output is odd.'));
  expect(() => told({ 'out.svg': ' '.repeat(40_000_000) })).toThrow(coded('nothing-drawn'));
});
