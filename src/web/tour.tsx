/** A tour of the screens, each with a run of the demo that it can show: a line over them, and a list of all stops. */
import { useRef } from 'preact/hooks';
import type { RunItem, SetItem } from '../notes/page-items.ts';
import { to, useKeys } from './keys.ts';
import { useLooking } from './looking.ts';
import { runs } from './runs.tsx';
import { Command } from './typed.tsx';

type Stop = {
  readonly name: string;
  readonly about: string;
  /** Null where there is nothing that the screen could show. */
  readonly hash: string | null;
  /** The command that makes something to see. */
  readonly fix: string;
  readonly isEmpty: boolean;
};

/** By what their apps draw, the most first. */
const drawn = ['arc', 'proof', 'ahc', 'aoc', 'qa'];

function stopsOf(all: readonly RunItem[], sets: readonly SetItem[]): readonly Stop[] {
  const own = sets.find(({ id }) => all[0] && rootOf(all[0], all).id.startsWith(`${id}-`));
  const set = own ?? sets.find(({ name }) => name.startsWith('demo ')) ?? sets[0];
  // What was played last: runs of one set, or one run.
  const ended = endedOf(
    all.filter((item) =>
      own ? item.id.startsWith(`${own.id}-`) : rootOf(item, all) === rootOf(all[0] ?? item, all),
    ),
  );
  const run = ended.find(({ outcome }) => outcome === 'solved') ?? ended[0] ?? all[0];
  const panel = drawnBest(ended) ?? drawnBest(endedOf(all));
  const fork = all.find(({ forkOf }) => all.some(({ id }) => id === forkOf?.run));
  // Else two of one agent part somewhere that can be told.
  const [a, b] = fork ? [fork.forkOf?.run, fork.id] : alike(ended, endedOf(all)).map(({ id }) => id);
  const stop = (name: string, about: string, hash: string | false, fix = '', isEmpty = !hash): Stop => ({
    ...{ name, about, hash: hash || null, fix, isEmpty },
  });
  const [runHash, panelHash] = [run && `#/runs/${run.id}`, panel && `#/runs/${panel.id}/panels`];
  const forkHash = run && `#/forks/${(fork ?? run).id}`;
  const toFork = `polya runs fork ${run?.id ?? 'last'} --at 9 --hint "Begin small."`;
  return [
    stop('Runs', 'All runs of this folder: how each ended and why, and what it took.', '#/'),
    stop(
      'A run',
      'Why it ended, its branches over time, each call and program.',
      runHash ?? false,
      'polya demo',
    ),
    stop(
      'Its panel',
      'A run in the words of its app, as grids or a proof.',
      panelHash ?? false,
      'polya demo arc',
    ),
    stop(
      'Compare',
      'Two runs side by side, and where they part.',
      !!b && `#/compare/${a}/${b}`,
      'polya demo ensemble',
    ),
    stop(
      'Forks',
      'What went on from an event of a run, with what changes.',
      forkHash ?? false,
      toFork,
      !fork,
    ),
    stop(
      'Sets',
      'Runs under one budget, as the demo was.',
      `#/sets${set ? `/${set.id}` : ''}`,
      'polya demo',
      !set,
    ),
    stop('Questions', 'What runs ask a person, and fields to answer it.', '#/questions'),
    stop('Cost', 'What was spent, by model, day, family, run or role.', '#/cost'),
  ];
}

/** What a fork goes back to, as far as that is here. */
function rootOf(item: RunItem, all: readonly RunItem[]): RunItem {
  const parent = all.find(({ id }) => id === item.forkOf?.run);
  return parent ? rootOf(parent, all) : item;
}

function endedOf(items: readonly RunItem[]): readonly RunItem[] {
  return items.filter(({ state }) => state === 'ended').toSorted((a, b) => b.events - a.events);
}

function drawnBest(items: readonly RunItem[]): RunItem | undefined {
  return drawn.flatMap((family) => items.filter((item) => item.family === family))[0];
}

/** In the first list that has some. */
function alike(...lists: readonly (readonly RunItem[])[]): readonly RunItem[] {
  const groups = lists.flatMap((items) =>
    items.map(({ agent }) => items.filter((item) => item.agent === agent)),
  );
  return groups.find(({ length }) => length > 1) ?? [];
}

const lookEveryMs = 3_000;

function useStops(): readonly Stop[] {
  const options = { path: () => '/sets', everyMs: lookEveryMs };
  const { found } = useLooking<{ readonly sets: readonly SetItem[] }>(options);
  return stopsOf(runs.value, found?.sets ?? []);
}

type LineProps = { readonly address: string; readonly onEnd: () => void };

export function TourLine({ address, onEnd }: LineProps) {
  const stops = useStops();
  const last = useRef(-1);
  const addresses = stops.map(({ hash, name }) => hash ?? `#/tour/${name.replace(' ', '-')}`);
  const here = addresses.indexOf(address || '#/');
  // From wherever a reader goes, and when there is more by now, the tour goes on after its last stop.
  if (here >= 0 || address === '#/tour') last.current = here;
  const at = last.current;
  const stop = stops[at];
  const next = addresses[at + 1];
  const goBack = to(addresses[at - 1] ?? '#/tour');
  useKeys({
    '>': ['next stop of the tour', next && to(next)],
    '<': ['previous stop of the tour', stop && goBack],
    Escape: ['end the tour', onEnd],
  });
  return (
    <aside class="tour" aria-label="Tour">
      <p role="status">
        <b>{stop ? `${at + 1} of ${stops.length}: ${stop.name}.` : 'A tour of this page.'}</b>{' '}
        {stop && <About stop={stop} />}
      </p>
      <button type="button" disabled={!stop} onClick={goBack}>
        Previous <kbd>&lt;</kbd>
      </button>
      <button type="button" disabled={!next} onClick={to(next ?? '#/')}>
        Next <kbd>&gt;</kbd>
      </button>
      <button type="button" onClick={onEnd}>
        End <kbd>Esc</kbd>
      </button>
    </aside>
  );
}

function About({ stop: { about, fix, isEmpty } }: { readonly stop: Stop }) {
  return (
    <>
      {about} {isEmpty && <Command>{fix}</Command>} {isEmpty && 'makes something to see.'}
    </>
  );
}

export function TourScreen() {
  return (
    <main class="empty">
      <h1>The screens of this page</h1>
      {useStops().map((stop) => (
        <p key={stop.name}>
          {stop.hash === null ? <b>{stop.name}</b> : <a href={stop.hash}>{stop.name}</a>}:{' '}
          <About stop={stop} />
        </p>
      ))}
    </main>
  );
}
