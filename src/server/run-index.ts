/**
 * All runs of a store in memory, as rows of the page's list: what ended says its totals in its summary, so that no journal
 * is opened for it. Filters, sorts and totals are over all of them; the page is given a window.
 */
import type { RunRow, Store } from '../core/store.ts';
import type { RunItem } from '../notes/page-items.ts';
import {
  type FilterField,
  facetNames,
  filterValues,
  groupHeads,
  groupOf,
  type RunCounts,
  type RunList,
  type RunQuery,
  type RunStateName,
  type RunTotals,
  stateName,
  stateNames,
  stateWord,
} from '../notes/run-list.ts';
import { stateOf } from '../open/run-json.ts';
import { readableRuns } from '../run/spending.ts';
import type { Reader } from './reader.ts';

/** Up to so many runs, all rows are read at each look; of more, the newest and those that have not ended. */
const fewRuns = 2_000;
const newestRuns = 200;
/** How long a deletion, or a run that was resumed and ended between two looks, may stay unseen among many runs. */
const allEveryMs = 30_000;
/** Journals that are read at one look, so that the list is told of them soon. */
const readAtOnce = 20;

type Entry = {
  readonly row: RunRow;
  readonly mark: string;
  readonly item: RunItem;
  /** False while what stands only in its journal is missing. */
  readonly isRead: boolean;
};

export class RunIndex {
  readonly #store: Store;
  readonly #reader: Reader;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  #sorted: readonly Entry[] | null = null;
  #facets: RunList['facets'] | null = null;
  #unread = new Set<string>();
  #looking: Promise<void> | null = null;
  #reading: Promise<void> | null = null;
  #allAtMs = Number.NEGATIVE_INFINITY;
  #version = 0;

  constructor(store: Store, reader: Reader, now: () => number) {
    this.#store = store;
    this.#reader = reader;
    this.#now = now;
  }

  get version(): number {
    return this.#version;
  }

  get counts(): RunCounts {
    const states = [...this.#entries.values()].map(({ item }) => stateName(item));
    return {
      runs: states.length,
      running: states.filter((name) => name === 'running').length,
      waiting: states.filter((name) => name === 'waits').length,
      unread: this.#unread.size,
    };
  }

  /** Looks at the rows. Who asks meanwhile gets the same look. */
  refresh(): Promise<void> {
    this.#looking ??= this.#refresh().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** Reads some of the journals that rows do not sum up: of runs at work, and of runs that were cut off. */
  read(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async list(query: RunQuery): Promise<RunList> {
    const matching = this.#matchingEntries(query);
    this.#facets ??= collectFacets(this.#newestFirst());
    const groups = groupHeads.map((head, at) => ({
      head,
      entries: sorted(
        matching.filter(({ item }) => groupOf(item) === at),
        query.sort,
      ),
    }));
    const window = groups.flatMap(({ entries }) => entries).slice(query.offset, query.offset + query.limit);
    return {
      version: this.#version,
      counts: this.counts,
      facets: this.#facets,
      totals: sumTotals(matching),
      groups: groups.map(({ head, entries }) => ({ head, count: entries.length })),
      offset: query.offset,
      runs: await Promise.all(window.map((entry) => this.#withReason(entry))),
    };
  }

  async #refresh(): Promise<void> {
    const isAll = this.#entries.size <= fewRuns || this.#now() - this.#allAtMs >= allEveryMs;
    const rows = isAll ? await readableRuns(this.#store, () => undefined) : await this.#changed();
    if (isAll) {
      this.#allAtMs = this.#now();
      const existing = new Set(rows.map(({ id }) => id));
      for (const id of this.#entries.keys()) if (!existing.has(id)) this.#drop(id);
    }
    for (const row of rows) this.#update(row);
  }

  /** The newest runs, those that have not ended, and those that had not when they were last seen. */
  async #changed(): Promise<readonly RunRow[]> {
    const [runRows, open] = await Promise.all([
      readableRuns(this.#store, () => undefined, { limit: newestRuns }),
      readableRuns(this.#store, () => undefined, { open: true }),
    ]);
    const seen = new Set([...runRows, ...open].map(({ id }) => id));
    const before = [...this.#entries.values()].filter(({ row }) => !row.ended && !seen.has(row.id));
    const ended = await Promise.all(before.map(({ row }) => this.#store.get(row.id)));
    for (const [at, { row }] of before.entries()) if (!ended[at]) this.#drop(row.id);
    return [...runRows, ...open, ...ended.filter((row) => row !== null)];
  }

  #update(row: RunRow): void {
    const mark = `${row.lastSeq} ${stateOf(row)}`;
    const before = this.#entries.get(row.id);
    if (before?.mark === mark) return;
    const item = this.#reader.itemOfRow(row);
    const isRead = row.ended && item.modelCalls !== null;
    if (isRead) this.#unread.delete(row.id);
    else this.#unread.add(row.id);
    // What was known of a run at work stays until its journal is read again.
    const known = before && !isRead ? { ...before.item, state: item.state, outcome: item.outcome } : item;
    this.#entries.set(row.id, { row, mark, item: known, isRead: isRead || before?.isRead === true });
    this.#change();
  }

  async #read(): Promise<void> {
    for (const id of [...this.#unread].slice(0, readAtOnce)) {
      const entry = this.#entries.get(id);
      this.#unread.delete(id);
      if (!entry) continue;
      const item = await this.#reader.item(entry.row).catch(() => null);
      // It may have been dropped, or have gone on, while its journal was read.
      const now = this.#entries.get(id);
      if (!now) continue;
      this.#entries.set(id, { ...now, item: item ?? now.item, isRead: true });
      if (now.mark !== entry.mark) this.#unread.add(id);
      this.#change();
    }
  }

  /** The reason of an end stands in the journal; it is read for the rows that somebody sees. */
  async #withReason(entry: Entry): Promise<RunItem> {
    const { row, item } = entry;
    if (!row.ended || item.now !== '') return item;
    const now = await this.#reader.reason(row).catch(() => '');
    const complete = { ...item, now };
    if (this.#entries.get(row.id) === entry) this.#entries.set(row.id, { ...entry, item: complete });
    this.#sorted = null;
    return complete;
  }

  #matchingEntries({ words, facets, sinceHours }: RunQuery): readonly Entry[] {
    const requested = facetNames.flatMap((name) => {
      const values = facets[name] ?? [];
      return values.length > 0 ? [[name, new Set(values)] as const] : [];
    });
    const sinceMs = sinceHours === null ? null : this.#now() - sinceHours * 3_600_000;
    const requests = words.toLowerCase().split(/\s+/).filter(Boolean);
    return this.#newestFirst().filter(({ item }) => {
      if (sinceMs !== null && item.lastAtMs < sinceMs) return false;
      if (requested.length > 0) {
        const own = filterValues(item);
        if (!requested.every(([name, values]) => own[name].some((value) => values.has(value)))) return false;
      }
      if (requests.length === 0) return true;
      const text = textOf(item);
      return requests.every((word) => text.includes(word));
    });
  }

  #newestFirst(): readonly Entry[] {
    this.#sorted ??= [...this.#entries.values()].sort(
      ({ item: a }, { item: b }) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1),
    );
    return this.#sorted;
  }

  #drop(id: string): void {
    this.#entries.delete(id);
    this.#unread.delete(id);
    this.#change();
  }

  #change(): void {
    this.#version += 1;
    this.#sorted = null;
    this.#facets = null;
  }
}

function textOf(item: RunItem): string {
  const { id, title, problem, family, agent, models, free, now } = item;
  return [id, title, problem, family, agent, ...models, free ?? '', stateWord(item), now]
    .join(' ')
    .toLowerCase();
}

function sorted(entries: readonly Entry[], sort: RunQuery['sort']): readonly Entry[] {
  if (sort === 'dearest first') return entries.toSorted((a, b) => spendOf(b.item) - spendOf(a.item));
  if (sort === 'longest silent first') return entries.toSorted((a, b) => a.item.lastAtMs - b.item.lastAtMs);
  return entries;
}

/** If no price is known, by its tokens, after all that are known to have cost something. */
function spendOf({ knownCostUsd, knownTokens }: RunItem): number {
  return knownCostUsd + knownTokens / 1e15;
}

function collectFacets(entries: readonly Entry[]): RunList['facets'] {
  const counts = new Map(facetNames.map((name) => [name, new Map<string, number>()]));
  for (const { item } of entries) {
    const values = filterValues(item);
    for (const name of facetNames) {
      const own = counts.get(name);
      for (const value of values[name]) own?.set(value, (own.get(value) ?? 0) + 1);
    }
  }
  const ordered = (name: FilterField): (readonly [string, number])[] => {
    const all = [...(counts.get(name) ?? [])];
    const order = (value: string) => stateNames.indexOf(value as RunStateName);
    return name === 'state' ? all.sort((a, b) => order(a[0]) - order(b[0])) : all.sort((a, b) => b[1] - a[1]);
  };
  return {
    state: ordered('state'),
    family: ordered('family'),
    model: ordered('model'),
    agent: ordered('agent'),
    host: ordered('host'),
  };
}

function sumTotals(entries: readonly Entry[]): RunTotals {
  const states: Partial<Record<RunStateName, number>> = {};
  let [unread, free, knownCostUsd, unknownCost, knownTokens, unknownTokens] = [0, 0, 0, 0, 0, 0];
  for (const { item, isRead } of entries) {
    const name = stateName(item);
    states[name] = (states[name] ?? 0) + 1;
    if (!isRead) {
      unread += 1;
      continue;
    }
    const isRequested = item.modelCalls !== 0;
    knownTokens += item.knownTokens;
    if (item.tokens === null && isRequested) unknownTokens += 1;
    if (item.free !== null) free += 1;
    else {
      knownCostUsd += item.knownCostUsd;
      if (item.costUsd === null && isRequested) unknownCost += 1;
    }
  }
  return {
    runs: entries.length,
    unread,
    states,
    free,
    knownCostUsd,
    unknownCost,
    knownTokens,
    unknownTokens,
  };
}
