/**
 * What a search for the values of constants writes down of itself: which constants there are, what each trial came to,
 * and what the search is worth. The agent `parameter-search` writes these lines, anybody reads them.
 */
import { z } from 'zod';
import type { Event } from '../core/event.ts';
import { standingNotes } from './standing.ts';

const count = z.number().int().nonnegative();
const values = z.record(z.string(), z.number());

/** Of a gain. `share`: it is one of the best known, 0 to 1. */
const unit = z.enum(['score', 'share']);

const constant = z.object({
  name: z.string(),
  line: count,
  isInteger: z.boolean(),
  value: z.number(),
  low: z.number(),
  high: z.number(),
  scale: z.enum(['linear', 'log']),
  origin: z.enum(['marked', 'named', 'plain', 'asked']),
});

/** Paired differences, in points a case; above 0 the new values are better. */
const gain = z.object({
  /** That both solved. */
  cases: count,
  /** Cases that only the new values solve, less those that only the old ones do. */
  rescued: z.number(),
  mean: z.number().nullable(),
  /** Of the mean, 95 %. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  p: z.number().nullable(),
  verdict: z.enum(['better', 'worse', 'noise']),
});

export const tuningNoteShapes = {
  search: z.object({
    constants: z.array(constant),
    unit,
    evaluations: count,
    cases: count,
    unseen: count,
    /** Whether the unseen cases are new ones, or were kept back of the problem's. */
    areFresh: z.boolean(),
  }),
  trial: z.object({
    number: count,
    values,
    cases: count,
    /** Against the best until then. */
    gain: z.number(),
    unit,
    fate: z.enum(['dropped', 'best']),
    evaluations: count,
  }),
  tuned: z.object({
    values,
    trials: count,
    evaluations: count,
    /** Null where no values were ahead in the search, so that nothing was left to be proved. */
    gain: gain.nullable(),
    unit,
    /** Why the search ended. */
    because: z.string(),
  }),
} as const;

export type TuningNoteKind = keyof typeof tuningNoteShapes;
export type TuningNotes = { readonly [K in TuningNoteKind]: z.infer<(typeof tuningNoteShapes)[K]> };
export type Gain = TuningNotes['tuned']['gain'] & object;

export type TuningView = {
  readonly search: TuningNotes['search'] | null;
  readonly trials: readonly TuningNotes['trial'][];
  readonly tuned: TuningNotes['tuned'] | null;
};

export function foldTuning(events: readonly Event[]): TuningView {
  const notes = standingNotes(events);
  return {
    search: notesOf(notes, 'search').at(-1) ?? null,
    trials: notesOf(notes, 'trial'),
    tuned: notesOf(notes, 'tuned').at(-1) ?? null,
  };
}

/** The notes of one kind; what another agent noted under its name is left out. */
function notesOf<Kind extends TuningNoteKind>(
  events: readonly Event[],
  kind: Kind,
): readonly TuningNotes[Kind][] {
  return events.flatMap((event) => {
    const note = tuningNoteOf(event);
    return note?.kind === kind ? [note.data as TuningNotes[Kind]] : [];
  });
}

export type TuningNote = {
  readonly [K in TuningNoteKind]: { readonly kind: K; readonly data: TuningNotes[K] };
}[TuningNoteKind];

/** The note that an event is; null for events that are none. */
export function tuningNoteOf(event: Event): TuningNote | null {
  if (event.kind !== 'note' || !Object.hasOwn(tuningNoteShapes, event.body.kind)) return null;
  const kind = event.body.kind as TuningNoteKind;
  const read = tuningNoteShapes[kind].safeParse(event.body.data);
  return read.success ? ({ kind, data: read.data } as TuningNote) : null;
}
