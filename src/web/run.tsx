/** One run: its head, its branches over time, its events, and one of them whole. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { EventItem } from '../notes/page-items.ts';
import { grouped } from '../text/format.ts';
import { comparedName, copyStart, type Run, type Speech, watchRun } from './api.ts';
import { Choices, Select } from './controls.tsx';
import { CommandDialog, ForkDialog, LimitsDialog, ResumeDialog } from './dialogs.tsx';
import { merged } from './events.ts';
import { useFound } from './find-in-run.ts';
import { toggleHidden } from './hidden.tsx';
import { Inspector } from './inspector.tsx';
import { to, useKeys } from './keys.ts';
import { aliveTimes, Lanes } from './lanes.tsx';
import { lazyComponent } from './later.tsx';
import { Rows } from './rows.tsx';
import { canResume, commandOf } from './run-acts.ts';
import { Header, type RunDialog } from './run-head.tsx';
import { clock, formatDuration, fullDate } from './words.ts';

type Props = {
  readonly id: string;
  readonly event: number | null;
  /** Whether the app's own view replaces the events. */
  readonly showsPanels: boolean;
  /** An event that a panel opens. */
  readonly opened: number | null;
  readonly isReadOnly: boolean;
};

// Loaded here: the list of runs, which is there first, needs none of it.
const Panels = lazyComponent(async () => (await import('./panels.tsx')).Panels, { isPart: true });

export function RunScreen({ id, event, showsPanels, opened, isReadOnly }: Props) {
  const [run, setRun] = useState<Run | null>(null);
  const [events, setEvents] = useState<readonly EventItem[]>([]);
  const [speechs, setSpeeches] = useState<readonly Speech[]>([]);
  const [branch, setBranch] = useState<string | null>(null);
  const [words, setWords] = useState('');
  const [problem, setProblem] = useState('');
  const [follows, setFollows] = useState(event === null);
  const [showsAll, setShowsAll] = useState(false);
  const [showsClock, setShowsClock] = useState(false);
  const [dialog, setDialog] = useState<RunDialog | null>(null);
  // The end of a run that somebody reads changes nothing of what he reads.
  const [atFirst, setAtFirst] = useState<number | null>(null);
  const seen = useRef(0);
  const find = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // What comes at once is shown together; of a long journal, less often.
    let fresh: EventItem[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let count = 0;
    const show = (): void => {
      timer = undefined;
      const added = fresh;
      fresh = [];
      setEvents((before) => merged(before, added));
    };
    const take = (items: readonly EventItem[]): void => {
      fresh = [...fresh, ...items];
      // What is near is one picture with the head of the run.
      if (count === 0 && items.length > 1) show();
      else timer ??= setTimeout(show, Math.min(500, count / 200));
      count += items.length;
    };
    const describe = (now: Run): void =>
      setRun((before) => {
        if (!before && now.item.state === 'ended') setAtFirst(now.events);
        // What is wrong with a rejected proof is what its reader came for.
        const isFirst = !before && event === null && !showsPanels && copyStart === '';
        if (isFirst && now.item.outcome === 'rejected') location.replace(`#/runs/${id}/panels`);
        return now;
      });
    const stop = watchRun(
      id,
      { events: take, run: describe, saying: setSpeeches, problem: setProblem },
      event ?? 0,
    );
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [id]);

  const lastSeq = events.at(-1)?.seq ?? 0;
  const alive = useMemo(() => aliveTimes(events), [events]);
  const found = useFound(id, words, lastSeq);
  const visible = events.filter(
    (item) =>
      (branch === null || item.branch === branch) &&
      (found ? found.hits.has(item.seq) : showsAll || !item.isIdle),
  );
  const open = (seq: number): void => {
    setFollows(false);
    location.hash = `#/runs/${id}/${seq}`;
  };
  const isLive = run?.item.state === 'running';
  const isFollowed = isLive && follows && !found;
  if (isFollowed || seen.current === 0) seen.current = lastSeq;
  const fresh = isLive && !isFollowed ? events.filter(({ seq }) => seq > seen.current).length : 0;
  const selected = event ?? atFirst;
  const at = visible.findIndex(({ seq }) => seq === selected);
  const move = (to: number): void => {
    const next = visible[Math.max(0, to)];
    if (next) open(next.seq);
  };
  const parent = run?.item.forkOf?.run;
  const toFailed = (step: 1 | -1): void => {
    const after = step > 0 ? visible.slice(at + 1) : visible.slice(0, Math.max(0, at)).toReversed();
    const next = after.find(({ failed }) => failed);
    if (next) open(next.seq);
  };
  const isCopy = copyStart !== '';
  useKeys({
    '/': ['find in this run', () => find.current?.focus()],
    j: ['next event', () => move(at + 1)],
    k: ['previous event', () => move(at - 1)],
    '[': ['previous event that failed', () => toFailed(-1)],
    ']': ['next event that failed', () => toFailed(1)],
    c: ['compare it with its parent', parent && !isCopy && to(`#/compare/${parent}/${id}`)],
    f: ['fork it', !isReadOnly && (() => setDialog('fork'))],
    p: ['replay it, free', !isCopy && run?.item.state === 'ended' && (() => setDialog('replay'))],
    e: ['export it', !isCopy && (() => setDialog('export'))],
    l: ['what it may use: its limits', !isReadOnly && isLive && (() => setDialog('limits'))],
    s: ['stop it', !isReadOnly && isLive && (() => setDialog('stop'))],
    r: ['resume it', !isReadOnly && run && canResume(run.item) && (() => setDialog('resume'))],
    t: [
      'tell its agent something, or answer it',
      !isReadOnly && isLive && (() => document.querySelector<HTMLInputElement>('.tell input')?.focus()),
    ],
    g: ['gold answer, and what else no model was shown', toggleHidden],
    Escape: ['back', to(opened === null ? '#/' : `#/runs/${id}/panels`)],
  });

  if (problem !== '' && !run) {
    return (
      <main class="empty">
        <h1>This run cannot be shown</h1>
        <p class="bad">{problem}</p>
        <p>
          <a href="#/">All runs</a> of this folder are in the list.
        </p>
      </main>
    );
  }
  if (!run) return <main class="empty" aria-busy="true" />;
  const branches = [...new Set(events.map((each) => each.branch))];
  const byName = branches.map((each) => [each, each || 'main'] as const);
  const another = branches.find((each) => each !== '' && each !== branch);
  const beganMs = events[0]?.atMs ?? 0;
  const idle = events.filter(({ isIdle }) => isIdle).length;
  return (
    <main class="run">
      <Header
        run={run}
        isReadOnly={isReadOnly}
        at={events.some(({ seq }) => seq === event) ? event : null}
        onDialog={setDialog}
      />
      <Panels run={id} lastSeq={lastSeq} isShown={showsPanels} opened={opened} />
      {!showsPanels && (
        <>
          <Lanes {...alive} run={run} selected={selected} onOpen={open} isLive={isLive} />
          <div class="parts">
            <section class="events">
              <div class="tabs">
                <button type="button" aria-pressed={branch === null} onClick={() => setBranch(null)}>
                  all {grouped(events.length)} events
                </button>
                {branches.length > mostTabs ? (
                  <Select
                    label="Branch"
                    value={branch ?? allBranches}
                    options={[[allBranches, `one of ${branches.length} branches …`], ...byName]}
                    onPick={(value) => setBranch(value === allBranches ? null : value)}
                  />
                ) : (
                  branches.length > 1 && (
                    <Choices
                      among={byName.map(([each, name]) => [name, each])}
                      chosen={branch}
                      onChoose={setBranch}
                    />
                  )
                )}
                {branch !== null && <small>{countsOf(events, branch)}</small>}
                {branch && another !== undefined && (
                  <a
                    class="button link"
                    href={`#/compare/${comparedName({ run: id, branch })}/${comparedName({ run: id, branch: another })}`}
                  >
                    compare with {another} …
                  </a>
                )}
                <span class="space" />
                {idle > 0 && (
                  <button type="button" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
                    {idle === 1 ? '1 look' : `${idle} looks`} for notes that found none
                  </button>
                )}
                <button
                  type="button"
                  aria-pressed={showsClock}
                  title="Times of day, or times since the run began"
                  onClick={() => setShowsClock(!showsClock)}
                >
                  clock
                </button>
                {isLive && (
                  <button type="button" aria-pressed={follows} onClick={() => setFollows(!follows)}>
                    Follow
                  </button>
                )}
                <input
                  ref={find}
                  type="search"
                  placeholder="in this run"
                  aria-label="Find in this run"
                  value={words}
                  onInput={(input) => setWords(input.currentTarget.value)}
                />
                {found && (
                  <span class="told" role="status">
                    {found.hits.size} of {events.length}
                    {!found.isWhole && ' …'}
                  </span>
                )}
              </div>
              <Rows
                items={visible}
                height={26}
                label="Events"
                follow={isFollowed}
                onLeave={() => setFollows(false)}
                selected={at}
              >
                {(item) => (
                  <a
                    key={item.seq}
                    class={`event ${item.tone} ${item.seq === selected ? 'chosen' : ''}`}
                    href={`#/runs/${id}/${item.seq}`}
                    onClick={() => setFollows(false)}
                  >
                    <span class="number soft">{item.seq}</span>
                    <span class="number soft" title={fullDate(item.atMs)}>
                      {showsClock ? clock(item.atMs, true) : since(aliveAt(alive.events, item.seq) - beganMs)}
                    </span>
                    <span class="cut soft">{item.kind}</span>
                    <span class="cut">{item.text}</span>
                  </a>
                )}
              </Rows>
              {fresh > 0 && (
                <button type="button" class="fresh" onClick={() => setFollows(true)}>
                  {fresh} new
                </button>
              )}
              {speechs.map((speech) => (
                <p class="saying" key={speech.branch + speech.role}>
                  <b>{speech.role}</b>{' '}
                  {speech.tail
                    .map(({ text }) => text)
                    .join('')
                    .slice(-300)}
                </p>
              ))}
            </section>
            <Inspector run={id} seq={selected} events={events} />
          </div>
        </>
      )}
      {dialog === 'fork' && (
        <ForkDialog
          run={id}
          title={run.item.title}
          events={events}
          at={selected}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'resume' && <ResumeDialog run={id} onClose={() => setDialog(null)} />}
      {dialog === 'limits' && <LimitsDialog run={id} onClose={() => setDialog(null)} />}
      {(dialog === 'stop' || dialog === 'replay' || dialog === 'export') && (
        <CommandDialog {...commandOf(dialog, id)} onClose={() => setDialog(null)} />
      )}
    </main>
  );
}

const mostTabs = 12;
/** No branch has this name. */
const allBranches = '*';

/** What was asked and run in a branch. */
function countsOf(events: readonly EventItem[], branch: string): string {
  const ended = events.filter((each) => each.branch === branch && each.half === 'settlement');
  const of = (effect: string) => ended.filter((each) => each.effect === effect).length;
  const counts = [['model', 'call'] as const, ['exec', 'program'] as const].map(([effect, word]) => {
    const number = of(effect);
    return number === 0 ? '' : `${number} ${word}${number === 1 ? '' : 's'}`;
  });
  return counts.filter(Boolean).join(', ');
}

/** Numbers go on one by one. */
function aliveAt(events: readonly EventItem[], seq: number): number {
  return events[seq - (events[0]?.seq ?? 1)]?.atMs ?? 0;
}

/** In an hour, hundredths of a second say nothing. */
function since(ms: number): string {
  return ms < 600_000 ? `${(ms / 1_000).toFixed(2)} s` : formatDuration(ms);
}
