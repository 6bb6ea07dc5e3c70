/** A store of one run whose journal a test writes by hand. It is only read, and nobody owns the run. */
import type { Event } from '../../src/core/event.ts';
import { JournalEncoder } from '../../src/core/journal-encoder.ts';
import type { EventRow, Store } from '../../src/core/store.ts';
import { hashText } from '../../src/run/hash.ts';

/** `write` replaces the journal. */
export function writtenStore(runId: string): {
  readonly store: Store;
  write(events: readonly Event[]): void;
} {
  let rows: readonly EventRow[] = [];
  const texts = new Map<string, string>();
  const known: Partial<Store> = {
    get: async () => ({ id: runId, owner: null }) as never,
    events: async (_id, after = 0, limit = Number.POSITIVE_INFINITY) =>
      rows.filter(({ seq }) => seq > after).slice(0, limit),
    blobs: async (hashes) => new Map(hashes.flatMap((hash) => [[hash, texts.get(hash) ?? ''] as const])),
  };
  return {
    store: known as Store,
    write(events) {
      const encoder = new JournalEncoder(hashText, undefined);
      rows = events.map(({ seq, atMs, branch, ordinal, attempt, kind, body }) => {
        const place = { seq, atMs, branch, ordinal, attempt };
        const { row, blobs } = encoder.encode({ ...place, kind, body } as Event);
        for (const { hash, text } of blobs) texts.set(hash, text);
        return row;
      });
    },
  };
}
