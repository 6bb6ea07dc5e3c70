/** The statement as an analysis: the user's, else a model's, corrected once, else what the problem itself says. */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import { cutFeedback, describeCut } from '../../core/cut-off.ts';
import { UserError } from '../../core/errors.ts';
import type { Problem } from '../../core/problem.ts';
import { type EvolutionNotes, write } from '../../notes/evolution.ts';
import { type ProblemAnalysis, problemAnalysis, readAnalysis } from '../../notes/problem-analysis.ts';
import { modelSettings, outputForm, user } from '../kit/asking.ts';
import { firstMessages, objectIn, type Rejected, type Reply, requestReply } from './asking.ts';
import type { EvolutionSettings } from './settings.ts';

export const analysisPrompts = {
  analyse: `Read the problem as somebody who will write the program. Reply with one JSON object of these fields and nothing else:

- "title": as the statement has it.
- "time_limit_ms", "memory_limit_mb": numbers; null where nothing is said.
- "problem_statement_summary": in at most ten sentences: what is given, what is chosen, what must hold, what is scored. Name every rule whose breach makes an output invalid.
- "constraints": for each symbol {"min", "max", "type", "description"}; a bound is a number, or an expression of symbols as a text: "N", "2*N-1".
- "input_format_description", "output_format_description": line by line, with indices from 0 or 1 as the statement has them.
- "input_variables", "output_variables": lists in the order in which they are read and written, each {"name", "type"}, with "count" where there are several (a number or an expression) and "object_schema" for records.
- "scoring_rules": {"description": how a case is scored, whether more or less is better, absolute or relative, what an invalid output costs; "formula_example": the formula}.
- "problem_type_tags": a few, in snake_case: what kind of optimisation this is (assignment, packing, routing, scheduling, partition, interactive, online …), on what (grid, graph, geometry, permutation …), and what decides it (local_moves_cheap, long_horizon, hidden_information, tiny_time_budget …).
- "extracted_keywords": words of the statement under which somebody would look for similar problems.
- "raw_problem_text_path": empty; it is filled in here. Fields of your own are kept.

Where the statement says nothing of a field, say so in it; guess nothing.`,
  rejectedBefore: `This was made before:

{{before}}

The person for whom it is made rejects it, with these words, which go before the above:

{{reason}}`,
  analysisWrong: `That is not of the form that was asked for:

{{problems}}

Send the whole object again, corrected, and nothing else.`,
};

type Found = Pick<EvolutionNotes['analysis'], 'origin'> & { readonly analysis: ProblemAnalysis };

/** Notes `analysis`. What its user gave is taken as it is. Throws `UserError` where that is none. */
export async function analyse(
  run: Run,
  problem: Problem,
  settings: EvolutionSettings,
  rejected?: Rejected<ProblemAnalysis>,
): Promise<ProblemAnalysis> {
  if (settings.analysis) {
    return noteAnalysis(run, { analysis: parseProvidedAnalysis(settings.analysis), origin: 'given' });
  }
  return noteAnalysis(run, await analysisOf(run, problem, settings, rejected));
}

export function noteAnalysis(run: Run, { analysis, origin }: Found): ProblemAnalysis {
  write(run, 'analysis', { analysis: z.json().parse(analysis), origin });
  return analysis;
}

function parseProvidedAnalysis(value: unknown): ProblemAnalysis {
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
  const messages = [...firstMessages(run, problem), user(questionOf(run, rejected))];
  const first = await requestReply(run, { ...question, messages });
  if (!first.ok) return withoutModel(run, problem, first.why);
  const read = readReply(first);
  if (read.ok) return { analysis: read.analysis, origin: 'model' };
  const message = user(cutFeedback(first) ?? run.prompt('analysisWrong', { problems: read.problems }));
  const second = await requestReply(run, { ...question, messages: [...messages, first.message, message] });
  if (!second.ok) return withoutModel(run, problem, second.why);
  const repeated = readReply(second);
  if (repeated.ok) return { analysis: repeated.analysis, origin: 'corrected' };
  return withoutModel(run, problem, repeated.problems);
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
  return { analysis: minimalAnalysis(problem), origin: 'fallback' };
}

const mostSummary = 4_000;

/** From the problem alone; every prompt holds the statement anyway. */
export function minimalAnalysis({ spec, program }: Problem): ProblemAnalysis {
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
