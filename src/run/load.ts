/** Reads a journal from the store: its events, what of it is damaged, and the history that an agent runs over again. */
import { JournalError } from '../core/errors.ts';
import { type Event, type Header, journalVersion } from '../core/event.ts';
import { History, type Line } from '../core/history.ts';
import { type Damage, JournalDecoder } from '../core/journal.ts';
import type { EventRow, Store } from '../core/store.ts';

export type ReadJournal = { readonly events: readonly Event[]; readonly damage: Damage | null };

/** Everything, decoded, for readers; of a damaged journal what is whole before the damage. */
export async function readJournal(store: Store, runId: string, afterSeq = 0): Promise<ReadJournal> {
  const rows = await store.events(runId, afterSeq);
  const { events, damage } = await decoderFor(store).decode(rows);
  return { events, damage: damage ?? gapIn(rows, afterSeq) };
}

/** For going on or replaying, up to and including `toSeq` and the change of stage that belongs to it. Throws `JournalError` where it is damaged or newer. */
export async function loadHistory(
  store: Store,
  runId: string,
  toSeq = Number.MAX_SAFE_INTEGER,
): Promise<{ history: History; header: Header; lines: readonly Line[]; lastSeq: number }> {
  const all = await store.events(runId);
  const rows = all.slice(0, countUpTo(all, toSeq));
  const lines = await toLines(store, runId, rows);
  const history = buildHistory(runId, lines);
  const { header } = history;
  if (!header) throw damaged(runId, { seq: 1, reason: 'it has no header' });
  if (header.version > journalVersion) throw newer(runId, header.version);
  return { history, header, lines, lastSeq: all.at(-1)?.seq ?? 0 };
}

function countUpTo(rows: readonly EventRow[], toSeq: number): number {
  const beyond = rows.findIndex(
    (row) => row.seq > toSeq && row.kind !== 'stage-end' && row.kind !== 'stage-start',
  );
  return beyond < 0 ? rows.length : beyond;
}

/** Model requests stay rows: they are the bulk of a journal, and going on only compares them. */
async function toLines(store: Store, runId: string, rows: readonly EventRow[]): Promise<Line[]> {
  const gap = gapIn(rows, 0);
  if (gap) throw damaged(runId, gap);
  const wanted = rows.filter((row) => row.kind !== 'model-request');
  const { events, damage } = await decoderFor(store).decode(wanted);
  if (damage) throw damaged(runId, damage);
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  return rows.map((row) => ({ row, event: bySeq.get(row.seq) ?? null }));
}

function buildHistory(runId: string, lines: readonly Line[]): History {
  try {
    return new History(lines);
  } catch (error) {
    throw damaged(runId, { seq: 0, reason: error instanceof Error ? error.message : String(error) });
  }
}

function decoderFor(store: Store): JournalDecoder {
  return new JournalDecoder((hashes) => store.blobs(hashes));
}

function gapIn(rows: readonly EventRow[], afterSeq: number): Damage | null {
  for (const [index, row] of rows.entries()) {
    const expected = afterSeq + index + 1;
    if (row.seq !== expected) return { seq: expected, reason: 'it is missing' };
  }
  return null;
}

function damaged(runId: string, { seq, reason }: Damage): JournalError {
  return new JournalError({
    what: `The journal of run ${runId} is damaged at event ${seq}: ${reason}.`,
    why: 'Nothing is written to a damaged journal.',
    fix: `What is whole can be read with \`polya runs show ${runId}\`, and forked from with \`polya runs fork ${runId} --at ${Math.max(1, seq - 1)}\`.`,
  });
}

function newer(runId: string, version: number): JournalError {
  return new JournalError({
    what: `The journal of run ${runId} has version ${version}; this Polya writes version ${journalVersion}.`,
    fix: 'Update Polya to go on with it. `polya runs show` still reads it.',
  });
}
