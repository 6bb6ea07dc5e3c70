/** Grids of ARC's ten colours side by side, with the cells that differ crossed out; digits where somebody asks for them. */
import { hexOf, palette } from '../grids/drawing.ts';
import type { Grids } from '../notes/panel.ts';
import { At, type BlockProps, HiddenMark, Mark } from './block-parts.tsx';
import { hiddenShown } from './hidden.tsx';

export function GridsBlock({ run, block: { title, about, tone, grids } }: BlockProps<Grids>) {
  return (
    <figure class="grids">
      <figcaption>
        <b>{title}</b>{' '}
        {about !== undefined && (
          <span class={tone}>
            <Mark tone={tone} /> {about}
          </span>
        )}
      </figcaption>
      {grids.map(({ label, seq, isUnseen = false, ...grid }) => (
        <div key={label}>
          <small>
            <At run={run} seq={seq}>
              {label}
            </At>
          </small>
          {isUnseen && <HiddenMark />}
          {(!isUnseen || hiddenShown.value) && <GridPicture {...grid} label={`${title}, ${label}`} />}
        </div>
      ))}
    </figure>
  );
}

type Grid = Pick<Grids['grids'][number], 'label' | 'cells' | 'marks' | 'isDifference'>;

/** As small as a row of many cells has to be, and no larger than can be taken in at once. */
const cellPixels = (columns: number): number => Math.max(5, Math.min(16, Math.floor(150 / columns)));

function GridPicture({ label, cells, marks = [], isDifference = false }: Grid) {
  const columns = cells[0]?.length ?? 0;
  const size = cellPixels(Math.max(columns, cells.length));
  const boxes = marks.map(([y, x]) => `M${x + 0.08} ${y + 0.08}h.84v.84h-.84z`).join('');
  const crosses = marks.map(([y, x]) => `M${x + 0.3} ${y + 0.3}l.4.4m0-.4l-.4.4`).join('');
  const differs = marks.length === 0 ? '' : `; ${marks.length} differ`;
  return (
    <svg
      role="img"
      aria-label={`${label}: ${cells.length} rows of ${columns} cells${differs}`}
      viewBox={`0 0 ${columns} ${cells.length}`}
      width={columns * size}
      height={cells.length * size}
    >
      {palette.map(({ name, rgb }, colour) => {
        const d = isDifference ? '' : pathOf(cells, colour);
        return d && <path key={name} d={d} fill={hexOf(rgb)} />;
      })}
      <path class="net" d={gridLinesPath(columns, cells.length)} />
      {(isDifference ? [] : cells).map((row, at) => (
        <text key={String(at)} class="digit" y={at + 0.76} x={row.map((_, column) => column + 0.5).join(' ')}>
          {row.join('')}
        </text>
      ))}
      {(boxes === '' ? [] : ['under mark', 'mark']).map((name) => (
        <g key={name} class={name}>
          <path d={boxes} />
          <path class="cross" d={crosses} />
        </g>
      ))}
    </svg>
  );
}

/** Cells of one colour that stand beside one another are one piece. */
function pathOf(cells: Grid['cells'], colour: number): string {
  return cells
    .map((row, y) =>
      [
        ...row
          .map((cell) => (cell === colour ? 'x' : ' '))
          .join('')
          .matchAll(/x+/g),
      ]
        .map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`)
        .join(''),
    )
    .join('');
}

function gridLinesPath(columns: number, rows: number): string {
  const down = Array.from({ length: columns + 1 }, (_, x) => `M${x} 0v${rows}`);
  const across = Array.from({ length: rows + 1 }, (_, y) => `M0 ${y}h${columns}`);
  return [...down, ...across].join('');
}
