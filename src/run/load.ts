/** Reads a journal from the store: its events, what of it is damaged, and the history that an agent runs over again. */
import { JournalError } from '../core/errors.ts';
import { type Event, type Header, journalVersion } from '../core/event.ts';
import { Damaged, History, type Line } from '../core/history.ts';
import { type Damage, JournalDecoder } from '../core/journal-decoder.ts';
import { jsonIn } from '../core/json.ts';
import type { EventRow, Store } from '../core/store.ts';

export type ReadJournal = { readonly events: readonly Event[]; readonly damage: Damage | null };

/** Everything, decoded, for readers; of a damaged journal what is whole before the damage. */
export async function readJournal(store: Store, runId: string, afterSeq = 0): Promise<ReadJournal> {
  return decodeAfter(decoderFor(store), await store.events(runId, afterSeq), afterSeq);
}

/** For watching a journal grow: each call returns what is new since the one before, at the cost of that alone. */
export function followJournal(store: Store, runId: string): () => Promise<ReadJournal> {
  const decoder = decoderFor(store);
  let lastSeq = 0;
  return async () => {
    const read = await decodeAfter(decoder, await store.events(runId, lastSeq), lastSeq);
    lastSeq = read.events.at(-1)?.seq ?? lastSeq;
    return read;
  };
}

async function decodeAfter(
  decoder: JournalDecoder,
  rows: readonly EventRow[],
  afterSeq: number,
): Promise<ReadJournal> {
  const gap = gapIn(rows, afterSeq);
  const whole = gap ? rows.slice(0, gap.seq - afterSeq - 1) : rows;
  const { events, damage } = await decoder.decode(whole);
  return { events, damage: damage ?? gap };
}

/** Up to and including `toSeq` and its change of stage. Throws `JournalError` for a damaged or newer journal. */
export async function loadHistory(
  store: Store,
  runId: string,
  toSeq = Number.MAX_SAFE_INTEGER,
): Promise<{ history: History; header: Header; lines: readonly Line[]; lastSeq: number }> {
  const all = await store.events(runId);
  const rows = all.slice(0, countUpTo(all, toSeq));
  const lines = await toLines(store, runId, rows);
  refuseNewer(runId, lines);
  const history = buildHistory(runId, lines);
  const { header } = history;
  if (!header) throw damaged(runId, { seq: 1, reason: 'it has no header' });
  return { history, header, lines, lastSeq: all.at(-1)?.seq ?? 0 };
}

function countUpTo(rows: readonly EventRow[], toSeq: number): number {
  const beyond = rows.findIndex(
    (row) => row.seq > toSeq && row.kind !== 'stage-end' && row.kind !== 'stage-start',
  );
  return beyond < 0 ? rows.length : beyond;
}

/** Before anything else is made of it: what looks wrong may be right in a newer version. */
function refuseNewer(runId: string, lines: readonly Line[]): void {
  for (const { event } of lines) {
    if (event?.kind !== 'run-start' && event?.kind !== 'run-fork') continue;
    if (event.body.version > journalVersion) throw newer(runId, event.body.version);
  }
}

/** Model requests stay rows: going on only compares them, and they are most of a journal. Missing blobs are rewritten. */
async function toLines(store: Store, runId: string, rows: readonly EventRow[]): Promise<Line[]> {
  const gap = gapIn(rows, 0);
  if (gap) throw damaged(runId, gap);
  const wanted = rows.filter((row) => row.kind !== 'model-request');
  const { events, damage } = await decoderFor(store).decode(wanted);
  const torn = rows.find((row) => row.kind === 'model-request' && jsonIn(row.body) === null);
  if (torn) throw damaged(runId, { seq: torn.seq, reason: 'it is cut off' });
  if (damage) throw damaged(runId, damage);
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  return rows.map((row) => ({ row, event: bySeq.get(row.seq) ?? null }));
}

function buildHistory(runId: string, lines: readonly Line[]): History {
  try {
    return new History(lines);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw damaged(runId, { seq: error instanceof Damaged ? error.seq : 1, reason });
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
    code: 'journal-damaged',
    what: `The journal of run ${runId} is damaged at event ${seq}: ${reason}.`,
    why: 'Nothing is written to a damaged journal.',
    fix: `What is whole can be read with \`polya runs show ${runId}\`, and forked from with \`polya runs fork ${runId} --at ${Math.max(1, seq - 1)}\`.`,
  });
}

function newer(runId: string, version: number): JournalError {
  return new JournalError({
    code: 'journal-newer',
    what: `The journal of run ${runId} has version ${version}; this Polya writes version ${journalVersion}.`,
    fix: 'Update Polya to go on with it. `polya runs show` still reads it.',
  });
}
