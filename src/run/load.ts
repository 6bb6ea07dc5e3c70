/** Reads a journal from the store: its events, what of it is damaged, and the history that an agent runs over again. */
import { JournalError, UnreadableEventError } from '../core/errors.ts';
import { type Event, type Header, journalVersion } from '../core/event.ts';
import { findEventIssue } from '../core/event-shape.ts';
import { DamagedJournalError, History, type Line } from '../core/history.ts';
import { type Corruption, JournalDecoder } from '../core/journal-decoder.ts';
import type { Links } from '../core/journal-form.ts';
import type { EventRow, Store } from '../core/store.ts';
import { loadVerifiedBlobs, yieldToLoop } from './blobs.ts';

export type ReadJournal = { readonly events: readonly Event[]; readonly damage: Corruption | null };

/** How much of a journal is read and decoded at once: other work of the process goes on between two pages. */
const pageRows = 250;

const damages = new WeakMap<Store, Map<string, Corruption>>();

/** The damage that was met while journals of this store were read, by run: a command that shows the rest has to name it. */
export function corruptionByRun(store: Store): ReadonlyMap<string, Corruption> {
  return damages.get(store) ?? new Map();
}

/** Everything, decoded, for readers; of a damaged journal what is whole before the damage. */
export async function readJournal(store: Store, runId: string): Promise<ReadJournal> {
  const read = assertReadable(await checkJournal(store, runId));
  if (read.damage) damages.set(store, new Map([...corruptionByRun(store), [runId, read.damage]]));
  return read;
}

/** If a run has ended, its end must be in the journal. */
export async function checkJournal(store: Store, runId: string): Promise<ReadJournal> {
  // Before its events: it may end meanwhile.
  const row = await store.get(runId);
  const { events, damage } = await followRows(store, runId)();
  const last = events.at(-1);
  const isCut = row?.ended === true && last?.kind !== 'run-end';
  // It may have been opened again meanwhile, and have ended again.
  const now = isCut ? await store.get(runId) : row;
  if (isCut && (now?.ended !== true || now.lastSeq !== row.lastSeq)) return checkJournal(store, runId);
  const cut = { seq: (last?.seq ?? 0) + 1, reason: 'its end is missing' };
  return { events, damage: damage ?? (isCut ? cut : null) };
}

/** Up to the first event that lacks what its readers need: for them it is as damaged as one that cannot be decoded. */
function assertReadable(read: ReadJournal): ReadJournal {
  for (const [index, event] of read.events.entries()) {
    const reason = findEventIssue(event);
    if (reason !== null) return { events: read.events.slice(0, index), damage: { seq: event.seq, reason } };
  }
  return read;
}

/**
 * For watching a journal grow: each call returns what is new since the one before, at the cost of that alone; no more than
 * `mostRows` of it where they are named.
 */
export function followJournal(
  ...of: Parameters<typeof followRows>
): (mostRows?: number) => Promise<ReadJournal> {
  const poll = followRows(...of);
  return async (mostRows) => assertReadable(await poll(mostRows));
}

function followRows(store: Store, runId: string, afterSeq = 0): (mostRows?: number) => Promise<ReadJournal> {
  const decoder = decoderFor(store);
  let lastSeq = afterSeq;
  return async (mostRows = Number.POSITIVE_INFINITY) => {
    const events: Event[] = [];
    for await (const { rows, gap } of pagesOf(store, runId, lastSeq, lastSeq + mostRows)) {
      const decoded = await decoder.decode(rows);
      for (const event of decoded.events) events.push(event);
      const corruption = decoded.damage ?? gap;
      lastSeq = decoded.events.at(-1)?.seq ?? lastSeq;
      if (corruption) return { events, damage: corruption };
    }
    return { events, damage: null };
  };
}

type Page = { readonly rows: readonly EventRow[]; readonly gap: Corruption | null };

/** Up to the end, or to where a number is missing. What is known to be the last need not be asked for what follows it. */
export async function* pagesOf(
  store: Store,
  runId: string,
  afterSeq: number,
  knownLastSeq = Number.POSITIVE_INFINITY,
): AsyncGenerator<Page> {
  let lastSeq = afterSeq;
  while (lastSeq < knownLastSeq) {
    const rows = await store
      .events(runId, lastSeq, Math.min(pageRows, knownLastSeq - lastSeq))
      .catch(unreadableCorruption);
    if ('reason' in rows) yield { rows: [], gap: rows };
    if ('reason' in rows || rows.length === 0) return;
    const gap = gapIn(rows, lastSeq);
    yield { rows: gap ? rows.slice(0, gap.seq - lastSeq - 1) : rows, gap };
    if (gap) return;
    lastSeq += rows.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function unreadableCorruption(error: unknown): Corruption {
  if (error instanceof UnreadableEventError) return { seq: error.seq, reason: error.reason };
  throw error;
}

type LoadOptions = {
  readonly toSeq?: number;
  /** Gets every line that is read. */
  readonly keep?: Line[];
};

/** Up to and including `toSeq` and its change of stage. Throws `JournalError` for a damaged or newer journal. */
export async function loadHistory(
  store: Store,
  runId: string,
  { toSeq = Number.MAX_SAFE_INTEGER, keep }: LoadOptions = {},
): Promise<{ history: History; header: Header }> {
  const history = new History([]);
  const decoder = decoderFor(store, history.links);
  for await (const { rows, gap } of pagesOf(store, runId, 0)) {
    const count = countUpTo(rows, toSeq);
    await addPage({ runId, history, decoder, keep }, rows.slice(0, count));
    if (count < rows.length) break;
    if (gap) throw corruptJournalError(runId, gap);
  }
  const { header } = history;
  if (!header) throw corruptJournalError(runId, { seq: 1, reason: 'it has no header' });
  return { history, header };
}

function countUpTo(rows: readonly EventRow[], toSeq: number): number {
  const beyond = rows.findIndex(
    (row) => row.seq > toSeq && row.kind !== 'stage-end' && row.kind !== 'stage-start',
  );
  return beyond < 0 ? rows.length : beyond;
}

type Loading = {
  readonly runId: string;
  readonly history: History;
  readonly decoder: JournalDecoder;
  readonly keep: Line[] | undefined;
};

/** Model requests stay rows: going on only compares them, and they are most of a journal. Missing blobs are rewritten. */
async function addPage({ runId, history, decoder, keep }: Loading, rows: readonly EventRow[]): Promise<void> {
  const { events, damage } = await decoder.decode(rows.filter((row) => row.kind !== 'model-request'));
  // Before anything else is made of it: what looks wrong may be right in a newer version.
  for (const event of events) {
    if (event.kind !== 'run-start' && event.kind !== 'run-fork') continue;
    if (event.body?.version > journalVersion) throw newerFormatError(runId, event.body.version);
    const reason = findEventIssue(event);
    if (reason !== null) throw corruptJournalError(runId, { seq: event.seq, reason });
  }
  let next = 0;
  for (const row of rows) {
    if (row.seq === damage?.seq) throw corruptJournalError(runId, damage);
    const event = row.kind === 'model-request' ? null : (events[next++] ?? null);
    addLine(runId, history, { row, event });
    keep?.push({ row, event });
  }
}

function addLine(runId: string, history: History, line: Line): void {
  try {
    history.add(line);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw corruptJournalError(runId, {
      seq: error instanceof DamagedJournalError ? error.seq : line.row.seq,
      reason,
    });
  }
}

function decoderFor(store: Store, known: Links | null = null): JournalDecoder {
  return new JournalDecoder((hashes) => loadVerifiedBlobs(store, hashes), { known, rest: yieldToLoop() });
}

function gapIn(rows: readonly EventRow[], afterSeq: number): Corruption | null {
  for (const [index, row] of rows.entries()) {
    const expected = afterSeq + index + 1;
    if (row.seq !== expected) return { seq: expected, reason: 'it is missing' };
  }
  return null;
}

function corruptJournalError(runId: string, { seq, reason }: Corruption): JournalError {
  return new JournalError({
    code: 'journal-damaged',
    what: `The journal of run ${runId} is damaged at event ${seq}: ${reason}.`,
    why: 'Nothing is written to a damaged journal.',
    fix: `What is whole can be read with \`polya runs show ${runId}\`, and forked from with \`polya runs fork ${runId} --at ${Math.max(1, seq - 1)}\`.`,
  });
}

function newerFormatError(runId: string, version: number): JournalError {
  return new JournalError({
    code: 'journal-newer',
    what: `The journal of run ${runId} has version ${version}; this Polya writes version ${journalVersion}.`,
    fix: 'Update Polya to go on with it. `polya runs show` still reads it.',
  });
}
