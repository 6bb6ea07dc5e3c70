/**
 * A picture before it is one: coloured boxes and labels on a background, in pixels, in the ten colours of the official
 * ARC pages. `svg.ts` and `png.ts` make files of it, so that both show the same. Knows grids and nothing of tasks.
 */
import type { Grid } from '../core/problem.ts';
import { differingCells } from './diff.ts';
import { widthOf } from './grid.ts';

export type Box = Readonly<Record<'x' | 'y' | 'width' | 'height', number>> & { readonly colour: Rgb };

/** `x` and `y` are its upper left corner. */
export type Label = { readonly x: number; readonly y: number; readonly text: string };

/** Later boxes lie above earlier ones, labels above all. */
export type Drawing = {
  readonly width: number;
  readonly height: number;
  readonly background: Rgb;
  readonly boxes: readonly Box[];
  readonly labels: readonly Label[];
};

/** The side of a cell in pixels, without the line of one pixel around it. */
export type CellSize = { readonly cellPixels?: number };

const usualCellPixels = 20;

/** Cells in their colours, with lines between and around them. */
export function drawGrid(grid: Grid, { cellPixels = usualCellPixels }: CellSize = {}): Drawing {
  return drawCells(grid, cellPixels, (x, y, value) => [cellBox(x, y, cellPixels, colourOf(value).rgb)]);
}

/** The actual grid: right cells faint, wrong ones in full, with the expected colour in their middle. */
export function drawDiff(
  expected: Grid,
  actual: Grid,
  { cellPixels = usualCellPixels }: CellSize = {},
): Drawing {
  const cells = differingCells(expected, actual);
  const differences = new Map(cells?.map((cell) => [`${cell.row},${cell.column}`, cell]));
  return drawCells(actual, cellPixels, (x, y, value) => {
    const incorrect = differences.get(`${y + 1},${x + 1}`);
    if (!incorrect && cells) return [cellBox(x, y, cellPixels, fadeColor(colourOf(value).rgb))];
    const cell = cellBox(x, y, cellPixels, colourOf(value).rgb);
    return incorrect ? [cell, ...mark(cell, colourOf(incorrect.expected).rgb)] : [cell];
  });
}

/** Sorted by colour where nothing overlaps, which makes an SVG small. */
function drawCells(
  grid: Grid,
  cellPixels: number,
  boxesOf: (x: number, y: number, value: number) => readonly Box[],
): Drawing {
  const cells = grid.flatMap((row, y) => row.map((value, x) => boxesOf(x, y, value)));
  const layers = [0, 1, 2].map((layer) => cells.flatMap((boxs) => boxs.slice(layer, layer + 1)));
  return {
    width: widthOf(grid) * (cellPixels + 1) + 1,
    height: grid.length * (cellPixels + 1) + 1,
    background: border,
    boxes: layers.flatMap((boxs) => boxs.toSorted((a, b) => colourNumber(a) - colourNumber(b))),
    labels: [],
  };
}

function cellBox(x: number, y: number, cellPixels: number, colour: Rgb): Box {
  const step = cellPixels + 1;
  return { x: x * step + 1, y: y * step + 1, width: cellPixels, height: cellPixels, colour };
}

const white: Rgb = [0xff, 0xff, 0xff];

/** A white frame sets the expected colour apart from whatever it lies on. */
function mark({ x, y, width }: Box, expected: Rgb): readonly Box[] {
  const inner = Math.max(1, Math.floor(width / 2));
  const edge = Math.floor((width - inner) / 2);
  const frame = Math.min(1, edge);
  const side = inner + 2 * frame;
  return [
    { x: x + edge - frame, y: y + edge - frame, width: side, height: side, colour: white },
    { x: x + edge, y: y + edge, width: inner, height: inner, colour: expected },
  ];
}

function fadeColor(colour: Rgb): Rgb {
  const [red, green, blue] = colour.map((part) => Math.round(part * 0.3 + 0x55 * 0.7));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

function colourNumber({ colour: [red, green, blue] }: Box): number {
  return red * 65_536 + green * 256 + blue;
}

export type Rgb = readonly [red: number, green: number, blue: number];

/** `ansi`: the nearest of a terminal's 256. */
type Colour = { readonly name: string; readonly rgb: Rgb; readonly ansi: number };

/** `#RRGGBB` */
export function hexOf([red, green, blue]: Rgb): string {
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

export const palette: readonly Colour[] = [
  { name: 'black', rgb: [0x00, 0x00, 0x00], ansi: 16 },
  { name: 'blue', rgb: [0x00, 0x74, 0xd9], ansi: 32 },
  { name: 'red', rgb: [0xff, 0x41, 0x36], ansi: 203 },
  { name: 'green', rgb: [0x2e, 0xcc, 0x40], ansi: 41 },
  { name: 'yellow', rgb: [0xff, 0xdc, 0x00], ansi: 220 },
  { name: 'grey', rgb: [0xaa, 0xaa, 0xaa], ansi: 248 },
  { name: 'fuchsia', rgb: [0xf0, 0x12, 0xbe], ansi: 199 },
  { name: 'orange', rgb: [0xff, 0x85, 0x1b], ansi: 208 },
  { name: 'teal', rgb: [0x7f, 0xdb, 0xff], ansi: 117 },
  { name: 'brown', rgb: [0x87, 0x0c, 0x25], ansi: 88 },
];

/** Between cells. */
export const border: Rgb = [0x55, 0x55, 0x55];

/** Black for a value that no valid grid has. */
export function colourOf(value: number): Colour {
  const [black] = palette;
  const colour = palette[value] ?? black;
  if (!colour) throw new Error('The palette is empty.');
  return colour;
}
