/** What of a store is whole, journal by journal, and a copy of that into another store. It knows nothing of files. */
import type { Corruption } from '../core/journal-decoder.ts';
import type { BlobRow, EventRow, InboxMessage, Owner, RunRow, Store } from '../core/store.ts';
import { loadVerifiedBlobs } from './blobs.ts';
import { checkJournal, pagesOf } from './load.ts';
import { readableRuns } from './spending.ts';

/** `damage` is null where the journal is whole; events before it can be read. */
export type Checked = { readonly row: RunRow; readonly damage: Corruption | null };

export type StoreCheck = {
  readonly runs: readonly Checked[];
  /** What of the list of runs cannot be read. */
  readonly unread: readonly string[];
};

/** Reads every journal, the newest first. */
export async function checkStore(store: Store): Promise<StoreCheck> {
  const unread: string[] = [];
  const runs: Checked[] = [];
  for (const row of await readableRuns(store, ({ message }) => unread.push(message))) {
    const { damage } = await checkJournal(store, row.id);
    runs.push({ row, damage });
  }
  return { runs, unread };
}

/** Copies what `check` found whole: of a damaged journal, what stands before the damage, as if its process had died there. */
export async function salvage(from: Store, to: Store, { runs }: StoreCheck, owner: Owner): Promise<void> {
  // A fork comes after its parent.
  for (const { row, damage } of runs.toReversed()) await copyRun(from, to, { row, damage, owner });
  for (const { id, createdAtMs, plan, ending } of (await from.listSets()).toReversed()) {
    await to.releaseSet(await to.createSet({ id, createdAtMs, plan, owner }), ending);
  }
}

async function copyRun(
  from: Store,
  to: Store,
  { row, damage, owner }: Checked & { readonly owner: Owner },
): Promise<void> {
  const { id, createdAtMs } = row;
  // Without its parent up to there, a fork gets the beginning that they shared as its own.
  const isAfterParent =
    ((row.parent && (await to.get(row.parent.run)))?.lastSeq ?? -1) >= (row.parent?.seq ?? 0);
  const parent = isAfterParent ? row.parent : null;
  const events: EventRow[] = [];
  for await (const { rows } of pagesOf(from, id, parent?.seq ?? 0))
    for (const each of rows) if (damage === null || each.seq < damage.seq) events.push(each);
  if (events.length === 0) return;
  const ended = events.at(-1)?.kind === 'run-end';
  const summary = ended ? row.summary : { ...row.summary, outcome: null, aliveMs: null, spent: null };
  const { unread, mailAfter } = await undeliveredMessages(from, id, events);
  const ownership = await to.create(
    { id, createdAtMs, parent, summary, owner },
    { events, blobs: await loadBlobs(from, events), durable: true, ended, mailAfter },
  );
  await postOnce(to, id, unread);
  await to.release(ownership);
}

/**
 * The mail that a run has not received, and the highest id that it knows: what is posted to its copy must have a higher one, or
 * the copy would take it for read. What was received stands in the journal; a stop is for the process that was at work.
 */
export async function undeliveredMessages(
  store: Store,
  id: string,
  events: readonly EventRow[],
): Promise<{ readonly unread: readonly InboxMessage[]; readonly mailAfter: number }> {
  const read = { tell: 0, answer: 0, limits: 0 };
  for (const { kind, body } of events) {
    if (kind !== 'inbox' && kind !== 'answer' && kind !== 'run-limits') continue;
    const said = JSON.parse(body) as { result?: { lastId?: number; id?: number }; mail?: number };
    read.tell = Math.max(read.tell, said.result?.lastId ?? 0);
    read.answer = Math.max(read.answer, said.result?.id ?? 0);
    read.limits = Math.max(read.limits, said.mail ?? 0);
  }
  const messages = await store.mail(id, 0);
  return {
    unread: messages.filter(({ kind, id }) => {
      if (kind === 'stop' || kind === 'address') return false;
      return kind === 'reply' || id > read[kind];
    }),
    mailAfter: Math.max(...Object.values(read), messages.at(-1)?.id ?? 0),
  };
}

/** What is there already, from a copy before this one, is left. */
export async function postOnce(store: Store, id: string, mail: readonly InboxMessage[]): Promise<void> {
  const form = ({ atMs, kind, text }: InboxMessage): string => JSON.stringify([atMs, kind, text]);
  const existing = new Set((await store.mail(id, 0)).map(form));
  for (const each of mail) if (!existing.has(form(each))) await store.post(id, each);
}

/** Whatever looks like the name of a blob and is one, in the rows and in the blobs that they name. */
export async function loadBlobs(store: Store, events: readonly EventRow[]): Promise<readonly BlobRow[]> {
  const blobs = new Map<string, string>();
  const requests = new Set<string>();
  let texts: readonly string[] = events.map(({ body }) => body);
  while (texts.length > 0) {
    const named = texts.flatMap((text) =>
      Array.from(text.matchAll(/"([\w-]{22})"/g), ([, name = '']) => name),
    );
    const requested = [...new Set(named)].filter((name) => !requests.has(name));
    for (const name of requested) requests.add(name);
    const found = await loadVerifiedBlobs(store, requested);
    for (const [hash, text] of found) blobs.set(hash, text);
    texts = [...found.values()];
  }
  return [...blobs].map(([hash, text]) => ({ hash, text }));
}
