/** What charts have in common: their size, their axes, the words beside them. They come as SVG and hold no script. */
import { escaped } from './markup.ts';
import type { Range, Scale } from './scale.ts';

export const chartSize = { width: 760, height: 300, left: 78, right: 16, top: 14, bottom: 44 } as const;

export const plotRoom = {
  x: { from: chartSize.left, to: chartSize.width - chartSize.right },
  y: { from: chartSize.height - chartSize.bottom, to: chartSize.top },
} as const;

/** Told apart without colour vision, too (Okabe and Ito's palette). */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#555555', '#b8a000'];

export function colourOf(index: number): string {
  return colours[index % colours.length] ?? '#555555';
}

export type Labels = {
  /** What the picture shows, for who cannot see it. */
  readonly title: string;
  readonly x: string;
  readonly y?: string;
  /** Makes it a picture by itself, with these words above it, and not a part of a page. */
  readonly heading?: string;
};

/** The room that the marks have, in the picture's units; it may be other than the usual. */
export type Room = { readonly x: Range; readonly y: Range };

export function chart(labels: Labels, lines: readonly string[], room: Room = plotRoom): string {
  const height = room.y.from + chartSize.bottom;
  const middle = { x: (room.x.from + room.x.to) / 2, y: (room.y.from + room.y.to) / 2 };
  const marks = [
    ...lines,
    `<text class="label" x="${middle.x}" y="${height - 6}" text-anchor="middle">${escaped(labels.x)}</text>`,
    labels.y === undefined
      ? ''
      : `<text class="label" transform="translate(13 ${middle.y}) rotate(-90)" text-anchor="middle">${escaped(labels.y)}</text>`,
  ].filter((line) => line !== '');
  const title = `<title>${escaped(labels.title)}</title>`;
  if (labels.heading !== undefined) return picture(title, labels.heading, height, marks);
  return [
    `<svg class="chart" role="img" viewBox="0 0 ${chartSize.width} ${height}" xmlns="http://www.w3.org/2000/svg">`,
    title,
    ...marks,
    '</svg>',
  ].join('\n');
}

const headingRoom = 28;

/** With its colours in it, for what shows pictures knows nothing of a page's. */
function picture(title: string, heading: string, height: number, marks: readonly string[]): string {
  const whole = height + headingRoom;
  const style = chartStyle({ ink: '#1c1c1c', faint: '#5c5c5c', line: '#d9d9d9' });
  return [
    `<svg class="chart" role="img" viewBox="0 0 ${chartSize.width} ${whole}" width="${chartSize.width}" height="${whole}" xmlns="http://www.w3.org/2000/svg">`,
    title,
    `<style>${style}</style>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="${chartSize.width / 2}" y="19" text-anchor="middle">${escaped(heading)}</text>`,
    `<g transform="translate(0 ${headingRoom})">`,
    ...marks,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

export type Inks = { readonly ink: string; readonly faint: string; readonly line: string };

/** What charts look like, in a page and by themselves. */
export function chartStyle({ ink, faint, line }: Inks): string {
  return [
    '.chart { font: 11px system-ui, sans-serif; } .chart .legend { font-weight: 600; }',
    `.chart .grid { stroke: ${line}; stroke-width: 1; } .chart .tick, .chart .label { fill: ${faint}; } .chart .interval { fill: none; stroke: ${ink}; stroke-width: 1.4; }`,
  ].join('\n');
}

export function bottomAxis({ at, ticks }: Scale, { y }: Room = plotRoom): string[] {
  return ticks.flatMap(({ value, text }) => [
    `<line class="grid" x1="${place(at(value))}" y1="${y.from}" x2="${place(at(value))}" y2="${y.to}"/>`,
    `<text class="tick" x="${place(at(value))}" y="${y.from + 16}" text-anchor="middle">${text}</text>`,
  ]);
}

export function leftAxis({ at, ticks }: Scale): string[] {
  const { x } = plotRoom;
  return ticks.flatMap(({ value, text }) => [
    `<line class="grid" x1="${x.from}" y1="${place(at(value))}" x2="${x.to}" y2="${place(at(value))}"/>`,
    `<text class="tick" x="${x.from - 7}" y="${place(at(value) + 4)}" text-anchor="end">${text}</text>`,
  ]);
}

/** A tenth of a unit is finer than anybody sees. */
export function place(value: number): string {
  return String(Math.round(value * 10) / 10);
}
