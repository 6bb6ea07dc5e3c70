/**
 * The operator `tune`: constants of a program lifted into parameters and searched without a model. Values are looked for
 * on some of the cases and believed on the others only; what is not better than noise is no result.
 */
import type { Run } from '../../core/agent.ts';
import type { ProgramTask } from '../../core/program.ts';
import { seededChance } from '../../core/seeded-chance.ts';
import { bootstrapMean, mean } from '../../core/statistics/bootstrap.ts';
import { permutationTest } from '../../core/statistics/paired.ts';
import type { HintRange } from '../../notes/evolution.ts';
import type { Gain } from '../../notes/tuning.ts';
import {
  type Constant,
  type ConstantValues,
  chosenConstants,
  constantsNamed,
  liftConstants,
} from './constants.ts';
import { Race } from './tuning-race.ts';

export type Tuning = {
  readonly source: string;
  /** On which the values are compared. */
  readonly cases: readonly string[];
  /** Calls of `run.evaluate` that it may take at most. */
  readonly evaluations: number;
  /** Best scores known so far, for relative scoring. */
  readonly best: Readonly<Record<string, number>>;
  /** What part of the time limit a case may take. */
  readonly timeMargin: number;
  /** Asked before each stage: false where the time is over, and then nothing comes of it. */
  readonly mayGoOn?: () => Promise<boolean>;
  /** Constants of this name alone, in this range. */
  readonly only?: HintRange;
};

/** `source` has the best values in it, as constants again; `summary`: `cooling 0.99 → 0.997, width 10 → 14`. */
export type Tuned = {
  readonly source: string;
  readonly summary: string;
  readonly constants: ConstantValues;
  readonly evaluations: number;
};

const mostConstants = 8;
/** Both programs are run once more, on the cases of the proof. */
const proofEvaluations = 2;
/** In the search a gain is only proposed: it is evaluated, raced and chosen like any other. */
const proposalLevel = 0.8;

/** Null where there is nothing to tune, or no value was better. */
export async function tune(run: Run, task: ProgramTask, tuning: Tuning): Promise<Tuned | null> {
  const { source, cases, evaluations, only, ...rest } = tuning;
  const constants = only
    ? rangedConstants(source, only)
    : chosenConstants(liftConstants(source), mostConstants);
  if (constants.length === 0) return null;
  const { searched, unseen } = splitCases(run, cases);
  const setting = { task, source, constants, cases: searched, ...rest };
  const race = new Race(run, { ...setting, evaluations: evaluations - proofEvaluations });
  if ((await race.search()) === 'stopped' || race.best === race.original) return null;
  const gain = await provenGain(run, race, unseen, proposalLevel);
  if (gain.verdict !== 'better') return null;
  return {
    source: race.best.source,
    summary: changesText(constants, race.best.values),
    constants: race.best.values,
    evaluations: race.evaluations,
  };
}

/** A range that spans decades is searched by its logarithm. */
function rangedConstants(source: string, { name, low, high }: HintRange): readonly Constant[] {
  const scale = low > 0 && high / low >= 10 ? 'log' : 'linear';
  return constantsNamed(source, name).map((each) => ({ ...each, low, high, scale, origin: 'marked' }));
}

/** A third is kept for the proof; of very few, all serve for both. In an order that the run's seed decides. */
export function splitCases(run: Run, cases: readonly string[]) {
  const shuffled = cases.map((name) => ({ name, key: run.random() })).toSorted((a, b) => a.key - b.key);
  const names = shuffled.map(({ name }) => name);
  const kept = Math.floor(names.length / 3);
  return kept < 3
    ? { searched: names, unseen: names }
    : { searched: names.slice(kept), unseen: names.slice(0, kept) };
}

export async function provenGain(
  run: Run,
  race: Race,
  unseen: readonly string[],
  level: number,
): Promise<Gain> {
  const { rescued, differences } = await race.compare(race.best, race.original, unseen);
  const random = seededChance(String(run.random())).next;
  const interval = bootstrapMean(differences, { random, level });
  const p = differences.length > 0 ? permutationTest(differences, { random }) : null;
  const isSure = interval !== null && p !== null && p < 1 - level;
  const direction = interval && (interval.low > 0 ? 1 : interval.high < 0 ? -1 : 0);
  // What solves more cases is better, whatever it does on the others; so it is with "one bad case zeroes all".
  const sign = rescued === 0 ? (isSure ? direction : 0) : rescued;
  return {
    cases: differences.length,
    rescued,
    mean: mean(differences),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    p,
    verdict: sign ? (sign > 0 ? 'better' : 'worse') : 'noise',
  };
}

/** Only what changed. */
export function changesText(constants: readonly Constant[], values: ConstantValues): string {
  return constants
    .flatMap(({ name, value }) => (values[name] === value ? [] : [`${name} ${value} → ${values[name]}`]))
    .join(', ');
}
