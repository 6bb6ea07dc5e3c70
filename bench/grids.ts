/**
 * Grids: 1,000 of them, 10 to 30 cells a side, drawn as PNG and SVG, and compared with another of their size. The floors
 * are what cannot be left out: zlib over the bytes of the same pixels; the same cells written down as text; a walk over
 * the cells of both.
 */
import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import type { Grid } from '../src/core/problem.ts';
import { differingCells, diffText } from '../src/grids/diff.ts';
import { drawGrid } from '../src/grids/drawing.ts';
import { renderPng } from '../src/grids/png.ts';
import { renderSvg } from '../src/grids/svg.ts';
import { seeded } from '../test/answers/seeded.ts';
import { type Bench, contest, type Row, timedEach } from './measure.ts';

const count = 1_000;
const rounds = 3;
const cellPixels = 8;

export const gridsBench: Bench = {
  name: 'grids',
  run: async () => {
    const grids = randomGrids();
    return [await png(grids), await svg(grids), await cells(grids), await text(grids)];
  },
};

async function png(grids: readonly Grid[]): Promise<Row> {
  const pixels = grids.map((grid) => rowsOf(renderPng(drawGrid(grid, { cellPixels }))));
  const found = await contest({
    ours: () =>
      timedEach(count, () => grids.forEach((grid) => void renderPng(drawGrid(grid, { cellPixels })))),
    floor: () => timedEach(count, () => pixels.forEach((bytes) => void deflateSync(bytes, { level: 6 }))),
    rounds,
  });
  return { what: 'a grid as PNG', unit: 'µs', against: 'zlib over the same pixels', aim: null, ...found };
}

/** The pixels of a picture as PNG has them before they are compressed. */
function rowsOf(bytes: Uint8Array): Buffer {
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    data.copy(rows, y * (width * 3 + 1) + 1 + x * 3, at * 4, at * 4 + 3);
  }
  return rows;
}

async function svg(grids: readonly Grid[]): Promise<Row> {
  const found = await contest({
    ours: () => timedEach(count, () => grids.forEach((grid) => void renderSvg(drawGrid(grid)))),
    floor: () => timedEach(count, () => grids.forEach((grid) => void JSON.stringify(grid))),
    rounds,
  });
  return { what: 'a grid as SVG', unit: 'µs', against: 'the grid as JSON', aim: null, ...found };
}

async function cells(grids: readonly Grid[]): Promise<Row> {
  const others = grids.map(changed);
  const found = await contest({
    ours: () =>
      timedEach(count, () => grids.forEach((grid, at) => void differingCells(grid, others[at] ?? []))),
    floor: () => timedEach(count, () => grids.forEach((grid, at) => void unequal(grid, others[at] ?? []))),
    rounds: rounds * 3,
  });
  return {
    what: 'the cells that differ',
    unit: 'µs',
    against: 'a count of them in two loops',
    aim: null,
    ...found,
  };
}

async function text(grids: readonly Grid[]): Promise<Row> {
  const others = grids.map(changed);
  const found = await contest({
    ours: () => timedEach(count, () => grids.forEach((grid, at) => void diffText(grid, others[at] ?? []))),
    floor: () =>
      timedEach(count, () => grids.forEach((grid) => void grid.map((row) => row.join(' ')).join('\n'))),
    rounds: rounds * 3,
  });
  return { what: 'a difference as text', unit: 'µs', against: 'the grid as text', aim: null, ...found };
}

function unequal(a: Grid, b: Grid): number {
  let found = 0;
  for (let y = 0; y < a.length; y += 1) {
    const [row, other] = [a[y] ?? [], b[y] ?? []];
    for (let x = 0; x < row.length; x += 1) if (row[x] !== other[x]) found += 1;
  }
  return found;
}

/** Every tenth cell is another. */
function changed(grid: Grid): Grid {
  return grid.map((row, y) => row.map((cell, x) => ((x + y) % 10 === 0 ? (cell + 1) % 10 : cell)));
}

function randomGrids(): readonly Grid[] {
  const below = seeded(7);
  return Array.from({ length: count }, () => {
    const [height, width] = [10 + below(21), 10 + below(21)];
    return Array.from({ length: height }, () => Array.from({ length: width }, () => below(10)));
  });
}
