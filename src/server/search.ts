/** Finds words in all that a journal holds: rows that a page does not show cannot be found in it. Pure but for its pauses. */
import type { Event } from '../core/event.ts';
import { facetNames, type RunQuery, sortNames } from '../notes/run-list.ts';
import { list, text } from '../text/json.ts';
import { numberIn } from './guard.ts';

export type Found = {
  readonly hits: readonly number[];
  /** The last event that was looked at; null where there are no more. */
  readonly next: number | null;
};

/** Events between two pauses, so that the process can do other work. */
const atOnce = 500;

/** Events after `after` that hold every word, whatever its case; no more than `limit` of them. */
export async function searchEvents(
  events: readonly Event[],
  words: readonly string[],
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Found> {
  const requested = words.map((word) => word.toLowerCase());
  const hits: number[] = [];
  const from = events.findIndex(({ seq }) => seq > after);
  if (from < 0) return { hits, next: null };
  for (let index = from; index < events.length; index += 1) {
    const event = events[index];
    if (!event) break;
    if (hits.length >= limit) return { hits, next: event.seq - 1 };
    const left = new Set(requested);
    removeFound(left, event.kind);
    removeFound(left, event.branch);
    searchValue(left, added(event));
    if (left.size === 0) hits.push(event.seq);
    if (index % atOnce === atOnce - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  return { hits, next: null };
}

/** Of a request, what is new in it: the conversation before it stands in the events before it. */
function added({ kind, body }: Event): unknown {
  if (kind !== 'model-request') return body;
  const messages = list(body, 'messages');
  const last = messages.findLastIndex((message) => text(message, 'role') === 'assistant');
  return [text(body, 'role'), text(body, 'model'), messages.slice(last + 1)];
}

/** Takes away the words that are there. */
function searchValue(left: Set<string>, value: unknown): void {
  if (left.size === 0) return;
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) searchValue(left, inner);
  } else if (value !== null && value !== undefined) removeFound(left, String(value));
}

function removeFound(left: Set<string>, words: string): void {
  const low = words.toLowerCase();
  for (const word of left) if (low.includes(word)) left.delete(word);
}

const mostRows = 1_000;

/** `valuesOf`: all values of a parameter. */
export function queryIn(valuesOf: (name: string) => readonly string[]): RunQuery {
  const one = (name: string): string | undefined => valuesOf(name)[0];
  const sinceHours = Number(one('sinceHours') ?? Number.NaN);
  return {
    words: one('words') ?? '',
    facets: Object.fromEntries(facetNames.map((name) => [name, valuesOf(name)])),
    sinceHours: sinceHours > 0 ? sinceHours : null,
    sort: sortNames.find((name) => name === one('sort')) ?? 'newest first',
    offset: numberIn(one('offset'), 0, Number.MAX_SAFE_INTEGER),
    limit: numberIn(one('limit'), 200, mostRows),
  };
}
