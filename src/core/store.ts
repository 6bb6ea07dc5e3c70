/** The contract of a store: rows of journals, blobs, owners, mailboxes. Async for stores that are servers. */
import type { EventKind } from './event.ts';
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

/** A process; `startedAt` tells it from a later one with the same pid. */
export type Owner = { readonly pid: number; readonly startedAt: string };

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
  readonly ended: boolean;
  /** When its last owner was last seen alive. */
  readonly heartbeatAtMs: number | null;
};

export type MailKind = 'stop' | 'tell' | 'answer';
export type Mail = {
  readonly id: number;
  readonly atMs: number;
  readonly kind: MailKind;
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
};

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
  /** In order, a fork's shared beginning included. */
  events(runId: string, afterSeq?: number): Promise<readonly EventRow[]>;
  /** Those that are there. */
  blobs(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;

  get(runId: string): Promise<RunRow | null>;
  /** Newest first. */
  list(filter?: { readonly limit?: number }): Promise<readonly RunRow[]>;
  /** Refused while the run is owned. What forks share stays, unseen, until the last of them is deleted. */
  delete(runId: string): Promise<void>;

  /** Puts a message into a run's mailbox; any process may. */
  post(runId: string, mail: Omit<Mail, 'id'>): Promise<void>;
  mail(runId: string, afterId: number): Promise<readonly Mail[]>;

  /** Replaces what watchers of the run are shown of its models' words. Throws `JournalError` where another process owns it. */
  publish(ownership: Ownership, text: string): Promise<void>;
  /** Null where nothing is being said. */
  tail(runId: string): Promise<string | null>;

  close(): Promise<void>;
}
