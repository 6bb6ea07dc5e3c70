/**
 * The files of a session as a pure function of its state: `sessionFiles`, and the session's line in `results.csv`. Paths in
 * documents are relative to the folder above that of the workspaces, as `workspace/ahc030/NAME/…`. Outputs of cases and
 * `logs/session.log` are written elsewhere.
 */
import type { RunView } from '../../../core/fold.ts';
import { isJsonObject, type Json, jsonText as json } from '../../../core/json.ts';
import type { ProgramEvaluation } from '../../../core/program.ts';
import { totalSpend } from '../../../core/totals.ts';
import { totalTokens } from '../../../core/usage.ts';
import type { CandidateNote } from '../../../notes/evolution.ts';
import { isoTime } from '../../../text/format.ts';
import { allModels } from '../../../text/labels.ts';
import { knowledgeDocument } from '../knowledge.ts';
import type { SessionFacts } from './context.ts';
import { courseOfBest, scoreNow } from './course.ts';
import { candidateOf, type SessionCandidate, type SessionState } from './fold.ts';
import { contestScore, files, folders, plainNumber, scoreName } from './names.ts';

export type FileOptions = {
  /** Whether a process works on the session. */
  readonly isAlive: boolean;
  /** Candidates whose files are written as they are. */
  isWritten?(candidate: SessionCandidate): boolean;
};

/** The text of each file by its path in the session's folder, in the order in which they are to be written. */
export function sessionFiles(
  state: SessionState,
  facts: SessionFacts,
  { isAlive, isWritten = () => false }: FileOptions,
): Readonly<Record<string, string>> {
  const { analysis, strategies, candidates, bestId } = state;
  const kept = isReduced(state, facts) ? [] : candidates.filter((each) => !isWritten(each));
  const documents: Record<string, string | null> = {
    [files.best]: candidateOf(state, bestId)?.note.source || null,
    [files.knowledge]: json(knowledgeDocument(state, facts)),
    [files.analysis]: analysis === null ? null : json(analysisDocument(analysis, facts)),
    [files.strategies]: strategies.length === 0 ? null : json(strategies),
    // Last: it says whether all the others are there.
    [files.session]: json(sessionDocument(state, facts, statusOf(isAlive, state.run.end))),
  };
  return Object.fromEntries([
    ...kept.flatMap((candidate) => Object.entries(filesOfCandidate(candidate, facts))),
    ...Object.entries(documents).flatMap(([name, text]) => (text === null ? [] : [[name, text] as const])),
  ]);
}

/** Whether `keep_session_files` says that only the best program and the records of the session are kept. */
export function isReduced({ run }: SessionState, { keepsFiles }: SessionFacts): boolean {
  return run.end !== null && !keepsFiles;
}

function filesOfCandidate(candidate: SessionCandidate, facts: SessionFacts): Record<string, string> {
  const { note, more } = candidate;
  const paths = pathsOf(note, facts);
  const cases = [note, ...more].flatMap(({ evaluation }) => evaluation?.cases ?? []);
  const scores = cases.map(({ name, verdict, score }) => [
    // `seed0001.txt` and `0001` are both written `0001.score`: the ending of an input is not kept.
    `${folders.scores}/${note.id}/${name.replace(/\.txt$/, '')}.score`,
    `${score === null ? verdict : plainNumber(score)}\n`,
  ]);
  return {
    ...(note.source === '' ? {} : { [paths.solution]: note.source }),
    ...(hasCompileLog(note) ? { [paths.compileLog]: compileLog(note) } : {}),
    ...Object.fromEntries(scores),
    // Written last: where the record is, the other files are.
    [paths.record]: json(candidateDocument(candidate, facts)),
  };
}

/** Relative to the folder of the session. */
function pathsOf(note: CandidateNote, { scoring }: SessionFacts) {
  return {
    solution: `${folders.solutions}/${note.id}_score${scoreName(note, scoring)}.cpp`,
    record: `${folders.candidates}/${note.id}.json`,
    compileLog: `${folders.logs}/compile_${note.id}.log`,
  };
}

export function sessionDocument(state: SessionState, facts: SessionFacts, status: SessionStatus) {
  const { run } = state;
  const { end } = run;
  return {
    session_id: facts.id,
    session_name: facts.name,
    competition_id: facts.contest,
    start_time: isoTime(facts.createdAtMs),
    end_time: status === 'running' ? null : isoTime(state.endedAtMs ?? run.lastAtMs),
    status,
    outcome: end?.outcome ?? null,
    problem_file_path: placeOf(facts, facts.problemFile),
    paths_relative_to: facts.base,
    configuration_snapshot: facts.configuration,
    models: Object.entries(allModels(run)).map(([role, { spec: model, kind }]) => ({ role, model, kind })),
    current_generation: state.generation,
    best_score_history: courseOfBest(state, facts).map(({ generation, value: score, id: individual_id }) => ({
      generation,
      score,
      individual_id,
    })),
    final_best_individual_id: state.bestId,
    ...spending(run),
    seconds_alive: Math.round(run.aliveMs / 1000),
    runs: facts.runs,
    store: facts.store,
    error_message: status === 'crashed' ? crashedText : (end?.error?.message ?? null),
  };
}

const crashedText =
  'Its process was gone before it could end the session; solve --session-id goes on with it.';

/** A total is null where a provider did not report it for some call; the known part stands beside it. */
function spending({ totals }: RunView) {
  const { tokens, modelCalls, callsOfUnknownTokens, callsOfUnknownCost } = totals;
  const known = {
    prompt_tokens: tokens.input,
    completion_tokens: tokens.output,
    total_tokens: totalTokens(tokens),
  };
  const unknown = { prompt_tokens: null, completion_tokens: null, total_tokens: null };
  const { costUsd, knownCostUsd } = totalSpend(totals);
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

function candidateDocument({ note, atMs, more }: SessionCandidate, facts: SessionFacts) {
  const paths = pathsOf(note, facts);
  const place = (path: string): string => placeOf(facts, `${facts.name}/${path}`);
  const scores = scoresOf(note.evaluation);
  const times = (note.evaluation?.cases ?? []).map(({ cpuMs }) => cpuMs);
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
    total_score: note.score === null ? null : sum(Object.values(scores).map((score) => score ?? 0)),
    execution_time_avg_ms: times.length === 0 ? null : Math.round((sum(times) / times.length) * 10) / 10,
    verdicts: verdictsOf(note.evaluation),
    evaluation_status: evaluationNames[note.status] ?? note.status,
    detail: note.detail,
    later_evaluations: more.map(({ why: reason, evaluation }) => ({
      reason,
      evaluation_scores: scoresOf(evaluation),
      verdicts: verdictsOf(evaluation),
    })),
    llm_calls: note.calls,
    llm_tokens: { prompt_tokens: note.tokens.input, completion_tokens: note.tokens.output },
  };
}

function hasCompileLog(note: CandidateNote): boolean {
  return note.evaluation !== null || note.status === 'compile-error';
}

function compileLog(note: CandidateNote): string {
  const text = note.evaluation?.message || (note.status === 'compile-error' ? note.detail : '');
  return `${note.id}: ${compilationOf(note)}\n${text === '' ? '' : `\n${text.trimEnd()}\n`}`;
}

function analysisDocument(analysis: Json, facts: SessionFacts): Json {
  if (!isJsonObject(analysis)) return analysis;
  return { ...analysis, raw_problem_text_path: placeOf(facts, facts.problemFile) };
}

/** The columns of the session's line in `results.csv`. */
export function resultsRow(
  state: SessionState,
  facts: SessionFacts,
  status: SessionStatus,
): readonly string[] {
  const document = sessionDocument(state, facts, status);
  const cells = [
    facts.name,
    document.start_time,
    document.end_time,
    scoreNow(state, facts, state.bestId),
    document.current_generation,
    JSON.stringify(mainParameters(document)),
    document.total_llm_tokens_used.total_tokens,
    document.estimated_llm_cost_usd,
  ];
  return cells.map((cell) => String(cell ?? ''));
}

/** What distinguishes sessions, all of it from session.json. Known parts of totals stand here where the column is empty. */
function mainParameters(document: ReturnType<typeof sessionDocument>) {
  const { status, models, configuration_snapshot: keys, ...spent } = document;
  const ofSearch = Object.entries(keys).flatMap(([key, value]) =>
    /^evolution\.(?!.*_prompts$)/.test(key) && value !== null
      ? [[key.slice('evolution.'.length), value] as const]
      : [],
  );
  return {
    status,
    models: models.map(({ role, model }) => (role === 'default' ? model : `${role}=${model}`)),
    ...Object.fromEntries(ofSearch),
    options: keys.options,
    known_tokens:
      spent.llm_calls_of_unknown_tokens > 0 ? spent.known_llm_tokens_used.total_tokens : undefined,
    known_cost_usd: spent.llm_calls_of_unknown_cost > 0 ? spent.known_llm_cost_usd : undefined,
  };
}

/** Absolute paths stay: the file lies outside of the workspace. */
function placeOf({ workspacePath }: SessionFacts, path: string): string {
  return path.startsWith('/') ? path : `${workspacePath}/${path}`;
}

function compilationOf({ status, evaluation }: CandidateNote): 'success' | 'failed' | 'not_compiled' {
  if (status === 'compile-error' || evaluation?.compiled === false) return 'failed';
  return evaluation ? 'success' : 'not_compiled';
}

/** Statuses whose names in the documents differ from those in the journal. */
const evaluationNames: Readonly<Partial<Record<CandidateNote['status'], string>>> = {
  evaluated: 'completed',
  'compile-error': 'compile_error',
};

function scoresOf(evaluation: ProgramEvaluation | null): Record<string, number | null> {
  return Object.fromEntries((evaluation?.cases ?? []).map(({ name, score }) => [name, score]));
}

function verdictsOf(evaluation: ProgramEvaluation | null): Record<string, number> {
  return countsOf((evaluation?.cases ?? []).map(({ verdict }) => verdict));
}

/** How often each name is there, in the order in which the names first appear. */
export function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);

export type SessionStatus = 'running' | 'stopped' | 'completed' | 'failed' | 'crashed';

/** `isOwned`: the process that works on it is alive. `crashed`: its process is gone, and its journal has no end. */
export function statusOf(isOwned: boolean, end: { readonly outcome: string } | null): SessionStatus {
  if (isOwned) return 'running';
  return end === null ? 'crashed' : statusOfEnd(end);
}

export function statusOfEnd({ outcome }: { readonly outcome: string }): SessionStatus {
  if (outcome === 'cancelled') return 'stopped';
  return outcome === 'error' || outcome === 'refused' || outcome === 'malformed' ? 'failed' : 'completed';
}
