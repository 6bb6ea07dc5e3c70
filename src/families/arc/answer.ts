/** Answers to an ARC task: found in a reply, compared with one another, and checked against the solutions. */
import type { Answer, Grade, Grid, Mismatch } from '../../core/problem.ts';
import { assignByLabels, placeGrids } from '../../grids/assignment.ts';
import { sameGrid } from '../../grids/grid.ts';
import { findGrids, parseGrids } from '../../grids/parse.ts';

const mostAttempts = 2;

/** By the labels of the grids; else one grid a query, or two: then both of the first come before those of the second. */
export function answerIn(reply: string, queries: number): Answer | Mismatch {
  const placed = placeGrids(reply, findGrids(reply));
  const attempts = assignByLabels(placed, queries);
  if (attempts) return { type: 'grids', attempts };
  const found = placed.map(({ candidate }) => candidate);
  const exact = parseGrids(reply, queries, { exactly: true, found });
  const double = parseGrids(reply, queries, { exactly: true, attempts: mostAttempts, found });
  const single = exact.ok || double.ok ? exact : parseGrids(reply, queries, { found });
  if (single.ok) return { type: 'grids', attempts: single.grids.map((grid) => [grid]) };
  if (!double.ok) return { type: 'misfit', feedback: single.fault };
  return {
    type: 'grids',
    attempts: Array.from({ length: queries }, (_, at) => double.grids.slice(at * 2, at * 2 + 2)),
  };
}

/** Votes for the same: the first guesses agree, query by query. */
export function sameAnswer(a: Answer, b: Answer): boolean {
  if (a.type !== 'grids' || b.type !== 'grids' || a.attempts.length !== b.attempts.length) return false;
  return a.attempts.every(([first], at) => {
    const [other] = b.attempts[at] ?? [];
    return first && other ? sameGrid(first, other) : first === other;
  });
}

/** Which attempt of each test pair is right, counted from 1; null where none of the first two is. */
export function rightAttempts(
  solutions: readonly Grid[],
  attempts: readonly (readonly Grid[])[],
): readonly (number | null)[] {
  return solutions.map((solution, at) => {
    const counts = (attempts[at] ?? []).slice(0, mostAttempts);
    const found = counts.findIndex((grid) => sameGrid(grid, solution));
    return found < 0 ? null : found + 1;
  });
}

/** The official rule: the share of test pairs of which one attempt is right. What is missing is wrong. */
export function gradeOf(solutions: readonly Grid[], answer: Answer | null): Grade {
  const attempts = answer?.type === 'grids' ? answer.attempts : [];
  const right = rightAttempts(solutions, attempts);
  const count = right.filter((attempt) => attempt !== null).length;
  return {
    correct: count === solutions.length,
    score: count / solutions.length,
    explanation: `${count} of ${solutions.length} test ${solutions.length === 1 ? 'output is' : 'outputs are'} right.`,
    data: { pairs: solutions.length, right: count, attempts: right },
  };
}
