/** Outcomes of cases, and programs that have them, for tests of what is made of them. */
import type { Program } from '../../src/agents/search/population.ts';
import type { CaseOutcome } from '../../src/core/program.ts';

export function outcome(name: string, score: number | null, more: Partial<CaseOutcome> = {}): CaseOutcome {
  return {
    name,
    verdict: score === null ? 'WA' : 'AC',
    score,
    cpuMs: 100,
    wallMs: 100,
    memoryBytes: 1,
    message: '',
    features: {},
    ...more,
  };
}

/** Cases `c0`, `c1` … with these scores. */
export const scored = (...scores: readonly (number | null)[]): CaseOutcome[] =>
  scores.map((score, at) => outcome(`c${at}`, score));

export function programOf(
  id: string,
  outcomes: readonly CaseOutcome[],
  more: Partial<Program> = {},
): Program {
  return {
    id,
    generation: 1,
    number: 1,
    island: 1,
    parents: [],
    operator: 'change',
    summary: id,
    source: id,
    status: 'evaluated',
    detail: '',
    score: null,
    parameters: {},
    hints: [],
    calls: 1,
    tokens: { input: 0, output: 0 },
    outcomes,
    strategy: '',
    ...more,
  };
}
