/** One run-set: how it stands, and its rows; as a table of problems and systems where it compares several. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SetHead, SetRowItem } from '../notes/page-items.ts';
import { count, grouped } from '../text/format.ts';
import { listen } from './api.ts';
import { Choices, Command, HeaderCells } from './controls.tsx';
import { type ScreenProps, to, useKeys } from './keys.ts';
import { Rows } from './rows.tsx';
import { Matrix } from './set-matrix.tsx';
import { Bar, Find, isRight, judgedRows, rowState, setState } from './set-parts.tsx';
import { State } from './states.tsx';
import { compareSystems, differenceText, groupSystems, isClear } from './systems.tsx';
import { formatAgo, formatDuration, fullDate } from './words.ts';

export function SetScreen({ names: [id = ''] }: ScreenProps) {
  const [head, setHead] = useState<SetHead | null>(null);
  const [rows, setRows] = useState<readonly SetRowItem[]>([]);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    // Many come at once when the page opens: they are shown together.
    const found: SetRowItem[] = [];
    let frame = 0;
    const show = (): void => {
      frame = 0;
      setRows([...found]);
    };
    const stop = listen(`/sets/${id}/stream`, {
      set: setHead,
      rows: (items: readonly SetRowItem[]) => {
        for (const item of items) found[item.index] = item;
        frame ||= requestAnimationFrame(show);
      },
      gone: () => setGone(true),
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [id]);
  if (isGone) return <NoSet />;
  if (!head) return <main class="empty" aria-busy="true" />;
  return (
    <main class="run">
      <Head head={head} rows={rows} />
      {head.columns.length > 1 ? <Matrix head={head} rows={rows} /> : <List head={head} rows={rows} />}
    </main>
  );
}

function NoSet() {
  return (
    <main class="empty">
      <h1>This run-set is not here</h1>
      <p class="bad">It has been deleted, or its id is another one.</p>
      <p>
        <a href="#/sets">All run-sets</a> of this folder are in the list;{' '}
        <Command>polya run-set list</Command> names them too.
      </p>
    </main>
  );
}

type Props = { readonly head: SetHead; readonly rows: readonly SetRowItem[] };

function Head({ head, rows }: Props) {
  const lead = useMemo(() => leadText(head, rows), [head, rows]);
  if (!head.isRead) return <SetReading head={head} rows={rows} />;
  const isComplete = head.ended === head.rows;
  const name = head.isRunning
    ? 'running'
    : isComplete
      ? 'scored'
      : setState(head.budgetShare === 1 ? 'budget' : 'interrupted');
  return (
    <header class="top">
      <p class="path">
        <a href="#/sets">Sets</a> › <code>{head.id}</code>
        <span class="space" />
        {head.goOn && (
          <span class="soft">
            go on with it: <Command>{head.goOn}</Command>
          </span>
        )}
      </p>
      <h1>
        <State name={name} label="" /> {head.name} <small>{sizeOf(head)}</small>
      </h1>
      <p class="why whole">
        <b>{sentenceOf(head, rows)}</b> {lead}
        {head.state[0]?.toUpperCase()}
        {head.state.slice(1)}.
      </p>
      <p class="facts">
        <span>
          <Bar share={head.ended / Math.max(1, head.rows)} /> <b>{grouped(head.ended)}</b> of{' '}
          {grouped(head.rows)} ended
        </span>
        <span>{head.counts}</span>
        <span>
          {head.budgetShare !== null && <Bar share={head.budgetShare} isSpent />} <b>{head.spent}</b>
          {head.budget === null ? '' : ` of ${head.budget}`}
        </span>
        <span>
          <b>{head.tokens}</b> tokens
        </span>
        <span>
          <b>{head.concurrency}</b> at once
        </span>
        <span title={`begun ${fullDate(head.createdAtMs)}`}>
          {head.endedAtMs === null ? 'begun' : 'ended'}{' '}
          <b>{formatAgo(head.endedAtMs ?? head.createdAtMs, Date.now())}</b>
        </span>
        {head.eta !== null && <span>{head.eta}</span>}
      </p>
    </header>
  );
}

/** Until all rows are read: a count, an interval or a sentence over some of them would be taken for the result. */
function SetReading({ head, rows }: Props) {
  const read = rows.filter(Boolean).length;
  return (
    <header class="top">
      <p class="path">
        <a href="#/sets">Sets</a> › <code>{head.id}</code>
      </p>
      <h1>
        {head.name} <small>{sizeOf(head)}</small>
      </h1>
      <p class="why whole" role="status">
        <b>
          {grouped(read)} of {grouped(head.rows)} rows are read.
        </b>{' '}
        The result follows.
      </p>
    </header>
  );
}

function sizeOf({ lines, columns, rows }: SetHead): string {
  const size = columns.length < 2 ? '' : `${grouped(lines.length)} × ${columns.length}, `;
  return size + count(rows, 'row');
}

/** The best of several; of one, how much of it is right. */
function sentenceOf({ columns }: SetHead, rows: readonly SetRowItem[]): string {
  const ended = rows.filter((row) => row?.state === 'ended').length;
  if (ended === 0) return 'No row has ended yet.';
  const judged = judgedRows(rows);
  if (judged.length === 0) return `${count(ended, 'row')} ended; none was judged right or wrong.`;
  const right = columns.map(
    (_column, at) => judged.filter((row) => row.column === at && isRight(row)).length,
  );
  const most = Math.max(...right);
  const all = (at: number) => judged.filter(({ column }) => column === at).length;
  if (columns.length < 2)
    return judged.length === ended
      ? `${grouped(most)} of ${grouped(ended)} that have ended are right.`
      : `${grouped(most)} of ${grouped(judged.length)} are right, ${grouped(ended - judged.length)} not judged.`;
  const best = right.flatMap((each, at) => (each === most ? at : []));
  const [first = 0] = best;
  if (best.length === columns.length) return `All ${best.length} are right on ${grouped(most)} each.`;
  if (best.length > 1)
    return `${best.length} of ${columns.length} are right on ${grouped(most)} each, the most of all.`;
  return `${columns[first]} is right on ${grouped(most)} of ${grouped(all(first))}, the most of all.`;
}

/** The best beside the next best. */
function leadText(head: SetHead, rows: readonly SetRowItem[]): string {
  const found =
    head.columns.length < 2 || head.isRunning || !head.isRead
      ? null
      : compareSystems(groupSystems(head, rows));
  const [next] = found?.rivals.toSorted((a, b) => (b.system.share ?? 0) - (a.system.share ?? 0)) ?? [];
  if (!next) return '';
  const clear = isClear(next);
  const luck = clear === null ? '' : clear ? ': more than luck would give' : ': luck would give as much';
  return `Against ${next.system.name} that is ${differenceText(next)}${luck}. `;
}

const groups = ['all', 'right', 'not right', 'not judged', 'not ended'] as const;

function groupOf(row: SetRowItem): (typeof groups)[number] {
  if (row.state !== 'ended') return 'not ended';
  const right = isRight(row);
  if (right === null) return 'not judged';
  return right ? 'right' : 'not right';
}

function List({ head, rows }: Props) {
  const find = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [group, setGroup] = useState<(typeof groups)[number]>('all');
  const [selected, setChosen] = useState('');
  const visible = useMemo(() => {
    const requested = words.toLowerCase().split(/\s+/);
    return rows.filter((row) => {
      if (!row || (group !== 'all' && groupOf(row) !== group)) return false;
      const { name, title, problem, outcomeText, why, answer, run, host } = row;
      const text = [name, title, problem, outcomeText, why, answer, run, host].join(' ').toLowerCase();
      return requested.every((word) => text.includes(word));
    });
  }, [rows, words, group]);
  const at = visible.findIndex(({ run }) => run === selected);
  const move = (to: number): void => setChosen(visible[Math.max(0, to)]?.run ?? selected);
  useKeys({
    j: ['next', () => move(at + 1)],
    k: ['previous', () => move(at - 1)],
    '/': ['find', () => find.current?.focus()],
    Enter: ['open', at >= 0 && visible[at]?.state !== 'missing' && to(`#/runs/${selected}`)],
    Escape: ['back', to('#/sets')],
  });
  return (
    <section class="list">
      <div class="tabs">
        <Choices among={groups.map((each) => [each, each])} chosen={group} onChoose={setGroup} />
        <span class="space" />
        <Find
          box={find}
          words={words}
          onType={setWords}
          told={
            visible.length === head.rows ? '' : `${grouped(visible.length)} of ${grouped(head.rows)} rows`
          }
        />
      </div>
      <HeaderCells
        of="row"
        names={['', 'Row', 'Outcome, answer and why', ['Calls'], ['Tokens'], ['Cost'], ['Time']]}
      />
      {visible.length === 0 && rows.length > 0 && <p class="none">No row fits.</p>}
      <Rows items={visible} height={26} label="Rows" selected={at}>
        {(row) => (
          <a
            key={row.run}
            class={`line row ${row.run === selected ? 'chosen' : ''}`}
            href={row.state === 'missing' ? undefined : `#/runs/${row.run}`}
            title={row.host === null ? row.why : `${row.host}: ${row.why}`}
          >
            <State name={rowState(row)} label="" />
            <span class="cut">
              {row.name} <span class="soft">{row.title === row.name ? '' : row.title}</span>{' '}
              <code>{row.problem}</code>
            </span>
            <span class="cut">
              <b class={`word ${rowState(row)}`}>{row.outcomeText}</b>{' '}
              <span class="soft">
                {row.state === 'running' && row.host !== null
                  ? `on ${row.host}`
                  : [row.answer, row.why].filter(Boolean).join(' · ')}
              </span>
            </span>
            <span class="number">{row.modelCalls || ''}</span>
            <span class="number">{row.tokens}</span>
            <span class="number">{row.cost.replace(/ \(.*/, '')}</span>
            <span class="number">{formatDuration(row.aliveMs)}</span>
          </a>
        )}
      </Rows>
    </section>
  );
}
