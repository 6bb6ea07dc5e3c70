/**
 * One grader and its opinion of a proof: a report in words that ends with its verdict, or, as in the published code, yes or
 * no by a judge who sees the report alone; or points that the grader gives itself. What is no clear yes is a no.
 */
import { z } from 'zod';
import { isJsonObject } from '../../core/json.ts';
import type { Message } from '../../core/model.ts';
import type { ProblemSpec } from '../../core/problem.ts';
import { jsonInReply, withoutThoughts } from '../../text/model-json.ts';
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
  /**
   * `strict`: a proof has to stand without what was said beside it, the grader itself says whether it proves all that was
   * asked, and what calls itself partial is not accepted. `published`: a judge says yes or no, as in the published code.
   */
  judging: z.enum(['strict', 'published']).default('strict'),
  temperature: z.number().min(0).max(2).default(0.1),
  /** As in the published code; 0 leaves it to the model. */
  thinkingBudgetTokens: z.number().int().min(0).default(32_768),
  maxOutputTokens: z.number().int().positive().optional(),
};

/** What journals mean that are older than these settings. */
export const gradingBefore = { judging: 'published' } as const;

export type GradingSettings = z.infer<z.ZodObject<typeof gradingSettings>>;

type Solution = { readonly proof: string; readonly rebuttal: string | null };

export type Opinion = {
  readonly pass: boolean;
  readonly report: string;
  readonly points: number | null;
  /** Why so many points. */
  readonly reason: string;
  /** What each part of the rubric earned. */
  readonly parts?: PartPoints[];
};

type PartPoints = z.infer<typeof partPoints>;

/** `own`: the grader's own verdict. `substring`: the original's reading of a judge's, and its report, even an empty one. */
export type VerdictReading = 'own' | 'strict' | 'substring';

/** `onReport` hears the report before there is a vote on it: a grader may be called off in between. */
export async function opinionOn(
  talk: Talk & { readonly settings: GradingSettings },
  { spec, solution, reading }: { spec: ProblemSpec; solution: Solution; reading: VerdictReading },
  onReport: (report: string) => void,
): Promise<Opinion> {
  const asked = gradingTurns(talk, spec, solution, reading === 'own');
  const report =
    reading === 'substring'
      ? await said(talk, 'grader', asked)
      : await spoken(talk, 'grader', asked, { wholly: true });
  onReport(report);
  if (talk.settings.grading === 'verdict') {
    const own = reading === 'own' ? verdictIn(report) : null;
    const pass = own === null ? await isPassing(talk, report, reading) : own === 'complete';
    return { pass, report, points: null, reason: '' };
  }
  const given = await pointsFor(talk, spec, [...asked, assistant(report)]);
  return { pass: given.points !== null && given.points >= talk.settings.passPoints, report, ...given };
}

export type Verdict = 'complete' | 'error' | 'gaps' | 'less';

// A sentence after it, as in the published form, is the judge's to read.
const verdictLine =
  /^[ \t#*_•{"'`\d.)-]*(?:(?:my|the|final|overall)\s+)*verdict\b[^\p{L}]{0,20}(?:is\b[^\p{L}]{1,8})?(?:\\?\p{L}+\{)*(complete|errors?|gaps?|less)(?![\p{L}-])(.*)/gimu;
const hedge =
  /\b(?:but|however|except|although|though|only|partial\w*|unless|apart|aside|mostly|largely|almost|nearly|if|assum\w+|given|modulo|provided|save for|lacks?|missing|gaps?|errors?|fail\w*|once|or|less|for [a-z] ?[=<>]|for (?:even|odd|small|large)|in the case)\b|^\s*[/|?]/i;
const nothingFound =
  /\b(?:no|not a|without(?: any)?|neither(?: an?)?)\s+(?:\w+\s+){0,2}?(?:errors?|gaps?)(?:,?\s+n?or\s+(?:\w+\s+){0,2}?(?:errors?|gaps?))?/gi;

/** What is said behind a verdict may take it back; that no error was found does not. */
const isHedged = (text: string): boolean => hedge.test(text.replaceAll(nothingFound, ''));

/** The grader's last word on it; null where there is none, or it is taken back in the same line. */
export function verdictIn(report: string): Verdict | null {
  const [, word = '', rest = ''] = [...report.matchAll(verdictLine)].at(-1) ?? [];
  const verdicts: Record<string, Verdict> = { c: 'complete', e: 'error', g: 'gaps', l: 'less' };
  const verdict = verdicts[word.charAt(0).toLowerCase()] ?? null;
  return verdict === 'complete' && isHedged(rest) ? null : verdict;
}

/** What a grader is asked before anything else: the same words for each of them. `isStrict`: of the proof alone. */
export function gradingTurns(
  { run }: Talk,
  spec: ProblemSpec,
  { proof, rebuttal }: Solution,
  isStrict: boolean,
): Message[] {
  const rubric = rubricOf(spec);
  const places = {
    problem: statementOf(spec),
    solution: proof,
    rebuttal: rebuttal === null || isStrict ? '' : run.prompt('rebuttal', { rebuttal }),
    rubric: rubric === null ? '' : run.prompt('rubric', { rubric }),
  };
  return [
    system(run.prompt(isStrict ? 'strictGrader' : 'grader')),
    userAbout(spec, run.prompt('grade', places)),
  ];
}

/** It stands where a problem says how answers are judged; solvers of proofs never see it. */
export function rubricOf({ brief }: ProblemSpec): string | null {
  return brief.criteria.trim() === '' ? null : brief.criteria;
}

async function isPassing({ run, settings }: Talk, report: string, reading: VerdictReading): Promise<boolean> {
  const talk = { run, settings };
  const asked = [user(run.prompt(reading === 'own' ? 'strictVerdict' : 'verdict', { report }))];
  const reply = await said(talk, 'judge', asked);
  if (reading === 'substring') return /yes/i.test(reply);
  const read = reading === 'own' ? yesOrNo : bareYesOrNo;
  const verdict = read(reply);
  if (verdict !== null) return verdict;
  const shown = reply.trim() === '' ? [] : [assistant(reply)];
  const again = await said(talk, 'judge', [...asked, ...shown, user(run.prompt('verdictAgain'))]);
  return read(again) ?? false;
}

/** Also with a remark behind it; "Yes, but …" is no yes, and "yes and no" is neither. */
export function yesOrNo(reply: string): boolean | null {
  const said = withoutThoughts(reply);
  const value = jsonInReply(said);
  const text = isJsonObject(value)
    ? String(Object.values(value).find((each) => /^\W*(?:yes|no)\b/i.test(String(each))))
    : said;
  const plain = text.replaceAll(/<\/?\w+>|\\(?:boxed|text\w*)|[{}$]/g, '');
  const [, word = '', remark = ''] =
    yesNo.exec(plain) ?? lastYesNo.exec(plain.trimEnd().split('\n').at(-1) ?? '') ?? [];
  const isYes = yes.test(word);
  const [first = '', ...others] = remark.split(/(?<=[.!。])\s+/);
  const isTakenBack = isYes
    ? isHedged(first) ||
      others.some((each) => /(?:^but|however|^although|^though)\b/i.test(each)) ||
      /^\W*(?:and|or)\W+no\b|^\W*no\W*$/i.test(remark)
    : /^\s*[\p{L}]|\byes\b/iu.test(remark);
  return word === '' || isTakenBack ? null : isYes;
}

const yes = /^(?:yes|ja|oui|s[íi]|да|はい|是|对|對|예|네)$/iu;
const words = 'yes|no|ja|nein|oui|non|s[íi]|да|нет|はい|いいえ|是的?|对|對|否|不是|예|네|아니요|아니오';
const yesNo = new RegExp(`^[\\s*_"'\`#>]*(${words})(?![\\p{L}-])([\\s\\S]*)$`, 'iu');
/** Behind reasons, the last line says it alone. */
const lastYesNo = new RegExp(
  `^[\\s*_"'\`#>]*(?:(?:final\\s+)?(?:answer|verdict|decision|conclusion)\\s*[:=]?[\\s*_]*)?(${words})(?![\\p{L}-])([*_\\s.!。]*)$`,
  'iu',
);

function bareYesOrNo(reply: string): boolean | null {
  return /^[\s*_"'`]*(?:yes|no)[\s*_"'`.!]*$/i.test(reply) ? yesOrNo(reply) : null;
}

const points = z.number().int().min(0).max(7);
const partPoints = z.strictObject({
  part: z.string(),
  reason: z.string(),
  points: z.number().int().min(-7).max(7),
});
/** Reasons before what is concluded from them. */
export const partsField = { parts: z.array(partPoints).default([]) };
const pointsForm = formOf('points', z.strictObject({ points, reason: z.string() }));
const strictPointsForm = formOf('points', z.strictObject({ reason: z.string(), points }));
const partsForm = formOf('points', z.strictObject({ ...partsField, reason: z.string(), points }));

/** The parts decide where there are any: what is told of them has to come to what is told of the whole. */
export function summed<Given extends { readonly points?: number | null; readonly parts?: PartPoints[] }>(
  given: Given,
): Given {
  const { parts = [] } = given;
  const sum = parts.reduce((total, part) => total + part.points, 0);
  return parts.length === 0 ? given : { ...given, points: Math.min(7, Math.max(0, sum)) };
}

async function pointsFor(
  talk: Talk & { readonly settings: GradingSettings },
  spec: ProblemSpec,
  turns: readonly Message[],
) {
  const { run, settings } = talk;
  const isStrict = settings.judging === 'strict';
  const places = { scale: scaleFor(talk, spec) };
  const asked = [...turns, user(run.prompt(isStrict ? 'strictPoints' : 'points', places))];
  const none = { points: null, reason: '' };
  if (!isStrict) return (await formed(talk, 'grader', asked, pointsForm)) ?? none;
  if (rubricOf(spec) === null) return (await formed(talk, 'grader', asked, strictPointsForm)) ?? none;
  return summed((await formed(talk, 'grader', asked, partsForm)) ?? none);
}

export function scaleFor(
  { run, settings }: Talk & { readonly settings: GradingSettings },
  spec: ProblemSpec,
): string {
  if (rubricOf(spec) === null) return run.prompt('ownScale');
  return run.prompt(settings.judging === 'strict' ? 'rubricParts' : 'rubricScale');
}
