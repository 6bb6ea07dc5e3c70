/** What every store keeps of an event and of a blob: the sum of a row, and a text packed. It knows no database. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { JournalError, UnreadableEventError } from '../core/errors.ts';
import type { EventKind } from '../core/event.ts';
import type { EventRow } from '../core/store.ts';

type EventColumns = [number, number, string, number | null, number, EventKind, string, number | null];

/** By hand and not by zod: a resume reads thousands of these. The tables are typed, so the types hold. */
export function toEventRow(columns: unknown): EventRow {
  const [seq, atMs, branch, ordinal, attempt, kind, body, sum] = columns as EventColumns;
  if (typeof body !== 'string')
    throw new UnreadableEventError(seq, 'it is larger than any that Polya writes');
  const row = { seq, atMs, branch, ordinal, attempt, kind, body };
  if (sum !== null && sum !== sumOf(row)) throw new UnreadableEventError(seq, 'its checksum does not fit');
  return row;
}

export function sumOf({ seq, atMs, branch, ordinal, attempt, kind, body }: EventRow): number {
  return crc32(`${seq} ${atMs} ${ordinal} ${attempt} ${kind}\n${branch}\n${body}`);
}

/** A longer summary or body is none of ours: it is read as NULL, and so as damaged. */
export const maxSummaryBytes = 4 * 2 ** 20;
export const maxBodyBytes = 256 * 2 ** 20;

/** In SQL of both databases. */
export function capped(column: string, maxBytes: number): string {
  return `CASE WHEN octet_length(${column}) <= ${maxBytes} THEN ${column} END`;
}

/** The most characters of blobs that are returned at once. */
export const mostCharacters = 4_000_000;

/** Below this many characters, compressing costs more than it saves. */
const compressFrom = 1536;

/** More than any text of a journal; a store of a stranger may hold what unpacks without end. */
const mostTextBytes = 256 * 2 ** 20;

export function packText(text: string): string | Uint8Array {
  if (text.length < compressFrom) return text;
  const archive = deflateSync(text, { level: 1 });
  return archive.byteLength < Buffer.byteLength(text) ? archive : text;
}

export function unpackText(data: unknown): string {
  if (typeof data === 'string') return data;
  if (data instanceof Uint8Array)
    return inflateSync(data, { maxOutputLength: mostTextBytes }).toString('utf8');
  throw new JournalError({ code: 'database-damaged', what: 'The store holds a blob of unknown form.' });
}
