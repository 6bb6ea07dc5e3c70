/** The files that apps keep beside the journals of their runs, written while this process runs them. */
import { errorOf } from '../core/errors.ts';
import type { Event, Header } from '../core/event.ts';
import type { Journals } from '../open/options.ts';
import { followJournal } from '../run/load.ts';
import type { Observer } from '../run/world.ts';
import type { SetObserver } from '../studies/run-set/execute.ts';
import { type RunSet, runIdOf } from '../studies/run-set/plan.ts';
import { hooksFor, type RunFiles, type Shell } from './contract.ts';

type Keeper = {
  /** Receives the events of all runs that are kept. */
  readonly observer: Observer;
  /** Called when the run exists. */
  begin(header: Header): Promise<void>;
  /** Resolves when the files hold what the journals of all runs hold. */
  settle(): Promise<void>;
};

export function keepRunFiles(
  shell: Pick<Shell, 'apps' | 'env'>,
  polya: Pick<Journals, 'world' | 'place'>,
  onNotice: (notice: string) => void,
): Keeper {
  const kept: RunFiles[] = [];
  return {
    observer: {
      onEvent: (event) => {
        for (const files of kept) files.onEvent(event);
      },
    },
    async begin(header) {
      const { files } = await hooksFor(shell, header);
      try {
        const own = await files?.(shell, polya, header, onNotice);
        if (own) kept.push(own);
        await own?.update();
      } catch (error) {
        // The run goes on: its journal holds everything.
        onNotice(`The files of run ${header.runId} are not kept: ${errorOf(error).message}`);
      }
    },
    settle: async () => {
      for (const files of kept) await files.update();
    },
  };
}

/** The same for the rows of a run-set, whoever runs them. In the end those are completed too that an earlier process left. */
export function keepRowFiles(
  shell: Pick<Shell, 'apps' | 'env'>,
  polya: Pick<Journals, 'world' | 'place'>,
  set: RunSet,
  onNotice: (notice: string) => void,
): { readonly observer: SetObserver; settle(): Promise<void> } {
  const rows = new Map<number, { readonly keeper: Keeper; begun: Promise<void> }>();
  const rowAt = (index: number) => {
    const row = rows.get(index) ?? {
      keeper: keepRunFiles(shell, polya, onNotice),
      begun: Promise.resolve(),
    };
    rows.set(index, row);
    return row;
  };
  const begin = async (store: Keeper, runId: string): Promise<void> => {
    const [first] = (await followJournal(polya.world.store, runId)(1)).events;
    if (first?.kind === 'run-start') await store.begin(first.body);
  };
  return {
    observer: {
      observerOf: (index) => rowAt(index).keeper.observer,
      onBegin: (index, runId) => {
        const row = rowAt(index);
        row.begun = begin(row.keeper, runId);
      },
      onEnd: (index) => {
        const row = rowAt(index);
        row.begun = row.begun.then(() => row.keeper.settle());
      },
    },
    settle: async () => {
      for (const index of set.plan.rows.keys()) {
        const runId = runIdOf(set, index);
        if (rows.has(index) || !(await polya.world.store.get(runId))) continue;
        const row = rowAt(index);
        row.begun = begin(row.keeper, runId);
      }
      for (const { begun, keeper } of rows.values()) {
        await begun;
        await keeper.settle();
      }
    },
  };
}

export function joinedObserver(...all: readonly Observer[]): Observer {
  return {
    onEvent: (event: Event) => all.forEach((each) => void each.onEvent?.(event)),
    onDelta: (delta) => all.forEach((each) => void each.onDelta?.(delta)),
    onNotice: (notice) => all.forEach((each) => void each.onNotice?.(notice)),
    onWait: (...wait) => all.forEach((each) => void each.onWait?.(...wait)),
  };
}
