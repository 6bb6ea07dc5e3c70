/** A batch of sessions: planned, its folders kept, its outcomes compared; one object, to be loaded by whoever needs it. */
import { compareCombinations, fewestFor } from './comparison.ts';
import { homeOfBatch } from './home.ts';
import { outcomesOf } from './outcomes.ts';
import { planBatch } from './plan.ts';
import { combinationText } from './rows.ts';
import { findSessions, keepSessions, makeSessions, openingOf, refuseTakenSessions } from './sessions.ts';

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
