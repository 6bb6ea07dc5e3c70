/** The list of runs: what waits for a person, what runs, then the newest ends. */
import { signal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import type { RunItem } from '../notes/page-items.ts';
import { Age, Bound } from './age.tsx';
import { Heads, Select } from './controls.tsx';
import { CommandDialog, LimitsDialog, ResumeDialog } from './dialogs.tsx';
import { to, useKeys } from './keys.ts';
import { Rows } from './rows.tsx';
import { canResume, commandOf } from './run-acts.ts';
import { Totals } from './runs-totals.tsx';
import { State, type StateName, stateName, stateOrder, stateWord } from './states.tsx';
import { Command } from './typed.tsx';
import { clock, costOf, fullDate, tokensOf, took } from './words.ts';

/** Newest first. */
export const runs = signal<readonly RunItem[]>([]);
/** False until the server has said whether there are any. */
export const areTold = signal(false);

type Facet = 'state' | 'family' | 'agent' | 'model' | 'host';
type Filter = { readonly facet: Facet; readonly value: string };

/** Within what waits, runs, or has ended. */
const sorts = [
  { name: 'newest first', by: null },
  { name: 'dearest first', by: (a: RunItem, b: RunItem) => spent(b) - spent(a) },
  { name: 'longest silent first', by: (a: RunItem, b: RunItem) => a.lastAtMs - b.lastAtMs },
] as const;
const sort = signal<string>('newest first');

/** Where no price is known, by its tokens, after all that are known to have cost something. */
function spent({ knownCostUsd, knownTokens }: RunItem): number {
  return knownCostUsd + knownTokens / 1e15;
}

const filters = signal<readonly Filter[]>([]);
const words = signal('');
/** To be compared: the one that was marked first is A. */
const marked = signal<readonly string[]>([]);
/** Only runs that were begun, or went on, in the last so many hours. */
const sinceHours = signal<number | null>(null);

const facets: Readonly<Record<Facet, (item: RunItem) => readonly string[]>> = {
  state: (item) => [stateName(item)],
  family: ({ family }) => [family],
  agent: ({ agent }) => [agent],
  // Each script has a name of its own: together they are what no model said.
  model: ({ models, free }) => (free === null ? models : [free.replace(/^free \((.*)\)$/, '$1')]),
  host: ({ host }) => (host === null ? [] : [host]),
};

function isShown(item: RunItem): boolean {
  const byFacet = Object.entries(facets).every(([facet, of]) => {
    const wanted = filters.value.filter((each) => each.facet === facet).map(({ value }) => value);
    return wanted.length === 0 || of(item).some((value) => wanted.includes(value));
  });
  if (!byFacet) return false;
  if (sinceHours.value !== null && item.lastAtMs < Date.now() - sinceHours.value * 3_600_000) return false;
  const { id, title, problem, family, agent, models, free, now } = item;
  const text = [id, title, problem, family, agent, ...models, free ?? '', stateWord(item), now].join(' ');
  return words.value
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
}

type Line = { readonly head: string; readonly count: number } | { readonly item: RunItem };

const groups: readonly (readonly [head: string, has: (name: StateName) => boolean])[] = [
  ['Waits for you', (name) => name === 'waits'],
  ['Running', (name) => name === 'running'],
  ['Interrupted', (name) => name === 'interrupted'],
  ['Ended', (name) => !['waits', 'running', 'interrupted'].includes(name)],
];

function grouped(unsorted: readonly RunItem[]): readonly Line[] {
  const by = sorts.find(({ name }) => name === sort.value)?.by;
  const items = by ? unsorted.toSorted(by) : unsorted;
  return groups.flatMap(([head, has]) => {
    const own = items.filter((item) => has(stateName(item)));
    return own.length > 0 ? [{ head, count: own.length }, ...own.map((item) => ({ item }))] : [];
  });
}

const heads = [
  ...['', 'Problem', 'Agent', 'Model', 'Now, or why it ended'],
  ...([['Calls'], ['Tokens'], ['Cost'], ['Time'], ['Begun']] as const),
];

type RunsProps = { readonly home: string; readonly isReadOnly: boolean };

export function Runs({ home, isReadOnly }: RunsProps) {
  const find = useRef<HTMLInputElement>(null);
  const shown = runs.value.filter(isShown);
  const lines = grouped(shown);
  const [chosen, setChosen] = useState('');
  const ids = lines.flatMap((line) => ('item' in line ? [line.item.id] : []));
  const at = lines.findIndex((line) => 'item' in line && line.item.id === chosen);
  const index = ids.indexOf(chosen);
  const move = (to: number): void => setChosen(ids[Math.max(0, to)] ?? chosen);
  const [dialog, setDialog] = useState<'stop' | 'resume' | 'limits' | null>(null);
  const own = shown.find(({ id }) => id === chosen);
  const isLive = !isReadOnly && own?.state === 'running';
  useKeys({
    '/': ['find a run', () => find.current?.focus()],
    j: ['next run', () => move(index + 1)],
    k: ['previous run', () => move(index - 1)],
    Enter: ['open it', index >= 0 && to(`#/runs/${chosen}`)],
    ' ': ['mark it, to compare two', chosen !== '' && (() => mark(chosen))],
    c: ['compare the two that are marked', marked.value.length > 0 && (() => compareMarked(chosen))],
    l: ['what it may use: its limits', isLive && (() => setDialog('limits'))],
    s: ['stop it', isLive && (() => setDialog('stop'))],
    r: ['resume it', own && canResume(own) && !isReadOnly && (() => setDialog('resume'))],
    n: ['new run', !isReadOnly && to('#/new')],
  });
  if (!areTold.value) return <main class="empty" aria-busy="true" />;
  if (runs.value.length === 0) {
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
              {shown.length === runs.value.length
                ? `${shown.length} runs`
                : `${shown.length} of ${runs.value.length} runs`}
            </span>
            <Select
              label="Sort"
              value={sort.value}
              options={sorts.map(({ name }) => name)}
              onPick={(name) => {
                sort.value = name;
              }}
            />
            {marked.value.length > 0 && (
              <button type="button" onClick={() => compareMarked(chosen)} disabled={marked.value.length < 2}>
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
        <Totals items={shown} />
        <Heads names={heads} />
        {shown.length === 0 && (
          <p class="none">
            No run fits.{' '}
            <button type="button" onClick={showAll}>
              Show all
            </button>
          </p>
        )}
        <Rows items={lines} height={26} label="Runs" selected={at}>
          {(line) =>
            'item' in line ? (
              <RunLine key={line.item.id} item={line.item} chosen={chosen} />
            ) : (
              <h2 class="group" key={line.head}>
                {line.head} <small>{line.count}</small>
              </h2>
            )
          }
        </Rows>
        {own && (
          <p class="peek" role="status">
            <b class={`word ${stateName(own)}`}>{stateWord(own)}</b> {own.question ?? own.now}
          </p>
        )}
      </section>
      {dialog === 'limits' && <LimitsDialog run={chosen} onClose={() => setDialog(null)} />}
      {dialog === 'resume' && <ResumeDialog run={chosen} onClose={() => setDialog(null)} />}
      {dialog === 'stop' && <CommandDialog {...commandOf('stop', chosen)} onClose={() => setDialog(null)} />}
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
      <span class="cut soft">{models.join(', ') || free}</span>
      <span class="cut">
        <Bound item={item} /> <b class={`word ${name}`}>{stateWord(item)}</b>{' '}
        {name === 'running' && <Age item={item} />} <span class="soft">{item.question ?? now}</span>
      </span>
      <span class="number">{modelCalls ?? '…'}</span>
      <span class="number">{tokensOf(item)}</span>
      <span class="number">{costOf(item)}</span>
      <span class="number">{took(aliveMs)}</span>
      <span class="number soft" title={fullDate(createdAtMs)}>
        {clock(createdAtMs)}
      </span>
    </a>
  );
}

/** Two at most: a third takes the place of the first. */
function mark(id: string): void {
  const others = marked.value.filter((each) => each !== id);
  marked.value = others.length < marked.value.length ? others : [...others.slice(-1), id];
}

/** The two that are marked; of one, with the chosen one. */
function compareMarked(chosen: string): void {
  const [a, b = chosen] = marked.value;
  if (a === undefined || b === '' || a === b) return;
  marked.value = [];
  location.hash = `#/compare/${a}/${b}`;
}

const facetHeads: readonly (readonly [Facet, string])[] = [
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
        .filter(([facet]) => facet !== 'host' || counted(facet).length > 1)
        .map(([facet, head]) => (
          <section key={facet}>
            <h2>{head}</h2>
            {counted(facet).map(([value, count]) => {
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

function counted(facet: Facet): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const item of runs.value) {
    for (const value of facets[facet](item)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const order = (value: string) => stateOrder.indexOf(value as StateName);
  return [...counts].toSorted((a, b) => (facet === 'state' ? order(a[0]) - order(b[0]) : b[1] - a[1]));
}

function toggle(filter: Filter): void {
  const isSame = (each: Filter) => each.facet === filter.facet && each.value === filter.value;
  filters.value = filters.value.some(isSame)
    ? filters.value.filter((each) => !isSame(each))
    : [...filters.value, filter];
}
