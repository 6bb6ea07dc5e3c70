/**
 * All of a task in one picture: a row a sample, with its input, what is expected, what was predicted, and where the two
 * differ. Columns that no row fills are left out. Whether a solution may be shown is its caller's to know.
 */
import type { Grid } from '../core/problem.ts';
import { gridScore } from './diff.ts';
import { type CellSize, type Drawing, drawDiff, drawGrid, type Label, type Rgb } from './drawing.ts';
import { sizeText } from './grid.ts';
import { glyphHeight, glyphScale, textPixels } from './terminal.ts';

type CollageRow = {
  /** `train 1`, `test 2, attempt 1` */
  readonly label: string;
  readonly input: Grid;
  readonly expected?: Grid | null;
  readonly predicted?: Grid | null;
};

export type CollageSpec = CellSize & { readonly title: string; readonly rows: readonly CollageRow[] };

const background: Rgb = [0x22, 0x22, 0x22];
const gap = 16;
const lineHeight = glyphHeight * glyphScale + 8;

export function drawCollage({ title, rows, cellPixels = 12 }: CollageSpec): Drawing {
  const columns = columnsOf(rows, cellPixels);
  const widths = columns.map(({ head, panels }) =>
    Math.max(textPixels(head), ...panels.map((panel) => panel?.width ?? 0)),
  );
  const placed: PlacedGrid = { boxes: [], labels: [{ x: gap, y: gap, text: title }] };
  let y = gap + lineHeight;
  for (const [at, { head }] of columns.entries())
    placed.labels.push({ x: leftOf(widths, at), y, text: head });
  y += lineHeight;
  for (const [at, { label }] of rows.entries()) {
    placed.labels.push({ x: gap, y, text: label });
    y += lineHeight;
    const panels = columns.map((column) => column.panels[at] ?? null);
    for (const [place, panel] of panels.entries()) put(placed, panel, leftOf(widths, place), y);
    y += Math.max(0, ...panels.map((panel) => panel?.height ?? 0)) + gap;
  }
  const labels = [title, ...rows.map(({ label }) => label)];
  const rights = labels.map((label) => gap + textPixels(label) + gap);
  return { width: Math.max(leftOf(widths, widths.length), ...rights), height: y, background, ...placed };
}

type PlacedGrid = { readonly boxes: Drawing['boxes'][number][]; readonly labels: Label[] };

/** A panel a row. Where nothing is predicted, what is expected is simply the output. */
function columnsOf(rows: readonly CollageRow[], cellPixels: number) {
  const draw = (grid: Grid | null | undefined) => (grid ? drawGrid(grid, { cellPixels }) : null);
  const predicted = rows.map((row) => draw(row.predicted));
  const isPredicted = predicted.some((panel) => panel !== null);
  return [
    { head: 'input', panels: rows.map(({ input }) => draw(input)) },
    { head: isPredicted ? 'expected' : 'output', panels: rows.map(({ expected }) => draw(expected)) },
    { head: 'predicted', panels: predicted },
    { head: 'difference', panels: rows.map((row) => differenceOf(row, cellPixels)) },
  ].filter(({ panels }) => panels.some((panel) => panel !== null));
}

/** With a word below the picture, because a wrong shape has no cells to mark. */
function differenceOf({ expected, predicted }: CollageRow, cellPixels: number): Drawing | null {
  if (!expected || !predicted) return null;
  const drawing = drawDiff(expected, predicted, { cellPixels });
  const text = verdictOf(expected, predicted);
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

function put({ boxes, labels }: PlacedGrid, panel: Drawing | null, x: number, y: number): void {
  if (!panel) return;
  const { background: colour, boxes: inner, labels: words } = panel;
  const verdict = words.length > 0 ? glyphHeight * glyphScale + 4 : 0;
  // As wide as its cells, even where its verdict is wider.
  const width = Math.max(...inner.map((box) => box.x + box.width)) + 1;
  boxes.push({ x, y, width, height: panel.height - verdict, colour });
  for (const box of inner) boxes.push({ ...box, x: box.x + x, y: box.y + y });
  for (const label of words) labels.push({ ...label, x: label.x + x, y: label.y + y });
}

function leftOf(widths: readonly number[], at: number): number {
  return gap + widths.slice(0, at).reduce((sum, width) => sum + width + gap, 0);
}
