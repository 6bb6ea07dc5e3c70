/** Writes a run's journal: numbers and encodes events, and appends those of one event-loop turn in one transaction. */
import type { Event, EventBodies, EventKind } from '../core/event.ts';
import type { Clock } from '../core/io.ts';
import type { JournalEncoder } from '../core/journal-encoder.ts';
import type { JsonObject } from '../core/json.ts';
import type { Message } from '../core/model.ts';
import type { BlobRow, EventRow, Ownership, Store } from '../core/store.ts';

export type NewEvent = {
  readonly [Kind in EventKind]: {
    readonly kind: Kind;
    readonly body: EventBodies[Kind];
    readonly branch?: string;
    readonly ordinal?: number | null;
    readonly attempt?: number;
    readonly conversation?: readonly Message[];
    /** What its body names and does not hold. */
    readonly blobs?: readonly BlobRow[];
  };
}[EventKind];

export type WriteOptions = {
  readonly durable?: boolean;
  readonly summary?: JsonObject;
  readonly ended?: boolean;
};

/** How a new life of an old run begins, and what lists show of it from then on. */
export type Preface = {
  readonly event: NewEvent;
  /** When the life began; what it does first may come much later. */
  readonly atMs: number;
  readonly summary: JsonObject;
};

/** A reply that was paid for and could not be journaled: the run has another owner, or its store is gone. */
export type LateReply = {
  readonly ownership: Ownership;
  /** The last event that is known to stand in the journal. */
  readonly afterSeq: number;
  readonly row: EventRow;
  /** What its row may name. */
  readonly blobs: readonly BlobRow[];
};

type Pending = {
  readonly rows: EventRow[];
  readonly blobs: BlobRow[];
  readonly events: Event[];
  durable: boolean;
  summary?: JsonObject;
  ended?: boolean;
  readonly written: Promise<void>;
};

type JournalWriterOptions = {
  store: Store;
  ownership: Ownership;
  encoder: JournalEncoder;
  clock: Clock;
  lastSeq: number;
  /** Written before the first event that comes; a life that adds nothing leaves no trace. */
  preface: Preface | null;
  onWritten: (event: Event) => void;
  onLateReply?: (delayed: LateReply) => void;
};

export class JournalWriter {
  readonly #options: JournalWriterOptions;
  #lastSeq: number;
  #preface: Preface | null;
  #pending: Pending | null = null;
  #tail: Promise<void> = Promise.resolve();
  readonly #unwritten: BlobRow[] = [];
  #unwrittenAfter: number | null = null;

  constructor(options: JournalWriterOptions) {
    this.#options = options;
    this.#lastSeq = options.lastSeq;
    this.#preface = options.preface;
  }

  /** Numbers the events at once, in the order of the calls. Resolves when they are written, rejects when they cannot be. */
  add(updates: readonly NewEvent[], options: WriteOptions = {}): { events: Event[]; written: Promise<void> } {
    this.#pending ??= this.#open();
    const pending = this.#pending;
    this.#insertPreface(pending);
    const events = updates.map((next) => this.#put(next, pending));
    pending.durable ||= options.durable ?? false;
    if (options.summary) pending.summary = options.summary;
    if (options.ended !== undefined) pending.ended = options.ended;
    return { events, written: pending.written };
  }

  /** Resolves when the preface is written: nothing that an earlier life began may be repeated before. */
  async begin(): Promise<void> {
    if (!this.#preface) return;
    const { written } = this.add([], { durable: true });
    await written;
  }

  /** Resolves when nothing is being written any more, whatever came of it. */
  async idle(): Promise<void> {
    await this.#tail.catch(() => undefined);
  }

  /** How an effect ended after the run had failed: it is not written, and if it was paid for it is not lost. */
  keep(newEvent: NewEvent): void {
    if (newEvent.kind !== 'model-response' || !this.#options.onLateReply) return;
    const pending = { rows: [], blobs: [], events: [] };
    this.#put(newEvent, pending);
    this.#dropPending(pending);
  }

  #insertPreface(pending: Pending): void {
    const preface = this.#preface;
    this.#preface = null;
    if (!preface) return;
    this.#put(preface.event, pending, preface.atMs);
    pending.summary = preface.summary;
    pending.ended = false;
  }

  #put(
    next: NewEvent,
    pending: Pick<Pending, 'rows' | 'blobs' | 'events'>,
    atMs = this.#options.clock.now(),
  ): Event {
    const seq = this.#lastSeq + 1;
    const { kind, body, branch = '', ordinal = null, attempt = 0 } = next;
    const event = { seq, atMs, branch, ordinal, attempt, kind, body } as Event;
    const { row, blobs } = this.#options.encoder.encode(event, next);
    this.#lastSeq = seq;
    pending.rows.push(row);
    pending.blobs.push(...blobs);
    pending.events.push(event);
    return event;
  }

  #open(): Pending {
    const output = this.#tail.then(
      () => this.#flush(),
      (error) => {
        if (this.#pending) this.#dropPending(this.#pending);
        this.#pending = null;
        throw error;
      },
    );
    this.#tail = output;
    output.catch(() => undefined);
    return { rows: [], blobs: [], events: [], durable: false, written: output };
  }

  async #flush(): Promise<void> {
    const batch = this.#pending;
    this.#pending = null;
    if (!batch) return;
    const { rows, events, written: _, ...rest } = batch;
    const { store, ownership, onWritten } = this.#options;
    try {
      await store.append(ownership, { ...rest, events: rows });
    } catch (error) {
      this.#dropPending(batch);
      throw error;
    }
    for (const event of events) onWritten(event);
  }

  #dropPending({ rows, blobs, events }: Pick<Pending, 'rows' | 'blobs' | 'events'>): void {
    const { ownership, onLateReply } = this.#options;
    this.#unwritten.push(...blobs);
    this.#unwrittenAfter ??= (rows[0]?.seq ?? 1) - 1;
    for (const [index, row] of rows.entries())
      if (isPaidEvent(events[index]))
        onLateReply?.({ ownership, afterSeq: this.#unwrittenAfter, row, blobs: [...this.#unwritten] });
  }
}

function isPaidEvent(event: Event | undefined): boolean {
  if (event?.kind !== 'model-response') return false;
  const { body } = event;
  return body.status === 'ok' || (body.status === 'error' && body.usage !== undefined);
}
