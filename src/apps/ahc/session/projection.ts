/**
 * The files of a session as a pure function of its state: which there are, what stands in each, and which of them an event
 * changes. Files written event by event equal those written at once, so that the next life of a killed session can write
 * what is missing. Paths in documents are relative to the folder above that of the workspaces, as `workspace/ahc030/NAME/…`.
 */
import { type Event, modelsBehind, type RunEnd } from '../../../core/event.ts';
import { type RunView, spentOf } from '../../../core/fold.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import type { ProgramEvaluation } from '../../../core/program.ts';
import { totalTokens } from '../../../core/usage.ts';
import { type CandidateNote, evolutionNoteOf } from '../../../notes/evolution.ts';
import { isoTime } from '../../../text/format.ts';
import { knowledgeDocument } from '../knowledge.ts';
import { courseOfBest, scoreNow } from './course.ts';
import { candidateOf, type SessionCandidate, type SessionState } from './fold.ts';
import { lineageDocument, lineageDot, lineageSvg } from './lineage.ts';
import { candidatePaths, caseFile, contestScore, files, plainNumber } from './names.ts';
import type { SessionFacts } from './session-facts.ts';

export type TextFiles = Readonly<Record<string, string>>;

/** In the order in which they are written. */
const documentNames = ['best', 'knowledge', 'session', 'analysis', 'strategies', 'lineage'] as const;
type DocumentName = (typeof documentNames)[number];

/** What has to be written anew: documents by name, candidates by id. */
export type Touched = {
  readonly documents: ReadonlySet<DocumentName>;
  readonly candidates: ReadonlySet<string>;
};

export const nothingTouched = touching([]);

function touching(documents: readonly DocumentName[], candidates: readonly string[] = []): Touched {
  return { documents: new Set(documents), candidates: new Set(candidates) };
}

/** session.json shows tokens, cost and time, so every event changes it. */
export function touchedBy(event: Event): Touched {
  // They name the models and the prompts.
  if (event.kind === 'run-start' || event.kind === 'run-fork') return touching(['session', 'knowledge']);
  const note = evolutionNoteOf(event);
  switch (note?.kind) {
    case 'candidate':
      return touching(['session', 'lineage', 'best', 'knowledge'], [note.data.id]);
    case 'more-cases':
      return touching(['session'], [note.data.id]);
    case 'best':
    case 'final':
      return touching(['session', 'best', 'knowledge', 'lineage']);
    case 'migration':
      return touching(['session', 'lineage']);
    case 'analysis':
      return touching(['session', 'analysis', 'knowledge']);
    case 'strategies':
      return touching(['session', 'strategies']);
    default:
      return touching(['session']);
  }
}

export function bothTouched(a: Touched, b: Touched): Touched {
  return touching([...a.documents, ...b.documents], [...a.candidates, ...b.candidates]);
}

export function allTouched({ candidates }: SessionState): Touched {
  return touching(
    documentNames,
    candidates.map(({ note }) => note.id),
  );
}

/** The touched files by their paths in the session's folder. `logs/session.log` and outputs are written elsewhere. */
export function filesOf(state: SessionState, facts: SessionFacts, touched: Touched): TextFiles {
  const texts: Record<DocumentName, () => TextFiles> = {
    best: () => fileOf(files.best, bestSource(state)),
    knowledge: () => fileOf(files.knowledge, json(knowledgeDocument(state, facts))),
    session: () => fileOf(files.session, json(sessionDocument(state, facts))),
    analysis: () =>
      fileOf(files.analysis, state.analysis === null ? null : json(analysisDocument(state, facts))),
    strategies: () =>
      fileOf(
        files.strategies,
        state.strategies.length === 0 ? null : json([...state.strategies, ...state.further]),
      ),
    lineage: () => lineageFiles(state, facts),
  };
  return Object.assign(
    {},
    ...[...touched.candidates].map((id) => filesOfCandidate(state, facts, id)),
    ...documentNames.filter((name) => touched.documents.has(name)).map((name) => texts[name]()),
  );
}

function filesOfCandidate(state: SessionState, facts: SessionFacts, id: string): TextFiles {
  const candidate = candidateOf(state, id);
  if (!candidate) return {};
  const { note, more } = candidate;
  const cases = [note.evaluation, ...more.map(({ evaluation }) => evaluation)].flatMap(
    (each) => each?.cases ?? [],
  );
  const paths = candidatePaths(note, facts.scoring);
  const scores = cases.map(({ name, verdict, score }) => [
    `${paths.scores}/${caseFile(name, 'score')}`,
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

function lineageFiles(state: SessionState, { scoring }: SessionFacts): TextFiles {
  return {
    [files.lineage]: json(lineageDocument(state, scoring)),
    [files.lineageDot]: lineageDot(state, scoring),
    [files.lineageSvg]: lineageSvg(state, scoring),
  };
}

/** Nothing where there is no text yet. */
function fileOf(name: string, text: string | null): TextFiles {
  return text === null ? {} : { [name]: text };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

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
    error_message: trouble ?? end?.error?.message ?? null,
  };
}

function modelsOf({ header }: RunView) {
  const models = header ? modelsBehind(header) : {};
  return Object.entries(models).map(([role, { spec, kind }]) => ({ role, model: spec, kind }));
}

/** A total is null where a provider did not report it for some call; the known part stands beside it. */
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

function candidateDocument({ note, atMs, more }: SessionCandidate, facts: SessionFacts) {
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
    total_score: note.score === null ? null : sum(Object.values(scores).map((score) => score ?? 0)),
    execution_time_avg_ms: meanTime(note.evaluation),
    verdicts: verdictsOf(note.evaluation),
    evaluation_status: evaluationNames[note.status],
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

function hasCompileLog(note: CandidateNote): boolean {
  return note.evaluation !== null || note.status === 'compile-error';
}

/** The compiler's result and messages. */
function compileLog(note: CandidateNote): string {
  const said = note.evaluation?.message || (note.status === 'compile-error' ? note.detail : '');
  return `${note.id}: ${compilationOf(note)}\n${said === '' ? '' : `\n${said.trimEnd()}\n`}`;
}

function analysisDocument(state: SessionState, facts: SessionFacts): Json {
  const { analysis } = state;
  if (typeof analysis !== 'object' || analysis === null || Array.isArray(analysis)) return analysis;
  return { ...analysis, raw_problem_text_path: placeOf(facts, facts.problemFile) } as JsonObject;
}

/** The program that is best now; null before there is one. */
function bestSource(state: SessionState): string | null {
  return candidateOf(state, state.bestId)?.note.source || null;
}

/** The columns of the session's line in `results.csv`. */
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

/** What distinguishes sessions, all of it from session.json. Known parts of totals stand here where the column is empty. */
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

const evaluationNames: Readonly<Record<CandidateNote['status'], string>> = {
  evaluated: 'completed',
  cut: 'cut',
  failed: 'failed',
  'compile-error': 'compile_error',
  duplicate: 'duplicate',
  unusable: 'unusable',
  unanswered: 'unanswered',
};

function scoresOf(evaluation: ProgramEvaluation | null): Record<string, number | null> {
  return Object.fromEntries((evaluation?.cases ?? []).map(({ name, score }) => [name, score]));
}

function verdictsOf(evaluation: ProgramEvaluation | null): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of evaluation?.cases ?? []) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0);
}

function meanTime(evaluation: ProgramEvaluation | null): number | null {
  const cases = evaluation?.cases ?? [];
  if (cases.length === 0) return null;
  const mean = sum(cases.map(({ cpuMs }) => cpuMs)) / cases.length;
  return Math.round(mean * 10) / 10;
}

export const sessionStatuses = ['running', 'stopped', 'completed', 'failed', 'crashed'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

export type Liveness = {
  /** The process that works on it is alive. */
  readonly isOwned: boolean;
  readonly end: Pick<RunEnd, 'outcome'> | null;
};

/** `crashed`: its process is gone, and its journal has no end. */
export function statusOf({ isOwned, end }: Liveness): SessionStatus {
  if (isOwned) return 'running';
  return end === null ? 'crashed' : statusOfEnd(end);
}

export function statusOfEnd({ outcome }: Pick<RunEnd, 'outcome'>): SessionStatus {
  if (outcome === 'cancelled') return 'stopped';
  return outcome === 'error' || outcome === 'refused' || outcome === 'malformed' ? 'failed' : 'completed';
}
