/**
 * The notes of a journal as they hold. What a branch noted about results that a resume or a fork took back is void as
 * soon as the branch notes something else at that place. Knows no kind of note. Pure.
 */
import type { Event } from '../core/event.ts';

type NoteEvent = Extract<Event, { kind: 'note' }>;

export function standingNotes(events: readonly Event[]): readonly NoteEvent[] {
  const byBranch = new Map<string, NoteEvent[]>();
  for (const event of events) {
    if (event.kind !== 'note') continue;
    const notes = byBranch.get(event.branch) ?? [];
    while ((notes.at(-1)?.body.index ?? -1) >= event.body.index) notes.pop();
    notes.push(event);
    byBranch.set(event.branch, notes);
  }
  return [...byBranch.values()].flat().toSorted((a, b) => a.seq - b.seq);
}
