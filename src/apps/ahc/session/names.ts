/** The names of a session's files and folders, and how a score is written in the name of a file. Pure. */
import { layout } from '../../../families/ahc/layout.ts';
import type { CandidateNote } from '../../../notes/evolution.ts';

export type Scoring = 'absolute' | 'relative';

type Scored = Pick<CandidateNote, 'status' | 'score'>;

/**
 * `12345`, `12672.5`; with relative scoring the mean share of the best known, of 10^9. `CE` does not compile; `NA` has no
 * score, because it was dropped, failed, or was never run. What later evaluations say of it changes no name.
 */
export function scoreName({ status, score }: Scored, scoring: Scoring): string {
  if (status === 'compile-error') return 'CE';
  const value = contestScore(score, scoring);
  return value === null ? 'NA' : plainNumber(value);
}

export function contestScore(score: number | null, scoring: Scoring): number | null {
  if (score === null || scoring === 'absolute') return score;
  return Math.round(score * 1e9);
}

/** Whole numbers as they are, others with up to six decimals; never with an exponent. */
export function plainNumber(value: number): string {
  if (Number.isInteger(value)) return BigInt(value).toString();
  return value.toFixed(6).replace(/\.?0+$/, '');
}

export const folders = {
  solutions: 'solutions',
  candidates: 'candidates',
  outputs: 'outputs',
  scores: 'scores',
  logs: 'logs',
} as const;

export const files = {
  /** Which runs of which store the session is, and with what it was begun: the only one that is no projection. */
  manifest: 'manifest.json',
  session: 'session.json',
  best: 'best_solution.cpp',
  analysis: 'analysis.json',
  strategies: 'strategies.json',
  /** What later sessions may learn of it. */
  knowledge: layout.sessionKnowledge,
  log: 'logs/session.log',
  /** What its process says that no journal has. */
  worker: 'logs/worker.log',
} as const;
