/** A list of events that grows at its end, and once before its beginning. Pure. */
import type { EventItem } from '../notes/page-items.ts';

/** By number, each once; those that were there stay the same objects. */
export function merged(before: readonly EventItem[], added: readonly EventItem[]): readonly EventItem[] {
  const all = [...before, ...added];
  if (all.every(({ seq }, at) => at === 0 || seq > (all[at - 1]?.seq ?? 0))) return all;
  const bySeq = new Map([...added, ...before].map((item) => [item.seq, item]));
  return [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}
