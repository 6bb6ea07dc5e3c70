/**
 * A worker: takes runs that are given out and that fit, and brings them to their ends. What it did stands in the journals,
 * and when it is gone, another goes on after its lease.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorOf } from '../../core/errors.ts';
import type { Fleet, QueuedRun, WorkerInfo } from '../../core/fleet.ts';
import { FleetShare } from '../../run/fleet-share.ts';
import { Detached, type RunHandle } from '../../run/live.ts';
import { looks } from '../../run/looking.ts';
import { resumeRun } from '../../run/resume.ts';
import type { Runtime } from '../../run/world.ts';
import { mismatchReason } from './fits.ts';
import { unpackFiles } from './sent-files.ts';
import { isOwnedError, type Spool, willPass } from './spool.ts';

type WorkerOptions = {
  readonly fleet: Fleet;
  readonly facts: Omit<WorkerInfo, 'runs'>;
  /** Ends the worker: it lets its runs go at once, for others to go on with. */
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
  /** Null: what cannot be journaled is lost, and told as possibly billed. */
  readonly spool?: Spool | null;
};

const announceEveryMs = 2_000;
/** Where hints come: each announcement looks too, if there may be something. */
const quietMs = 60_000;
/** More than there are slots: some do not fit, and others take some. */
const looksAt = 50;

/** Resolves when its runs are let go. A store that is gone is waited for: what it holds of ours is another's meanwhile. */
export async function work(runtime: Runtime, options: WorkerOptions): Promise<void> {
  const { fleet, facts, signal, tell, spool } = options;
  const world = spool ? { ...runtime, spool } : runtime;
  const runs = new Map<string, ClaimedRow>();
  let lookNow = (): void => undefined;
  const onEnd = (): void => lookNow();
  const free = (): number => facts.slots - runs.size;
  let exists = true;
  const asking = async (request: () => Promise<void>): Promise<void> => {
    try {
      await request();
      if (!exists) tell('The store is there again.');
      exists = true;
    } catch (error) {
      if (!willPass(error)) throw error;
      if (exists) tell(errorOf(error).message);
      exists = false;
    }
  };
  let silent = 0;
  const takeRuns = (queuedRuns: readonly QueuedRun[], most: number): void => {
    for (const queuedRun of queuedRuns.slice(0, Math.max(0, most)))
      take(world, options, queuedRun, { runs, onEnd });
  };
  const poll = async (): Promise<void> => {
    // First: what is settled so need not be asked for again.
    await spool?.settle(world.store, (runId) => runs.has(runId));
    if (free() > 0) {
      const { begun, others } = await openTo(options, runs);
      takeRuns(begun, free());
      takeRuns(others, free() - silent);
    }
    // Withdrawn by the process that gave it out, perhaps before it was taken.
    const requests = [...runs];
    const kept = requests.length > 0 ? await fleet.stillQueued(requests.map(([runId]) => runId)) : new Set();
    for (const [runId, claimed] of requests) if (!kept.has(runId)) claimed.stop();
  };
  signal.addEventListener('abort', () => {
    for (const claimed of runs.values()) claimed.letGo();
  });
  const beats = async (): Promise<void> => {
    while (!signal.aborted) {
      let nextMs = announceEveryMs;
      await asking(async () => {
        const assignmentSummary = await fleet.announce({ ...facts, runs: [...runs.keys()] });
        silent = assignmentSummary.silent;
        // What a dead host has in hand is looked for when its lease ends, by the store's clock.
        nextMs = Math.min(nextMs, assignmentSummary.freeInMs || nextMs);
        if (assignmentSummary.freeInMs !== null || runs.size > 0) lookNow();
      });
      await sleep(nextMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const isOurs = (topic: string): boolean =>
    runs.has(topic.replace('offer ', '')) || (free() > 0 && topic === 'offers');
  const looksForWork = async (): Promise<void> => {
    const onBegin = (begun: () => void): void => {
      lookNow = begun;
    };
    for await (const _ of looks(world.store, { isOurs, quietMs, signal }, onBegin)) await asking(poll);
  };
  try {
    await Promise.all([beats(), looksForWork()]);
  } finally {
    for (const claimed of runs.values()) claimed.letGo();
    await Promise.allSettled([...runs.values()].map(({ done }) => done));
    await fleet.unregister(facts.id).catch(() => undefined);
  }
}

type ClaimedRow = { readonly done: Promise<void>; stop(): void; letGo(): void };

/**
 * What a worker that is gone has begun goes first: its set must not wait for it in the end, and a slot is kept for it before its
 * lease is over. Else in an order of its own: workers that look at once do not all want the same.
 */
async function openTo(
  { fleet, facts, spool }: WorkerOptions,
  runs: ReadonlyMap<string, ClaimedRow>,
): Promise<{ readonly begun: readonly QueuedRun[]; readonly others: readonly QueuedRun[] }> {
  const open = await fleet.open(looksAt);
  const own = { ...facts, runs: [] };
  const isOurs = (runId: string): boolean => runs.has(runId) || spool?.has(runId) === true;
  const matching = open.filter(({ runId, needs }) => !isOurs(runId) && mismatchReason(needs, own) === null);
  const [started, others] = [true, false].map((is) => matching.filter(({ hasBegun }) => hasBegun === is));
  return { begun: from(facts.pid, started), others: from(facts.pid, others) };
}

function from<T>(number: number, all: readonly T[] = []): readonly T[] {
  const first = all.length > 0 ? number % all.length : 0;
  return [...all.slice(first), ...all.slice(0, first)];
}

function take(
  runtime: Runtime,
  options: WorkerOptions,
  queuedRun: QueuedRun,
  { runs, onEnd }: { readonly runs: Map<string, ClaimedRow>; readonly onEnd: () => void },
): void {
  let handle: RunHandle | null = null;
  let action: ((runHandle: RunHandle) => void) | null = null;
  const want = (isRequested: (runHandle: RunHandle) => void) => () => {
    action = isRequested;
    if (handle) action(handle);
  };
  const claimed = {
    stop: want((runHandle) => runHandle.stop('set-stopped')),
    letGo: want((runHandle) => runHandle.letGo()),
    done: (async () => {
      // After it stands in `runs`.
      await null;
      try {
        await runRow(runtime, options, queuedRun, {
          stop: want((runHandle) => runHandle.stop('set-budget')),
          onBegin: (runHandle) => {
            handle = runHandle;
            action?.(runHandle);
          },
        });
      } finally {
        runs.delete(queuedRun.runId);
        onEnd();
      }
    })(),
  };
  runs.set(queuedRun.runId, claimed);
  claimed.done.catch(() => undefined);
}

async function runRow(
  world: Runtime,
  { fleet, tell }: WorkerOptions,
  { runId, setId, needs }: QueuedRun,
  { stop, onBegin }: { readonly stop: () => void; readonly onBegin: (handle: RunHandle) => void },
): Promise<void> {
  const { store, io } = world;
  const share = new FleetShare({ store, fleet, clock: io.clock, setId, runId, onNothing: stop });
  try {
    const runtime = await unpackFiles(world, needs.files);
    const handle = await resumeRun({ ...runtime, sharedBudget: share }, runId);
    tell(`${runId}: taken`);
    onBegin(handle);
    const { outcome } = await handle.done;
    await share.close();
    await fleet.dequeue([runId]);
    tell(`${runId}: ${outcome}`);
  } catch (error) {
    const { message } = errorOf(error);
    if (error instanceof Detached) return tell(`${runId}: let go`);
    // Another was first, or will be: the run is whole, and whose it is the store says.
    if (isOwnedError(error)) return;
    if (willPass(error)) return tell(`${runId}: ${message}`);
    tell(`${runId}: could not go on: ${message}`);
    await fleet.fail(runId, message);
  }
}
