/** What a journal adds up to, a quarter as dear as reading it: what was sent, said and printed is not fetched. */
import type { Event, EventKind } from '../core/event.ts';
import { applyEvent, emptyView, type RunView } from '../core/fold.ts';
import { JournalDecoder } from '../core/journal-decoder.ts';
import type { EventRow, Store } from '../core/store.ts';
import { loadVerifiedBlobs } from '../run/blobs.ts';
import { pagesOf } from '../run/load.ts';

/** Most of a journal. Of these only counts, usage and how they ended are added up, which their rows hold themselves. */
const unread: ReadonlySet<EventKind> = new Set([
  'model-request',
  'model-response',
  'tool-call',
  'tool-result',
  'exec-start',
  'exec-end',
  'evaluate-start',
  'evaluate-end',
]);

/** Up to the end, or to what is damaged of the rest. What is still open is there without its words. */
export async function readRunView(store: Store, runId: string): Promise<RunView> {
  const decoder = new JournalDecoder((hashes) => loadVerifiedBlobs(store, hashes));
  let view = emptyView;
  for await (const { rows } of pagesOf(store, runId, 0)) {
    const { events } = await decoder.decode(rows.filter(({ kind }) => !unread.has(kind)));
    let next = 0;
    for (const row of rows) {
      const event = unread.has(row.kind) ? rowAsEvent(row) : events[next++];
      if (!event) return view;
      view = applyEvent(view, event);
    }
  }
  return view;
}

/** Null where it is damaged. */
function rowAsEvent(row: EventRow): Event | null {
  try {
    return { ...row, body: JSON.parse(row.body) };
  } catch {
    return null;
  }
}
