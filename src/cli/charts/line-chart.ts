/** Courses over time, tokens or whatever grows from zero on: one line each, as steps where a value holds until the next. */
import { clip } from '../../text/format.ts';
import { markup } from '../../text/markup.ts';
import {
  bottomAxis,
  bulkOf,
  chart,
  colourOf,
  type Labels,
  leftAxis,
  place,
  plotRoom,
  type Scale,
  scaleOf,
} from './frame.ts';

export type Point = {
  readonly x: number;
  readonly y: number;
  /** Shown when the pointer is on it. */
  readonly about?: string;
};

export type Series = {
  /** Lines with the same name share one colour and one entry of the legend. */
  readonly name: string;
  readonly points: readonly Point[];
  /** `line` from point to point, `steps`: a value holds until the next, `dots`: no line. */
  readonly as: 'line' | 'steps' | 'dots';
};

/** `names`: at the bottom in the place of numbers, from 0 on. */
export function lineChart(
  series: readonly Series[],
  { names: places, ...labels }: Labels & { readonly names?: readonly string[] },
): string {
  const points = series.flatMap((each) => each.points);
  const x = scaleOf([0, ...points.map((point) => point.x)], plotRoom.x);
  const y = scaleOf(bulkOf(points.map((point) => point.y)), plotRoom.y);
  const names = [...new Set(series.map(({ name }) => name))];
  const marks = series.flatMap((each) => seriesMarks(each, colourOf(names.indexOf(each.name)), { x, y }));
  const legend = names.length > 1 ? legendOf(names) : [];
  const bottom = places ? { ...x, ticks: namedTicks(places) } : x;
  return chart(labels, [...leftAxis(y), ...bottomAxis(bottom), ...marks, ...legend]);
}

const mostTicks = 20;

/** With many names only every second, third … is shown, so that they do not overlap. */
function namedTicks(names: readonly string[]): Scale['ticks'] {
  const step = Math.ceil(names.length / mostTicks);
  return names.flatMap((text, value) => (value % step === 0 ? [{ value, text: markup(text) }] : []));
}

function seriesMarks({ points, as }: Series, colour: string, scales: { x: Scale; y: Scale }): string[] {
  const placed = points.map(({ x, y, about }) => ({
    x: place(scales.x.at(x)),
    // What lies far from all others is drawn at the edge; its words tell where it is.
    y: place(Math.min(plotRoom.y.from, Math.max(plotRoom.y.to, scales.y.at(y)))),
    about,
  }));
  const dots = placed.map(
    ({ x, y, about }) =>
      `<circle cx="${x}" cy="${y}" r="${as === 'dots' ? 2.2 : 3}" fill="${colour}"${as === 'dots' ? ' fill-opacity=".45"' : ''}>${about === undefined ? '' : `<title>${markup(about)}</title>`}</circle>`,
  );
  if (as === 'dots' || placed.length < 2) return dots;
  const path = placed.map(({ x, y }, index) => {
    if (index === 0) return `M${x} ${y}`;
    return as === 'steps' ? `H${x}V${y}` : `L${x} ${y}`;
  });
  return [`<path d="${path.join('')}" fill="none" stroke="${colour}" stroke-width="1.8"/>`, ...dots];
}

/** More lines would leave the picture. */
const mostNamed = 12;

function legendOf(names: readonly string[]): string[] {
  const isAll = names.length <= mostNamed;
  const shown = isAll ? names : names.slice(0, mostNamed - 1);
  const words = isAll ? shown : [...shown, `and ${names.length - shown.length} more`];
  return words.map((name, index) => {
    const y = plotRoom.y.from - 10 - 15 * (words.length - 1 - index);
    const x = plotRoom.x.to - 8;
    const colour = index < shown.length ? colourOf(index) : 'currentColor';
    return `<text class="legend" x="${x}" y="${y}" text-anchor="end" fill="${colour}">${markup(clip(name, 60))}</text>`;
  });
}
