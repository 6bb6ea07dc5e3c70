/** Values side by side, each with the interval it may lie in: a row a value, so that names have room. */
import { markup } from '../../text/markup.ts';
import { bottomAxis, chart, chartSize, colourOf, place, scaleOf } from './frame.ts';

export type Bar = {
  readonly name: string;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  /** The text at its end; default: none. */
  readonly text?: string;
};

const row = 26;
const top = 12;
/** Names are before the bars, their texts behind them. */
const across = { from: 190, to: chartSize.width - 90 };

/** `isFromZero`: bars begin there; else they are dots on a scale of their own. */
export function barChart(
  bars: readonly Bar[],
  { isFromZero, ...labels }: { readonly title: string; readonly x: string; readonly isFromZero: boolean },
): string {
  const room = { x: across, y: { from: top + bars.length * row, to: top - 6 } };
  const values = bars.flatMap(({ value, low = value, high = value }) => [value, low, high]);
  const scale = scaleOf(isFromZero ? [0, ...values] : values, room.x);
  const marks = bars.flatMap((bar, index) => {
    const y = top + index * row + row / 2;
    return [
      `<text class="tick" x="${across.from - 8}" y="${y + 4}" text-anchor="end">${markup(clipped(bar.name))}</text>`,
      isFromZero
        ? bodyOf(scale.at(0), scale.at(bar.value), y)
        : `<circle cx="${place(scale.at(bar.value))}" cy="${y}" r="4" fill="${colourOf(0)}"/>`,
      ...interval(bar, scale.at, y),
      `<text class="tick" x="${across.to + 6}" y="${y + 4}">${markup(bar.text ?? '')}</text>`,
    ];
  });
  return chart(labels, [...bottomAxis(scale, room), ...marks], room);
}

function bodyOf(zero: number, end: number, y: number): string {
  return `<rect x="${place(Math.min(zero, end))}" y="${y - 7}" width="${place(Math.abs(end - zero))}" height="14" fill="${colourOf(0)}" fill-opacity=".7"/>`;
}

function interval({ low, high }: Bar, at: (value: number) => number, y: number): string[] {
  if (low === undefined || high === undefined) return [];
  const [from, to] = [place(at(low)), place(at(high))];
  return [
    `<path class="interval" d="M${from} ${y - 4}V${y + 4}M${from} ${y}H${to}M${to} ${y - 4}V${y + 4}"/>`,
  ];
}

function clipped(name: string): string {
  return name.length > 28 ? `${name.slice(0, 27)}…` : name;
}
