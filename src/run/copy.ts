/**
 * Copies what one store holds into another: runs with their forks, blobs and unread mail, and run-sets. Each run is there as
 * a whole or not at all, and a copy that was broken off is begun again: what is there already is compared and left.
 */
import { isDeepStrictEqual } from 'node:util';
import { JournalError } from '../core/errors.ts';
import type { EventRow, Owner, RunRow, Store } from '../core/store.ts';
import { pagesOf } from './load.ts';
import { blobsOf, checkStore, postOnce, unreadMail } from './salvage.ts';

export type Copied = {
  readonly runs: number;
  /** Went on in the store that is copied from since they were copied before. */
  readonly continued: number;
  readonly alreadyThere: number;
  readonly sets: number;
};

/** Throws `JournalError` where a run is damaged, at work, or another one in the other store: before that one is touched. */
export async function copyStore(from: Store, to: Store, owner: Owner): Promise<Copied> {
  const { runs, unread } = await checkStore(from);
  for (const { row, damage } of runs)
    if (damage)
      throw refused(`Run ${row.id} is damaged at event ${damage.seq}: ${damage.reason}.`, salvageIt);
  if (unread.length > 0) throw refused(`Not all of the store can be read: ${unread.join('; ')}.`, salvageIt);
  const sets = (await from.listSets()).toReversed();
  for (const { id, owner } of [...runs.map(({ row }) => row), ...sets])
    if (owner) throw refused(`${id} is at work in process ${owner.pid}.`, 'Wait for it, or stop it.');
  const counts = { runs: 0, continued: 0, alreadyThere: 0 };
  // A fork comes after its parent.
  for (const { row } of runs.toReversed()) counts[await copyRun(from, to, { row, owner })] += 1;
  for (const { id, createdAtMs, plan, ending } of sets) {
    const there = await to.getSet(id);
    if (there && isDeepStrictEqual([there.plan, there.ending], [plan, ending])) continue;
    const made = there
      ? await to.acquireSet(id, owner, plan)
      : await to.createSet({ id, createdAtMs, plan, owner });
    await to.releaseSet(made, ending);
  }
  return { ...counts, sets: sets.length };
}

const salvageIt = 'Half a copy is refused. `polya store check --salvage FOLDER` copies what is whole.';

async function copyRun(
  from: Store,
  to: Store,
  { row, owner }: { readonly row: RunRow; readonly owner: Owner },
): Promise<'runs' | 'continued' | 'alreadyThere'> {
  const { id, createdAtMs, summary, ended } = row;
  const all = await rowsOf(from, id);
  const { unread, mailAfter } = await unreadMail(from, id, all);
  const there = await to.get(id);
  const known = there ? await rowsOf(to, id) : [];
  const common = Math.min(known.length, all.length);
  if (!isDeepStrictEqual(known.slice(0, common), all.slice(0, common)))
    throw refused(`Run ${id} is in both stores, and is not the same.`, 'Delete it in one of them.');
  // Without its parent, which was deleted, a fork gets the beginning that they shared as its own.
  const parent = row.parent && (await to.get(row.parent.run)) ? row.parent : null;
  const events = all.slice(there ? common : (parent?.seq ?? 0));
  const batch = { events, blobs: await blobsOf(from, events), durable: true, mailAfter, summary, ended };
  if (there && events.length === 0) {
    await postOnce(to, id, unread);
    return 'alreadyThere';
  }
  const ownership = there
    ? await to.acquire(id, owner)
    : await to.create({ id, createdAtMs, parent, summary, owner }, batch);
  if (there) await to.append(ownership, batch);
  await postOnce(to, id, unread);
  await to.release(ownership);
  return there ? 'continued' : 'runs';
}

async function rowsOf(store: Store, id: string): Promise<readonly EventRow[]> {
  const all: EventRow[] = [];
  for await (const { rows } of pagesOf(store, id, 0)) all.push(...rows);
  return all;
}

function refused(what: string, fix: string): JournalError {
  return new JournalError({ code: 'copy-refused', what, fix });
}
