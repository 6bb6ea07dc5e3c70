/**
 * Chooses the attempts for each test input among what the hypotheses made of it: identical grids are one candidate with
 * as many votes. Those that come with reproduced train pairs go first, the more votes the better; then the better
 * partial score. A second attempt is another grid, wherever it comes from; there is none where all agree. Pure.
 */
import type { Grid } from '../../core/problem.ts';
import { gridKey } from '../../grids/grid.ts';
import { bestCandidate, type Finished } from './state.ts';

export type Hypothesis = Finished & { readonly name: string };

type Ranked = {
  readonly grid: Grid;
  /** Hypotheses that hand it in and reproduce the train pairs. */
  readonly passing: number;
  readonly votes: number;
  /** The best partial score of the train pairs that it came with. */
  readonly score: number;
  readonly from: string;
};

export function rank(hypotheses: readonly Hypothesis[], queries: number): readonly (readonly Ranked[])[] {
  return Array.from({ length: queries }, (_, query) => rankQuery(hypotheses, query));
}

export function attemptsOf(
  ranked: readonly (readonly Ranked[])[],
  attempts: number,
): readonly (readonly Grid[])[] {
  return ranked.map((candidates) => candidates.slice(0, attempts).map(({ grid }) => grid));
}

/** How many hypotheses with reproduced train pairs agree on every test output, at most. */
export function agreement(finisheds: readonly Finished[]): number {
  const votes = new Map<string, number>();
  for (const { candidates } of finisheds) {
    const last = bestCandidate(candidates);
    if (!last?.passed || last.test.some((grid) => grid === null)) continue;
    const key = last.test.map((grid) => gridKey(grid ?? [])).join('|');
    votes.set(key, (votes.get(key) ?? 0) + 1);
  }
  return Math.max(0, ...votes.values());
}

function rankQuery(hypotheses: readonly Hypothesis[], query: number): readonly Ranked[] {
  const found = new Map<string, Ranked>();
  for (const { name, candidates } of hypotheses) {
    const last = bestCandidate(candidates);
    // The latest of its runners-up first: each has seen more of the task than those before it.
    const inOrder = [...(last ? [last] : []), ...candidates.toReversed().filter((each) => each !== last)];
    for (const candidate of inOrder) {
      const grid = candidate.test[query];
      if (!grid) continue;
      const { passing = 0, votes = 0, score = 0, from = name } = found.get(gridKey(grid)) ?? {};
      // A runner-up has no vote: a hypothesis votes once, for what it hands in.
      const isLast = candidate === last;
      found.set(gridKey(grid), {
        grid,
        passing: passing + (isLast && candidate.passed ? 1 : 0),
        votes: votes + (isLast ? 1 : 0),
        score: Math.max(score, candidate.score),
        from,
      });
    }
  }
  return [...found.values()].sort((a, b) => b.passing - a.passing || b.score - a.score || b.votes - a.votes);
}
