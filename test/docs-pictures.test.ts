/** The pictures of the documents: each that is named is there, a PNG as wide as the window it shows, and small. */
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { withPalette } from '../scripts/palette.ts';

const root = join(import.meta.dirname, '..');

const named = ['README.md', ...globSync('docs/*.md', { cwd: root })].flatMap((page) =>
  Array.from(
    readFileSync(join(root, page), 'utf8').matchAll(/!\[[^\]]+\]\(([^)]+\.png)\)/g),
    ([, path = '']) => join(dirname(page), path),
  ),
);

test('every picture that a document names is a small PNG of a window', () => {
  expect(named.length).toBeGreaterThan(5);
  for (const path of named) {
    const bytes = readFileSync(join(root, path));
    expect(bytes.length, path).toBeLessThanOrEqual(120_000);
    const { width, height } = PNG.sync.read(bytes);
    expect([width, height], path).toEqual(path.endsWith('phone.png') ? [390, 844] : [1280, 800]);
  }
});

test('there is no picture that no document names, and all are less than 1 MB', () => {
  const there = globSync('docs/view/*.png', { cwd: root });
  expect(there.toSorted()).toEqual([...new Set(named)].toSorted());
  const bytes = there.reduce((sum, path) => sum + statSync(join(root, path)).size, 0);
  expect(bytes).toBeLessThan(1_000_000);
});

test('a palette keeps the colours that are there most often, and takes the nearest for others', () => {
  const [width, height] = [300, 4];
  const data = new Uint8Array(width * height * 4).fill(255);
  // More colours than a palette has, each once; white is all the rest.
  for (let x = 0; x < width; x += 1) data.set([x % 256, x >> 8, 7, 255], 4 * x);
  const { data: read } = PNG.sync.read(withPalette({ width, height, data }));
  expect([...read.subarray(4 * width)]).toEqual([...data.subarray(4 * width)]);
  for (let at = 0; at < 4 * width; at += 1)
    expect(Math.abs((read[at] ?? 0) - (data[at] ?? 0))).toBeLessThan(50);
});
