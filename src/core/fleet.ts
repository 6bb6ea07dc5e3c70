/**
 * What a store of several hosts keeps beside journals: which workers live, which runs are given out to them, what is left of
 * the budgets that those runs share, and the pace of the providers that they call. All times are the store's: the clock of a host is not another's.
 */
import type { Limits } from './agent.ts';
import type { CodeOrigin } from './event.ts';
import type { LimitRejection, Reservation } from './limits.ts';

/** What a worker says of itself. Never a key: whose keys it has. */
export type WorkerInfo = {
  readonly id: string;
  readonly host: string;
  /** Names the boot of its machine. */
  readonly boot: string;
  readonly pid: number;
  readonly codeVersion: string;
  readonly slots: number;
  /** The model of its processor, as its machine names it. */
  readonly processor: string;
  /** How its programs are isolated; null: it can run none. */
  readonly isolation: string | null;
  /** `g++20 g++ 12.2.0` */
  readonly toolchains: readonly string[];
  /** Prefixes of the models that it can ask: `openai`. */
  readonly providers: readonly string[];
  /** Its copies of its user's own code, as it has loaded them. */
  readonly code: readonly OwnCode[];
  /** The families whose runs it takes; empty: all that fit. */
  readonly only: readonly string[];
  /** The runs that it has in hand. */
  readonly runs: readonly string[];
};

/** A file of the user's with agents, families or models. The hash says which it is: the same file has another path elsewhere. */
export type OwnCode = Pick<CodeOrigin, 'file' | 'hash'>;

/** A file of the user's that a problem names by its path. Its text is kept in the store by its hash. */
export type TransferredFile = {
  readonly path: string;
  readonly hash: string;
  /** A folder: the text is an archive of what is sent of it. */
  readonly isFolder?: true;
};

export type LiveWorker = WorkerInfo & { readonly startedAtMs: number; readonly seenMsAgo: number };

/** What a run asks of the host that takes it. */
export type RunNeeds = {
  readonly family: string;
  readonly codeVersion: string;
  /** Null: it runs no programs. */
  readonly isolation: string | null;
  readonly toolchains: readonly string[];
  readonly providers: readonly string[];
  readonly code: readonly OwnCode[];
  /** What its problem reads beside its journal. */
  readonly files: readonly TransferredFile[];
};

/** A run that is given out. It is to be brought to an end that comes after `fromSeq`. */
export type QueuedRun = {
  readonly runId: string;
  readonly setId: string;
  readonly fromSeq: number;
  readonly needs: RunNeeds;
};

/** `hasBegun`: a worker that is gone has worked on it. */
export type PendingRun = QueuedRun & { readonly hasBegun: boolean };

export type QueuedRunState = Pick<QueuedRun, 'runId' | 'fromSeq'> & {
  readonly lastSeq: number;
  readonly ended: boolean;
  /** Why no worker can go on with it; null: nothing is known against it. */
  readonly failure: string | null;
};

export type BudgetState = {
  readonly limits: Pick<Limits, 'costUsd' | 'tokens'>;
  /** Spent and held by all runs of the set. */
  readonly used: Reservation;
  /** A living run holds something of it, and may still put some back. */
  readonly isOpen: boolean;
};

export type AssignmentSummary = {
  /** When the first lease on a run ends, if it is not renewed; 0: none has one; null: nothing is given out. */
  readonly freeInMs: number | null;
  /** Runs whose lease is nearly over: they may soon need a host. */
  readonly silent: number;
};

/** The right of one life of a run to take from the budget; a later life has a higher one. */
export type BudgetShare = { readonly setId: string; readonly runId: string; readonly generation: number };

/** A part of a budget that is kept back for one call. */
export type Hold = { readonly id: string; readonly reservation: Reservation };

/** A lane of calls to a provider. `state`: of whoever paces; null: it is new. */
export type KeptLane = { readonly state: string | null; readonly underWay: number };

/** `states`: of the lanes from now on; null: as they are. `next`: processes that are told to look for a turn. */
export type LaneChange<T> = {
  readonly states: readonly string[] | null;
  readonly turn?: 'begin' | 'end';
  readonly next?: readonly string[];
  readonly result: T;
};

/** The turn counts as under way while this life of its run has its lease. */
export type LaneRequests = { readonly lanes: readonly string[]; readonly turn: string; readonly run: string };

export interface Fleet {
  /** Says that the worker lives, and what it does. */
  announce(workerInfo: WorkerInfo): Promise<AssignmentSummary>;
  unregister(workerId: string): Promise<void>;
  /** Those that were heard within the time after which their runs are taken over. */
  workers(): Promise<readonly LiveWorker[]>;

  enqueue(queuedRun: QueuedRun): Promise<void>;
  dequeue(runIds: readonly string[]): Promise<void>;
  /** Some of those that have no living owner and have not ended: what was begun first, then the oldest. */
  open(limit: number): Promise<readonly PendingRun[]>;
  /** Which of these are given out still. */
  stillQueued(runIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The states of all offered rows of a set. */
  queuedRuns(setId: string): Promise<readonly QueuedRunState[]>;
  fail(runId: string, why: string): Promise<void>;

  /** Begins a budget, or one anew. `spent`: by run, what each has used; runs that live keep what they hold. */
  openBudget(
    setId: string,
    limits: BudgetState['limits'],
    spent: ReadonlyMap<string, Reservation>,
  ): Promise<void>;
  /** What could not be given any more; null: nothing yet. */
  budgetRejection(setId: string): Promise<LimitRejection | null>;
  /** Sets what the run has used, and ends the right of its earlier lives. Null where the set has no budget. */
  takeShare(setId: string, runId: string, reservation: Reservation): Promise<BudgetShare | null>;
  /**
   * In one transaction, alone: `decide` is told what is used and says what is held from now on, or the refusal, or null to
   * wait. Throws `JournalError` where the share is an earlier life's.
   */
  hold(
    share: BudgetShare,
    decide: (state: BudgetState) => Reservation | LimitRejection | null,
  ): Promise<Hold | LimitRejection | null>;
  /** Puts what was used in the place of what was held. A hold that an earlier life left is gone already. */
  settle(share: BudgetShare, hold: Hold, used: Reservation): Promise<void>;

  /** In one transaction, alone with the lanes: `change` is told how they stand, and says what is to be. */
  changeLanes<T>(
    laneRequests: LaneRequests,
    change: (kept: readonly KeptLane[], nowMs: number, isUnderWay: boolean) => LaneChange<T>,
  ): Promise<T>;
}
