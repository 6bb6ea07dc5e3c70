/**
 * A worker: takes runs that are given out and that fit, and brings them to their ends. What it did stands in the journals,
 * and when it is gone, another goes on after its lease.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorOf } from '../../core/errors.ts';
import type { Fleet, Offer, WorkerFacts } from '../../core/fleet.ts';
import { FleetShare } from '../../run/fleet-share.ts';
import { LetGo, type RunHandle } from '../../run/live.ts';
import { looks } from '../../run/looking.ts';
import { resumeRun } from '../../run/resume.ts';
import type { World } from '../../run/world.ts';
import { unfitBecause } from './fits.ts';
import { unpacked } from './sent-files.ts';
import { isTaken, type Spool, willPass } from './spool.ts';

type WorkerOptions = {
  readonly fleet: Fleet;
  readonly facts: Omit<WorkerFacts, 'runs'>;
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
export async function work(given: World, options: WorkerOptions): Promise<void> {
  const { fleet, facts, signal, tell, spool } = options;
  const world = spool ? { ...given, spool } : given;
  const runs = new Map<string, Taken>();
  let lookNow = (): void => undefined;
  const onEnd = (): void => lookNow();
  const free = (): number => facts.slots - runs.size;
  let isThere = true;
  const asking = async (ask: () => Promise<void>): Promise<void> => {
    try {
      await ask();
      if (!isThere) tell('The store is there again.');
      isThere = true;
    } catch (error) {
      if (!willPass(error)) throw error;
      if (isThere) tell(errorOf(error).message);
      isThere = false;
    }
  };
  let silent = 0;
  const takeRuns = (offers: readonly Offer[], most: number): void => {
    for (const offer of offers.slice(0, Math.max(0, most))) take(world, options, offer, { runs, onEnd });
  };
  const look = async (): Promise<void> => {
    // First: what is settled so need not be asked for again.
    await spool?.settle(world.store, (runId) => runs.has(runId));
    if (free() > 0) {
      const { begun, others } = await openTo(options, runs);
      takeRuns(begun, free());
      takeRuns(others, free() - silent);
    }
    // Withdrawn by the process that gave it out, perhaps before it was taken.
    const asked = [...runs];
    const kept = asked.length > 0 ? await fleet.stillOffered(asked.map(([runId]) => runId)) : new Set();
    for (const [runId, taken] of asked) if (!kept.has(runId)) taken.stop();
  };
  signal.addEventListener('abort', () => {
    for (const taken of runs.values()) taken.letGo();
  });
  const beats = async (): Promise<void> => {
    while (!signal.aborted) {
      let nextMs = announceEveryMs;
      await asking(async () => {
        const given = await fleet.announce({ ...facts, runs: [...runs.keys()] });
        silent = given.silent;
        // What a dead host has in hand is looked for when its lease ends, by the store's clock.
        nextMs = Math.min(nextMs, given.freeInMs || nextMs);
        if (given.freeInMs !== null || runs.size > 0) lookNow();
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
    for await (const _ of looks(world.store, { isOurs, quietMs, signal }, onBegin)) await asking(look);
  };
  try {
    await Promise.all([beats(), looksForWork()]);
  } finally {
    for (const taken of runs.values()) taken.letGo();
    await Promise.allSettled([...runs.values()].map(({ done }) => done));
    await fleet.leave(facts.id).catch(() => undefined);
  }
}

type Taken = { readonly done: Promise<void>; stop(): void; letGo(): void };

/**
 * What a worker that is gone has begun goes first: its set must not wait for it in the end, and a slot is kept for it before its
 * lease is over. Else in an order of its own: workers that look at once do not all want the same.
 */
async function openTo(
  { fleet, facts, spool }: WorkerOptions,
  runs: ReadonlyMap<string, Taken>,
): Promise<{ readonly begun: readonly Offer[]; readonly others: readonly Offer[] }> {
  const open = await fleet.open(looksAt);
  const own = { ...facts, runs: [] };
  const isOurs = (runId: string): boolean => runs.has(runId) || spool?.has(runId) === true;
  const fitting = open.filter(({ runId, needs }) => !isOurs(runId) && unfitBecause(needs, own) === null);
  const [begun, others] = [true, false].map((is) => fitting.filter(({ hasBegun }) => hasBegun === is));
  return { begun: from(facts.pid, begun), others: from(facts.pid, others) };
}

function from<T>(number: number, all: readonly T[] = []): readonly T[] {
  const first = all.length > 0 ? number % all.length : 0;
  return [...all.slice(first), ...all.slice(0, first)];
}

function take(
  world: World,
  options: WorkerOptions,
  offer: Offer,
  { runs, onEnd }: { readonly runs: Map<string, Taken>; readonly onEnd: () => void },
): void {
  let handle: RunHandle | null = null;
  let act: ((begun: RunHandle) => void) | null = null;
  const want = (wanted: (begun: RunHandle) => void) => () => {
    act = wanted;
    if (handle) act(handle);
  };
  const taken = {
    stop: want((begun) => begun.stop('set-stopped')),
    letGo: want((begun) => begun.letGo()),
    done: (async () => {
      // After it stands in `runs`.
      await null;
      try {
        await bring(world, options, offer, {
          stop: want((begun) => begun.stop('set-budget')),
          onBegin: (begun) => {
            handle = begun;
            act?.(begun);
          },
        });
      } finally {
        runs.delete(offer.runId);
        onEnd();
      }
    })(),
  };
  runs.set(offer.runId, taken);
  taken.done.catch(() => undefined);
}

async function bring(
  world: World,
  { fleet, tell }: WorkerOptions,
  { runId, setId, needs }: Offer,
  { stop, onBegin }: { readonly stop: () => void; readonly onBegin: (handle: RunHandle) => void },
): Promise<void> {
  const { store, io } = world;
  const share = new FleetShare({ store, fleet, clock: io.clock, setId, runId, onNothing: stop });
  try {
    const there = await unpacked(world, needs.files);
    const handle = await resumeRun({ ...there, sharedBudget: share }, runId);
    tell(`${runId}: taken`);
    onBegin(handle);
    const { outcome } = await handle.done;
    await share.close();
    await fleet.withdraw([runId]);
    tell(`${runId}: ${outcome}`);
  } catch (error) {
    const { message } = errorOf(error);
    if (error instanceof LetGo) return tell(`${runId}: let go`);
    // Another was first, or will be: the run is whole, and whose it is the store says.
    if (isTaken(error)) return;
    if (willPass(error)) return tell(`${runId}: ${message}`);
    tell(`${runId}: could not go on: ${message}`);
    await fleet.fail(runId, message);
  }
}
