/** The notes of a search for values of constants, and each in a line for people: together a table while it runs. */
import { z } from 'zod';
import type { Run } from '../core/agent.ts';
import type { Event } from '../core/event.ts';
import { count, grouped } from '../text/format.ts';
import type { EventLine } from '../text/line.ts';
import { createDescriber, majorLine, type NoteOf, noteIn, survivingNotes } from './note.ts';

const whole = z.number().int().nonnegative();
const values = z.record(z.string(), z.number());

/** The unit of a gain. `share`: of the best known, 0 to 1. */
const unit = z.enum(['score', 'share']);

const constant = z.object({
  name: z.string(),
  line: whole,
  isInteger: z.boolean(),
  value: z.number(),
  low: z.number(),
  high: z.number(),
  scale: z.enum(['linear', 'log']),
  origin: z.enum(['marked', 'named', 'asked']),
});

/** Paired differences, in points a case; above 0 the new values are better. */
const gain = z.object({
  /** That both solved. */
  cases: whole,
  /** Cases that only the new values solve, less those that only the old ones do. */
  rescued: z.number(),
  mean: z.number().nullable(),
  /** The 95 % interval of the mean. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  p: z.number().nullable(),
  verdict: z.enum(['better', 'worse', 'noise']),
});

export const tuningNoteShapes = {
  search: z.object({
    constants: z.array(constant),
    unit,
    evaluations: whole,
    cases: whole,
    unseen: whole,
    /** Whether the unseen cases are new ones, or were kept back of the problem's. */
    areFresh: z.boolean(),
  }),
  trial: z.object({
    number: whole,
    values,
    cases: whole,
    /** Against the best until then. */
    gain: z.number(),
    unit,
    fate: z.enum(['dropped', 'best']),
    evaluations: whole,
  }),
  tuned: z.object({
    values,
    trials: whole,
    evaluations: whole,
    /** Null where no values were ahead in the search, so that nothing was left to be proved. */
    gain: gain.nullable(),
    unit,
    /** Why the search ended. */
    because: z.string(),
  }),
} as const;

export type TuningNoteKind = keyof typeof tuningNoteShapes;
export type TuningNotes = { readonly [K in TuningNoteKind]: z.infer<(typeof tuningNoteShapes)[K]> };
export type Improvement = TuningNotes['tuned']['gain'] & object;

export function note<Kind extends TuningNoteKind>(run: Run, kind: Kind, data: TuningNotes[Kind]): void {
  run.note(kind, data);
}

export type TuningView = ReturnType<typeof foldTuning>;

export function foldTuning(events: readonly Event[]) {
  const notes = survivingNotes(events).flatMap((event) => noteIn(tuningNoteShapes, event) ?? []);
  const ofKind = <K extends TuningNoteKind>(kind: K) =>
    notes.flatMap((each) => (each.kind === kind ? [each.data as TuningNotes[K]] : []));
  return {
    search: ofKind('search').at(-1) ?? null,
    trials: ofKind('trial'),
    tuned: ofKind('tuned').at(-1) ?? null,
  };
}

export const describeTuningNote = createDescriber(tuningNoteShapes, lineOf);

function lineOf({ kind, data }: NoteOf<typeof tuningNoteShapes>): EventLine {
  switch (kind) {
    case 'search':
      return majorLine(searchText(data), 'strong');
    case 'trial':
      return majorLine(trialText(data), data.fate === 'best' ? 'good' : 'faint');
    case 'tuned':
      return majorLine(tunedText(data), data.gain?.verdict === 'better' ? 'good' : 'warn');
  }
}

function searchText({ constants, cases, unseen, areFresh, evaluations }: TuningNotes['search']): string {
  const names = constants.map(({ name, value }) => `${name} = ${numberText(value)}`).join(', ');
  const proof = `${count(unseen, areFresh ? 'new case' : 'case')} that the search does not see`;
  return `tunes ${names}: ${count(cases, 'case')}, at most ${count(evaluations, 'evaluation')}, then ${proof}`;
}

/** Padded so that columns are aligned. */
function trialText({ number, values, cases, gain, unit, fate, evaluations }: TuningNotes['trial']): string {
  const fateText = fate === 'best' ? 'BEST   ' : 'dropped';
  const amount = pointsText(gain, unit).padStart(10);
  const at = Object.entries(values).map(([name, value]) => `${name} ${numberText(value)}`);
  return [
    `trial ${String(number).padStart(3)}`,
    `${String(cases).padStart(3)} cases`,
    `${amount} a case`,
    fateText,
    `${String(evaluations).padStart(4)} evaluations`,
    at.join(', '),
  ].join('  ');
}

function tunedText({ gain, unit, because, trials }: TuningNotes['tuned']): string {
  const after = `${because} ${count(trials, 'trial')}.`;
  if (!gain) return `${after} No values were ahead of those of the program.`;
  return `${after} On unseen cases: ${formatImprovement(gain, unit)}`;
}

/** Four digits that count: `0.003125`, `120`, `12.35`, `1,234,567`. */
export function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) >= 10_000) return grouped(value);
  return String(Number(value.toPrecision(4)));
}

/** `+12.3`, or of shares of the best known `+1.23 %`. */
export function pointsText(value: number, unit: TuningNotes['search']['unit']): string {
  const sign = value > 0 ? '+' : '';
  return unit === 'share' ? `${sign}${(value * 100).toFixed(2)} %` : `${sign}${numberText(value)}`;
}

/** `+12.3 a case, 95 % interval +4.1 to +20.8, over 50 cases: better` */
export function formatImprovement(
  { cases, rescued, mean, low, high, p, verdict }: Improvement,
  unit: TuningNotes['search']['unit'] = 'score',
): string {
  const signed = (value: number): string => pointsText(value, unit);
  const words = {
    better: 'better: more than noise',
    worse: 'worse: more than noise',
    noise: 'cannot be told from noise',
  }[verdict];
  const saved = rescued === 0 ? '' : `; ${pointsText(rescued, 'score')} cases solved`;
  if (mean === null || low === null || high === null) return `no case that both solve${saved}: ${words}`;
  const chance = p === null ? '' : `, p ${p < 0.001 ? '< 0.001' : `= ${p.toFixed(3)}`}`;
  return `${signed(mean)} a case, 95 % interval ${signed(low)} to ${signed(high)} over ${count(cases, 'case')}${chance}${saved}: ${words}`;
}
