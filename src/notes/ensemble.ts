/** The notes of the ensemble and its strategies, which reports read, and each in a line for people. */
import { z } from 'zod';
import type { Event, EventOf } from '../core/event.ts';
import type { Answer } from '../core/problem.ts';
import { count, oneLine, truncate } from '../text/format.ts';
import type { EventLine } from '../text/line.ts';
import { majorLine, noteIn } from './note.ts';

export const strategyNames = ['program', 'chain', 'react'] as const;

/** Why a sample has no answer. */
const failureReasons = [
  /** No program worked, after all repairs. */
  'program',
  /** The reply, or the reply to a reminder, holds no answer of the asked form. */
  'no-answer',
  /** The reply, and the one that was asked for instead, were cut off. How says `cut`. */
  'cut-off',
  /** All steps were taken. */
  'steps',
  'refused',
  /** The model failed at this very request: its replies are malformed. */
  'model',
  /** The conversation was longer than the context of the model. */
  'context',
  'limit',
  /** The provider or the sandbox was not there, and the vote was decided without it. */
  'unavailable',
] as const;

const answer = z.custom<Answer>((value) => typeof value === 'object' && value !== null && 'type' in value);
const strategy = z.enum(strategyNames);

const planNote = z.object({
  /** As the model named it: `Math`, `Logic`, `Common Sense`, or its own words. Empty where it named none. */
  problemType: z.string(),
  plan: z.string(),
  /** What was made of the recommendation. */
  recommendation: z.enum(['python', 'reasoning']),
  /** `stated`: in words that are known. `unknown`: in others. `missing`: not at all. Both mean reasoning. */
  recommended: z.enum(['stated', 'unknown', 'missing']),
  /** How the plan was read; `none`: there is no plan, and why says `detail`. */
  reading: z.enum(['structured', 'labelled', 'none']),
  detail: z.string(),
  tokens: z.number().nullable(),
});

/** One asking of one strategy. In the order of `number` the ensemble asked them. */
const sampleNote = z.object({
  /** From 1; 0 where the strategy is the agent of the run. */
  number: z.number(),
  /** Its branch; empty for the agent of the run. */
  name: z.string(),
  strategy,
  answer: answer.nullable(),
  /** Why there is no answer; null where there is one. */
  failed: z.enum(failureReasons).nullable(),
  detail: z.string(),
  /** How its last reply was cut off, where that is why there is no answer. */
  cut: z.string().optional(),
  /** How often a program was repaired, or a step of thought and action that was cut off was asked for again. */
  repairs: z.number(),
  /** Steps of thought and action; 0 if there are none. */
  steps: z.number(),
  /** How often the history was summarised. */
  summaries: z.number(),
  /** What the reviewer's second look came to; null where there was none. */
  review: z.enum(['confirmed', 'changed', 'unclear']).nullable(),
  /** What all of its calls used; null where the provider did not say. */
  tokens: z.number().nullable(),
});

const cluster = z.object({
  /** The member that most of the others agree with; ties by length, then by alphabet. */
  answer,
  /** Numbers of samples, ascending. */
  samples: z.array(z.number()),
  weight: z.number(),
});

const voteNote = z.object({
  /** The heaviest first; of equally heavy ones that with the earliest sample. */
  clusters: z.array(cluster),
  toWin: z.number(),
  /** Place in `clusters`; null where none won. */
  winner: z.number().nullable(),
  /** Several clusters were equally heavy at the top. */
  isTie: z.boolean(),
  /** One sentence: how it was decided. */
  explanation: z.string(),
  asked: z.number(),
  /** Samples asked beyond the strategies' list, because it was close. */
  extra: z.number(),
  /** Samples that were broken off or never asked, because they could not change the vote. */
  spared: z.array(z.object({ strategy, begun: z.boolean() })),
  /**
   * An estimate: for each spared sample what finished ones of its strategy used on average (where there is none: of
   * all), less what it had used itself. What was in flight may still be billed. Null where it is not known.
   */
  savedTokensEstimate: z.number().nullable(),
});

const decisionNote = z.object({
  by: z.enum(['vote', 'self-correction', 'plurality', 'abstention']),
  answer: answer.nullable(),
  /** Samples whose answer was handed in; empty for a self-correction and an abstention. */
  samples: z.array(z.number()),
  explanation: z.string(),
  selfCorrection: z
    .object({
      answer: answer.nullable(),
      failed: z.enum(failureReasons).nullable(),
      detail: z.string(),
      tokens: z.number().nullable(),
    })
    .nullable(),
});

export type PlanNote = z.infer<typeof planNote>;
export type SampleNote = z.infer<typeof sampleNote>;
export type ClusterNote = z.infer<typeof cluster>;
export type VoteNote = z.infer<typeof voteNote>;
export type DecisionNote = z.infer<typeof decisionNote>;

/** The notes of a run; null for what it did not reach. A sample that was broken off has no note. */
export type EnsembleNotes = {
  readonly plan: PlanNote | null;
  readonly samples: readonly SampleNote[];
  readonly vote: VoteNote | null;
  readonly decision: DecisionNote | null;
};

const shapes = { plan: planNote, sample: sampleNote, vote: voteNote, decision: decisionNote };

/** Later notes of a kind replace earlier ones; samples come by their numbers. Notes of other forms are passed over. */
export function ensembleNotesOf(events: Iterable<Event>): EnsembleNotes {
  let notes: EnsembleNotes = { plan: null, samples: [], vote: null, decision: null };
  for (const event of events) {
    const found = noteIn(shapes, event);
    if (found?.kind === 'sample') {
      const others = notes.samples.filter(({ name }) => name !== found.data.name);
      notes = { ...notes, samples: [...others, found.data] };
    } else if (found) notes = { ...notes, [found.kind]: found.data };
  }
  return { ...notes, samples: notes.samples.toSorted((a, b) => a.number - b.number) };
}

/** An answer in one line, for tables and for prompts. */
export function answerText(answer: Answer): string {
  if (answer.type === 'text') return answer.text;
  return answer.type === 'source' ? answer.source : JSON.stringify(answer.attempts);
}

const mostAnswerCharacters = 60;

/** Null where it is no such note. */
export function describeEnsembleNote(event: EventOf<'note'>): EventLine | null {
  const { plan, samples, vote, decision } = ensembleNotesOf([event]);
  const [sample] = samples;
  const format = (answer: Answer) => truncate(oneLine(answerText(answer)), mostAnswerCharacters);
  if (plan) {
    const path = plan.recommendation === 'python' ? 'use Python' : 'use reasoning';
    const doubt = plan.recommended === 'stated' ? '' : ` (the recommendation is ${plan.recommended})`;
    return majorLine(`plan: ${plan.problemType || 'no type'}, ${path}${doubt}`, 'strong');
  }
  if (sample) {
    const { strategy, answer, failed, detail, repairs, review } = sample;
    const methods = [repairs > 0 ? count(repairs, 'repair') : '', review ? `review: ${review}` : ''];
    const words = methods.filter(Boolean).join(', ');
    const after = words && ` (${words})`;
    if (answer) return majorLine(`${strategy} says ${format(answer)}${after}`, 'accent');
    return majorLine(`${strategy} has no answer: ${detail || failed}${after}`, 'warn');
  }
  if (vote) return majorLine(`vote: ${vote.explanation}`, vote.winner === null ? 'warn' : 'good');
  if (!decision) return null;
  const { by, answer, explanation } = decision;
  const tone = by === 'abstention' ? 'bad' : by === 'vote' ? 'good' : 'warn';
  return majorLine(`decision by ${by}: ${answer ? format(answer) : 'no answer'}. ${explanation}`, tone);
}
