/**
 * One grader and its opinion of a proof: a report in words, then yes or no by a judge who sees the report alone, or
 * points that the grader gives itself. What is no clear yes is a no.
 */
import { z } from 'zod';
import type { Message } from '../../core/model.ts';
import type { ProblemSpec } from '../../core/problem.ts';
import { assistant, system, user } from '../kit/asking.ts';
import { formed, formOf, said, spoken, statementOf, type Talk, userAbout } from './talk.ts';

/** How proofs are graded, and how models are asked, in verify-loop and in proof-grader. */
export const gradingSettings = {
  /** Graders that look at a proof independently. They stop as soon as their vote is decided. */
  graders: z.number().int().min(1).max(15).default(1),
  /** `majority`: more than half of all graders pass it. `unanimous`: all of them. */
  vote: z.enum(['majority', 'unanimous']).default('majority'),
  /** `verdict`: a grader passes a proof or fails it. `points`: it gives 0 to 7, by the rubric if there is one. */
  grading: z.enum(['verdict', 'points']).default('verdict'),
  /** The points from which a proof passes, where points are given. */
  passPoints: z.number().int().min(1).max(7).default(7),
  temperature: z.number().min(0).max(2).default(0.1),
  /** As in the published code; 0 leaves it to the model. */
  thinkingBudgetTokens: z.number().int().min(0).default(32_768),
  maxOutputTokens: z.number().int().positive().optional(),
};

export type GradingSettings = z.infer<z.ZodObject<typeof gradingSettings>>;

type Solution = { readonly proof: string; readonly rebuttal: string | null };

export type Opinion = {
  readonly pass: boolean;
  readonly report: string;
  readonly points: number | null;
  /** Why so many points. */
  readonly reason: string;
};

/** `substring`: the original's reading of a verdict, and its report, be it empty. */
type VerdictReading = 'strict' | 'substring';

/** `onReport` hears the report before there is a vote on it: a grader may be called off in between. */
export async function opinionOn(
  talk: Talk & { readonly settings: GradingSettings },
  { spec, solution, reading }: { spec: ProblemSpec; solution: Solution; reading: VerdictReading },
  onReport: (report: string) => void,
): Promise<Opinion> {
  const asked = gradingTurns(talk, spec, solution);
  const isStrict = reading === 'strict';
  const report = isStrict
    ? await spoken(talk, 'grader', asked, { wholly: true })
    : await said(talk, 'grader', asked);
  onReport(report);
  if (talk.settings.grading === 'verdict') {
    return { pass: await isPassing(talk, report, reading), report, points: null, reason: '' };
  }
  const { points, reason } = await pointsFor(talk, spec, [...asked, assistant(report)]);
  return { pass: points !== null && points >= talk.settings.passPoints, report, points, reason };
}

/** What a grader is asked before anything else: the same words for each of them. */
export function gradingTurns({ run }: Talk, spec: ProblemSpec, { proof, rebuttal }: Solution): Message[] {
  const rubric = rubricOf(spec);
  const places = {
    problem: statementOf(spec),
    solution: proof,
    rebuttal: rebuttal === null ? '' : run.prompt('rebuttal', { rebuttal }),
    rubric: rubric === null ? '' : run.prompt('rubric', { rubric }),
  };
  return [system(run.prompt('grader')), userAbout(spec, run.prompt('grade', places))];
}

/** It stands where a problem says how answers are judged; solvers of proofs never see it. */
export function rubricOf({ brief }: ProblemSpec): string | null {
  return brief.criteria.trim() === '' ? null : brief.criteria;
}

async function isPassing(talk: Talk, report: string, reading: VerdictReading): Promise<boolean> {
  const asked = [user(talk.run.prompt('verdict', { report }))];
  const reply = await said(talk, 'judge', asked);
  if (reading === 'substring') return /yes/i.test(reply);
  const verdict = yesOrNo(reply);
  if (verdict !== null) return verdict;
  const shown = reply.trim() === '' ? [] : [assistant(reply)];
  const again = await said(talk, 'judge', [...asked, ...shown, user(talk.run.prompt('verdictAgain'))]);
  return yesOrNo(again) ?? false;
}

/** "Yes, but …" is no yes. */
export function yesOrNo(reply: string): boolean | null {
  const word = /^[\s*_"'`]*(yes|no)[\s*_"'`.!]*$/i.exec(reply)?.[1];
  return word === undefined ? null : word.toLowerCase() === 'yes';
}

const pointsForm = formOf(
  'points',
  z.strictObject({ points: z.number().int().min(0).max(7), reason: z.string() }),
);

async function pointsFor(talk: Talk, spec: ProblemSpec, turns: readonly Message[]) {
  const scale = talk.run.prompt(rubricOf(spec) === null ? 'ownScale' : 'rubricScale');
  const asked = [...turns, user(talk.run.prompt('points', { scale }))];
  return (await formed(talk, 'grader', asked, pointsForm)) ?? { points: null, reason: '' };
}
