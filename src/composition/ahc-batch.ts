/** A batch of sessions: planned, its folders kept, its outcomes compared; one object, to be loaded by whoever needs it. */
import { compareCombinations, fewestFor } from '../families/ahc/batch/comparison.ts';
import { combinationText } from '../families/ahc/batch/rows.ts';
import { homeOfBatch } from './ahc-batch-home.ts';
import { outcomesOf } from './ahc-batch-outcomes.ts';
import { planBatch } from './ahc-batch-plan.ts';
import {
  findSessions,
  keepSessions,
  makeSessions,
  openingOf,
  refuseTakenSessions,
} from './ahc-batch-sessions.ts';

export const ahcBatch = {
  planBatch,
  openingOf,
  homeOfBatch,
  refuseTakenSessions,
  makeSessions,
  findSessions,
  keepSessions,
  outcomesOf,
  compareCombinations,
  fewestFor,
  combinationText,
};
