/**
 * Brings the rows of a run-set to their ends, several at once, under one budget. Rows that an earlier process began are
 * resumed; settled ones stay as they are. What a row is, its journal says.
 */

import { ExplainedError, errorOf, UserError } from '../../core/errors.ts';
import type { RunEnd } from '../../core/event.ts';
import { mostSpent } from '../../core/spending.ts';
import type { SetOwnership, Store } from '../../core/store.ts';
import { type RunHandle, refuseUnknownPrices } from '../../run/live.ts';
import { resumeRun } from '../../run/resume.ts';
import { SharedBudget } from '../../run/shared-budget.ts';
import { expensesOf } from '../../run/spending.ts';
import { beginRun, type PreparedRun, prepareRun } from '../../run/start.ts';
import type { Observer, World } from '../../run/world.ts';
import { groupOf, isSuccess, planJson, type RunSet, runIdOf, specOf } from './plan.ts';
import { isDone, readRows } from './rows.ts';

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

type SetWork = { readonly prepared: PreparedRows; readonly observer?: SetObserver };

/** A new set. Everything that can be wrong has been found by `prepareRows`. */
export async function beginSet(world: World, set: RunSet, work: SetWork): Promise<SetHandle> {
  const { id, createdAtMs, plan } = set;
  const owned = { id, createdAtMs, plan: planJson(plan), owner: world.owner };
  return handleOf(new Study(world, set, work), world.store, await world.store.createSet(owned));
}

export async function resumeSet(world: World, set: RunSet, work: SetWork): Promise<SetHandle> {
  const ownership = await world.store.acquireSet(set.id, world.owner, planJson(set.plan));
  return handleOf(new Study(world, set, work), world.store, ownership);
}

function handleOf(study: Study, store: Store, ownership: SetOwnership): SetHandle {
  const beat = setInterval(() => store.heartbeatSet(ownership).catch(() => study.stop()), heartbeatEveryMs);
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
  readonly #world: World;
  readonly #set: RunSet;
  readonly #prepared: PreparedRows;
  readonly #observer: SetObserver;
  readonly #sharedBudget: SharedBudget;
  /** By the row's index. */
  readonly #running = new Map<number, RunHandle>();
  /** Groups of rows one of which has succeeded. */
  readonly #won = new Set<string>();
  /** Rows that have had something of the budget in an earlier process. */
  readonly #hadShare = new Set<number>();
  #isStopped = false;

  constructor(world: World, set: RunSet, { prepared, observer = {} }: SetWork) {
    this.#sharedBudget = new SharedBudget(set.plan.budget);
    this.#world = world;
    this.#set = set;
    this.#prepared = prepared;
    this.#observer = observer;
  }

  async run(): Promise<SetEnding> {
    const rows = await this.#openRows();
    const next = rows.values();
    const worker = async (): Promise<void> => {
      for (const index of next) {
        if (this.#mayBegin(index)) await this.#runRow(index);
      }
    };
    const workers = Math.min(this.#set.plan.concurrency, rows.length);
    await Promise.all(Array.from({ length: workers }, worker));
    const { stopWhen, rows: all } = this.#set.plan;
    if (stopWhen !== 'never' && [...all.keys()].every((index) => this.#isWon(index))) return stopWhen;
    if (this.#isStopped) return null;
    if (this.#sharedBudget.refusal) return 'budget';
    return (await this.#hasOpenRows()) ? null : 'done';
  }

  stop(): void {
    this.#isStopped = true;
    for (const handle of this.#running.values()) handle.stop();
  }

  #mayBegin(index: number): boolean {
    return !this.#isStopped && !this.#isWon(index) && this.#sharedBudget.refusal === null;
  }

  #isWon(index: number): boolean {
    return this.#won.has(groupOf(this.#set, index));
  }

  /** What earlier processes spent is charged before anything is begun; where they succeeded is nothing left to do. */
  async #openRows(): Promise<number[]> {
    const { store } = this.#world;
    const rows = await readRows(store, this.#set);
    for (const { index, runId, view } of rows) {
      const row = view && (await store.get(runId));
      if (row) this.#sharedBudget.charge(mostSpent(await expensesOf(store, row)));
      if ((view?.totals.modelCalls ?? 0) > 0) this.#hadShare.add(index);
      if (view?.end) this.#judge(index, view.end);
    }
    return rows.filter((row) => !isDone(row)).map(({ index }) => index);
  }

  async #hasOpenRows(): Promise<boolean> {
    const rows = await readRows(this.#world.store, this.#set);
    return rows.some((row) => !isDone(row) && !this.#isWon(row.index));
  }

  async #runRow(index: number): Promise<void> {
    const runId = runIdOf(this.#set, index);
    const observer = this.#observer.observerOf?.(index) ?? {};
    let isCalledOff = false;
    const callOff = (): void => {
      isCalledOff = true;
      this.#running.get(index)?.stop();
    };
    const sharedBudget = this.#sharedBudget.shareOf(callOff, this.#hadShare.has(index));
    const world = { ...this.#world, sharedBudget };
    try {
      const prepared = this.#prepared.get(index);
      const handle = prepared
        ? await beginRun(world, prepared, observer)
        : await resumeRun(world, runId, observer);
      this.#running.set(index, handle);
      this.#observer.onBegin?.(index, runId);
      // It may have been stopped while the run came to life.
      if (isCalledOff || !this.#mayBegin(index)) handle.stop();
      const end = await handle.done.finally(() => this.#running.delete(index));
      this.#observer.onEnd?.(index, end);
      this.#judge(index, end);
    } catch (error) {
      this.#observer.onFailure?.(index, errorOf(error));
    }
  }

  /** One that succeeds cancels those that are after the same. */
  #judge(index: number, end: RunEnd): void {
    if (!isSuccess(this.#set.plan, end) || this.#isWon(index)) return;
    this.#won.add(groupOf(this.#set, index));
    for (const [other, handle] of this.#running) if (this.#isWon(other)) handle.stop();
  }
}

/** By the row's index, those that have not been begun. */
export type PreparedRows = ReadonlyMap<number, PreparedRun>;

export async function prepareRows(world: World, set: RunSet): Promise<PreparedRows> {
  const prepared = new Map<number, PreparedRun>();
  for (const index of set.plan.rows.keys()) {
    const isBegun = (await world.store.get(runIdOf(set, index))) !== null;
    if (!isBegun) prepared.set(index, await prepareRow(world, set, index));
  }
  return prepared;
}

async function prepareRow(world: World, set: RunSet, index: number): Promise<PreparedRun> {
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
