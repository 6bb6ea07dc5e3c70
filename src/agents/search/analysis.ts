/** The statement as an analysis: the user's, else a model's, corrected once, else what the problem itself says. */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { cutFeedback, describeCut } from '../../core/cut-off.ts';
import { UserError } from '../../core/errors.ts';
import type { Problem } from '../../core/problem.ts';
import { type EvolutionNotes, write } from '../../notes/evolution.ts';
import { type ProblemAnalysis, problemAnalysis, readAnalysis } from '../../notes/problem-analysis.ts';
import { modelSettings, outputForm, user } from '../kit/asking.ts';
import { ask, objectIn, opening, type Rejected, type Reply } from './asking.ts';
import type { EvolutionSettings } from './settings.ts';

type Found = Pick<EvolutionNotes['analysis'], 'origin'> & { readonly analysis: ProblemAnalysis };

/** Notes `analysis`. What its user gave is taken as it is. Throws `UserError` where that is none. */
export async function analyse(
  run: Run,
  problem: Problem,
  settings: EvolutionSettings,
  rejected?: Rejected<ProblemAnalysis>,
): Promise<ProblemAnalysis> {
  if (settings.analysis) {
    return noteAnalysis(run, { analysis: givenAnalysis(settings.analysis), origin: 'given' });
  }
  return noteAnalysis(run, await analysisOf(run, problem, settings, rejected));
}

export function noteAnalysis(run: Run, { analysis, origin }: Found): ProblemAnalysis {
  write(run, 'analysis', { analysis: z.json().parse(analysis), origin });
  return analysis;
}

function givenAnalysis(value: unknown): ProblemAnalysis {
  const read = readAnalysis(value);
  if (read.ok) return read.analysis;
  throw new UserError({
    code: 'analysis-malformed',
    what: 'The analysis that was given is not of the form that an analysis has.',
    why: read.problems,
    fix: 'Correct these fields, or take the analysis away: then a model is asked.',
  });
}

/** Corrected here, with the errors shown. */
const output = outputForm('problem_analysis', problemAnalysis, { io: 'input', repair: false });

async function analysisOf(
  run: Run,
  problem: Problem,
  settings: EvolutionSettings,
  rejected: Rejected<ProblemAnalysis> | undefined,
): Promise<Found> {
  const question = { role: 'analyst', settings: modelSettings(settings), output } as const;
  const messages = [...opening(run, problem), user(questionOf(run, rejected))];
  const first = await ask(run, { ...question, messages });
  if (!first.ok) return withoutModel(run, problem, first.why);
  const read = readReply(first);
  if (read.ok) return { analysis: read.analysis, origin: 'model' };
  const wrong = user(cutFeedback(first) ?? run.prompt('analysisWrong', { problems: read.problems }));
  const second = await ask(run, { ...question, messages: [...messages, first.message, wrong] });
  if (!second.ok) return withoutModel(run, problem, second.why);
  const again = readReply(second);
  if (again.ok) return { analysis: again.analysis, origin: 'corrected' };
  return withoutModel(run, problem, again.problems);
}

function questionOf(run: Run, rejected: Rejected<ProblemAnalysis> | undefined): string {
  const question = run.prompt('analyse');
  if (!rejected) return question;
  const before = JSON.stringify(rejected.before);
  return `${question}\n\n${run.prompt('rejectedBefore', { before, reason: rejected.reason })}`;
}

function readReply(reply: Reply): ReturnType<typeof readAnalysis> {
  const object = objectIn(reply);
  if (object) return readAnalysis(object);
  return { ok: false, problems: describeCut(reply) ?? 'The reply holds no JSON object.' };
}

function withoutModel(run: Run, problem: Problem, why: string): Found {
  const what = `goes on without an analysis of its own: ${why.split('\n')[0]}`;
  write(run, 'doing', { island: 0, what });
  return { analysis: leastAnalysis(problem), origin: 'fallback' };
}

const mostSummary = 4_000;

/** From the problem alone; every prompt holds the statement anyway. */
export function leastAnalysis({ spec, program }: Problem): ProblemAnalysis {
  const words = spec.statement.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return {
    title: spec.title,
    time_limit_ms: program?.timeLimitMs ?? null,
    memory_limit_mb: null,
    problem_statement_summary: words.slice(0, mostSummary),
    constraints: {},
    input_format_description: '',
    input_variables: [],
    output_format_description: spec.brief.answerFormat,
    output_variables: [],
    scoring_rules: { description: spec.brief.criteria, formula_example: '' },
    problem_type_tags: [],
    extracted_keywords: [],
    raw_problem_text_path: '',
  };
}
