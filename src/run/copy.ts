/**
 * Copies what one store holds into another: runs with their forks, blobs and unread mail, and run-sets. Each run is there as
 * a whole or not at all, and a copy that was broken off is begun again: what is there already is compared and left.
 */
import { isDeepStrictEqual } from 'node:util';
import { JournalError } from '../core/errors.ts';
import type { EventRow, Owner, RunRow, Store } from '../core/store.ts';
import { pagesOf } from './load.ts';
import { checkStore, loadBlobs, postOnce, undeliveredMessages } from './salvage.ts';

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
      throw copyError(`Run ${row.id} is damaged at event ${damage.seq}: ${damage.reason}.`, salvageIt);
  if (unread.length > 0)
    throw copyError(`Not all of the store can be read: ${unread.join('; ')}.`, salvageIt);
  const setRows = (await from.listSets()).toReversed();
  for (const { id, owner } of [...runs.map(({ row }) => row), ...setRows])
    if (owner) throw copyError(`${id} is at work in process ${owner.pid}.`, 'Wait for it, or stop it.');
  const counts = { runs: 0, continued: 0, alreadyThere: 0 };
  // A fork comes after its parent.
  for (const { row } of runs.toReversed()) counts[await copyRun(from, to, { row, owner })] += 1;
  for (const { id, createdAtMs, plan, ending } of setRows) {
    const existing = await to.getSet(id);
    if (existing && isDeepStrictEqual([existing.plan, existing.ending], [plan, ending])) continue;
    const created = existing
      ? await to.acquireSet(id, owner, plan)
      : await to.createSet({ id, createdAtMs, plan, owner });
    await to.releaseSet(created, ending);
  }
  return { ...counts, sets: setRows.length };
}

const salvageIt = 'Half a copy is refused. `polya store check --salvage FOLDER` copies what is whole.';

async function copyRun(
  from: Store,
  to: Store,
  { row, owner }: { readonly row: RunRow; readonly owner: Owner },
): Promise<'runs' | 'continued' | 'alreadyThere'> {
  const { id, createdAtMs, summary, ended } = row;
  const all = await rowsOf(from, id);
  const { unread, mailAfter } = await undeliveredMessages(from, id, all);
  const runRow = await to.get(id);
  const known = runRow ? await rowsOf(to, id) : [];
  const common = Math.min(known.length, all.length);
  if (!isDeepStrictEqual(known.slice(0, common), all.slice(0, common)))
    throw copyError(`Run ${id} is in both stores, and is not the same.`, 'Delete it in one of them.');
  // Without its parent, which was deleted, a fork gets the beginning that they shared as its own.
  const parent = row.parent && (await to.get(row.parent.run)) ? row.parent : null;
  const events = all.slice(runRow ? common : (parent?.seq ?? 0));
  const batch = { events, blobs: await loadBlobs(from, events), durable: true, mailAfter, summary, ended };
  if (runRow && events.length === 0) {
    await postOnce(to, id, unread);
    return 'alreadyThere';
  }
  const ownership = runRow
    ? await to.acquire(id, owner)
    : await to.create({ id, createdAtMs, parent, summary, owner }, batch);
  if (runRow) await to.append(ownership, batch);
  await postOnce(to, id, unread);
  await to.release(ownership);
  return runRow ? 'continued' : 'runs';
}

async function rowsOf(store: Store, id: string): Promise<readonly EventRow[]> {
  const all: EventRow[] = [];
  for await (const { rows } of pagesOf(store, id, 0)) all.push(...rows);
  return all;
}

function copyError(what: string, fix: string): JournalError {
  return new JournalError({ code: 'copy-refused', what, fix });
}
