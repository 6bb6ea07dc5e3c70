/**
 * Brings the rows of a run-set to their ends, several at once, under one budget. Rows that an earlier process began are
 * resumed; settled ones stay as they are. What a row is, its journal says.
 */
import { ExplainedError, errorOf, UserError } from '../../core/errors.ts';
import type { RunEnd, StopCause } from '../../core/event.ts';
import { canReopen } from '../../core/history.ts';
import type { LimitRejection, Reservation } from '../../core/limits.ts';
import { maxExpense } from '../../core/spending.ts';
import type { SetOwnership, Store } from '../../core/store.ts';
import { refuseUnknownPrices } from '../../run/changed-limits.ts';
import type { RunHandle } from '../../run/live.ts';
import { resumeRun } from '../../run/resume.ts';
import { SharedBudget } from '../../run/shared-budget.ts';
import { readExpenses } from '../../run/spending.ts';
import { beginRun, type PreparedRun, prepareRun } from '../../run/start.ts';
import type { Observer, Runtime } from '../../run/world.ts';
import { groupOf, isSuccess, planJson, type RunSet, runIdOf, specOf } from './plan.ts';
import { isDone, readRow, readRows } from './rows.ts';

/**
 * `solved`, `answered`: its stop rule is met. `done`: every row has ended that was needed. `budget`: some were not
 * begun, or were ended by it. Null: it can be resumed.
 */
export type SetEnding = 'done' | 'solved' | 'answered' | 'budget' | null;

export type SetObserver = {
  /** Called for a row that begins now. */
  observerOf?(index: number): Observer;
  onBegin?(index: number, runId: string): void;
  onEnd?(index: number, end: RunEnd): void;
  /** A row that could not go on: its journal is damaged, or another process owns it. */
  onFailure?(index: number, error: Error): void;
};

export type SetHandle = { readonly done: Promise<SetEnding>; stop(): void };

const heartbeatEveryMs = 2_000;

/** A row at work. `done`: null where it was withdrawn before it ended. */
export type RowHandle = { readonly done: Promise<RunEnd | null>; stop(cause: StopCause): void };

/** Who brings rows to their ends: this process, or workers to whom they are given. */
export type RowRunner = {
  readonly atOnce: number;
  /** What the budget could not give any more. */
  readonly refusal: LimitRejection | null;
  /** Called before the first row, with the spent or reserved amount of each run. */
  open(spent: ReadonlyMap<string, Reservation>): Promise<void>;
  begin(
    index: number,
    told: { readonly observer: Observer; readonly onBegin: () => void; readonly hadShare: boolean },
  ): Promise<RowHandle>;
  close(): Promise<void>;
  /** Whether the set need not be stopped for a store that fails so: its rows go on without this process. */
  waitsOut?(error: unknown): boolean;
};

type SetWork = {
  readonly prepared: PreparedRows;
  readonly observer?: SetObserver;
  /** Default: this process. */
  readonly runner?: RowRunner;
};

/** A new set. Everything that can be wrong has been found by `prepareRows`. */
export async function beginSet(runtime: Runtime, set: RunSet, work: SetWork): Promise<SetHandle> {
  const { id, createdAtMs, plan } = set;
  const ownedRun = { id, createdAtMs, plan: planJson(plan), owner: runtime.owner };
  return handleOf(new Study(runtime, set, work), runtime.store, await runtime.store.createSet(ownedRun));
}

export async function resumeSet(world: Runtime, set: RunSet, work: SetWork): Promise<SetHandle> {
  const ownership = await world.store.acquireSet(set.id, world.owner, planJson(set.plan));
  return handleOf(new Study(world, set, work), world.store, ownership);
}

function handleOf(study: Study, store: Store, ownership: SetOwnership): SetHandle {
  const beat = setInterval(
    () => store.heartbeatSet(ownership).catch((error) => study.waitsOut(error) || study.stop()),
    heartbeatEveryMs,
  );
  const done = (async () => {
    let ending: SetEnding = null;
    try {
      ending = await study.run();
      return ending;
    } finally {
      clearInterval(beat);
      await store.releaseSet(ownership, ending && { reason: ending });
    }
  })();
  done.catch(() => undefined);
  return { done, stop: () => study.stop() };
}

class Study {
  readonly #world: Runtime;
  readonly #set: RunSet;
  readonly #runner: RowRunner;
  readonly #observer: SetObserver;
  /** By the row's index. */
  readonly #running = new Map<number, RowHandle>();
  /** Rows that are not known to have ended. */
  readonly #open = new Set<number>();
  /** Groups of rows one of which has succeeded. */
  readonly #won = new Set<string>();
  /** Rows that have had something of the budget in an earlier process. */
  readonly #hadShare = new Set<number>();
  #isStopped = false;

  constructor(runtime: Runtime, set: RunSet, { prepared, observer = {}, runner }: SetWork) {
    this.#runner = runner ?? new OwnRows(runtime, set, prepared);
    this.#world = runtime;
    this.#set = set;
    this.#observer = observer;
  }

  async run(): Promise<SetEnding> {
    await this.#openRows();
    const next = [...this.#open].values();
    const worker = async (): Promise<void> => {
      for (const index of next) {
        if (this.#canStart(index)) await this.#runRow(index);
      }
    };
    const workers = Math.min(this.#runner.atOnce, this.#open.size);
    await Promise.all(Array.from({ length: workers }, worker));
    await this.#runner.close();
    const { stopWhen, rows: all } = this.#set.plan;
    if (stopWhen !== 'never' && [...all.keys()].every((index) => this.#isDecided(index))) return stopWhen;
    if (this.#isStopped) return null;
    if (this.#runner.refusal) return 'budget';
    return (await this.#hasOpenRows()) ? null : 'done';
  }

  stop(): void {
    this.#isStopped = true;
    for (const handle of this.#running.values()) handle.stop('set-stopped');
  }

  waitsOut(error: unknown): boolean {
    return this.#runner.waitsOut?.(error) === true;
  }

  #canStart(index: number): boolean {
    return !this.#isStopped && !this.#isDecided(index) && this.#runner.refusal === null;
  }

  #causeFor(index: number): StopCause {
    if (this.#isStopped) return 'set-stopped';
    return this.#isDecided(index) ? 'set-decided' : 'set-budget';
  }

  #isDecided(index: number): boolean {
    return this.#won.has(groupOf(this.#set, index));
  }

  /** What earlier processes spent is charged before anything is begun; where they succeeded is nothing left to do. */
  async #openRows(): Promise<void> {
    const { store } = this.#world;
    const spent = new Map<string, Reservation>();
    for (const result of await readRows(store, this.#set)) {
      const { index, runId, view } = result;
      if (!isDone(result)) this.#open.add(index);
      const row = view && (await store.get(runId));
      if (row) spent.set(runId, maxExpense(await readExpenses(store, row)));
      if ((view?.totals.modelCalls ?? 0) > 0) this.#hadShare.add(index);
      if (view?.end) this.#judge(index, view.end);
    }
    await this.#runner.open(spent);
  }

  /** Of what has not ended here, another process may have ended some. */
  async #hasOpenRows(): Promise<boolean> {
    for (const index of this.#open) {
      if (!this.#isDecided(index) && !isDone(await readRow(this.#world.store, this.#set, index))) return true;
    }
    return false;
  }

  async #runRow(index: number): Promise<void> {
    try {
      const handle = await this.#runner.begin(index, {
        observer: this.#observer.observerOf?.(index) ?? {},
        onBegin: () => this.#observer.onBegin?.(index, runIdOf(this.#set, index)),
        hadShare: this.#hadShare.has(index),
      });
      this.#running.set(index, handle);
      // It may have been stopped while the run came to life.
      if (!this.#canStart(index)) handle.stop(this.#causeFor(index));
      const end = await handle.done.finally(() => this.#running.delete(index));
      if (!end) return;
      if (!canReopen(end)) this.#open.delete(index);
      this.#observer.onEnd?.(index, end);
      this.#judge(index, end);
    } catch (error) {
      this.#observer.onFailure?.(index, errorOf(error));
    }
  }

  /** One that succeeds cancels those that are after the same. */
  #judge(index: number, end: RunEnd): void {
    if (!isSuccess(this.#set.plan, end) || this.#isDecided(index)) return;
    this.#won.add(groupOf(this.#set, index));
    for (const [other, handle] of this.#running) if (this.#isDecided(other)) handle.stop('set-decided');
  }
}

/** Rows of this process, under a budget of its own. */
class OwnRows implements RowRunner {
  readonly #world: Runtime;
  readonly #set: RunSet;
  readonly #prepared: PreparedRows;
  readonly #sharedBudget: SharedBudget;

  constructor(runtime: Runtime, set: RunSet, prepared: PreparedRows) {
    this.#sharedBudget = new SharedBudget(set.plan.budget);
    this.#world = runtime;
    this.#set = set;
    this.#prepared = prepared;
  }

  get atOnce(): number {
    return this.#set.plan.concurrency;
  }

  get refusal(): LimitRejection | null {
    return this.#sharedBudget.refusal;
  }

  async open(spent: ReadonlyMap<string, Reservation>): Promise<void> {
    for (const each of spent.values()) this.#sharedBudget.charge(each);
  }

  async begin(
    index: number,
    { observer, onBegin, hadShare }: Parameters<RowRunner['begin']>[1],
  ): Promise<RowHandle> {
    let handle: RunHandle | null = null;
    let isCalledOff = false;
    const callOff = (): void => {
      isCalledOff = true;
      handle?.stop('set-budget');
    };
    const sharedBudget = this.#sharedBudget.shareOf(callOff, hadShare);
    const runtime = { ...this.#world, sharedBudget };
    const prepared = this.#prepared.get(index);
    handle = prepared
      ? await beginRun(runtime, prepared, observer)
      : await resumeRun(runtime, runIdOf(this.#set, index), observer);
    onBegin();
    if (isCalledOff) handle.stop('set-budget');
    return handle;
  }

  async close(): Promise<void> {}
}

/** By the row's index, those that have not been begun. */
export type PreparedRows = ReadonlyMap<number, PreparedRun>;

export async function prepareRows(runtime: Runtime, set: RunSet): Promise<PreparedRows> {
  const prepared = new Map<number, PreparedRun>();
  for (const index of set.plan.rows.keys()) {
    const isBegun = (await runtime.store.get(runIdOf(set, index))) !== null;
    if (!isBegun) prepared.set(index, await prepareRow(runtime, set, index));
  }
  return prepared;
}

async function prepareRow(world: Runtime, set: RunSet, index: number): Promise<PreparedRun> {
  try {
    const prepared = await prepareRun(world, specOf(set, index));
    const { costUsd } = set.plan.budget;
    refuseUnknownPrices({ models: prepared.header.models, limits: costUsd === undefined ? {} : { costUsd } });
    return prepared;
  } catch (error) {
    if (!(error instanceof ExplainedError)) throw error;
    const { what, why, fix } = error.explanation;
    const where = `Row ${index + 1} (${set.plan.rows[index]?.name}): ${what}`;
    throw new UserError({ code: 'row-refused', what: where, why, fix });
  }
}
