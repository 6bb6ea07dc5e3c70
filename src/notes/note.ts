/** What the notes of all agents share: how they are read, which of them hold, and their lines for people. Pure. */
import type { z } from 'zod';
import type { Event, EventOf, Header } from '../core/event.ts';
import { text } from '../text/json.ts';
import type { EventLine } from '../text/line.ts';

type NoteSchemas = Readonly<Record<string, z.ZodType>>;

/** A note of one of these kinds. */
export type NoteOf<S extends NoteSchemas> = {
  readonly [K in keyof S]: { readonly kind: K; readonly data: z.infer<S[K]> };
}[keyof S];

/** The note that an event is; null for other events, and for other agents' notes of the same name. */
export function noteIn<S extends NoteSchemas>(shapes: S, event: Event): NoteOf<S> | null {
  if (event.kind !== 'note' || !Object.hasOwn(shapes, event.body.kind)) return null;
  const { kind, data } = event.body;
  const read = shapes[kind]?.safeParse(data);
  return read?.success ? ({ kind, data: read.data } as NoteOf<S>) : null;
}

/** Describes a note of one of these kinds in a line for people; null for other events, and where `lineOf` has none. */
export function createDescriber<S extends NoteSchemas>(
  shapes: S,
  lineOf: (note: NoteOf<S>) => EventLine | null,
) {
  return (event: Event): EventLine | null => {
    const found = noteIn(shapes, event);
    return found && lineOf(found);
  };
}

/**
 * The notes of a journal as they hold. What a branch noted about results that a resume or a fork took back is void as
 * soon as the branch notes something else at that place.
 */
export function survivingNotes(events: readonly Event[]): readonly EventOf<'note'>[] {
  const byBranch = new Map<string, EventOf<'note'>[]>();
  for (const event of events) {
    if (event.kind !== 'note') continue;
    const notes = byBranch.get(event.branch) ?? [];
    while ((notes.at(-1)?.body.index ?? -1) >= event.body.index) notes.pop();
    notes.push(event);
    byBranch.set(event.branch, notes);
  }
  return [...byBranch.values()].flat().toSorted((a, b) => a.seq - b.seq);
}

export function majorLine(text: string, tone: EventLine['tone'] = 'plain'): EventLine {
  return { text, tone, isQuiet: false };
}

export function minorLine(text: string): EventLine {
  return { text, tone: 'faint', isQuiet: true };
}

/** The sentence of a grade may quote the gold answer. */
export function withoutGold(sentence: string, gold: string | null): string {
  if (gold === null || gold.trim() === '') return sentence;
  const words = gold.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const quoted = new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'gu');
  return sentence.replaceAll(quoted, '[gold answer]');
}

export function goldOf(header: Pick<Header, 'problem'> | null): string | null {
  return text(header?.problem.detail, 'gold') || null;
}
