/** A journal arranged for an agent that runs over it again. Intents stay raw rows: a resume only compares them. */
import type { EffectKind, Event, Header, Position, RunEnd, Settlement, SettlementKind } from './event.ts';
import { effectOfIntent, effectOfSettlement, effectPairs, isSettlement, positionName } from './event.ts';
import type { Links } from './journal-form.ts';
import { isJsonObject, type JsonObject, jsonIn } from './json.ts';
import type { Reservation } from './limits.ts';
import type { OutputLimit, ServerQuirk } from './model.ts';
import type { EventRow } from './store.ts';
import { SpendMeter } from './totals.ts';

export type SettlementEvent = Extract<Event, { kind: SettlementKind }>;

/** `asked` is null for an effect that has only a settlement. `stage` was open when it was asked for. */
export type RecordedEffect = {
  readonly position: Position;
  /** What its intent asked for, as JSON: a resume compares it. */
  readonly asked: string | null;
  /** What its intent says that it may use at most. */
  readonly reservation: Reservation | null;
  /** How its request was changed for its server. */
  readonly adaptation: Adaptation;
  readonly effect: EffectKind;
  readonly stage: string;
  /** The number of its first event. */
  readonly seq: number;
  settlement: SettlementEvent | null;
  /** The call failed, nobody billed it, and it is repeated. */
  isUnbilled: boolean;
};

/** What of a model call was left out or limited for its server. */
export type Adaptation = {
  readonly quirks?: readonly ServerQuirk[];
  readonly outputLimit?: Partial<OutputLimit>;
};

/** A line of the journal contradicts those before it. */
export class DamagedJournalError extends Error {
  readonly seq: number;

  constructor(seq: number, reason: string) {
    super(reason);
    this.seq = seq;
  }
}

/** One line of a journal: its row, and the event where it was decoded (everything but intents). */
export type Line = { readonly row: EventRow; readonly event: Event | null };

export class History {
  /** The header in force: the run's, or the last fork's. */
  header: Header | null = null;
  end: RunEnd | null = null;
  /** The limits that are valid now, and the last message that changed them. */
  limits: { readonly now: Header['limits']; readonly mail: number } = { now: {}, mail: 0 };
  lastSeq = 0;
  lastAtMs = 0;
  /** The run's time alive up to its last event. */
  aliveMs = 0;
  readonly #effects = new Map<string, RecordedEffect>();
  #unfinishedEffects: RecordedEffect[] = [];
  /** By branch, the numbers of its notes. */
  readonly #notes = new Map<string, number[]>();
  #order: SettlementEvent[] = [];
  stages: { done: readonly string[]; open: string } = { done: [], open: '' };
  /** Where decoded messages came from. */
  readonly links: Links = new WeakMap();
  /** What tools and programs were asked for, and at which stage. */
  readonly #requests = new Map<string, { request: JsonObject; stage: string }>();
  /** What all model calls add up to, those of earlier lives and of a fork's beginning included. */
  readonly meter = new SpendMeter();

  constructor(lines: readonly Line[]) {
    for (const line of lines) this.add(line);
  }

  at(key: string): RecordedEffect | undefined {
    return this.#effects.get(key);
  }

  /** Returns the same effect, and removes it from the rest. */
  take(key: string): RecordedEffect | undefined {
    const effect = this.#effects.get(key);
    this.#effects.delete(key);
    return effect;
  }

  /** Every effect that was not taken, in the order in which the intents were written. */
  effects(): readonly RecordedEffect[] {
    return [...this.#effects.values()];
  }

  /** Model calls that an earlier life left open, once for each time: they were made again, and may have been billed. */
  unfinishedEffects(): readonly RecordedEffect[] {
    return this.#unfinishedEffects;
  }

  /** Settlements are from now on kept by those alone who were handed them. */
  release(): void {
    this.#order = [];
  }

  /** Settlements in the order of their delivery. */
  settlements(): readonly SettlementEvent[] {
    return this.#order;
  }

  /** What a call of a tool or of a program asked for, and at which stage; null for other effects. */
  requestOf(position: { branch: string; ordinal: number | null; attempt: number }): {
    request: JsonObject;
    stage: string;
  } | null {
    return this.#requests.get(positionKey(position)) ?? null;
  }

  /** When the last life, which ended without an event, was last seen alive. */
  wasAliveAt(atMs: number): void {
    if (!this.end) this.aliveMs += Math.max(0, atMs - this.lastAtMs);
  }

  notesOf(branch: string): number {
    return this.#notes.get(branch)?.length ?? 0;
  }

  /** Effects that an interrupted life broke off, or that failed at its end for want of something, count as not settled. */
  reopenHistory(): void {
    if (!this.end || !canReopen(this.end)) return;
    const retried = keysOf(this.end.again);
    if (this.end.cutShort) this.#dropTruncated();
    this.end = null;
    this.#revoke((event) => isAbortedBy('end', event.body) || retried.has(positionKey(event)));
  }

  /** After a shared budget's refusal, forgets what was asked for later and what a branch broke off that was told of it. */
  #dropTruncated(): void {
    const cut = this.#order.find(({ body }) => body.status === 'refused' && body.shared)?.seq;
    if (cut === undefined) return;
    for (const [key, effect] of this.#effects) {
      const body = effect.settlement?.body;
      const isTimedOut = (effect.settlement?.seq ?? 0) > cut;
      const isBrokenOff =
        isTimedOut && body?.status === 'cancelled' && body.by !== 'end' && body.by !== 'late';
      if (effect.seq < cut && body?.status !== 'refused' && !isBrokenOff) continue;
      if (isBrokenOff && effect.effect === 'model') this.#unfinishedEffects.push(effect);
      this.#drop(key);
    }
    const isKept = (event: SettlementEvent) => this.#effects.get(positionKey(event))?.settlement === event;
    this.#order = this.#order.filter(isKept);
    this.#dropNotesFrom(cut);
  }

  /** Begins another run, with limits of its own: what the parent's limits refused or left unsettled is asked anew. */
  #fork(header: Header): void {
    const retried = keysOf(header.fork?.again);
    this.header = header;
    this.limits = { now: header.limits, mail: 0 };
    this.end = null;
    // The parent accounts for what it lost.
    this.#unfinishedEffects = [];
    this.#revoke(
      (event) =>
        event.body.status === 'refused' ||
        isAbortedBy('end', event.body) ||
        isAbortedBy('limit', event.body) ||
        retried.has(positionKey(event)),
    );
    for (const [key, effect] of this.#effects) if (!effect.settlement) this.#drop(key);
  }

  #drop(key: string): void {
    this.#effects.delete(key);
    this.#requests.delete(key);
  }

  #revoke(isVoid: (event: SettlementEvent) => boolean): void {
    const claimed = new Set(this.#order.filter(isVoid));
    for (const event of claimed) {
      const effect = this.#effects.get(positionKey(event));
      if (effect) effect.settlement = null;
      if (effect) effect.isUnbilled = event.body.status === 'error' && !event.body.usage;
      // What a branch noted about a result that is taken back may not hold for the next one.
      this.#dropNotesFrom(event.seq, event.branch);
    }
    this.#order = this.#order.filter((event) => !claimed.has(event));
  }

  /** Forgets the notes of all branches, or of those around `branch`. */
  #dropNotesFrom(seq: number, branch?: string): void {
    for (const [noter, seqs] of this.#notes) {
      if (branch !== undefined && !isWithin(branch, noter)) continue;
      this.#notes.set(
        noter,
        seqs.filter((each) => each < seq),
      );
    }
  }

  add({ row, event }: Line): void {
    const isNewLife = row.kind === 'run-resume' || row.kind === 'run-fork';
    if (this.lastAtMs && !isNewLife) this.aliveMs += Math.max(0, row.atMs - this.lastAtMs);
    this.lastAtMs = row.atMs;
    this.lastSeq = row.seq;
    const intended = effectOfIntent(row.kind);
    if (intended) this.#begin(row, intended, recordedIntent(row));
    if (event) this.meter.add(event);
    else this.meter.addRequest(row);
    if (event) this.#addEvent(event, row);
  }

  #begin(row: EventRow, effect: EffectKind, intent: Intent): void {
    const { branch, ordinal, attempt } = row;
    this.#effects.set(positionKey(row), {
      position: { branch, ordinal: ordinal ?? 0, attempt },
      ...intent,
      effect,
      stage: this.stages.open,
      seq: row.seq,
      settlement: null,
      isUnbilled: false,
    });
  }

  #addEvent(event: Event, row: EventRow): void {
    if (isSettlement(event)) this.#settle(event, row);
    switch (event.kind) {
      case 'run-start':
        this.header = event.body;
        this.limits = { now: event.body.limits, mail: 0 };
        this.stages = { done: [], open: event.body.problem.stages[0] ?? '' };
        return;
      case 'run-fork':
        this.#fork(event.body);
        return;
      case 'run-resume':
        this.aliveMs = Math.max(this.aliveMs, event.body.aliveMs);
        if (this.header && event.body.context) this.header = { ...this.header, context: event.body.context };
        this.reopenHistory();
        this.#unfinishedEffects.push(...this.effects().filter(isPossiblyBilled));
        return;
      case 'run-limits': {
        const { limits, mail } = event.body;
        this.limits = { now: { ...this.limits.now, ...limits }, mail };
        return;
      }
      case 'run-end':
        this.end = event.body;
        return;
      case 'stage-end':
        this.stages = { done: [...this.stages.done, event.body.stage], open: '' };
        return;
      case 'stage-start':
        this.stages = { ...this.stages, open: event.body.stage };
        return;
      case 'tool-call':
      case 'exec-start':
        this.#requests.set(positionKey(event), { request: event.body, stage: this.stages.open });
        return;
      case 'note':
        this.#noteSeqs(event.branch).push(event.seq);
    }
  }

  #noteSeqs(branch: string): number[] {
    const known = this.#notes.get(branch);
    if (known) return known;
    const noted: number[] = [];
    this.#notes.set(branch, noted);
    return noted;
  }

  #settle(event: SettlementEvent, row: EventRow): void {
    const kind = effectOfSettlement(event.kind);
    if (kind && effectPairs[kind].intent === null)
      this.#begin(row, kind, { asked: null, reservation: null, adaptation: {} });
    const effect = this.#effects.get(positionKey(event));
    if (!effect)
      throw new DamagedJournalError(event.seq, `it settles ${positionName(event)}, which nobody asked for`);
    if (effect.settlement)
      throw new DamagedJournalError(event.seq, `it settles ${positionName(event)} a second time`);
    effect.settlement = event;
    effect.isUnbilled = false;
    this.#order.push(event);
  }
}

/** Reservations, quirks and learned limits stand in the intent for the record: another estimate, or another server, is no divergence. */
function recordedIntent({ kind, seq, body }: EventRow): Intent {
  if (kind !== 'model-request') return { asked: body, reservation: null, adaptation: {} };
  const request = jsonIn(body);
  if (!isJsonObject(request)) throw new DamagedJournalError(seq, 'it is cut off');
  const { reserve = null, quirks, outputLimit, ...asked } = request;
  if (reserve === null && quirks === undefined && outputLimit === undefined)
    return { asked: body, reservation: null, adaptation: {} };
  return {
    asked: JSON.stringify(asked),
    reservation: reserve as Reservation | null,
    adaptation: { quirks, outputLimit } as Adaptation,
  };
}

type Intent = Pick<RecordedEffect, 'asked' | 'reservation' | 'adaptation'>;

export function positionKey(position: { branch: string; ordinal: number | null; attempt: number }): string {
  return `${position.branch}#${position.ordinal}.${position.attempt}`;
}

/** Stopped by its user, cut short by a shared budget, or ended for want of something: a resume may go on from there. */
export function canReopen({
  outcome,
  error,
  cutShort,
}: Pick<RunEnd, 'outcome' | 'error' | 'cutShort'>): boolean {
  return outcome === 'cancelled' || cutShort === true || (outcome === 'error' && error?.unavailable === true);
}

function isPossiblyBilled({ effect, settlement, isUnbilled }: RecordedEffect): boolean {
  return effect === 'model' && settlement === null && !isUnbilled;
}

function isAbortedBy(cause: 'end' | 'limit', settlement: Settlement): boolean {
  return settlement.status === 'cancelled' && settlement.by === cause;
}

function isWithin(branch: string, ancestor: string): boolean {
  return ancestor === '' || branch === ancestor || branch.startsWith(`${ancestor}/`);
}

function keysOf(positions: readonly Position[] = []): ReadonlySet<string> {
  return new Set(positions.map(positionKey));
}
