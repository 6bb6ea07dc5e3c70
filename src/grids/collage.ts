/**
 * All of a task in one picture: a row a sample, with its input, what is expected, what was predicted, and where the two
 * differ. Columns that no row fills are left out. Whether a solution may be shown is its caller's to know.
 */
import type { Grid } from '../core/problem.ts';
import { gridScore } from './diff.ts';
import { type CellSize, type Drawing, drawDiff, drawGrid, type Label } from './drawing.ts';
import { glyphHeight, glyphScale, textPixels } from './glyphs.ts';
import { sizeText } from './grid.ts';
import type { Rgb } from './palette.ts';

export type CollageRow = {
  /** `train 1`, `test 2, attempt 1` */
  readonly label: string;
  readonly input: Grid;
  readonly expected?: Grid | null;
  readonly predicted?: Grid | null;
};

export type Collage = CellSize & { readonly title: string; readonly rows: readonly CollageRow[] };

const background: Rgb = [0x22, 0x22, 0x22];
const gap = 16;
const lineHeight = glyphHeight * glyphScale + 8;

export function drawCollage({ title, rows, cellPixels = 12 }: Collage): Drawing {
  const columns = columnsOf(rows);
  const panels = rows.map((row) => columns.map((column) => panelOf(row, column, cellPixels)));
  const widths = columns.map((column, at) =>
    Math.max(textPixels(column.head), ...panels.map((line) => line[at]?.width ?? 0)),
  );
  const placed: Placed = { boxes: [], labels: [{ x: gap, y: gap, text: title }] };
  let y = gap + lineHeight;
  for (const [at, column] of columns.entries()) {
    placed.labels.push({ x: leftOf(widths, at), y, text: column.head });
  }
  y += lineHeight;
  for (const [at, line] of panels.entries()) {
    placed.labels.push({ x: gap, y, text: rows[at]?.label ?? '' });
    y += lineHeight;
    for (const [place, panel] of line.entries()) put(placed, panel, leftOf(widths, place), y);
    y += Math.max(0, ...line.map((panel) => panel?.height ?? 0)) + gap;
  }
  const right = Math.max(leftOf(widths, widths.length), gap + textPixels(title) + gap, ...rightsOf(rows));
  return { width: right, height: y, background, ...placed };
}

type Placed = { readonly boxes: Drawing['boxes'][number][]; readonly labels: Label[] };

type Column = { readonly name: 'input' | 'expected' | 'predicted' | 'difference'; readonly head: string };

/** Where nothing is predicted, what is expected is simply the output. */
function columnsOf(rows: readonly CollageRow[]): readonly Column[] {
  const predicted = rows.some((row) => row.predicted);
  const both = rows.some((row) => row.predicted && row.expected);
  return [
    { name: 'input', head: 'input' },
    ...(rows.some((row) => row.expected)
      ? [{ name: 'expected' as const, head: predicted ? 'expected' : 'output' }]
      : []),
    ...(predicted ? [{ name: 'predicted' as const, head: 'predicted' }] : []),
    ...(both ? [{ name: 'difference' as const, head: 'difference' }] : []),
  ];
}

function panelOf(
  { input, expected, predicted }: CollageRow,
  { name }: Column,
  cellPixels: number,
): Drawing | null {
  if (name === 'input') return drawGrid(input, { cellPixels });
  if (name === 'expected') return expected ? drawGrid(expected, { cellPixels }) : null;
  if (name === 'predicted') return predicted ? drawGrid(predicted, { cellPixels }) : null;
  if (!expected || !predicted) return null;
  return withVerdict(drawDiff(expected, predicted, { cellPixels }), expected, predicted);
}

/** A word below the picture, since a wrong shape has no cells to mark. */
function withVerdict(drawing: Drawing, expected: Grid, actual: Grid): Drawing {
  const text = verdictOf(expected, actual);
  const y = drawing.height + 4;
  return {
    ...drawing,
    width: Math.max(drawing.width, textPixels(text)),
    height: y + glyphHeight * glyphScale,
    labels: [{ x: 0, y, text }],
  };
}

function verdictOf(expected: Grid, actual: Grid): string {
  const score = gridScore(expected, actual);
  if (score === 1) return 'right';
  if (sizeText(expected) !== sizeText(actual)) return `${sizeText(actual)}, not ${sizeText(expected)}`;
  return `${(Math.floor(score * 1000) / 10).toFixed(1)}% right`;
}

function put({ boxes, labels }: Placed, panel: Drawing | null, x: number, y: number): void {
  if (!panel) return;
  const { background: colour, boxes: inner } = panel;
  const verdict = panel.labels[0] ? glyphHeight * glyphScale + 4 : 0;
  const frame = frameOf(inner);
  boxes.push({ x, y, width: frame.width, height: panel.height - verdict, colour });
  for (const box of inner) boxes.push({ ...box, x: box.x + x, y: box.y + y });
  for (const label of panel.labels) labels.push({ ...label, x: label.x + x, y: label.y + y });
}

/** As wide as its cells, even where its verdict is wider. */
function frameOf(boxes: Drawing['boxes']): { readonly width: number } {
  return { width: Math.max(...boxes.map((box) => box.x + box.width)) + 1 };
}

function leftOf(widths: readonly number[], at: number): number {
  return gap + widths.slice(0, at).reduce((sum, width) => sum + width + gap, 0);
}

function rightsOf(rows: readonly CollageRow[]): number[] {
  return rows.map(({ label }) => gap + textPixels(label) + gap);
}
