/** Values over time, or over whatever the app says: a line that holds until the next value, and a mark for each other. */
import { useMemo, useState } from 'preact/hooks';
import type { Chart } from '../notes/panel.ts';
import { KeyboardChart, Line, nearest, Open, open, PointMarks, round, useWidth } from './drawn.tsx';

const height = 240;
const edge = { left: 64, right: 16, top: 12, bottom: 26 };

type Series = Chart['series'];

export function ChartBlock({ run, block }: { readonly run: string; readonly block: Chart }) {
  const [way, setWay] = useState(0);
  const [at, setAt] = useState(-1);
  const { box, room } = useWidth();
  const paths = [{ x: block.x, series: block.series }, ...(block.otherwise ?? [])];
  const { x: axis, series } = paths[way] ?? block;
  const { points, steps, from, xTicks, yTicks } = useMemo(() => layoutSeries(series, room), [series, room]);
  const point = points[at];
  const go = (to: number) => () => setAt(Math.max(0, Math.min(points.length - 1, to)));
  const names = series.filter(({ isStep }) => !isStep).map(({ name }) => name);
  return (
    <figure class="drawing">
      <figcaption>
        <b>{block.title}</b>{' '}
        <span class="soft">
          {block.y.label}
          {from > 0 && `; the axis is cut at ${formatFigure(Number(from.toPrecision(4)))}`}
        </span>
        <span class="space" />
        {paths.length > 1 &&
          paths.map(({ x }, index) => (
            <button
              key={x.label}
              type="button"
              aria-pressed={index === way}
              onClick={() => {
                setWay(index);
                setAt(-1);
              }}
            >
              {x.label}
            </button>
          ))}
      </figcaption>
      <KeyboardChart
        {...{ box, height, width: room, x: point?.x }}
        label={`${block.title} over ${axis.label}: arrows go from point to point, Enter opens one`}
        keys={{
          ArrowRight: go(at + 1),
          ArrowLeft: go(at - 1),
          Home: go(0),
          End: go(points.length),
          Enter: () => open(run, point?.seq),
        }}
        onPoint={(chartPoint) => {
          const near = nearest(points, chartPoint);
          if (near) setAt(points.indexOf(near));
        }}
      >
        {yTicks.map(({ value, at: y }) => (
          <>
            <path class="stroke grid" d={`M${edge.left} ${y}H${room - edge.right}`} />
            <text x={edge.left - 8} y={y + 4} text-anchor="end">
              {formatFigure(value)}
            </text>
          </>
        ))}
        {xTicks.map(({ value, at: x }) => (
          <text key={value} x={x} y={height - 8} text-anchor="middle">
            {formatFigure(value)}
          </text>
        ))}
        <path class="stroke way" d={steps} />
        {names.map((name, line) => (
          <PointMarks key={name} line={line} spots={points.filter((each) => each.name === name)} />
        ))}
        {point && <circle class="stroke at" cx={point.x} cy={point.y} r="8" />}
      </KeyboardChart>
      <p class="told" role="status">
        {point ? (
          <>
            <b>{point.about}</b> {formatFigure(point.value)}, {point.name}, at{' '}
            {formatFigure(Number(point.along.toPrecision(4)))} {axis.label} <Open run={run} seq={point.seq} />
          </>
        ) : (
          <>
            <span>over {axis.label}</span>
            {names.map((name, line) => (
              <Line key={name} {...{ line, name }} />
            ))}
          </>
        )}
      </p>
    </figure>
  );
}

function layoutSeries(series: Series, width: number) {
  const all = series.flatMap(({ points }) => points);
  const { from, to } = bulk(all.map(({ y }) => y));
  const last = all.reduce((most, { x }) => Math.max(most, x), 0) || 1;
  const xAt = (x: number): number => round(edge.left + (x / last) * (width - edge.left - edge.right));
  const yAt = (y: number): number => {
    const part = (Math.min(to, Math.max(from, y)) - from) / (to - from);
    return round(height - edge.bottom - part * (height - edge.top - edge.bottom));
  };
  const points = series.flatMap(({ name, isStep, points: own }) =>
    isStep
      ? []
      : own.map(({ x, y, ...rest }) => ({ ...rest, name, along: x, value: y, x: xAt(x), y: yAt(y) })),
  );
  const steps = series.flatMap(({ isStep, points: own }) =>
    isStep ? own.map(({ x, y }, at) => (at === 0 ? `M${xAt(x)} ${yAt(y)}` : `H${xAt(x)}V${yAt(y)}`)) : [],
  );
  return {
    points: points.toSorted((a, b) => a.x - b.x),
    steps: steps.join(''),
    from,
    xTicks: ticksOf(0, last, width < 500 ? 4 : 8).map((value) => ({ value, at: xAt(value) })),
    yTicks: ticksOf(from, to, 5).map((value) => ({ value, at: yAt(value) })),
  };
}

/** Where most values are: a few that lie far off, and are drawn at the edge, would press all others into one line. */
function bulk(values: readonly number[]): { readonly from: number; readonly to: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.round((sorted.length - 1) * part)] ?? 0;
  const radius = 3 * Math.max(at(0.75) - at(0.25), Math.abs(at(0.5)) / 100);
  const nearby = sorted.filter((value) => value >= at(0.25) - radius && value <= at(0.75) + radius);
  const [low = 0, high = 1] = [nearby[0], nearby.at(-1)];
  const margin = (high - low) * 0.06 || Math.abs(high) * 0.05 || 1;
  return { from: low - margin, to: high + margin };
}

function ticksOf(from: number, to: number, most: number): readonly number[] {
  const rough = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5].map((factor) => factor * power).find((each) => each >= rough) ?? 10 * power;
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, at) => (first + at) * step);
}

function formatFigure(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 9 }).replace('-', '−');
}
