/** The store of the working folder without agents, families, models and sandboxes: a list need not load them. */
import type { Store } from '../core/store.ts';
import { storeToRead } from '../open/store.ts';
import type { Shell } from './contract.ts';

/** Closed when the work is done. Null where there are no runs. */
export async function withStore<T>(shell: Shell, work: (store: Store) => Promise<T>): Promise<T | null> {
  const { name, mayHaveRuns, open } = storeToRead(shell.folder, shell.env);
  if (!mayHaveRuns) return null;
  if (shell.err.isTerminal) printStore(shell, name);
  const store = open(Date.now);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Once a command, where it is not the one of the working folder: a store of a folder above is easily overlooked. */
export function printStore({ err, knownStores }: Shell, home: string): void {
  if (!knownStores || knownStores.has(home)) return;
  knownStores.add(home);
  err.write(`${err.paint('faint', `Store: ${home}`)}\n`);
}
