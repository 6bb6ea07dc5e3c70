/** The contract of a store: rows of journals, blobs, owners, mailboxes. Async for stores that are servers. */
import { JournalError } from './errors.ts';
import type { EventKind } from './event.ts';
import type { Fleet } from './fleet.ts';
import type { JsonObject } from './json.ts';

/** An event as a row: `body` is JSON text in which long strings and messages are references to blobs. */
export type EventRow = {
  readonly seq: number;
  readonly atMs: number;
  readonly branch: string;
  readonly ordinal: number | null;
  readonly attempt: number;
  readonly kind: EventKind;
  readonly body: string;
};

/** Text that is named by its hash and kept once. */
export type BlobRow = { readonly hash: string; readonly text: string };

/**
 * A process; `startedAt` tells it from a later one with the same pid, and from those of other boots and machines. `host`:
 * the name of its machine, where the store is one of several machines.
 */
export type Owner = { readonly pid: number; readonly startedAt: string; readonly host?: string };

/** For a person. */
export function processOf({ pid, host }: Owner): string {
  return host === undefined ? `process ${pid}` : `process ${pid} on ${host}`;
}

/** The right to append. A later owner has a higher epoch, and appends of the earlier one are refused. */
export type Ownership = { readonly runId: string; readonly epoch: number; readonly owner: Owner };

export type RunRow = {
  readonly id: string;
  readonly createdAtMs: number;
  readonly parent: { readonly run: string; readonly seq: number } | null;
  /** What lists show without opening a journal. */
  readonly summary: JsonObject;
  readonly lastSeq: number;
  readonly lastAtMs: number;
  /** The process that holds the run and is alive, else null. */
  readonly owner: Owner | null;
  /** Of its last owner, alive or not; absent where the store is one machine's. */
  readonly host?: string;
  readonly ended: boolean;
  /** When its last owner was last seen alive. */
  readonly heartbeatAtMs: number | null;
};

/** What of a store cannot be read; `whole` can. */
export class PartlyUnreadableError extends JournalError {
  readonly whole: readonly RunRow[];

  constructor(all: readonly RunRow[], unread: readonly string[]) {
    super({
      code: 'database-damaged',
      what: `Not all of this store can be read: ${unread.join('; ')}.`,
      fix: '`polya store check` says what is whole, `polya store check --salvage FOLDER` copies it.',
    });
    this.whole = all;
  }
}

/**
 * `reply`: what a person says in a model's place, for the call that it names. `limits`: as JSON, those that change. `address`:
 * from its own process, where a person answers for its models.
 */
export type MessageKind = 'stop' | 'tell' | 'answer' | 'reply' | 'limits' | 'address';
export type InboxMessage = {
  readonly id: number;
  readonly atMs: number;
  readonly kind: MessageKind;
  readonly text: string;
};

export type AppendBatch = {
  readonly events: readonly EventRow[];
  readonly blobs: readonly BlobRow[];
  /** Survive a power loss, not only a killed process: for settlements that were paid for. */
  readonly durable: boolean;
  /** Replaces the run's summary. */
  readonly summary?: JsonObject;
  /** The batch holds the run's end (true) or opens it again (false). */
  readonly ended?: boolean;
  /** Mail that is posted from now on has a higher id: what was read of it in another store is not read again. */
  readonly mailAfter?: number;
};

/** `open`: only runs that have not ended. */
export type RunFilter = { readonly limit?: number; readonly open?: boolean };

export type NewRun = Pick<RunRow, 'id' | 'createdAtMs' | 'parent' | 'summary'> & { readonly owner: Owner };

/** Runs that belong together: what they are to be. What became of them their journals say. */
export type SetRow = {
  readonly id: string;
  readonly createdAtMs: number;
  readonly plan: JsonObject;
  /** Null while something of it is missing. */
  readonly ending: JsonObject | null;
  /** The process that works on it and is alive, else null. */
  readonly owner: Owner | null;
};

export type NewSet = Pick<SetRow, 'id' | 'createdAtMs' | 'plan'> & { readonly owner: Owner };

/** The right to work on a set: two processes would each spend its budget. */
export type SetOwnership = { readonly setId: string; readonly epoch: number };

export interface SetStore {
  createSet(set: NewSet): Promise<SetOwnership>;
  /** Throws `JournalError` with the pid where its owner is alive. `plan` replaces the one that it was made with. */
  acquireSet(setId: string, owner: Owner, plan: JsonObject): Promise<SetOwnership>;
  /** Throws `JournalError` where the set has another owner now. */
  heartbeatSet(ownership: SetOwnership): Promise<void>;
  /** `ending` stays null where a later process is to go on with it. */
  releaseSet(ownership: SetOwnership, ending: JsonObject | null): Promise<void>;
  getSet(setId: string): Promise<SetRow | null>;
  /** Newest first. */
  listSets(filter?: { readonly limit?: number }): Promise<readonly SetRow[]>;
}

/**
 * What a store tells at once: that somebody should look. Topics: `mail RUN` (it was sent a message), `offers` (there may be a
 * run to take), `offer RUN` (it is given out no more), `turn PROCESS` (a turn at a provider may be its). A hint is never the
 * truth, and may be lost: who hears looks from time to time all the same.
 */
export type Hints = {
  /** How long may be between two looks; null: no hints come just now. */
  readonly quietMs: number | null;
  /** Null: some may have been lost. Returns how to end it. */
  on(onMessage: (topic: string | null) => void): () => void;
};

export interface Store extends SetStore {
  /** Makes a run and writes its first events, in one transaction. Refused where the id is taken. */
  create(run: NewRun, first: AppendBatch): Promise<Ownership>;
  /** Takes over a run whose owner is dead; throws `JournalError` with the pid where it is alive. */
  acquire(runId: string, owner: Owner): Promise<Ownership>;
  release(ownership: Ownership): Promise<void>;
  /** Tells others that the owner is alive. Throws `JournalError` where the run has another owner now. */
  heartbeat(ownership: Ownership): Promise<void>;

  /** All or nothing, in one transaction that checks the owner's epoch and that `seq` goes on without a gap. */
  append(ownership: Ownership, batch: AppendBatch): Promise<void>;
  /**
   * In order, a fork's shared beginning included; with `limit`, no more than so many. Ends before a row that cannot be read;
   * asked for what comes after the row before that, it throws `UnreadableEventError`.
   */
  events(runId: string, afterSeq?: number, limit?: number): Promise<readonly EventRow[]>;
  /** Those that are there; of many large ones only some, so that the rest has to be asked for again. None: none of them is there. */
  blobs(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The hashes of those that a run has written and that are there, a fork's parents included. */
  blobNames(runId: string): Promise<readonly string[]>;

  get(runId: string): Promise<RunRow | null>;
  /** Newest first. Throws `PartlyUnreadableError` with what can be read where that is not all. */
  list(filter?: RunFilter): Promise<readonly RunRow[]>;
  /** Refused while the run is owned. What forks share stays, unseen, until the last of them is deleted. */
  delete(runId: string): Promise<void>;

  /** Puts a message into a run's mailbox; any process may. */
  post(runId: string, message: Omit<InboxMessage, 'id'>): Promise<void>;
  mail(runId: string, afterId: number): Promise<readonly InboxMessage[]>;

  /** Replaces what watchers of the run are shown of its models' words. Throws `JournalError` where another process owns it. */
  publish(ownership: Ownership, text: string): Promise<void>;
  /** Null where nothing is being said. */
  tail(runId: string): Promise<string | null>;

  /** Present for a store that several hosts share; missing or null for a store of one machine. */
  fleet?(): Promise<Fleet | null>;
  /** Missing or null: it has to be asked. */
  hints?(): Promise<Hints | null>;

  close(): Promise<void>;
}
