/** The list of runs: what waits for a person, what runs, then the newest ends. Counts are of all runs of the store. */
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RunItem } from '../notes/page-items.ts';
import { type FilterField, sortNames, stateName, stateWord } from '../notes/run-list.ts';
import { grouped } from '../text/format.ts';
import { Age, Bound } from './age.tsx';
import { Command, EmptyState, HeaderCells, Name, Select } from './controls.tsx';
import { CommandDialog, LimitsDialog, ResumeDialog } from './dialogs.tsx';
import { to, useKeys } from './keys.ts';
import { Rows } from './rows.tsx';
import { canResume, commandOf } from './run-acts.ts';
import {
  type Filter,
  filters,
  list,
  loadRange,
  runAt,
  showList,
  sinceHours,
  sort,
  trouble,
  words,
} from './run-list.ts';
import { Totals } from './runs-totals.tsx';
import { State, type StateName } from './states.tsx';
import { clock, costOf, formatDuration, fullDate, tokensOf } from './words.ts';

/** To be compared: the one that was marked first is A. */
const marked = signal<readonly string[]>([]);

/** A heading, or the run at a place of the list. */
type Line = { readonly head: string; readonly count: number } | { readonly place: number };

function groupIntoLines(
  groups: readonly { readonly head: string; readonly count: number }[],
): readonly Line[] {
  const lines: Line[] = [];
  let place = 0;
  for (const { head, count } of groups) {
    if (count === 0) continue;
    lines.push({ head, count });
    for (const last = place + count; place < last; place += 1) lines.push({ place });
  }
  return lines;
}

const keyOf = (line: Line): string | undefined => ('head' in line ? line.head : runAt(line.place)?.id);

const heads = [
  ...['', 'Problem', 'Agent', 'Model', 'Now, or why it ended'],
  ...([['Calls'], ['Tokens'], ['Cost'], ['Time'], ['Begun']] as const),
];

type RunsProps = { readonly home: string; readonly isReadOnly: boolean };

export function Runs({ home, isReadOnly }: RunsProps) {
  const find = useRef<HTMLInputElement>(null);
  const [selected, setChosen] = useState('');
  const [dialog, setDialog] = useState<'stop' | 'resume' | 'limits' | null>(null);
  useEffect(showList, []);
  const found = list.value;
  const lines = useMemo(() => groupIntoLines(found?.groups ?? []), [found]);
  const index = found?.runs.findIndex(({ id }) => id === selected) ?? -1;
  const own = found?.runs[index];
  const place = index < 0 ? -1 : (found?.offset ?? 0) + index;
  const at = lines.findIndex((line) => 'place' in line && line.place === place);
  const move = (to: number): void => setChosen(runAt(Math.max(0, to))?.id ?? selected);
  const isLive = !isReadOnly && own?.state === 'running';
  useKeys({
    '/': ['find a run', () => find.current?.focus()],
    j: ['next run', () => move(place + 1)],
    k: ['previous run', () => move(place - 1)],
    Enter: ['open it', index >= 0 && to(`#/runs/${selected}`)],
    ' ': ['mark it, to compare two', selected !== '' && (() => mark(selected))],
    c: ['compare the two that are marked', marked.value.length > 0 && (() => compareMarked(selected))],
    l: ['what it may use: its limits', isLive && (() => setDialog('limits'))],
    s: ['stop it', isLive && (() => setDialog('stop'))],
    r: ['resume it', own && canResume(own) && !isReadOnly && (() => setDialog('resume'))],
    n: ['new run', !isReadOnly && to('#/new')],
  });
  if (!found)
    return trouble.value ? <EmptyState problem={trouble.value} /> : <main class="empty" aria-busy="true" />;
  const { counts, totals } = found;
  if (counts.runs === 0) {
    return (
      <main class="empty">
        <h1>No runs yet</h1>
        <p>
          Start with <Command>polya demo</Command>: it needs no key and no server. Runs of{' '}
          {home || 'this folder'} appear here as soon as they begin.
        </p>
        <p>
          <Command>polya ask "How much is 6 times 7?" --model PROVIDER/NAME</Command> asks a model of yours,{' '}
          <Command>
            polya aoc run --site practice --year 2000 --day 1 --lang python --model manual:http
          </Command>{' '}
          lets you answer in its place; with <code>--view</code> a command opens this page itself.
        </p>
      </main>
    );
  }
  return (
    <main class="runs">
      <Rail />
      <section class="list">
        <search>
          <form onSubmit={(event) => event.preventDefault()}>
            <input
              ref={find}
              class="find"
              type="search"
              placeholder="outcome, family, model, text …"
              aria-label="Find runs"
              value={words.value}
              onInput={(event) => {
                words.value = event.currentTarget.value;
              }}
            />
            <span class="told" role="status">
              {totals.runs === counts.runs
                ? `${grouped(counts.runs)} ${counts.runs === 1 ? 'run' : 'runs'}`
                : `${grouped(totals.runs)} of ${grouped(counts.runs)} runs`}
            </span>
            <Select
              label="Sort"
              value={sort.value}
              options={sortNames}
              onPick={(picked) => {
                sort.value = sortNames.find((name) => name === picked) ?? 'newest first';
              }}
            />
            {marked.value.length > 0 && (
              <button
                type="button"
                onClick={() => compareMarked(selected)}
                disabled={marked.value.length < 2}
              >
                {marked.value.length < 2 ? 'Mark another one' : 'Compare'} <kbd>C</kbd>
              </button>
            )}
            {!isReadOnly && (
              <a class="button main" href="#/new">
                New run <kbd>N</kbd>
              </a>
            )}
          </form>
        </search>
        <Totals totals={totals} />
        <HeaderCells names={heads} />
        {totals.runs === 0 && (
          <p class="none">
            No run fits.{' '}
            <button type="button" onClick={showAll}>
              Show all
            </button>
          </p>
        )}
        <Rows items={lines} height={26} label="Runs" selected={at} keyOf={keyOf} onSee={loadRange}>
          {(line) => {
            if ('head' in line) {
              return (
                <h2 class="group" key={line.head}>
                  {line.head} <small>{grouped(line.count)}</small>
                </h2>
              );
            }
            const item = runAt(line.place);
            if (!item) return <span class="line" key={line.place} aria-busy="true" />;
            return <RunLine key={item.id} item={item} chosen={selected} />;
          }}
        </Rows>
        {own && (
          <p class="peek" role="status">
            <b class={`word ${stateName(own)}`}>{stateWord(own)}</b> {own.question ?? own.now}
          </p>
        )}
      </section>
      {dialog === 'limits' && <LimitsDialog run={selected} onClose={() => setDialog(null)} />}
      {dialog === 'resume' && <ResumeDialog run={selected} onClose={() => setDialog(null)} />}
      {dialog === 'stop' && (
        <CommandDialog {...commandOf('stop', selected)} onClose={() => setDialog(null)} />
      )}
    </main>
  );
}

function RunLine({ item, chosen }: { readonly item: RunItem; readonly chosen: string }) {
  const { id, title, problem, agent, models, free, now, modelCalls, aliveMs, createdAtMs } = item;
  const name = stateName(item);
  const letter = marked.value.indexOf(id);
  return (
    <a class={`line ${id === chosen ? 'chosen' : ''}`} href={`#/runs/${id}`} title={`${id}\n${now}`}>
      {/* biome-ignore lint/a11y: Space does the same for who has no pointer. */}
      <span
        class="marking"
        title="Mark it, to compare it with another (Space)"
        onClick={(event) => {
          event.preventDefault();
          mark(id);
        }}
      >
        {letter >= 0 ? (
          <b class={`letter ${'AB'[letter]}`}>{'AB'[letter]}</b>
        ) : (
          <State name={name} label={stateWord(item)} />
        )}
      </span>
      <span class="cut">
        {title} <code>{problem}</code>
      </span>
      <span class="cut soft">{agent}</span>
      <span class="soft">
        <Name
          text={
            models.map((model) => model.replace(/^scripted:.*\//, 'scripted:')).join(', ') || (free ?? '')
          }
        />
      </span>
      <span class="cut">
        <Bound item={item} /> <b class={`word ${name}`}>{stateWord(item)}</b>{' '}
        {name === 'running' && <Age item={item} />} <span class="soft">{item.question ?? now}</span>
      </span>
      <span class="number">{modelCalls ?? '…'}</span>
      <span class="number">{tokensOf(item)}</span>
      <span class="number">{costOf(item)}</span>
      <span class="number">{formatDuration(aliveMs)}</span>
      <span class="number soft" title={fullDate(createdAtMs)}>
        {clock(createdAtMs)}
      </span>
    </a>
  );
}

/** Two at most: a third takes the place of the first. */
function mark(id: string): void {
  const siblings = marked.value.filter((each) => each !== id);
  marked.value = siblings.length < marked.value.length ? siblings : [...siblings.slice(-1), id];
}

/** The two that are marked; of one, with the chosen one. */
function compareMarked(selected: string): void {
  const [a, b = selected] = marked.value;
  if (a === undefined || b === '' || a === b) return;
  marked.value = [];
  location.hash = `#/compare/${a}/${b}`;
}

const facetHeads: readonly (readonly [FilterField, string])[] = [
  ['state', 'Outcome'],
  ['family', 'Family'],
  ['model', 'Model'],
  ['agent', 'Agent'],
  ['host', 'Host'],
];

const spans = [
  ['in the last hour', 1],
  ['in 24 hours', 24],
  ['in 7 days', 7 * 24],
] as const;

function showAll(): void {
  filters.value = [];
  sinceHours.value = null;
  words.value = '';
}

function Rail() {
  return (
    <aside class="rail" aria-label="Filters">
      {facetHeads
        .filter(([facet]) => facet !== 'host' || valuesOf(facet).length > 1)
        .map(([facet, head]) => (
          <section key={facet}>
            <h2>{head}</h2>
            {valuesOf(facet).map(([value, count]) => {
              const isOn = filters.value.some((each) => each.facet === facet && each.value === value);
              const word = value === 'waits' ? 'waits for you' : value;
              return (
                <button
                  key={value}
                  type="button"
                  aria-pressed={isOn}
                  onClick={() => toggle({ facet, value })}
                >
                  {facet === 'state' && <State name={value as StateName} label="" />}
                  <span class="cut">{word}</span> <small>{count}</small>
                </button>
              );
            })}
          </section>
        ))}
      <section>
        <h2>Last event</h2>
        {spans.map(([name, hours]) => (
          <button
            key={name}
            type="button"
            aria-pressed={sinceHours.value === hours}
            onClick={() => {
              sinceHours.value = sinceHours.value === hours ? null : hours;
            }}
          >
            <span class="cut">{name}</span>
          </button>
        ))}
      </section>
    </aside>
  );
}

/** With the number of all runs that have it. */
const valuesOf = (facet: FilterField) => list.value?.facets[facet] ?? [];

function toggle(filter: Filter): void {
  const isSame = (each: Filter) => each.facet === filter.facet && each.value === filter.value;
  filters.value = filters.value.some(isSame)
    ? filters.value.filter((each) => !isSame(each))
    : [...filters.value, filter];
}
