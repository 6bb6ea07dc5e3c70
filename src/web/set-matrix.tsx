/** A run-set that compares: problems below one another, systems side by side, and the chosen cell whole. */
import { useMemo, useRef, useState } from 'preact/hooks';
import type { SetHead, SetRowItem } from '../notes/page-items.ts';
import { grouped } from '../text/format.ts';
import { canOpen } from './api.ts';
import { Select } from './controls.tsx';
import { to, useKeys } from './keys.ts';
import { Rows } from './rows.tsx';
import { Find, isRight, judgedRows, rowState } from './set-parts.tsx';
import { State } from './states.tsx';
import { groupSystems, Systems } from './systems.tsx';
import { formatDuration } from './words.ts';

type Props = { readonly head: SetHead; readonly rows: readonly SetRowItem[] };

type Line = {
  readonly at: number;
  readonly name: string;
  readonly cells: readonly (readonly SetRowItem[])[];
};

export function Matrix({ head, rows }: Props) {
  const find = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [isDiffering, setDiffering] = useState(false);
  const [isSorted, setSorted] = useState(false);
  const [gotBy, setGotBy] = useState('');
  const [notBy, setNotBy] = useState('');
  const [selected, setChosen] = useState<{ readonly line: number; readonly column: number } | null>(null);
  const lines = useMemo(() => linesOf(head, rows), [head, rows]);
  const systems = useMemo(() => groupSystems(head, rows), [head, rows]);
  const visible = useMemo(() => {
    const requested = words.toLowerCase().split(/\s+/);
    const found = lines.filter(
      (line) =>
        (!isDiffering || hasDifferences(line)) &&
        (gotBy === '' || isSolved(line, Number(gotBy)) === true) &&
        (notBy === '' || isSolved(line, Number(notBy)) === false) &&
        requested.every((word) => textOf(line).includes(word)),
    );
    return isSorted ? found.toSorted((a, b) => rightIn(a) - rightIn(b) || a.at - b.at) : found;
  }, [lines, words, isDiffering, isSorted, gotBy, notBy]);
  const at = visible.findIndex((line) => line.at === selected?.line);
  const move = (down: number, across: number): void => {
    const line = visible[Math.min(visible.length - 1, Math.max(0, at + down))];
    const column = Math.min(head.columns.length - 1, Math.max(0, (selected?.column ?? 0) + across));
    if (line) setChosen({ line: line.at, column });
  };
  const cell = selected ? (lines[selected.line]?.cells[selected.column] ?? []) : null;
  const run = cell?.find(({ state }) => state !== 'missing')?.run;
  useKeys({
    j: ['next', () => move(1, 0)],
    k: ['previous', () => move(-1, 0)],
    ArrowDown: ['next', () => move(1, 0)],
    ArrowUp: ['previous', () => move(-1, 0)],
    ArrowRight: ['next column', () => move(0, 1)],
    ArrowLeft: ['previous column', () => move(0, -1)],
    '/': ['find', () => find.current?.focus()],
    d: ['only where they differ', () => setDiffering(!isDiffering)],
    Enter: ['open', run && canOpen(run) && to(`#/runs/${run}`)],
    Escape: [
      'back',
      () => {
        if (selected) setChosen(null);
        else location.hash = '#/sets';
      },
    ],
  });
  const columns = head.columns.map((name, column) => [String(column), name] as const);
  const selectOf = (head: string, value: string, onPick: (value: string) => void) => (
    <Select {...{ head, value, onPick }} options={[['', '–'], ...columns]} />
  );
  const grid = {
    gridTemplateColumns: `minmax(var(--first), 2fr) repeat(${head.columns.length}, minmax(96px, 1fr))`,
  };
  return (
    <div class="parts">
      <section class="list">
        <div class="tabs">
          <button type="button" aria-pressed={isDiffering} onClick={() => setDiffering(!isDiffering)}>
            Only where they differ <kbd>D</kbd>
          </button>
          <button type="button" aria-pressed={isSorted} onClick={() => setSorted(!isSorted)}>
            Fewest right first
          </button>
          {selectOf('right by', gotBy, setGotBy)}
          {selectOf('not by', notBy, setNotBy)}
          <span class="space" />
          <Find
            box={find}
            words={words}
            onType={setWords}
            told={
              visible.length === lines.length
                ? ''
                : `${grouped(visible.length)} of ${grouped(lines.length)} problems`
            }
          />
        </div>
        {visible.length === 0 && <p class="none">No problem fits.</p>}
        <Rows
          items={visible}
          height={26}
          label="Problems"
          selected={at}
          head={
            <div class="matrix head" style={grid}>
              <span class="first">Problem</span>
              {head.columns.map((name, column) => (
                <span key={name} title={name}>
                  <b>{name}</b>
                  <small>{shareOf(rows, column)}</small>
                </span>
              ))}
            </div>
          }
        >
          {(line) => (
            <div key={line.at} class={`matrix ${line.at === selected?.line ? 'chosen' : ''}`} style={grid}>
              <span class="first cut" title={line.name}>
                {line.name}
              </span>
              {line.cells.map((own, column) => (
                <button
                  key={head.columns[column]}
                  type="button"
                  class={`cell ${isSolved(line, column) === false ? 'off' : ''}`}
                  aria-pressed={line.at === selected?.line && column === selected.column}
                  aria-label={`${line.name}, ${head.columns[column]}: ${own.map(({ outcomeText }) => outcomeText).join(', ') || 'no row'}`}
                  title={own.map(({ outcomeText, why }) => `${outcomeText}${why && `: ${why}`}`).join('\n')}
                  onClick={() => setChosen({ line: line.at, column })}
                >
                  {own.slice(0, 6).map((row) => (
                    <State key={row.index} name={rowState(row)} label="" />
                  ))}
                  {own.length > 6 && <small>{own.length}</small>}
                  <span class="cut soft">{own.length === 1 ? shortOf(own[0]) : ''}</span>
                </button>
              ))}
            </div>
          )}
        </Rows>
      </section>
      {selected && cell ? (
        <Cell
          name={`${lines[selected.line]?.name} × ${head.columns[selected.column]}`}
          rows={cell}
          onClose={() => setChosen(null)}
        />
      ) : (
        <Systems systems={systems} isPartial={head.isRunning || !head.isRead} />
      )}
    </div>
  );
}

function linesOf(head: SetHead, rows: readonly SetRowItem[]): readonly Line[] {
  const cells = head.lines.map(() => head.columns.map((): SetRowItem[] => []));
  for (const row of rows) if (row) cells[row.line]?.[row.column]?.push(row);
  return head.lines.map((name, at) => {
    const own = cells[at] ?? [];
    const title = own.flat().find((row) => row.title !== '')?.title ?? '';
    return { at, name: title === '' || name.includes(title) ? name : `${name}: ${title}`, cells: own };
  });
}

/** Most of its runs are right; undefined where none is judged. */
function isSolved({ cells }: Line, column: number): boolean | undefined {
  const judged = judgedRows(cells[column] ?? []);
  return judged.length === 0 ? undefined : judged.filter(isRight).length * 2 > judged.length;
}

function hasDifferences(line: Line): boolean {
  const all = line.cells.map((_cell, column) => isSolved(line, column));
  return all.includes(true) && all.includes(false);
}

function rightIn(line: Line): number {
  return line.cells.flat().filter(isRight).length;
}

function textOf({ name, cells }: Line): string {
  const messages = cells
    .flat()
    .map(({ outcomeText, why, answer, problem }) => `${outcomeText} ${why} ${answer} ${problem}`);
  return `${name} ${messages.join(' ')}`.toLowerCase();
}

function shareOf(rows: readonly SetRowItem[], column: number): string {
  const ended = rows.filter((row) => row?.column === column && row.state === 'ended');
  if (ended.length === 0) return 'none ended';
  const judged = judgedRows(ended);
  if (judged.length === 0) return 'none judged';
  const right = judged.filter(isRight).length;
  return `${right} of ${judged.length}, ${Math.round((100 * right) / judged.length)} %`;
}

function shortOf(row: SetRowItem | undefined): string {
  if (!row) return '';
  if (row.score !== null) return row.score.toLocaleString('en-US', { maximumFractionDigits: 2 });
  return row.answer || (row.state === 'ended' ? '' : row.outcomeText);
}

type CellProps = {
  readonly name: string;
  readonly rows: readonly SetRowItem[];
  readonly onClose: () => void;
};

function Cell({ name, rows, onClose }: CellProps) {
  return (
    <aside class="inspector sheet" aria-label="The chosen cell">
      <h2>
        <span class="cut">{name}</span>
        <span class="space" />
        <button type="button" onClick={onClose}>
          Close
        </button>
      </h2>
      {rows.length === 0 && <p class="soft">The set has no such row.</p>}
      {rows.map((row) => (
        <section key={row.index} class="run-of-cell">
          <p>
            <State name={rowState(row)} label="" /> <b class={`word ${rowState(row)}`}>{row.outcomeText}</b>{' '}
            <span class="soft">
              {[formatDuration(row.aliveMs), row.tokens && `${row.tokens} tokens`, row.cost]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </p>
          {row.answer !== '' && (
            <p>
              answered <code>{row.answer}</code>
            </p>
          )}
          {row.why !== '' && <p>{row.why}</p>}
          {row.state !== 'missing' && canOpen(row.run) && (
            <p>
              <a class="link" href={`#/runs/${row.run}`}>
                Open {row.run}
              </a>
            </p>
          )}
        </section>
      ))}
    </aside>
  );
}
