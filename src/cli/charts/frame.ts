/** What charts have in common: their size, their axes, the words beside them. They come as SVG and hold no script. */
import { markup } from '../../text/markup.ts';

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

const headingRoom = 28;

export function chart(
  { title, x, y, heading }: Labels,
  lines: readonly string[],
  room: Room = plotRoom,
): string {
  const height = room.y.from + chartSize.bottom;
  const middle = { x: (room.x.from + room.x.to) / 2, y: (room.y.from + room.y.to) / 2 };
  const left = `transform="translate(13 ${middle.y}) rotate(-90)" text-anchor="middle"`;
  const marks = [
    ...lines.filter((line) => line !== ''),
    `<text class="label" x="${middle.x}" y="${height - 6}" text-anchor="middle">${markup(x)}</text>`,
    ...(y === undefined ? [] : [`<text class="label" ${left}>${markup(y)}</text>`]),
  ];
  const { width } = chartSize;
  const whole = heading === undefined ? height : height + headingRoom;
  const size = heading === undefined ? '' : ` width="${width}" height="${whole}"`;
  const begin = [
    `<svg class="chart" role="img" viewBox="0 0 ${width} ${whole}"${size} xmlns="http://www.w3.org/2000/svg">`,
    `<title>${markup(title)}</title>`,
  ];
  if (heading === undefined) return [...begin, ...marks, '</svg>'].join('\n');
  // With its colours in it: a program that shows pictures does not know those of a page.
  const style = chartStyle({ ink: '#1c1c1c', faint: '#5c5c5c', line: '#d9d9d9' });
  return [
    ...begin,
    `<style>${style}</style>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="${width / 2}" y="19" text-anchor="middle">${markup(heading)}</text>`,
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

export type Scale = {
  /** Where a value is, in the picture's units. */
  at(value: number): number;
  /** Round values within, each with its word. */
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
};

export type Range = { readonly from: number; readonly to: number };

/** `room` is in the picture's units, and may run backwards. A range without extent is widened. */
export function scaleOf(values: readonly number[], room: Range, ticks = 5): Scale {
  const { from, to } = widened(values.filter(Number.isFinite));
  const step = roundStep((to - from) / ticks);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  const round = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
  const texts = tickTexts(round, step);
  return {
    at: (value) => room.from + ((value - from) / (to - from)) * (room.to - room.from),
    ticks: round.map((value, index) => ({ value, text: texts[index] ?? '' })),
  };
}

/**
 * Where most of the values are: a few that lie far below or above are left out, because they would press all others into
 * one line. All of them where none lies so far.
 */
export function bulkOf(values: readonly number[]): readonly number[] {
  const sorted = values.filter(Number.isFinite).toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  const [low, high] = [at(0.25), at(0.75)];
  const reach = farFactor * Math.max(high - low, Math.abs(high) * 1e-3);
  const bulk = sorted.filter((value) => value >= low - reach && value <= high + reach);
  return bulk.length >= leastBulk ? bulk : sorted;
}

/** In widths of the middle half. */
const farFactor = 6;
const leastBulk = 3;

function widened(values: readonly number[]): Range {
  if (values.length === 0) return { from: 0, to: 1 };
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  // Closer together than this they cannot be told apart by their digits.
  const size = Math.max(Math.abs(least), Math.abs(most));
  if (most - least > Math.max(size * 1e-9, 1e-12)) return { from: least, to: most };
  const margin = size > 1e-12 ? size * 0.05 : 1;
  return { from: least - margin, to: most + margin };
}

/** 1, 2 or 5 times a power of ten, at least as large. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 5, 10].find((each) => each * power >= step * (1 - 1e-9)) ?? 10;
  return factor * power;
}

const units: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** In one unit for all, with as many digits as tell one tick from the next. */
function tickTexts(values: readonly number[], step: number): string[] {
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const [unit, letter] = units.find(([each]) => most >= each && step >= each / 100) ?? [1, ''];
  const digits = Math.max(0, Math.min(20, Math.ceil(-Math.log10(step / unit) - 1e-9)));
  return values.map((value) =>
    Math.abs(value) < step * 1e-6 ? '0' : `${(value / unit).toFixed(digits)}${letter}`,
  );
}
