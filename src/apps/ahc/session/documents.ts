/**
 * The JSON that a session leaves: itself (§8.4 of the specification), each candidate (§8.3), analysis and strategies. Pure.
 * Paths in them are relative to the folder above that of the workspaces, as `workspace/ahc030/NAME/…`.
 */
import { modelsBehind } from '../../../core/event.ts';
import { type RunView, spentOf } from '../../../core/fold.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { ProgramEvaluation } from '../../../core/program.ts';
import { totalTokens } from '../../../core/usage.ts';
import { candidateOf, type SessionCandidate, type SessionState } from '../../../families/ahc/session/fold.ts';
import { isoTime } from '../../../families/ahc/session/iso-time.ts';
import { candidatePaths, contestScore } from '../../../families/ahc/session/names.ts';
import type { SessionFacts } from '../../../families/ahc/session/session-facts.ts';
import type { CandidateNote } from '../../../notes/evolution.ts';
import { courseOfBest, scoreNow } from './course.ts';
import { statusOfEnd } from './status.ts';

export function sessionDocument(state: SessionState, facts: SessionFacts, trouble: string | null = null) {
  const { run } = state;
  const { end } = run;
  const ended = trouble !== null || end !== null;
  return {
    session_id: facts.id,
    session_name: facts.name,
    competition_id: facts.contest,
    start_time: isoTime(facts.createdAtMs),
    end_time: ended ? isoTime(state.endedAtMs ?? run.lastAtMs) : null,
    status: trouble !== null ? 'failed' : end === null ? 'running' : statusOfEnd(end),
    outcome: end?.outcome ?? null,
    problem_file_path: placeOf(facts, facts.problemFile),
    paths_relative_to: facts.base,
    configuration_snapshot: facts.configuration,
    models: modelsOf(run),
    current_generation: state.generation,
    best_score_history: courseOfBest(state, facts).map(({ generation, value, id }) => ({
      generation,
      score: value,
      individual_id: id,
    })),
    final_best_individual_id: state.bestId,
    ...spending(run),
    seconds_alive: Math.round(run.aliveMs / 1000),
    runs: facts.runs,
    error_message: trouble ?? errorOf(run),
  };
}

function modelsOf({ header }: RunView) {
  const models = header ? modelsBehind(header) : {};
  return Object.entries(models).map(([role, { spec, kind }]) => ({ role, model: spec, kind }));
}

/** Totals are null where a provider did not tell of one call: what is known is then less than all, and stands beside them. */
function spending({ totals }: RunView) {
  const { tokens, modelCalls, callsOfUnknownTokens, callsOfUnknownCost } = totals;
  const known = {
    prompt_tokens: tokens.input,
    completion_tokens: tokens.output,
    total_tokens: totalTokens(tokens),
  };
  const unknown = { prompt_tokens: null, completion_tokens: null, total_tokens: null };
  const { costUsd, knownCostUsd } = spentOf(totals);
  return {
    total_llm_tokens_used: callsOfUnknownTokens > 0 ? unknown : known,
    known_llm_tokens_used: known,
    estimated_llm_cost_usd: costUsd,
    known_llm_cost_usd: knownCostUsd,
    llm_calls: modelCalls,
    llm_calls_of_unknown_tokens: callsOfUnknownTokens,
    llm_calls_of_unknown_cost: callsOfUnknownCost,
  };
}

function errorOf({ end }: RunView): string | null {
  return end?.error?.message ?? null;
}

export function candidateDocument({ note, atMs, more }: SessionCandidate, facts: SessionFacts) {
  const paths = candidatePaths(note, facts.scoring);
  const place = (path: string): string => placeOf(facts, `${facts.name}/${path}`);
  const scores = scoresOf(note.evaluation);
  return {
    id: note.id,
    generation: note.generation,
    number: note.number,
    island: note.island,
    settled_at: isoTime(atMs),
    parent_ids: note.parents,
    creation_method: note.operator,
    llm_prompt_summary: note.summary,
    source_code_path: note.source === '' ? null : place(paths.solution),
    parameters_used: note.parameters,
    hints: note.hints,
    compilation_status: compilationOf(note),
    compilation_log_path: hasCompileLog(note) ? place(paths.compileLog) : null,
    evaluation_scores: scores,
    average_score: contestScore(note.score, facts.scoring),
    total_score: note.score === null ? null : sumOf(Object.values(scores)),
    execution_time_avg_ms: meanTime(note.evaluation),
    verdicts: verdictsOf(note.evaluation),
    evaluation_status: evaluationOf(note),
    detail: note.detail,
    later_evaluations: more.map(({ why, evaluation }) => ({
      reason: why,
      evaluation_scores: scoresOf(evaluation),
      verdicts: verdictsOf(evaluation),
    })),
    llm_calls: note.calls,
    llm_tokens: { prompt_tokens: note.tokens.input, completion_tokens: note.tokens.output },
  };
}

export function hasCompileLog(note: CandidateNote): boolean {
  return note.evaluation !== null || note.status === 'compile-error';
}

/** What the compiler said, and what came of it. */
export function compileLog(note: CandidateNote): string {
  const said = note.evaluation?.message || (note.status === 'compile-error' ? note.detail : '');
  return `${note.id}: ${compilationOf(note)}\n${said === '' ? '' : `\n${said.trimEnd()}\n`}`;
}

export function analysisDocument(state: SessionState, facts: SessionFacts): Json {
  const { analysis } = state;
  if (typeof analysis !== 'object' || analysis === null || Array.isArray(analysis)) return analysis;
  return { ...analysis, raw_problem_text_path: placeOf(facts, facts.problemFile) } as JsonObject;
}

/** The program that is best now; null before there is one. */
export function bestSource(state: SessionState): string | null {
  return candidateOf(state, state.bestId)?.note.source || null;
}

/** The line of `results.csv` by its columns. */
export function resultsRow(state: SessionState, facts: SessionFacts): readonly string[] {
  const document = sessionDocument(state, facts);
  const score = scoreNow(state, facts, state.bestId);
  const tokens = document.total_llm_tokens_used.total_tokens;
  const cost = document.estimated_llm_cost_usd;
  return [
    facts.name,
    document.start_time,
    document.end_time ?? '',
    score === null ? '' : String(score),
    String(document.current_generation),
    JSON.stringify(mainParameters(document)),
    tokens === null ? '' : String(tokens),
    cost === null ? '' : String(cost),
  ];
}

/** What tells one session from another; all of it stands in its session.json. Known parts only where the columns are empty. */
function mainParameters({
  status,
  models,
  configuration_snapshot: keys,
  ...spent
}: ReturnType<typeof sessionDocument>) {
  const ofSearch = Object.entries(keys).flatMap(([key, value]) =>
    /^evolution\.(?!.*_prompts$)/.test(key) && value !== null
      ? [[key.slice('evolution.'.length), value] as const]
      : [],
  );
  return {
    status,
    models: models.map(({ role, model }) => (role === 'default' ? model : `${role}=${model}`)),
    ...Object.fromEntries(ofSearch),
    ...(keys.options === undefined ? {} : { options: keys.options }),
    ...(spent.llm_calls_of_unknown_tokens > 0
      ? { known_tokens: spent.known_llm_tokens_used.total_tokens }
      : {}),
    ...(spent.llm_calls_of_unknown_cost > 0 ? { known_cost_usd: spent.known_llm_cost_usd } : {}),
  };
}

/** Absolute where it lies elsewhere. */
function placeOf({ workspacePath }: SessionFacts, path: string): string {
  return path.startsWith('/') ? path : `${workspacePath}/${path}`;
}

function compilationOf({ status, evaluation }: CandidateNote): 'success' | 'failed' | 'not_compiled' {
  if (status === 'compile-error' || evaluation?.compiled === false) return 'failed';
  return evaluation ? 'success' : 'not_compiled';
}

const evaluationNames: Readonly<Record<CandidateNote['status'], string>> = {
  evaluated: 'completed',
  cut: 'cut',
  failed: 'failed',
  'compile-error': 'compile_error',
  duplicate: 'duplicate',
  unusable: 'unusable',
  unanswered: 'unanswered',
};

function evaluationOf({ status }: CandidateNote): string {
  return evaluationNames[status];
}

function scoresOf(evaluation: ProgramEvaluation | null): Record<string, number | null> {
  return Object.fromEntries((evaluation?.cases ?? []).map(({ name, score }) => [name, score]));
}

function verdictsOf(evaluation: ProgramEvaluation | null): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of evaluation?.cases ?? []) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

function sumOf(scores: readonly (number | null)[]): number {
  return scores.reduce((sum: number, score) => sum + (score ?? 0), 0);
}

function meanTime(evaluation: ProgramEvaluation | null): number | null {
  const cases = evaluation?.cases ?? [];
  if (cases.length === 0) return null;
  const mean = cases.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / cases.length;
  return Math.round(mean * 10) / 10;
}
