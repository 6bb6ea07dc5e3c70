/** A store that is opened, and its file made, by the first call that needs it: what goes wrong before leaves no trace. */
import type { Store } from '../core/store.ts';

/** Where it could not be opened, the next call tries again: a server may have been started meanwhile. */
export function lazyStore(open: () => Store | Promise<Store>): Store {
  let opened: Promise<Store> | null = null;
  const store = (): Promise<Store> => {
    opened ??= (async () => open())().catch((error) => {
      opened = null;
      throw error;
    });
    return opened;
  };
  return {
    create: async (run, first) => (await store()).create(run, first),
    acquire: async (runId, owner) => (await store()).acquire(runId, owner),
    release: async (ownership) => (await store()).release(ownership),
    heartbeat: async (ownership) => (await store()).heartbeat(ownership),
    append: async (ownership, batch) => (await store()).append(ownership, batch),
    events: async (runId, afterSeq, limit) => (await store()).events(runId, afterSeq, limit),
    blobs: async (hashes) => (await store()).blobs(hashes),
    blobNames: async (runId) => (await store()).blobNames(runId),
    get: async (runId) => (await store()).get(runId),
    list: async (filter) => (await store()).list(filter),
    delete: async (runId) => (await store()).delete(runId),
    post: async (runId, message) => (await store()).post(runId, message),
    mail: async (runId, afterId) => (await store()).mail(runId, afterId),
    publish: async (ownership, text) => (await store()).publish(ownership, text),
    tail: async (runId) => (await store()).tail(runId),
    createSet: async (set) => (await store()).createSet(set),
    acquireSet: async (setId, owner, plan) => (await store()).acquireSet(setId, owner, plan),
    heartbeatSet: async (ownership) => (await store()).heartbeatSet(ownership),
    releaseSet: async (ownership, ending) => (await store()).releaseSet(ownership, ending),
    getSet: async (setId) => (await store()).getSet(setId),
    listSets: async (filter) => (await store()).listSets(filter),
    fleet: async () => (await (await store()).fleet?.()) ?? null,
    hints: async () => (await (await store()).hints?.()) ?? null,
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}
