/** What drawings have in common: their style and width, marks, axes, and how one walks through them by pointer or keys. */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import sheet from './drawings.css?inline';
import { adoptStyleSheet } from './states.tsx';

adoptStyleSheet(sheet);

export type ChartPoint = { readonly x: number; readonly y: number };

/** The size of a box, also when it changes. */
export function useWidth() {
  const box = useRef<HTMLElement>(null);
  const [capacity, setRoom] = useState(720);
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(() => setRoom(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { box, room: capacity };
}

type KeyboardChartProps = {
  readonly box: RefObject<HTMLElement | null>;
  readonly label: string;
  readonly width: number;
  readonly height: number;
  readonly keys: Readonly<Record<string, () => void>>;
  readonly onPoint: (at: ChartPoint) => void;
  /** The chosen item stays in view. */
  readonly x: number | undefined;
  readonly children: ComponentChildren;
};

export function KeyboardChart({ box, label, width, height, keys, onPoint, x, children }: KeyboardChartProps) {
  useLayoutEffect(() => {
    const { current } = box;
    if (!current || x === undefined) return;
    const { scrollLeft, clientWidth } = current;
    if (x < scrollLeft + 20 || x > scrollLeft + clientWidth - 20) current.scrollLeft = x - clientWidth / 2;
  }, [x]);
  return (
    <section
      ref={box}
      class="walked"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what is in it is walked through by keys.
      tabIndex={0}
      aria-label={label}
      onKeyDown={(event) => {
        const action = keys[event.key];
        if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        action();
      }}
    >
      <svg
        {...{ width, height }}
        aria-hidden="true"
        onPointerMove={(event) => {
          const { left, top } = event.currentTarget.getBoundingClientRect();
          onPoint({ x: event.clientX - left, y: event.clientY - top });
        }}
        onClick={keys.Enter}
      >
        {children}
      </svg>
    </section>
  );
}

/** The one that the pointer is at. */
export function nearest<T extends ChartPoint>(spots: readonly T[], { x, y }: ChartPoint): T | undefined {
  const farness = (chartPoint: ChartPoint): number => (chartPoint.x - x) ** 2 + (chartPoint.y - y) ** 2;
  const found = spots.reduce<T | undefined>((a, b) => (a && farness(a) <= farness(b) ? a : b), undefined);
  return found && farness(found) < 900 ? found : undefined;
}

const placeOf = (run: string, seq: number): string => `#/runs/${run}/panels/${seq}`;

export function open(run: string, seq: number | undefined): void {
  if (seq !== undefined) location.hash = placeOf(run, seq);
}

export function Open({ run, seq }: { readonly run: string; readonly seq: number | undefined }) {
  if (seq === undefined) return null;
  return (
    <a class="link" href={placeOf(run, seq)}>
      Open
    </a>
  );
}

/** Circle, square and triangle, for those who cannot distinguish the colours. */
const shapes = ['m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0', 'm-3.5 -3.5h7v7h-7z', 'm0 -4.5l4.5 8h-9z'] as const;
const colours = ['var(--series)', 'light-dark(#c4560a, #f08a45)', 'light-dark(#00836a, #3fbf9f)'] as const;

/** All marks of a line of work in one path, so that thousands are one element. */
export function PointMarks({
  line,
  spots,
}: {
  readonly line: number;
  readonly spots: readonly ChartPoint[];
}) {
  const colour = (line + Math.floor(line / shapes.length)) % colours.length;
  return <path fill={colours[colour]} d={pathOf(spots, shapes[line % shapes.length] ?? '')} />;
}

/** Its mark and its name. */
export function Line({ line, name }: { readonly line: number; readonly name: string }) {
  return (
    <span title={name}>
      <svg viewBox="-6 -6 12 12" width="12" height="12" aria-hidden="true">
        <PointMarks line={line} spots={[{ x: 0, y: 0 }]} />
      </svg>{' '}
      {name}
    </span>
  );
}

export function pathOf(chartPoints: readonly ChartPoint[], shape: string): string {
  return chartPoints.map(({ x, y }) => `M${round(x)} ${round(y)}${shape}`).join('');
}

export const round = (value: number): number => Math.round(value * 10) / 10;
