/** A whole search on a contest within a budget of cases, and what came of it on cases that it never saw. */
import { evolution } from '../src/agents/search/evolution.ts';
import type { Event } from '../src/core/event.ts';
import type { JsonObject } from '../src/core/json.ts';
import type { Family, Tool } from '../src/core/problem.ts';
import { type CaseOutcome, programEvaluationIn } from '../src/core/program.ts';
import { mean } from '../src/core/statistics/bootstrap.ts';
import { readJournal } from '../src/run/load.ts';
import { startRun } from '../src/run/start.ts';
import { benchSettings } from './evolution.ts';
import { type SearchContest, withoutSpare } from './search-contests.ts';
import { searchScript } from './search-script.ts';
import { openWorld } from './world.ts';

/** Cases: eight for each program that is run on all of them. */
export const budget = 80;

export const base = { change: 0.6, rewrite: 0.4, tune: 0 };

export type Searching = {
  readonly settings: JsonObject;
  /** What the problem offers beside its programs. */
  readonly tools?: readonly Tool[];
  /** Asked so, the script does nothing of use. */
  readonly isIdle?: (prompt: string) => boolean;
};

export type Searched = {
  readonly source: string;
  readonly calls: number;
  readonly events: readonly Event[];
};

/** The best program by the time that the budget is used up; after that nothing is run any more. */
export async function searched(
  contest: SearchContest,
  seed: string,
  { settings: own, tools = [], isIdle }: Searching,
): Promise<Searched> {
  let [used, calls] = [0, 0];
  const onCall = () => {
    if (used < budget) calls += 1;
  };
  const model = searchScript(contest, seed, { onCall, ...(isIdle ? { isIdle } : {}) });
  const outcomes = new Map<string, CaseOutcome[]>();
  const { task, spec } = contest;
  const evaluate: typeof task.evaluate = async (source, names, context) => {
    if (used >= budget)
      return { score: null, data: { compiled: false, message: '', cases: [], backend: '' } };
    const evaluation = await task.evaluate(source, names, context);
    const { cases } = programEvaluationIn(evaluation);
    used += Math.max(1, cases.length);
    outcomes.set(source, [...(outcomes.get(source) ?? []), ...cases]);
    return evaluation;
  };
  const family: Family = {
    name: 'ahc',
    load: async () => spec,
    open: () => ({ spec, program: { ...task, evaluate }, tools }),
  };
  const given = [{ name: 'first.cpp', source: contest.program }];
  const settings = {
    ...benchSettings,
    ...{ given, searchCases: null, raceAfter: [3], repairs: 0, operators: base },
    ...{ maxGenerations: 6, populationSize: 8, migrationEvery: 2 },
    ...own,
  };
  await using world = openWorld({ agent: evolution, model });
  const asked = { id: 'run', family: 'ahc', problem: {}, agent: 'evolution', settings, seed };
  const started = await startRun(
    { ...world, family: async () => family },
    { ...asked, models: { default: 'bench' } },
  );
  const { outcome, error } = await started.done;
  if (outcome === 'error') throw new Error(`A search ended in an error: ${error?.message}`);
  const { events } = await readJournal(world.store, 'run');
  return { source: withoutSpare(bestOf(contest, outcomes)), calls, events };
}

export async function pointsOf({ task }: SearchContest, source: string): Promise<number> {
  const cases = await casesOf(task, source, task.fresh?.(0, 8) ?? []);
  const way = task.direction === 'maximise' ? 1 : -1;
  return mean(cases.map(({ score }) => way * Math.log(1 + (score ?? (way > 0 ? 0 : 1e9))))) ?? 0;
}

export async function casesOf(
  task: SearchContest['task'],
  source: string,
  names: readonly string[],
): Promise<readonly CaseOutcome[]> {
  // The cases are remembered: nothing of the context is used.
  const context = { signal: new AbortController().signal } as Parameters<typeof task.evaluate>[2];
  return programEvaluationIn(await task.evaluate(source, names, context)).cases;
}

export function bestOf(
  { task, program }: SearchContest,
  outcomes: ReadonlyMap<string, CaseOutcome[]>,
): string {
  const way = task.direction === 'maximise' ? 1 : -1;
  const whole = [...outcomes].filter(
    ([, cases]) => cases.length >= task.cases.length && cases.every(({ score }) => score !== null),
  );
  const worth = (cases: readonly CaseOutcome[]) =>
    mean(
      cases.map(
        ({ score }) => way * (task.scoring === 'relative' ? Math.log(1 + (score ?? 0)) : (score ?? 0)),
      ),
    ) ?? 0;
  return whole.toSorted(([, a], [, b]) => worth(b) - worth(a))[0]?.[0] ?? program;
}
