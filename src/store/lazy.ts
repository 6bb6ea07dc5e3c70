/** A store that is opened, and its file made, by the first call that needs it: what goes wrong before leaves no trace. */
import type { Store } from '../core/store.ts';

export function lazyStore(open: () => Store): Store {
  let opened: Store | null = null;
  const store = (): Store => {
    opened ??= open();
    return opened;
  };
  return {
    create: async (run, first) => store().create(run, first),
    acquire: async (runId, owner) => store().acquire(runId, owner),
    release: async (ownership) => store().release(ownership),
    heartbeat: async (ownership) => store().heartbeat(ownership),
    append: async (ownership, batch) => store().append(ownership, batch),
    events: async (runId, afterSeq) => store().events(runId, afterSeq),
    blobs: async (hashes) => store().blobs(hashes),
    get: async (runId) => store().get(runId),
    list: async (filter) => store().list(filter),
    delete: async (runId) => store().delete(runId),
    post: async (runId, mail) => store().post(runId, mail),
    mail: async (runId, afterId) => store().mail(runId, afterId),
    publish: async (ownership, text) => store().publish(ownership, text),
    tail: async (runId) => store().tail(runId),
    createSet: async (set) => store().createSet(set),
    acquireSet: async (setId, owner, plan) => store().acquireSet(setId, owner, plan),
    heartbeatSet: async (ownership) => store().heartbeatSet(ownership),
    releaseSet: async (ownership, ending) => store().releaseSet(ownership, ending),
    getSet: async (setId) => store().getSet(setId),
    listSets: async (filter) => store().listSets(filter),
    close: async () => opened?.close(),
  };
}
