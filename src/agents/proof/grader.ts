/**
 * One grader and its report on a proof: what it checked, its findings with the words of the proof that they are about,
 * what is proved, and a verdict or points. A model that has structured output sends it as JSON; words of another form are
 * read where they are plain, and else asked about once.
 */
import { z } from 'zod';
import { isJsonObject, type Json } from '../../core/json.ts';
import type { Message } from '../../core/model.ts';
import type { ProblemSpec } from '../../core/problem.ts';
import { findingKinds, type ProofNoteData } from '../../notes/proof.ts';
import { jsonInReply, withoutThoughts } from '../../text/model-json.ts';
import { assistant, system, user } from '../kit/asking.ts';
import { sectionFrom } from '../kit/sections.ts';
import { type Dialogue, formOf, requestReport, statementText, Unusable, userAbout } from './dialogue.ts';
import { formatFindings, type NamedFinding } from './findings.ts';
import { placesIn, whyNowhere } from './quotes.ts';
import type { GradingSettings } from './settings.ts';

export type Report = {
  /** By its own verdict or points: its findings may say otherwise. */
  readonly pass: boolean;
  readonly findings: readonly NamedFinding[];
  readonly points: number | null;
  /** What each part of the rubric earned. */
  readonly parts: NonNullable<ProofNoteData<'report'>['parts']>;
  /** For people. */
  readonly report: string;
};

type Grading = Dialogue & { readonly settings: GradingSettings };

/** `onReport` gets the first report, before it is asked about: a grader may be called off in between. */
export async function gradeProof(
  dialogue: Grading,
  { spec, proof }: { readonly spec: ProblemSpec; readonly proof: string },
  onReport: (report: Report) => void,
): Promise<Report> {
  const { run, settings } = dialogue;
  const form = reportForm(settings, rubricOf(spec) !== null);
  const messages = gradingMessages(dialogue, spec, proof);
  const reply = await requestReport(dialogue, 'grader', messages, form);
  const first = readReport(reply, settings);
  if (first) onReport(withFinding(first));
  const faults = first ? faultsOf(first, proof) : [unread];
  if (first && faults.length === 0) return first;
  const question = user(run.prompt('reportAgain', { faults: faults.map((each) => `- ${each}`).join('\n') }));
  const again = [...messages, assistant(reply.text), question];
  const second = readReport(await requestReport(dialogue, 'grader', again, form), settings);
  // To be asked for the words of a finding is no answer to it.
  const isTakenBack = second?.pass === true && first !== null && first.findings.length > 0;
  const report = isTakenBack ? first : (second ?? first);
  if (!report) throw new Unusable('The grader’s report cannot be read, although it was asked for it again.');
  return withFinding(report);
}

const unread = 'No object with findings and a verdict was found in it.';

function faultsOf({ pass, findings }: Report, proof: string): string[] {
  const placeOf = placesIn(proof);
  const faults = findings
    .filter(({ quote }) => quote.trim() !== '' && placeOf(quote) === null)
    .map(({ quote }) => `These words do not stand in the solution: “${quote}” (${whyNowhere(proof, quote)})`);
  return pass || findings.length > 0 ? faults : [rejectsWithoutFinding];
}

const rejectsWithoutFinding = 'You do not accept the solution, and list nothing that is wrong with it.';

/** What is rejected without a finding is not refuted, and does not pass: that is the finding. */
function withFinding(report: Report): Report {
  if (report.pass || report.findings.length > 0) return report;
  const { points } = report;
  const explanation =
    points === null
      ? `The grader does not accept the solution, and names no place: ${report.report}`
      : `The grader gives ${points} of 7 points, and names no place.`;
  return { ...report, findings: [{ kind: 'justification-gap', quote: '', explanation }] };
}

/** The same words for each grader. */
function gradingMessages({ run, settings }: Grading, spec: ProblemSpec, proof: string): Message[] {
  const rubric = rubricOf(spec);
  const conclusion =
    settings.grading === 'verdict'
      ? run.prompt('verdictField')
      : run.prompt('pointsField', { scale: run.prompt(rubric === null ? 'ownScale' : 'rubricScale') });
  const places = {
    problem: statementText(spec),
    solution: proof,
    rubric: rubric === null ? '' : run.prompt('rubric', { rubric }),
  };
  return [system(run.prompt('grader', { conclusion })), userAbout(spec, run.prompt('grade', places))];
}

/** It stands where a problem says how answers are judged; solvers of proofs never see it. */
function rubricOf({ brief }: ProblemSpec): string | null {
  return brief.criteria.trim() === '' ? null : brief.criteria;
}

const verdicts = ['complete', 'error', 'gaps', 'less'] as const;
const points = z.number().int().min(0).max(7);
const part = z.strictObject({
  part: z.string(),
  reason: z.string(),
  points: z.number().int().min(-7).max(7),
});
const finding = z.strictObject({ kind: z.enum(findingKinds), quote: z.string(), explanation: z.string() });

/** Reasons before what is concluded from them. */
const fields = { check: z.string(), findings: z.array(finding), proved: z.string() };
const forms = {
  verdict: formOf('grading', z.strictObject({ ...fields, verdict: z.enum(verdicts) })),
  points: formOf('grading', z.strictObject({ ...fields, points })),
  parts: formOf('grading', z.strictObject({ ...fields, parts: z.array(part), points })),
};

function reportForm({ grading }: GradingSettings, hasRubric: boolean) {
  return forms[grading === 'points' && hasRubric ? 'parts' : grading];
}

const hyphenated = (word: unknown) =>
  typeof word === 'string'
    ? word
        .trim()
        .toLowerCase()
        .replaceAll(/[\s_]+/g, '-')
    : word;

/** Also of models without structured output, which leave fields out or spell the kinds in their own way. */
const writtenReport = z.object({
  check: z.string().default(''),
  findings: z.array(
    z.object({
      kind: z.preprocess(hyphenated, z.enum(findingKinds)),
      quote: z.string().default(''),
      explanation: z.string(),
    }),
  ),
  proved: z.string().default(''),
  verdict: z.preprocess(hyphenated, z.enum(verdicts)).optional(),
  parts: z.array(part).default([]),
  points: points.optional(),
});

type Reply = { readonly text: string; readonly object: Json | undefined };

/** Null if there is no report in it, or none with the verdict or the points that were asked for. */
export function readReport(
  { text, object }: Reply,
  settings: Pick<GradingSettings, 'grading' | 'passPoints'>,
): Report | null {
  const written = writtenReport.safeParse(isJsonObject(object) ? object : jsonInReply(text));
  if (!written.success) return settings.grading === 'verdict' ? readWords(text) : null;
  const { check, findings, proved, verdict, parts } = written.data;
  const given = parts.length === 0 ? written.data.points : sumOf(parts);
  const isVerdict = settings.grading === 'verdict';
  if ((isVerdict ? verdict : given) === undefined) return null;
  const conclusion = isVerdict ? `**Verdict:** ${verdict}` : `**Points:** ${given} of 7`;
  const paragraphs = [formatFindings(findings), proved && `**Proved:** ${proved}`, conclusion, check];
  return {
    pass: isVerdict ? verdict === 'complete' : (given ?? 0) >= settings.passPoints,
    findings,
    points: isVerdict ? null : (given ?? null),
    parts: isVerdict ? [] : parts,
    report: paragraphs.filter(Boolean).join('\n\n'),
  };
}

function sumOf(parts: readonly { readonly points: number }[]): number {
  const sum = parts.reduce((total, each) => total + each.points, 0);
  return Math.min(7, Math.max(0, sum));
}

/** A report in words, where its verdict is a bare word that its findings fit; what is less plain is asked about. */
function readWords(text: string): Report | null {
  const report = withoutThoughts(text);
  const section = (name: string, until: string[]) => sectionFrom(report, name, until)?.trim() ?? '';
  const verdict = bareVerdict.exec(section('(?:Final )?Verdict', []))?.[1]?.toLowerCase() ?? '';
  const found = section('(?:List of )?Findings', ['Proved', 'Left open', '(?:Final )?Verdict']);
  const isNone = /^[^\p{L}?]*none[^\p{L}?]*$/iu.test(found);
  if (verdict === '' || found === '' || isNone !== (verdict === 'complete')) return null;
  if (isNone && /critical error/i.test(report)) return null;
  const findings = isNone
    ? []
    : [{ kind: kindOf[verdict] ?? 'justification-gap', quote: '', explanation: found }];
  return { pass: isNone, findings, points: null, parts: [], report };
}

const bareVerdict = /^[^\p{L}?]*(complete|error|gaps|less)[^\p{L}?]*$/iu;
const kindOf: Readonly<Record<string, NamedFinding['kind']>> = {
  error: 'critical-error',
  less: 'proves-less',
};
