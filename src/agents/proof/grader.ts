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
import { sectionFrom } from '../kit/sections.ts';
import { placesIn } from './quotes.ts';
import { formed, formOf, said, spoken, statementOf, type Talk, userAbout } from './talk.ts';

/** How proofs are graded, and how models are asked, in verify-loop and in proof-grader. */
export const gradingSettings = {
  graders: z
    .number()
    .int()
    .min(1)
    .max(15)
    .default(1)
    .describe('Graders that look at a proof independently. They stop as soon as their vote is decided.'),
  vote: z
    .enum(['majority', 'unanimous'])
    .default('majority')
    .describe('`majority`: more than half of all graders pass it. `unanimous`: all of them.'),
  grading: z
    .enum(['verdict', 'points'])
    .default('verdict')
    .describe(
      '`verdict`: a grader passes a proof or fails it. `points`: it gives 0 to 7, by the rubric if there is one.',
    ),
  passPoints: z
    .number()
    .int()
    .min(1)
    .max(7)
    .default(7)
    .describe('The points from which a proof passes, where points are given.'),
  judging: z
    .enum(['strict', 'published'])
    .default('strict')
    .describe(
      '`strict`: a proof must be complete without rebuttals, the grader itself says whether it proves all that was asked, and a proof that calls itself partial is not accepted. `published`: a judge says yes or no, as in the published code.',
    ),
  temperature: z.number().min(0).max(2).default(0.1),
  thinkingBudgetTokens: z
    .number()
    .int()
    .min(0)
    .default(32_768)
    .describe('How long the model may think; 32,768 as in the published code, 0 leaves it to the model.'),
  maxOutputTokens: z.number().int().positive().optional(),
};

export type GradingSettings = z.infer<z.ZodObject<typeof gradingSettings>>;

/** As it is shown to graders. */
type Solution = { readonly proof: string; readonly rebuttal: string | null };

export type Opinion = {
  readonly pass: boolean;
  readonly report: string;
  readonly points: number | null;
  /** Why so many points. */
  readonly reason: string;
  /** What each part of the rubric earned. */
  readonly parts?: PartPoints[];
  /** What it quotes, true to the letter, as left open; `none`: it says that nothing is; null: it does not say. */
  readonly leftOpen: 'none' | readonly string[] | null;
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
    reading === 'substring' ? await said(talk, 'grader', asked) : await spoken(talk, 'grader', asked);
  onReport(report);
  const { grading, passPoints } = talk.settings;
  const shown = `${solution.proof}\n\n${solution.rebuttal ?? ''}`;
  const leftOpen = reading === 'own' ? leftOpenIn(report, shown) : null;
  const isWhole = leftOpen === null || leftOpen === 'none';
  if (grading === 'verdict') {
    const own = reading === 'own' ? verdictIn(report) : null;
    const pass = isWhole && (own === null ? await isPassing(talk, report, reading) : own === 'complete');
    return { pass, report, points: null, reason: '', leftOpen };
  }
  const given = await pointsFor(talk, spec, [...asked, assistant(report)]);
  const pass = isWhole && given.points !== null && given.points >= passPoints;
  return { pass, report, leftOpen, ...given };
}

/**
 * What the report names as left open, as far as its words stand in the solution. `none` only where nothing else stands beside
 * that word, nor beside `complete`: what does may take it back, in any words.
 */
export function leftOpenIn(report: string, solution: string): Opinion['leftOpen'] {
  const text = inLines(report);
  const [line] = [...text.matchAll(openLine)].slice(-1);
  const named = line ? fieldIn(text, line.index + line[0].length) : '';
  if (!named.trim()) return null;
  if (nothing.test(named)) return isTakenBack(verdictOf(text)) ? null : 'none';
  if (nothingFirst.test(named)) return null;
  const placeOf = placesIn(solution);
  const isThere = (words: string) => placeOf(words) !== null;
  const marked = [...named.matchAll(quotation)].flatMap(([, ...words]) => words.filter(Boolean));
  const lines = named.split('\n').map((line) => line.replace(/^[\s>*•-]+/, ''));
  const quotes = (marked.length > 0 ? marked : lines).slice(0, mostQuotes);
  const found = quotes.flatMap((words) => (isThere(words) ? [words] : piecesOf(words).filter(isThere)));
  return found.length === 0 ? null : found.map((words) => words.trim());
}

/** Each is looked for in the whole solution. */
const mostQuotes = 20;

/** Shorter pieces occur in any text by chance. */
const piecesOf = (line: string): string[] =>
  line
    .split(/\s(?:and|und|et|y|и)\s|^and\s|…|\.{3}|;/)
    .slice(0, mostQuotes)
    .filter((piece) => piece.trim().length >= 12);

const openLine = /^[ \t#>*_•\d.)-]*left[ _-]?open[*_`"'# \t]*(?:[:：]|$)[*_ \t]*/gimu;
const nextField =
  /^[ \t#>*_•\d.)-]*(?:(?:final |overall |my )?verdict|left[ _-]?open|list of findings|detailed verification)\b/imu;

/** The text from `start` to the next field or the end. */
const fieldIn = (report: string, start: number): string => report.slice(start).split(nextField, 1)[0] ?? '';

/** Some write the summary as a table, or as JSON. */
function inLines(report: string): string {
  const said = withoutThoughts(report);
  const value = /verdict["'*_]*\s*:/i.test(said) ? jsonInReply(said) : undefined;
  if (!isJsonObject(value)) return said.replaceAll(/^\|([^|\n]*)\|([^|\n]*)\|[ \t]*$/gm, '$1: $2');
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${typeof each === 'string' ? each : JSON.stringify(each)}`)
    .join('\n');
}

/** What it found, without the log of its check; null where it has no such section. */
export const summaryOf = (report: string): string | null => sectionFrom(report, 'Summary', [log]);

export const log = 'Detailed Verification(?: Log)?';
const none =
  'none|nothing(?: is)?(?: left)?(?: open)?|no|n/a|nil|keine?s?|nichts|aucune?|rien|ninguno|nada|nessuno|niente|нет|ничего|无|無|没有|なし|없음';
const nothing = new RegExp(
  `^[^\\p{L}\\p{N}?]*(?:(?:\\\\?text\\{)?(?:${none})(?: (?:at all|found|identified|(?:that )?I (?:can )?(?:see|found)))?[^\\p{L}\\p{N}?]*)?$`,
  'iu',
);
const nothingFirst = new RegExp(`^[^\\p{L}\\p{N}]*(?:${none})[\\s*_$\`"”)\\]]*[.;:(–—。-]`, 'iu');
const quotation = /“([^“”]+)”|"([^"]+)"|«([^«»]+)»|「([^「」]+)」|„([^„“”]+)[“”]|`([^`]+)`/gu;

export type Verdict = 'complete' | 'error' | 'gaps' | 'less';

// A sentence instead of it, as in the published form, is the judge's to read.
const verdictLine =
  /^[ \t#*_•{"'`\d.)-]*(?:(?:my|the|final|overall)\s+)*verdict\b[^\p{L}]{0,20}(?:(?:is|one word)\b[^\p{L}]{1,8})?(?:\\?\p{L}+\{)*(complete|errors?|gaps?|less)(?![\p{L}-])(.*)/gimu;
const hedge =
  /\b(?:but|however|except|although|though|only|partial\w*|unless|apart|aside|mostly|largely|almost|nearly|if|assum\w+|given|modulo|provided|save for|lacks?|missing|gaps?|errors?|fail\w*|once|or|less|for [a-z] ?[=<>]|for (?:even|odd|small|large)|in the case)\b|^\s*[/|?]/i;
const nothingFound =
  /\b(?:no|not a|without(?: any)?|neither(?: an?)?)\s+(?:\w+\s+){0,2}?(?:errors?|gaps?)(?:,?\s+n?or\s+(?:\w+\s+){0,2}?(?:errors?|gaps?))?/gi;

/** What is said behind a verdict may take it back; that no error was found does not. */
const isHedged = (text: string): boolean => hedge.test(text.replaceAll(nothingFound, ''));

/** The grader's last word on it; null where there is none, or something stands beside `complete` that may take it back. */
export function verdictIn(report: string): Verdict | null {
  const text = inLines(report);
  const said = verdictOf(text);
  // A report that names such an error and accepts all the same is read by a judge.
  const isContrary = said.verdict === 'complete' && criticalError.test(text.replaceAll(nothingFound, ''));
  return isTakenBack(said) || isContrary ? null : said.verdict;
}

const criticalError = /\bcritical[ -]errors?\b(?!\*{0,2}:?\*{0,2}[ \t]*(?:none|no\b|0|n\/a|-|—))/i;

type SaidVerdict = { readonly verdict: Verdict | null; readonly rest: string };

function verdictOf(text: string): SaidVerdict {
  const [line] = [...text.matchAll(verdictLine)].slice(-1);
  const [, word = '', rest = ''] = line ?? [];
  const verdicts: Record<string, Verdict> = { c: 'complete', e: 'error', g: 'gaps', l: 'less' };
  const below = line ? fieldIn(text, line.index + line[0].length) : '';
  return { verdict: verdicts[word.charAt(0).toLowerCase()] ?? null, rest: `${rest}\n${below}` };
}

const isTakenBack = ({ verdict, rest }: SaidVerdict): boolean => verdict === 'complete' && !isBare.test(rest);
const isBare = /^(?:,? and (?:correct|rigorous))?(?:[^\p{L}\p{N}?]|<\/?\w{1,9}>)*$/iu;

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
    rebuttal: rebuttal === null ? '' : run.prompt('rebuttal', { rebuttal }),
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
  const last = plain.trimEnd().split('\n').at(-1) ?? '';
  const [, word = '', remark = ''] = concluded.exec(last) ?? yesNo.exec(plain) ?? lastYesNo.exec(last) ?? [];
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

/** Behind reasons in the same line. */
const concluded =
  /[,:;.] *(?:so|hence|thus|therefore|(?:so |thus |hence |therefore,? )?(?:the|my) answer(?: is)?)[\s:,*_"]*(yes|no)([*_\s.!"]*)$/i;

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
