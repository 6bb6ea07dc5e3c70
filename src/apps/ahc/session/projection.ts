/**
 * Which files a session's state comes to, and which of them an event changes. What is written event by event is what would
 * be written at once: a life that was killed owes nothing that the next one cannot make good. Pure.
 */
import type { Event } from '../../../core/event.ts';
import { candidateOf, type SessionState } from '../../../families/ahc/session/fold.ts';
import { candidatePaths, caseFile, files, plainNumber } from '../../../families/ahc/session/names.ts';
import type { SessionFacts } from '../../../families/ahc/session/session-facts.ts';
import { evolutionNoteOf } from '../../../notes/evolution.ts';
import { knowledgeDocument } from '../knowledge.ts';
import {
  analysisDocument,
  bestSource,
  candidateDocument,
  compileLog,
  hasCompileLog,
  sessionDocument,
} from './documents.ts';
import { lineageDocument, lineageDot, lineageSvg } from './lineage.ts';

/** What has to be written anew: documents by their name, candidates by their id. */
export type Touched = {
  readonly session: boolean;
  readonly best: boolean;
  readonly knowledge: boolean;
  readonly lineage: boolean;
  readonly analysis: boolean;
  readonly strategies: boolean;
  readonly candidates: readonly string[];
};

export type TextFiles = Readonly<Record<string, string>>;

export const nothingTouched: Touched = {
  session: false,
  best: false,
  knowledge: false,
  lineage: false,
  analysis: false,
  strategies: false,
  candidates: [],
};

export function touchedBy(event: Event): Touched {
  // Tokens, cost and time are in it: whatever happens changes it.
  const session = { ...nothingTouched, session: true };
  // Which models, and in which words they are asked.
  if (event.kind === 'run-start' || event.kind === 'run-fork') return { ...session, knowledge: true };
  const note = evolutionNoteOf(event);
  switch (note?.kind) {
    case 'candidate':
      return { ...session, lineage: true, best: true, knowledge: true, candidates: [note.data.id] };
    case 'more-cases':
      return { ...session, candidates: [note.data.id] };
    case 'best':
    case 'final':
      return { ...session, best: true, knowledge: true, lineage: true };
    case 'migration':
      return { ...session, lineage: true };
    case 'analysis':
      return { ...session, analysis: true, knowledge: true };
    case 'strategies':
      return { ...session, strategies: true };
    default:
      return session;
  }
}

export function bothTouched(a: Touched, b: Touched): Touched {
  return {
    session: a.session || b.session,
    best: a.best || b.best,
    knowledge: a.knowledge || b.knowledge,
    lineage: a.lineage || b.lineage,
    analysis: a.analysis || b.analysis,
    strategies: a.strategies || b.strategies,
    candidates: [...new Set([...a.candidates, ...b.candidates])],
  };
}

/** Everything that there is to be written of a state. */
export function allTouched({ candidates }: SessionState): Touched {
  return {
    session: true,
    best: true,
    knowledge: true,
    lineage: true,
    analysis: true,
    strategies: true,
    candidates: candidates.map(({ note }) => note.id),
  };
}

/** The files of what was touched, by their paths in the session's folder; `logs/session.log` and outputs are no part of it. */
export function filesOf(state: SessionState, facts: SessionFacts, touched: Touched): TextFiles {
  const source = touched.best ? bestSource(state) : null;
  return {
    ...Object.assign({}, ...touched.candidates.map((id) => filesOfCandidate(state, facts, id))),
    ...(source === null ? {} : { [files.best]: source }),
    ...(touched.knowledge ? { [files.knowledge]: json(knowledgeDocument(state, facts)) } : {}),
    ...(touched.session ? { [files.session]: json(sessionDocument(state, facts)) } : {}),
    ...(touched.analysis && state.analysis !== null
      ? { [files.analysis]: json(analysisDocument(state, facts)) }
      : {}),
    ...(touched.strategies && state.strategies.length > 0
      ? { [files.strategies]: json([...state.strategies, ...state.further]) }
      : {}),
    ...(touched.lineage ? lineageFiles(state, facts) : {}),
  };
}

export function filesOfCandidate(state: SessionState, facts: SessionFacts, id: string): TextFiles {
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
    // Last: where it is, the others are.
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

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
