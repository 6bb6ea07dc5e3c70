/** Moments of a run at which a process can kill itself: the effects that a world reports, and each append to its journal. */
import type { Store } from '../../src/core/store.ts';

/** SIGKILL to this process when the moment of that name comes for the numbered time. */
export function killerAt(moment: string, number: number): (name: string) => void {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (name === moment && count === number) process.kill(process.pid, 'SIGKILL');
  };
}

/** The store, which says when it appends: `before-append` and `after-append`. */
export function storeWithMoments(store: Store, onMoment: (name: string) => void): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name !== 'append') return Reflect.get(target, name)?.bind(target);
      return async (...call: Parameters<Store['append']>): Promise<void> => {
        onMoment('before-append');
        await target.append(...call);
        onMoment('after-append');
      };
    },
  });
}
