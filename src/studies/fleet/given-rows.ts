/** Rows of a run-set that workers of other hosts bring to their ends: they are given out, watched, and withdrawn. */
import { errorOf } from '../../core/errors.ts';
import type { RunEnd } from '../../core/event.ts';
import type { Fleet, RunNeeds } from '../../core/fleet.ts';
import type { LimitRejection, Reservation } from '../../core/limits.ts';
import type { Ownership } from '../../core/store.ts';
import { followJournal } from '../../run/load.ts';
import { looks } from '../../run/looking.ts';
import { createJournal } from '../../run/start.ts';
import type { Observer, Runtime } from '../../run/world.ts';
import type { PreparedRows, RowHandle, RowRunner } from '../run-set/execute.ts';
import { type RunSet, runIdOf } from '../run-set/plan.ts';
import type { PackedFiles } from './sent-files.ts';
import { isOwnershipLost, willPass } from './spool.ts';

export type AssignedRows = {
  readonly fleet: Fleet;
  /** What the run of a row needs of a host. */
  needsOf(index: number): Promise<RunNeeds>;
  /** Files that are sent along. Default: none. */
  filesOf?(index: number): Promise<PackedFiles>;
  /** Rows wait, and no worker is there. */
  onAlone(): void;
  /** At each look; null: the store is there. */
  onStore?(error: Error | null): void;
};

type WatchedRow = {
  readonly index: number;
  readonly fromSeq: number;
  readonly observer: Observer;
  readonly read: ReturnType<typeof followJournal>;
  readonly onBegin: () => void;
  readonly done: PromiseWithResolvers<RunEnd | null>;
  seenSeq: number;
  isStopped: boolean;
};

export class RowAssigner implements RowRunner {
  readonly #world: Runtime;
  readonly #set: RunSet;
  readonly #prepared: PreparedRows;
  readonly #out: AssignedRows;
  readonly #watched = new Map<string, WatchedRow>();
  #looking: Promise<void> | null = null;
  refusal: LimitRejection | null = null;

  constructor(runtime: Runtime, set: RunSet, prepared: PreparedRows, out: AssignedRows) {
    this.#world = runtime;
    this.#set = set;
    this.#prepared = prepared;
    this.#out = out;
  }

  /** The slots of the workers decide how many are at work. */
  get atOnce(): number {
    return this.#set.plan.rows.length;
  }

  waitsOut(error: unknown): boolean {
    return willPass(error) && !isOwnershipLost(error);
  }

  async open(spent: ReadonlyMap<string, Reservation>): Promise<void> {
    await this.#out.fleet.openBudget(this.#set.id, this.#set.plan.budget, spent);
  }

  async begin(index: number, { observer, onBegin }: Parameters<RowRunner['begin']>[1]): Promise<RowHandle> {
    const { store } = this.#world;
    const runId = runIdOf(this.#set, index);
    const request = await this.#out.filesOf?.(index);
    const needs = { ...(await this.#out.needsOf(index)), files: request?.files ?? [] };
    const prepared = this.#prepared.get(index);
    // The journal's header has everything else that a worker needs.
    if (prepared)
      await this.#pack((await createJournal(this.#world, prepared.header, null)).ownership, request?.texts);
    else await this.#repack(runId, request?.texts);
    const row = await store.get(runId);
    if (!row) throw new Error(`Run ${runId} has vanished.`);
    const done = Promise.withResolvers<RunEnd | null>();
    const fromSeq = row.lastSeq;
    const read = followJournal(store, runId, prepared ? 0 : fromSeq);
    const watcher = { index, fromSeq, observer, read, onBegin, done, seenSeq: fromSeq, isStopped: false };
    await this.#out.fleet.enqueue({ runId, setId: this.#set.id, fromSeq, needs });
    // Not before: what is watched and not given out counts as given back.
    this.#watched.set(runId, watcher);
    this.#looking ??= this.#poll();
    return { done: done.promise, stop: () => this.#stop(runId) };
  }

  async close(): Promise<void> {
    await this.#looking;
  }

  async #pack(ownership: Ownership, texts: PackedFiles['texts'] = []): Promise<void> {
    const { store } = this.#world;
    if (texts.length > 0) await store.append(ownership, { events: [], blobs: texts, durable: false });
    await store.release(ownership);
  }

  /** A run that was done elsewhere before; one that a worker has in hand was given out with them. */
  async #repack(runId: string, texts: PackedFiles['texts'] = []): Promise<void> {
    const { store, owner } = this.#world;
    const existing = new Set(texts.length > 0 ? await store.blobNames(runId) : []);
    if (texts.some(({ hash }) => !existing.has(hash)))
      await this.#pack(await store.acquire(runId, owner), texts);
  }

  #stop(runId: string): void {
    const watcher = this.#watched.get(runId);
    if (!watcher || watcher.isStopped) return;
    watcher.isStopped = true;
    this.#out.fleet.dequeue([runId]).catch(watcher.done.reject);
  }

  async #poll(): Promise<void> {
    const isOurs = (topic: string): boolean => this.#watched.has(topic.replace('offer ', ''));
    for await (const _ of looks(this.#world.store, { isOurs })) {
      try {
        await this.#pollOnce();
        this.#out.onStore?.(null);
      } catch (error) {
        if (willPass(error)) {
          this.#out.onStore?.(errorOf(error));
          continue;
        }
        for (const { done } of this.#watched.values()) done.reject(errorOf(error));
        this.#watched.clear();
      }
      if (this.#watched.size > 0) continue;
      this.#looking = null;
      return;
    }
  }

  async #pollOnce(): Promise<void> {
    const { fleet } = this.#out;
    // Those that were given out before this look.
    const watching = [...this.#watched];
    this.refusal = await fleet.budgetRejection(this.#set.id);
    const offers = new Map(
      (await fleet.queuedRuns(this.#set.id)).map((queuedRunState) => [queuedRunState.runId, queuedRunState]),
    );
    for (const [runId, watcher] of watching) {
      const queuedRunState = offers.get(runId);
      // Withdrawn by us, or by its worker when it had ended.
      const kept = queuedRunState ? null : await this.#world.store.get(runId);
      const row = queuedRunState ?? kept;
      if (row && row.lastSeq > watcher.seenSeq) await this.#follow(watcher, row.lastSeq);
      const isOver = row?.ended === true && row.lastSeq > watcher.fromSeq;
      const isFree = kept?.owner === null;
      if (!queuedRunState?.failure && !isOver && !isFree) continue;
      const end = isOver ? await this.#endOf(runId, row.lastSeq) : null;
      // First, so that nothing of a set that is over is given out any more.
      if (queuedRunState) await fleet.dequeue([runId]);
      this.#watched.delete(runId);
      if (queuedRunState?.failure) watcher.done.reject(new Error(queuedRunState.failure));
      else watcher.done.resolve(end);
    }
    if (this.#watched.size > 0 && (await fleet.workers()).length === 0) this.#out.onAlone();
  }

  async #follow(watcher: WatchedRow, lastSeq: number): Promise<void> {
    if (watcher.seenSeq === watcher.fromSeq) watcher.onBegin();
    watcher.seenSeq = lastSeq;
    for (const event of (await watcher.read()).events) watcher.observer.onEvent?.(event);
  }

  async #endOf(runId: string, lastSeq: number): Promise<RunEnd | null> {
    const { events } = await followJournal(this.#world.store, runId, lastSeq - 1)();
    const last = events.at(-1);
    return last?.kind === 'run-end' ? last.body : null;
  }
}
