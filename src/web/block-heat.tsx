/** Rows by columns, in one hue by the distance to the best of each column. Two chosen rows order the columns by their difference. */
import { useMemo, useState } from 'preact/hooks';
import type { Heat } from '../notes/panel.ts';
import { type ChartPoint, KeyboardChart, Open, open, pathOf, useWidth } from './drawn.tsx';

const rowHeight = 18;
const head = 18;
/** Narrower ones could not be pointed at. */
const leastWidth = 10;
const mostWidth = 30;
/** From the best on. */
const tones = [
  'light-dark(#f1f4f7, #1c2127)',
  'light-dark(#cfe0f5, #1b2f4b)',
  'light-dark(#97bdec, #234a80)',
  'light-dark(#5592db, #2f6bbb)',
  'light-dark(#1f63bd, #5c9ae6)',
  'light-dark(#0c3f86, #a6cbfb)',
];

type Place = { readonly row: number; readonly column: number };

export function HeatBlock({ run, block }: { readonly run: string; readonly block: Heat }) {
  const { title, rows, columns, cells } = block;
  // While a search is at work, other rows may come between.
  const [names, setNames] = useState<readonly string[]>([]);
  const [at, setAt] = useState<Place | null>(null);
  const { box, room } = useWidth();
  const nameOf = (row: number): string => rows[row]?.label ?? '';
  const selected = names.flatMap((name) => [...rows.keys()].find((row) => nameOf(row) === name) ?? []);
  const [one, second] = selected;
  const { rowOrder, columnOrder } = useMemo(() => ordered(block, one, second), [block, one, second]);
  const step = Math.min(mostWidth, Math.max(leastWidth, Math.floor(room / Math.max(1, columns.length))));
  const picture = useMemo(() => {
    const spots = rowOrder.flatMap((row, y) =>
      columnOrder.map((column, x) => ({
        x: x * step,
        y: head + y * rowHeight,
        shade: cells[row]?.[column]?.shade ?? Number.NaN,
      })),
    );
    const ofTone = (tone: number) => spots.filter(({ shade }) => Math.ceil(shade * 5) === tone);
    const square = `h${step - 1}v${rowHeight - 1}h${1 - step}z`;
    const dot = `m${step / 2 - 2} ${rowHeight / 2 - 2}h3v3h-3z`;
    // A path for each tone, so that ten thousand cells are seven elements.
    return { squares: tones.map((_, tone) => pathOf(ofTone(tone), square)), dots: pathOf(ofTone(0), dot) };
  }, [cells, rowOrder, columnOrder, step]);
  const row = rowOrder[at?.row ?? -1] ?? -1;
  const column = columnOrder[at?.column ?? -1] ?? -1;
  const words = (which: number, where: number): string =>
    `${rows[which]?.label ?? ''}: ${cells[which]?.[where]?.text ?? 'not run'}`;
  const choose = (which: number): void => {
    setNames(
      [
        ...names.filter((each) => each !== nameOf(which)),
        ...(selected.includes(which) ? [] : [nameOf(which)]),
      ].slice(-2),
    );
    setAt(null);
  };
  const go = (down: number, right: number) => () => {
    const from = at ?? { row: -down, column: -right };
    const within = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));
    setAt({ row: within(from.row + down, rows.length), column: within(from.column + right, columns.length) });
  };
  const onPoint = ({ x, y }: ChartPoint): void => {
    const place = { row: Math.floor((y - head) / rowHeight), column: Math.floor(x / step) };
    if (place.row >= 0 && place.row < rows.length && place.column < columns.length) setAt(place);
  };
  const apart = columnOrder[0] ?? -1;
  // Names that would overlap are left out.
  const every = Math.ceil((7 * columns.reduce((most, { length }) => Math.max(most, length), 0) + 6) / step);
  return (
    <figure class="drawing">
      <figcaption>
        <b>{title}</b>
        <span class="soft scale">
          · best{' '}
          {tones.slice(1).map((tone) => (
            <i key={tone} style={{ background: tone }} />
          ))}{' '}
          far
        </span>
      </figcaption>
      <p class="told">
        {one === undefined || second === undefined ? (
          `Choose ${one === undefined ? 'two rows' : 'one more row'}: columns are then ordered by how far they differ.`
        ) : (
          <>
            They differ most on <b>{columns[apart]}</b>. {words(one, apart)}. {words(second, apart)}.
          </>
        )}
      </p>
      <div class="labelled heat">
        <div style={{ paddingTop: `${head}px` }}>
          {rowOrder.map((which) => (
            <button
              key={which}
              type="button"
              class="cut"
              aria-pressed={selected.includes(which)}
              title={rows[which]?.label}
              onClick={() => choose(which)}
            >
              {rows[which]?.label}
            </button>
          ))}
        </div>
        <KeyboardChart
          {...{ box, width: columns.length * step, height: head + rows.length * rowHeight }}
          x={at ? at.column * step : undefined}
          label={`${title}: arrows go from cell to cell, Space compares its row, Enter opens it`}
          keys={{
            ArrowRight: go(0, 1),
            ArrowLeft: go(0, -1),
            ArrowDown: go(1, 0),
            ArrowUp: go(-1, 0),
            Home: go(0, -columns.length),
            End: go(0, columns.length),
            ' ': () => row >= 0 && choose(row),
            Enter: () => open(run, rows[row]?.seq),
          }}
          onPoint={onPoint}
        >
          {columnOrder.map(
            (which, place) =>
              place % every === 0 && (
                <text key={which} x={(place + 0.5) * step} y={head - 6} text-anchor="middle">
                  {columns[which]}
                </text>
              ),
          )}
          {tones.map((tone, at) => (
            <path key={tone} fill={tone} d={picture.squares[at]} />
          ))}
          <path class="dots" fill="var(--ink3)" d={picture.dots} />
          {at && (
            <rect
              class="stroke at"
              x={at.column * step}
              y={head + at.row * rowHeight}
              width={step}
              height={rowHeight}
            />
          )}
        </KeyboardChart>
      </div>
      <p class="told" role="status">
        {row < 0 || column < 0 ? (
          'Point at a cell, or go there with the arrows.'
        ) : (
          <>
            <b>{columns[column]}</b>, {words(row, column)} <Open run={run} seq={rows[row]?.seq} />
          </>
        )}
      </p>
    </figure>
  );
}

/** The two compared rows come first, and the columns are sorted by their difference. */
function ordered({ rows, columns, cells }: Heat, one: number | undefined, two: number | undefined) {
  const rowOrder = [...rows.keys()];
  const columnOrder = [...columns.keys()];
  if (one === undefined || two === undefined) return { rowOrder, columnOrder };
  const apart = columnOrder.map((column) => {
    const [a, b] = [cells[one]?.[column], cells[two]?.[column]];
    return a && b ? Math.abs((a.value ?? a.shade) - (b.value ?? b.shade)) : -1;
  });
  return {
    rowOrder: [one, two, ...rowOrder.filter((row) => row !== one && row !== two)],
    columnOrder: columnOrder.toSorted((a, b) => (apart[b] ?? 0) - (apart[a] ?? 0)),
  };
}
