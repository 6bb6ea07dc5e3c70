/**
 * A store that is read and never written: a life over it is one of which nothing remains, for looking at what a run
 * would do next. It forgets what it is given, but for the mail, which the run itself has to read.
 */
import { JournalError } from '../core/errors.ts';
import type { Mail, Ownership, Store } from '../core/store.ts';

/** After all that was ever posted. */
const firstPosted = 2 ** 40;
const forgotten = async (): Promise<void> => undefined;

export function forgetfulStore(store: Store): Store {
  const made = new Set<string>();
  const posted: (Mail & { readonly runId: string })[] = [];
  return {
    async create({ id, owner }): Promise<Ownership> {
      made.add(id);
      return { runId: id, epoch: 0, owner };
    },
    async acquire(runId, owner) {
      const held = (await store.get(runId))?.owner;
      if (held) throw owned(runId, held.pid);
      return { runId, epoch: 0, owner };
    },
    release: forgotten,
    heartbeat: forgotten,
    append: forgotten,
    events: (runId, afterSeq) => store.events(runId, afterSeq),
    blobs: (hashes) => store.blobs(hashes),
    get: (runId) => store.get(runId),
    list: (filter) => store.list(filter),
    delete: forgotten,
    post: async (runId, mail) => {
      posted.push({ runId, id: firstPosted + posted.length, ...mail });
    },
    mail: async (runId, afterId) => [
      ...(made.has(runId) ? [] : await store.mail(runId, afterId)),
      ...posted.filter((mail) => mail.runId === runId && mail.id > afterId),
    ],
    publish: forgotten,
    tail: (runId) => store.tail(runId),
    createSet: async ({ id }) => ({ setId: id, epoch: 0 }),
    acquireSet: async (setId) => ({ setId, epoch: 0 }),
    heartbeatSet: forgotten,
    releaseSet: forgotten,
    getSet: (setId) => store.getSet(setId),
    listSets: (filter) => store.listSets(filter),
    close: forgotten,
  };
}

function owned(runId: string, pid: number): JournalError {
  return new JournalError({
    code: 'owned',
    what: `Run ${runId} is at work in process ${pid}.`,
    fix: 'What it asks next, `polya runs watch` shows.',
  });
}
