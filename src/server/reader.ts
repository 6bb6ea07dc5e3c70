/** Reads journals for the page. What was added up of a run is kept until the run goes on. */
import { type Event, modelsBehind } from '../core/event.ts';
import { applyEvent, emptyView, foldRun, type RunView } from '../core/fold.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { RunRow, Store } from '../core/store.ts';
import { totalSpend } from '../core/totals.ts';
import { answerLine } from '../notes/answer.ts';
import { describeEvent } from '../notes/event-line.ts';
import { goldOf } from '../notes/note.ts';
import { type EventItem, eventItem, type RunItem } from '../notes/page-items.ts';
import { boundOf } from '../notes/run-bound.ts';
import { openQuestions, questionText } from '../open/answering.ts';
import { explanationWithoutGold, runJson, stateOf } from '../open/run-json.ts';
import { followJournal, type ReadJournal } from '../run/load.ts';
import { oneLine } from '../text/format.ts';
import { field, list, text } from '../text/json.ts';
import { freeReason } from '../text/labels.ts';
import { readRunView } from './quick-view.ts';

export type Journal = ReadJournal & { readonly view: RunView };

/** How it stands where its journal is not yet added up, and the lines around one of its events. */
export type RunPrefix = {
  /** Without totals. */
  readonly run: ReturnType<typeof wholeRun>;
  readonly events: readonly EventItem[];
};

/** Journals that stay decoded: those that somebody looks at. */
const mostOpen = 8;
/** How many events of a long journal are decoded before anything is sent. */
const atOnce = 2_000;
/** Before and after the event that is asked for. */
const mostNear = 200;
/** Of an answer in a row of the list. */
const mostAnswerCharacters = 80;
/** A change of stage may come before it. */
const mostAtHead = 10;

export class Reader {
  readonly #store: Store;
  readonly #open = new Map<string, GrowingRun>();
  /** By run and last event. Its own screen and the list want the same. */
  readonly #sums = new Map<string, Promise<RunView>>();
  /** What a screen of one run waits for: the list is added up behind it. */
  #first: Promise<unknown> = Promise.resolve();
  /** By run: what a row says, and the last event that it is from. */
  readonly #items = new Map<
    string,
    { readonly lastSeq: number; readonly state: string; readonly item: RunItem }
  >();

  constructor(store: Store) {
    this.#store = store;
  }

  /** All of it up to now, and only what is new since the last call is read. */
  async journal(id: string): Promise<Journal> {
    const growing = this.#opened(id);
    await this.#first;
    try {
      await growing.readNew();
    } catch (error) {
      this.evict(id);
      throw error;
    }
    const { events, damage, view } = growing;
    return { events, damage, view };
  }

  /** Its events after one of them, as they are decoded, up to the last that there is now. */
  async *eventsAfter(id: string, afterSeq: number): AsyncGenerator<readonly Event[]> {
    const growing = this.#opened(id);
    const full = this.journal(id).then(() => true);
    let last = afterSeq;
    for (let isAll = false; !isAll; ) {
      isAll = await Promise.race([full, growing.more.then(() => false)]);
      const { events } = growing;
      const fresh = events.slice(Math.max(0, last - (events[0]?.seq ?? 1) + 1));
      last = fresh.at(-1)?.seq ?? last;
      if (fresh.length > 0) yield fresh;
    }
  }

  /** By itself, where what lies before it is not read yet. */
  async event(id: string, seq: number): Promise<Event | undefined> {
    const found = this.#open.get(id)?.events[seq - 1] ?? (await this.#some(id, seq - 1, 1))[0];
    return found?.seq === seq ? found : undefined;
  }

  /** How the run was begun, read by itself: of a fork it stands after what is shared with the parent. */
  async head({ id, parent }: RunRow): Promise<Event | undefined> {
    return (await this.#some(id, parent?.seq ?? 0, mostAtHead)).find(
      ({ kind }) => kind === 'run-start' || kind === 'run-fork',
    );
  }

  /** What of a long journal can be told at once. `near`: an event; 0 is the end. */
  async readPrefix(row: RunRow, head: Event, nearby: number): Promise<RunPrefix> {
    const { id, lastSeq } = row;
    const end = await this.#some(id, lastSeq - mostNear, mostNear);
    const isAtEnd = nearby === 0 || nearby > lastSeq - mostNear;
    const surroundings = isAtEnd ? end : await this.#some(id, nearby - mostNear, 2 * mostNear);
    const view = foldRun([head, ...end.filter(({ seq }) => seq > head.seq)]);
    const item = { ...itemOf(row, null), now: nowOf(stateOf(row), { events: end, view }) };
    const run = { ...wholeRun(row, { view, damage: null }, item), stages: [] };
    return { run, events: surroundings.map((event) => eventItem(event, view.header)) };
  }

  /** The run with its totals, before its events are read. */
  async summarize(row: RunRow, { run }: RunPrefix) {
    const sum = this.#sum(row);
    this.#first = sum.catch(() => undefined);
    const view = await sum;
    const { now } = run.item;
    return wholeRun(row, { view, damage: null }, { ...itemOf(row, { events: [], view }), now });
  }

  /** What the row says. Where its journal was read already, what that says. */
  itemOfRow(row: RunRow): RunItem {
    return this.#known(row) ?? itemOf(row, null);
  }

  /** Why an ended run ended, from its beginning and its end. */
  async reason(row: RunRow): Promise<string> {
    const head = await this.head(row);
    const end = await this.#some(row.id, row.lastSeq - 1, 1);
    const view = foldRun(head ? [head, ...end] : end);
    // The limits may have been changed on the way.
    const isExact = view.end?.limit === undefined;
    return endText(isExact ? view : await this.#sum(row));
  }

  async item(row: RunRow): Promise<RunItem> {
    const known = this.#known(row);
    if (known) return known;
    const state = stateOf(row);
    await this.#first;
    // For a run at work, the words of its current action are needed too.
    const isRead = state !== 'ended' || this.#open.has(row.id);
    const { events, view } = isRead ? await this.journal(row.id) : { events: [], view: await this.#sum(row) };
    const item = itemOf(row, { events, view });
    this.#items.set(row.id, { lastSeq: row.lastSeq, state, item });
    return item;
  }

  #known(row: RunRow): RunItem | undefined {
    const kept = this.#items.get(row.id);
    return kept?.lastSeq === row.lastSeq && kept.state === stateOf(row) ? kept.item : undefined;
  }

  /** It is decoded no longer, and read anew when somebody asks. */
  evict(id: string): void {
    this.#open.delete(id);
  }

  async #some(id: string, afterSeq: number, most: number): Promise<readonly Event[]> {
    return (await followJournal(this.#store, id, Math.max(0, afterSeq))(most)).events;
  }

  #sum({ id, lastSeq }: RunRow): Promise<RunView> {
    const mark = `${lastSeq} ${id}`;
    const sum = kept(this.#sums, mark, mostOpen, () => readRunView(this.#store, id));
    sum.catch(() => this.#sums.delete(mark));
    return sum;
  }

  #opened(id: string): GrowingRun {
    return kept(this.#open, id, mostOpen, () => new GrowingRun(this.#store, id));
  }
}

/** What was asked for last stays at hand. */
export function kept<T>(all: Map<string, T>, name: string, most: number, make: () => T): T {
  const found = all.get(name) ?? make();
  all.delete(name);
  all.set(name, found);
  const [oldest] = all.keys();
  if (all.size > most && oldest !== undefined) all.delete(oldest);
  return found;
}

class GrowingRun {
  readonly #look: ReturnType<typeof followJournal>;
  readonly #events: Event[] = [];
  #grown: Promise<void> = Promise.resolve();
  #next = Promise.withResolvers<void>();
  damage: ReadJournal['damage'] = null;
  view: RunView = emptyView;

  constructor(store: Store, id: string) {
    this.#look = followJournal(store, id);
  }

  get events(): readonly Event[] {
    return this.#events;
  }

  /** Resolves when there is more of it than now. */
  get more(): Promise<void> {
    return this.#next.promise;
  }

  readNew(): Promise<void> {
    this.#grown = this.#grown.then(() => this.#readOn());
    return this.#grown;
  }

  async #readOn(): Promise<void> {
    for (let isAll = false; !isAll; ) {
      const { events, damage } = await this.#look(atOnce);
      for (const event of events) {
        this.#events.push(event);
        this.view = applyEvent(this.view, event);
      }
      this.damage = damage;
      if (events.length > 0) {
        this.#next.resolve();
        this.#next = Promise.withResolvers();
      }
      isAll = damage !== null || events.length < atOnce;
    }
  }
}

export function itemOf(
  row: RunRow,
  read: { readonly events: readonly Event[]; readonly view: RunView } | null,
): RunItem {
  const { id, summary, createdAtMs, lastAtMs, lastSeq, parent } = row;
  const state = stateOf(row);
  const [event] = state === 'running' && read ? openQuestions(read.view) : [];
  return {
    id,
    state,
    host: row.host ?? null,
    question: event ? questionText(event) : null,
    outcome: state === 'ended' ? text(summary, 'outcome') || null : null,
    family: text(summary, 'family'),
    problem: text(summary, 'problem'),
    title: text(summary, 'title'),
    agent: text(summary, 'agent'),
    models: list(summary, 'models').map(String),
    free: read?.view.header ? freeReason(modelsBehind(read.view.header)) : text(summary, 'free') || null,
    now: read ? nowOf(state, read) : '',
    createdAtMs,
    lastAtMs,
    ...(read ? spentFromJournal(read.view) : spentFromSummary(summary)),
    forkOf: parent,
    events: lastSeq,
    bound: state === 'ended' || !read ? null : boundOf(read.view),
  };
}

type ItemSpend = Pick<
  RunItem,
  'aliveMs' | 'modelCalls' | 'tokens' | 'knownTokens' | 'costUsd' | 'knownCostUsd'
>;

function spentFromJournal({ aliveMs, totals }: RunView): ItemSpend {
  return { aliveMs, modelCalls: totals.modelCalls, ...totalSpend(totals) };
}

/** A run sums up at its end what it used. */
function spentFromSummary(summary: JsonObject): ItemSpend {
  const spent = field(summary, 'spent');
  const amount = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);
  return {
    aliveMs: amount(field(summary, 'aliveMs')),
    modelCalls: amount(field(spent, 'modelCalls')),
    tokens: amount(field(spent, 'tokens')),
    knownTokens: amount(field(spent, 'knownTokens')) ?? 0,
    costUsd: amount(field(spent, 'costUsd')),
    knownCostUsd: amount(field(spent, 'knownCostUsd')) ?? 0,
  };
}

/** What was answered, and why the run ended as it did. */
function endText(view: RunView): string {
  return [answerLine(view.end, mostAnswerCharacters), oneLine(explanationWithoutGold(view))]
    .filter(Boolean)
    .join(' · ');
}

/** Why it ended; of a run that goes on, what it has begun last and waits for, else the last thing that it told. */
function nowOf(
  state: RunItem['state'],
  { events, view }: { readonly events: readonly Event[]; readonly view: RunView },
): string {
  if (state === 'ended') return endText(view);
  const last =
    view.open.at(-1)?.event ?? events.findLast((event) => !describeEvent(event, view.header).isQuiet);
  return last ? describeEvent(last, view.header).text : '';
}

/** All that the head of a run's screen shows. */
export function wholeRun(row: RunRow, { view, damage }: Pick<Journal, 'view' | 'damage'>, item: RunItem) {
  const { statement = '' } = view.header?.problem ?? {};
  return {
    ...runJson({ row, view, metrics: null }),
    item,
    damage,
    statement,
    gold: goldOf(view.header),
    lastSeq: row.lastSeq,
  };
}
