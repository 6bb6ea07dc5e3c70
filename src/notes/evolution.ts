/**
 * The notes of the evolution of programs, and how they are read. Sessions on disk, `status` and reports are folds over
 * them.
 *
 * **Generation.** Islands do not wait for one another. Generation 0 is the initial programs; generation g ≥ 1 is the
 * g-th block of `populationSize` candidates, in the order in which they were begun. A `number` counts from 1 within its
 * generation: `gen03_id07` is the seventh of the third block. A generation is over when all its candidates are settled.
 */
import { z } from 'zod';
import type { Run } from '../core/agent.ts';
import type { Event } from '../core/event.ts';
import { programEvaluation } from '../core/program.ts';
import { type NoteOf, noteIn } from './note.ts';

const count = z.number().int().nonnegative();

/** `gen03_id07`. */
const id = z.string();

export const candidateStatuses = [
  /** Ran on all cases of the search. */
  'evaluated',
  /** Was dropped after some of them, because it could hardly win. */
  'cut',
  /** Compiled and ran, but some case was not AC, or came too near the time limit. */
  'failed',
  /** Does not compile. */
  'compile-error',
  /** The machine was too busy to judge it: nothing is known of it. */
  'unjudged',
  /** Too much like one that is known: not evaluated. */
  'duplicate',
  /** The reply held no program or no change that could be applied, and its repair did not either. */
  'unusable',
  /** The model failed or refused. */
  'unanswered',
] as const;

const strategy = z.object({
  name: z.string(),
  /** What it is, and how it is gone about. */
  idea: z.string(),
  /** Why it should do well here. */
  reasons: z.string(),
  /** Names in the algorithm library, and ids of past contests, that it draws on. */
  library: z.array(z.string()),
  contests: z.array(z.string()),
});

export type Strategy = z.infer<typeof strategy>;

/** `given`: by the user. `corrected`: the second reply of a model. `fallback`: no reply of a model could be used. */
const origin = z.enum(['model', 'corrected', 'given', 'fallback']);

const hintRange = z.object({ name: z.string(), low: z.number(), high: z.number() });

/** Where the values of a parameter are to be looked for, as its user said. */
export type HintRange = z.infer<typeof hintRange>;

const candidate = z.object({
  id,
  generation: count,
  number: count,
  /** From 1; 0 belongs to none. */
  island: count,
  parents: z.array(id),
  /** `template` and `given` (its user's): programs that were there; else the name of the operator that made it. */
  operator: z.string(),
  /** What was asked for, in one line. */
  summary: z.string(),
  /** Empty if there is none. */
  source: z.string(),
  status: z.enum(candidateStatuses),
  /** Why it is what it is: the compiler's words, the failing case, the one it is too much like. */
  detail: z.string(),
  /** The results of all cases so far; null if the program was not run. */
  evaluation: programEvaluation.nullable(),
  /**
   * Mean score of its cases; null unless all cases of the search were run and AC. With relative scoring the mean ratio
   * to the best that was known of each case when the session began, or else to its first program: above 1 where it is
   * better.
   */
  score: z.number().nullable(),
  /** What its operator worked with: temperature, constants of a tuning, the model's role. */
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** Numbers of the hints that were in its prompt. */
  hints: z.array(count),
  /** The tokens of all calls made for it; null if the provider did not report them. */
  tokens: z.object({ input: count.nullable(), output: count.nullable() }),
  calls: count,
});

export type CandidateNote = z.infer<typeof candidate>;

export const evolutionNoteShapes = {
  /** What a session begins with. */
  setting: z.object({
    islands: count,
    /** Strategies that begin with a program each; journals of before do not say it, and had as many as islands. */
    beginnings: z.exactOptional(count),
    populationSize: count,
    maxGenerations: count,
    timeLimitSeconds: z.number(),
    plateauGenerations: count,
    cases: count,
  }),
  /** Each once, and again where its user had it changed: the last one holds. */
  analysis: z.object({ analysis: z.json(), origin }),
  strategies: z.object({
    strategies: z.array(strategy),
    origin,
  }),
  /** What a line of work does now: `asks the model for a change of gen02_id01`. One a branch; the last one holds. */
  doing: z.object({ island: count, what: z.string() }),
  /** A candidate is settled: each once. */
  candidate,
  /** More cases were run with a candidate that had been settled: its outcomes there. */
  'more-cases': z.object({ id, evaluation: programEvaluation, why: z.enum(['load', 'final']) }),
  /** A new best. `score` over the cases of the search. */
  best: z.object({ id, generation: count, score: z.number().nullable(), because: z.string() }),
  generation: z.object({ generation: count, best: id.nullable(), score: z.number().nullable() }),
  migration: z.object({ id, from: count, to: count }),
  /** Of more beginnings than there are islands: the islands that go on, and those whose strategies end with them. */
  trial: z.object({ kept: z.array(count), ended: z.array(count) }),
  /** A hint of the user's, from `number` on; it holds from here. */
  hint: z.object({
    number: count,
    text: z.string(),
    range: z.exactOptional(hintRange),
    /** What of the library and of past contests was found for it, by name. */
    sources: z.exactOptional(z.array(z.string())),
  }),
  /** What became of what its user said; `key` is the sender's own name for it. */
  heard: z.object({
    key: z.string(),
    text: z.string(),
    became: z.enum(['hint', 'range', 'reference', 'question']),
    by: z.enum(['sender', 'model', 'default']),
    /** The number of the hint that it became. */
    hint: count.nullable(),
    /** For the user: the answer, or what is done with the message. */
    reply: z.string(),
  }),
  /** What a question of the user's was answered. It changes nothing. */
  answer: z.object({ question: z.string(), text: z.string() }),
  /** How long its user was waited for so far, which is not the search's time. */
  waited: z.object({ ms: z.number().nonnegative() }),
  /** Settings that were sent and cannot hold, and why. */
  rejected: z.object({ settings: z.record(z.string(), z.json()), because: z.string() }),
  /** Settings that hold from here on, as they were sent. */
  changed: z.object({ settings: z.record(z.string(), z.json()) }),
  /**
   * Nothing is searched for any more, and why. The root writes it right before it looks into the mailbox for the last
   * time: a session that goes on is a fork at this note, finds settings with more room at that look, and searches on.
   */
  'search-over': z.object({ generation: count, because: z.string() }),
  /** The choice on cases that the search never saw. Differences are paired, in points; positive is better. */
  final: z.object({
    chosen: id,
    cases: count,
    /** The unit of gains; absent where nothing was compared. */
    unit: z.enum(['score', 'share']).optional(),
    standings: z.array(
      z.object({
        id,
        mean: z.number().nullable(),
        /** Against the program that the search began with. */
        gain: z.number().nullable(),
        low: z.number().nullable(),
        high: z.number().nullable(),
      }),
    ),
    because: z.string(),
  }),
} as const;

export type EvolutionNoteKind = keyof typeof evolutionNoteShapes;
export type EvolutionNotes = { readonly [K in EvolutionNoteKind]: z.infer<(typeof evolutionNoteShapes)[K]> };
export type EvolutionNote = NoteOf<typeof evolutionNoteShapes>;

export function write<Kind extends EvolutionNoteKind>(
  run: Pick<Run, 'note'>,
  kind: Kind,
  data: EvolutionNotes[Kind],
): void {
  run.note(kind, data);
}

/** The note that an event is; null for events that are none, and for notes of other agents. */
export function evolutionNoteOf(event: Event): EvolutionNote | null {
  const known = read.get(event);
  if (known !== undefined) return known;
  const note = noteIn(evolutionNoteShapes, event);
  if (note) read.set(event, note);
  return note;
}

/** Each fold asks for every note, and a candidate may hold hundreds of cases. */
const read = new WeakMap<Event, EvolutionNote>();

/** What the mailbox of a run takes: JSON of this form; any other text is a hint. It holds from where it is received. */
export const evolutionMail = z.discriminatedUnion('type', [
  /** In words of its user's: the search finds out what it is. `key`: by which the sender knows the note `heard` again. */
  z.object({ type: z.literal('said'), text: z.string().min(1), key: z.string() }),
  z.object({ type: z.literal('hint'), text: z.string().min(1), key: z.exactOptional(z.string()) }),
  /** Changes nothing but the transcript. */
  z.object({ type: z.literal('question'), text: z.string().min(1), key: z.exactOptional(z.string()) }),
  z.object({ type: z.literal('settings'), settings: z.record(z.string(), z.json()) }),
]);

export type EvolutionMessage = z.infer<typeof evolutionMail>;

export function parseEvolutionMessage(message: string): EvolutionMessage {
  try {
    const read = evolutionMail.safeParse(JSON.parse(message));
    if (read.success) return read.data;
  } catch {
    // In words.
  }
  return { type: 'hint', text: message };
}
