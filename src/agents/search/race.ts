/**
 * Which cases a program runs on. Some are set aside for the final choice; on the others it is raced: on a few, then on
 * more, and on all only while it may still win. After each stage a paired test may drop it: with its parent, and where it is
 * not ahead of that, with the best of its island.
 * The order of the cases is drawn anew for each program, so that no few cases decide what survives.
 */
import type { Run } from '../../core/agent.ts';
import {
  type CaseOutcome,
  type ProgramEvaluation,
  type ProgramTask,
  programEvaluationIn,
} from '../../core/program.ts';
import { seededChance } from '../../core/seeded-chance.ts';
import { mean } from '../../core/statistics/bootstrap.ts';
import { permutationTest } from '../../core/statistics/paired.ts';
import { write } from '../../notes/evolution.ts';
import type { Points, Rules } from './points.ts';
import type { Program } from './population.ts';
import type { EvolutionSettings } from './settings.ts';

/** `raceAfter`: cases after which a candidate may be dropped. `raceLevel`: of the paired test that finds it worse. */
type RaceRules = Rules & { readonly raceAfter: readonly number[]; readonly raceLevel: number };

type Race = {
  readonly source: string;
  readonly cases: readonly string[];
  readonly points: Points;
  /** Asked for at each stage: both may have changed since the last one. */
  readonly rules: () => RaceRules;
  /**
   * What it is compared with, in this order; none: nothing drops it. Where it is ahead of one, the next ones are not asked:
   * what improves a weak program could never be as good as the best at once.
   */
  readonly references: () => readonly Reference[];
  /** Asked before each stage but the first. */
  readonly mayGoOn: () => Promise<boolean>;
  /** The most cases before the function is called again; missing: a whole stage. */
  readonly mostAtOnce?: () => number;
};

/** `name`: for prompts, `its parent gen01_id02`. */
export type Reference = {
  readonly program: Pick<Program, 'id' | 'source' | 'outcomes'>;
  readonly name: string;
};

type RaceResult = {
  readonly status: 'evaluated' | 'cut' | 'failed' | 'compile-error' | 'unjudged';
  readonly evaluation: ProgramEvaluation;
  readonly detail: string;
};

const rounds = 1_000;

/** The first stage compiles before it runs anything. */
export async function race(run: Run, entry: Race): Promise<RaceResult> {
  const pending = shuffle(run, entry.cases);
  let delays = 0;
  let evaluation: ProgramEvaluation | null = null;
  // In the middle of a stage there is no comparison: each one drops some programs by chance.
  let isWithin = false;
  for (;;) {
    if (evaluation) {
      const checked = await checkedBy(run, entry, evaluation, isWithin ? [] : entry.references());
      evaluation = checked.evaluation;
      if (checked.early) return { ...checked.early, evaluation };
    }
    if (evaluation && pending.length === 0) return { status: 'evaluated', evaluation, detail: '' };
    if (evaluation && !(await entry.mayGoOn())) {
      const detail = `the time was over when it had run on ${evaluation.cases.length} cases`;
      return { status: 'cut', evaluation, detail };
    }
    const done: number = evaluation?.cases.length ?? 0;
    const stage = stageAfter(done, entry.rules().raceAfter, entry.cases.length);
    const next = pending.splice(0, Math.min(stage - done, entry.mostAtOnce?.() ?? stage));
    if (next.length === 0) throw new Error('A stage of an evaluation ran nothing.');
    const found = await evaluateOn(run, entry.source, next);
    evaluation = joined(evaluation, found);
    isWithin = evaluation.cases.length < stage;
    entry.points.learn(evaluation.cases);
    const open = found.compiled ? missingIn(found, next) : [];
    if (open.length === 0) continue;
    // Later, the machine may be less busy.
    pending.push(...open);
    delays += 1;
    if (delays > mostDelays) {
      const detail = `the machine was too busy to judge ${open.length} of its cases`;
      return { status: 'unjudged', evaluation, detail };
    }
  }
}

/** Stages in which cases of a program could not be judged: then nothing is said of it. */
const mostDelays = 2;
const mostAttempts = 2;

/** Only what could be judged: the others are run again a few times, and are missing at last. */
export async function evaluateOn(
  run: Run,
  source: string,
  cases: readonly string[],
): Promise<ProgramEvaluation> {
  let evaluation = judgedIn(await run.evaluate(source, cases));
  for (let attempt = 1; attempt < mostAttempts && evaluation.compiled; attempt += 1) {
    const open = missingIn(evaluation, cases);
    if (open.length === 0) break;
    evaluation = joined(evaluation, judgedIn(await run.evaluate(source, open)));
  }
  return evaluation;
}

function judgedIn(found: Parameters<typeof programEvaluationIn>[0]): ProgramEvaluation {
  const evaluation = programEvaluationIn(found);
  return { ...evaluation, cases: evaluation.cases.filter(({ verdict }) => verdict !== 'NJ') };
}

function missingIn({ cases }: ProgramEvaluation, names: readonly string[]): readonly string[] {
  const known = new Set(cases.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}

/** The outcomes of programs that were run on the same cases, without the cases on which one of them was not judged. */
export function onCommonCases<T extends { readonly outcomes: readonly CaseOutcome[] }>(
  all: readonly T[],
): readonly T[] {
  const names = all.map(({ outcomes }) => new Set(outcomes.map(({ name }) => name)));
  const isCommon = ({ name }: CaseOutcome): boolean => names.every((each) => each.has(name));
  return all.map((each) => ({ ...each, outcomes: each.outcomes.filter(isCommon) }));
}

type Early = Pick<RaceResult, 'status' | 'detail'>;

/** `early`: why it is run on no more cases; null while the race continues. */
async function checkedBy(
  run: Run,
  entry: Race,
  before: ProgramEvaluation,
  references: readonly Reference[],
): Promise<{ readonly evaluation: ProgramEvaluation; readonly early: Early | null }> {
  let evaluation = before;
  for (const { program, name } of before.compiled ? references : []) {
    const pair = await underSimilarLoad(run, entry, evaluation, program);
    evaluation = pair?.evaluation ?? evaluation;
    const failure = failureIn(entry, evaluation);
    if (failure) return { evaluation, early: failure };
    const baseline = pair?.against ?? program.outcomes;
    const differences = entry.points.differences(baseline, evaluation.cases, entry.rules());
    const difference = mean(differences ?? []) ?? 0;
    if (
      isSignificantlyWorse(run, differences, entry.rules().raceLevel) &&
      !isUncertain(entry, baseline, evaluation)
    ) {
      const cases = `${differences?.length} cases`;
      const detail = `${entry.points.formatDifference(difference)} than ${name} on ${cases}, hardly by chance`;
      return { evaluation, early: { status: 'cut', detail } };
    }
    if (difference > 0) break;
  }
  return { evaluation, early: failureIn(entry, evaluation) };
}

function isSignificantlyWorse(run: Run, differences: readonly number[] | null, level: number): boolean {
  return differences !== null && isHopeless(differences, level, seededChance(String(run.random())).next);
}

/** Whether unlike load may explain the difference. */
function isUncertain(
  { points, rules }: Race,
  other: readonly CaseOutcome[],
  { cases }: ProgramEvaluation,
): boolean {
  return points.doubt(other, cases, mean(points.differences(other, cases, rules()) ?? []) ?? 0) !== '';
}

/** So many cases of the one, then of the other: near enough in time to be measured under one load. */
const casesInTurn = 5;

type Pair = { readonly evaluation: ProgramEvaluation; readonly against: readonly CaseOutcome[] };

/**
 * What else ran meanwhile must decide nothing. Where what seems worse had less of a processor, both run again, in turns,
 * and are compared by that. Null where the load was like, or no time is left.
 */
async function underSimilarLoad(
  run: Run,
  entry: Race,
  before: ProgramEvaluation,
  reference: Reference['program'],
): Promise<Pair | null> {
  const { points, source } = entry;
  const rules = entry.rules();
  const { outcomes } = reference;
  const gain = (own: readonly CaseOutcome[], others: readonly CaseOutcome[]): number =>
    mean(points.differences(others, own, rules) ?? []) ?? 0;
  const seems = gain(before.cases, outcomes);
  // A candidate that seems better is checked when all its cases are run, before it becomes the best.
  const isComplete = before.cases.length >= entry.cases.length;
  if ((seems > 0 && !isComplete) || points.doubt(outcomes, before.cases, seems) === '') return null;
  const names = before.cases.map(({ name }) => name);
  const [own, other]: [CaseOutcome[], CaseOutcome[]] = [[], []];
  for (let from = 0; from < names.length; from += casesInTurn) {
    if (!(await entry.mayGoOn())) return null;
    const some = names.slice(from, from + casesInTurn);
    own.push(...(await evaluateOn(run, source, some)).cases);
    other.push(...(await evaluateOn(run, reference.source, some)).cases);
  }
  points.learn([...own, ...other]);
  // A failure that was none before is the load's.
  const renewed = (known: readonly CaseOutcome[], found: readonly CaseOutcome[]) => {
    const sound = found.filter((each) => points.outcomeIssue(each) === null);
    return known.map((each) => sound.find(({ name }) => name === each.name) ?? each);
  };
  const evaluation = { ...before, cases: renewed(before.cases, own) };
  const baseline = renewed(outcomes, other);
  // The old scores of what is no better on equal terms stay: they stand beside those of others that are as old.
  if (seems > 0 || gain(own, other) > 0) {
    reference.outcomes = baseline;
    write(run, 'more-cases', { id: reference.id, evaluation: { ...before, cases: other }, why: 'load' });
  }
  return { evaluation, against: baseline };
}

/** Null where it compiles, and no case makes it worthless. */
function failureIn({ points, rules }: Race, { compiled, message, cases }: ProgramEvaluation): Early | null {
  if (!compiled) return { status: 'compile-error', detail: message };
  const failing = cases.find((outcome) => points.of(outcome, rules()) === null);
  return failing ? { status: 'failed', detail: `${failing.name}: ${points.outcomeIssue(failing)}` } : null;
}

/** Whether so many differences to something better are seen by chance no more often than the level says. */
export function isHopeless(differences: readonly number[], level: number, random: () => number): boolean {
  const sum = differences.reduce((total, each) => total + each, 0);
  if (level <= 0 || sum >= 0) return false;
  // Signs are tossed, so that one side is half of both.
  return permutationTest(differences, { random, rounds }) / 2 <= level;
}

function stageAfter(done: number, stages: readonly number[], all: number): number {
  const next = stages.toSorted((a, b) => a - b).find((stage) => stage > done) ?? all;
  return Math.min(next, all);
}

export function joined(before: ProgramEvaluation | null, after: ProgramEvaluation): ProgramEvaluation {
  return before ? { ...after, cases: [...before.cases, ...after.cases] } : after;
}

export function shuffle<T>(run: Pick<Run, 'random'>, items: readonly T[]): T[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(run.random() * (at + 1));
    [order[at], order[other]] = [order[other] as T, order[at] as T];
  }
  return order;
}

export type CaseSplit = {
  readonly search: readonly string[];
  readonly heldOut: readonly string[];
};

/** No tuning makes so many fresh cases of its own. */
const firstHeldOut = 1_000_000;
/** With fewer cases the search needs all of them. */
const leastToSetAside = 8;

/** The final choice gets new cases if the problem can make them; else some given cases are set aside. */
export function splitCases(
  run: Run,
  task: ProgramTask,
  { searchCases, heldOutCases }: Pick<EvolutionSettings, 'searchCases' | 'heldOutCases'>,
): CaseSplit {
  const samples = shuffle(run, task.cases);
  // In the order in which the problem names them.
  const part = (from: number, to: number): readonly string[] => {
    const selected = new Set(samples.slice(from, to));
    return task.cases.filter((name) => selected.has(name));
  };
  const most = searchCases ?? task.cases.length;
  if (task.fresh) {
    return {
      search: part(0, most),
      heldOut: heldOutCases > 0 ? task.fresh(firstHeldOut, heldOutCases) : [],
    };
  }
  const canSetAside = task.cases.length >= leastToSetAside;
  const aside = canSetAside ? Math.min(heldOutCases, Math.floor(task.cases.length / 3)) : 0;
  return { search: part(aside, aside + most), heldOut: part(0, aside) };
}
