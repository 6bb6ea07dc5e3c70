/**
 * The search for better values of constants, and the operator `tune`. A (1+λ) evolution strategy whose rounds are races:
 * four steps from the best values are tried on a few cases; the half that is ahead of the best on the same cases goes on
 * to twice as many, until one has run on all. What it finds is believed only on cases that it has not seen. Chosen over
 * CMA-ES and TPE because there is money for dozens of programs and not for hundreds: models of the score need several
 * times as many trials as there are constants, while a race settles most trials on an eighth of the cases.
 */
import type { Run } from '../../core/agent.ts';
import { type CaseOutcome, type ProgramTask, programEvaluationIn } from '../../core/program.ts';
import { seededChance } from '../../core/seeded-chance.ts';
import { bootstrapMean, mean } from '../../core/statistics/bootstrap.ts';
import { permutationTest } from '../../core/statistics/paired.ts';
import type { HintRange } from '../../notes/evolution.ts';
import type { Improvement, TuningNotes } from '../../notes/tuning.ts';
import {
  type Constant,
  type ConstantValues,
  constantsNamed,
  liftConstants,
  renderConstants,
  selectConstants,
} from './constants.ts';
import { Points } from './points.ts';
import { type Step, Steps } from './tuning-steps.ts';

export type Tuning = {
  readonly source: string;
  /** On which the values are compared. */
  readonly cases: readonly string[];
  /** Calls of `run.evaluate` that it may take at most. */
  readonly evaluations: number;
  /** Best scores known so far, for relative scoring. */
  readonly best: Readonly<Record<string, number>>;
  /** Asked before each stage: false where the time is over, and then nothing comes of it. */
  readonly mayGoOn?: () => Promise<boolean>;
  /** Constants of this name alone, in this range. */
  readonly only?: HintRange;
  /** What was tried in vain, in words. */
  readonly onNothing?: (text: string) => void;
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
  const { source, cases, evaluations, only, onNothing, ...rest } = tuning;
  const constants = only
    ? constantsWithRange(source, only)
    : selectConstants(liftConstants(source), mostConstants);
  if (constants.length === 0) return null;
  const { searched, unseen } = holdOutCases(run, cases);
  const setting = { task, source, constants, cases: searched, ...rest };
  const trials: NearestMiss[] = [];
  const onTrial = (trial: NearestMiss) => trials.push(trial);
  const race = new Race(run, { ...setting, evaluations: evaluations - proofEvaluations, onTrial });
  const isOver = (await race.search()) === 'stopped';
  const proof =
    isOver || race.best === race.original ? null : await testImprovement(run, race, unseen, proposalLevel);
  if (proof?.verdict !== 'better') {
    const proven = proof && { values: race.best.values, gain: proof.mean ?? 0, cases: proof.cases };
    const nearest = proven ?? trials.toSorted((a, b) => b.gain - a.gain)[0];
    onNothing?.(describeNoGain(constants, trials.length, new Points(task), nearest));
    return null;
  }
  return {
    source: race.best.source,
    summary: changesText(constants, race.best.values),
    constants: race.best.values,
    evaluations: race.evaluations,
  };
}

/** Told of the values that came nearest. */
function describeNoGain(
  constants: readonly Constant[],
  attemptCount: number,
  points: Points,
  nearest?: NearestMiss,
): string {
  if (!nearest) return `found nothing better (tried ${attemptCount} values)`;
  const { values, gain, cases } = nearest;
  const sure = gain > 0 ? ', not sure' : '';
  return `found nothing better (tried ${attemptCount} values, best ${changesText(constants, values)}: ${points.formatDifference(gain)} on ${cases} cases${sure})`;
}

/** A range that spans decades is searched by its logarithm. */
function constantsWithRange(source: string, { name, low, high }: HintRange): readonly Constant[] {
  const scale = low > 0 && high / low >= 10 ? 'log' : 'linear';
  return constantsNamed(source, name).map((each) => ({ ...each, low, high, scale, origin: 'marked' }));
}

/** A third is kept for the proof; of very few, all serve for both. In an order that the run's seed decides. */
export function holdOutCases(run: Run, cases: readonly string[]) {
  const shuffled = cases.map((name) => ({ name, key: run.random() })).toSorted((a, b) => a.key - b.key);
  const names = shuffled.map(({ name }) => name);
  const kept = Math.floor(names.length / 3);
  return kept < 3
    ? { searched: names, unseen: names }
    : { searched: names.slice(kept), unseen: names.slice(0, kept) };
}

export async function testImprovement(
  run: Run,
  race: Race,
  unseen: readonly string[],
  level: number,
): Promise<Improvement> {
  const { rescued, differences } = await race.compare(race.best, race.original, unseen);
  const random = seededChance(String(run.random())).next;
  const interval = bootstrapMean(differences, { random, level });
  const p = differences.length > 0 ? permutationTest(differences, { random }) : null;
  const isSure = interval !== null && p !== null && p < 1 - level;
  const direction = interval && (interval.low > 0 ? 1 : interval.high < 0 ? -1 : 0);
  // Solving more cases goes before points: with `onFailure: all` one failed case makes a program worthless.
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

/** The cases in the order in which they are added. */
type NearestMiss = Pick<TuningNotes['trial'], 'values' | 'gain' | 'cases'>;

type RaceSetting = Omit<Tuning, 'only' | 'onNothing'> & {
  readonly task: ProgramTask;
  readonly constants: readonly Constant[];
  /** `number`: from 1; `gain`: in points a case, against the best until then. */
  readonly onTrial?: (trial: Omit<TuningNotes['trial'], 'unit' | 'evaluations'>) => void;
};

/** Why a search is over: the evaluations are used up, nothing new is left to be tried, or it was told to stop. */
export type RaceEnd = 'evaluations' | 'exhausted' | 'stopped';

/** Programs that are tried in one round. */
const together = 4;
const fewestCases = 4;
/** A gain on all cases that is smaller than this part of its standard error is taken for chance. */
const leastCertainty = 0.5;

export class Race {
  readonly #run: Run;
  readonly #setting: RaceSetting;
  readonly #points: Points;
  readonly #steps: Steps;
  readonly original: TuningEntry;
  best: TuningEntry;
  /** Calls of `run.evaluate` so far. */
  evaluations = 0;
  #trials = 0;

  constructor(run: Run, setting: RaceSetting) {
    const { task, source, constants, best } = setting;
    this.#run = run;
    this.#setting = setting;
    this.#points = new Points({ ...task, best: { ...task.best, ...best } });
    this.#steps = new Steps(constants, () => run.random());
    const values = Object.fromEntries(constants.map(({ name, value }) => [name, value]));
    this.original = createEntry(values, source);
    this.best = this.original;
  }

  async search(): Promise<RaceEnd> {
    const { evaluations } = this.#setting;
    // A round needs one for each of its programs, and one for the best on the same cases.
    while (this.evaluations + together < evaluations) {
      const steps = this.#steps.next(this.best.values, together);
      if (steps.length === 0) return 'exhausted';
      if (!(await this.#round(steps))) return 'stopped';
    }
    return 'evaluations';
  }

  /** Both on these cases, which the search need not know. */
  async compare(one: TuningEntry, other: TuningEntry, cases: readonly string[]): Promise<DuelResult> {
    await this.#evaluate([one, other], cases);
    return this.#compareEntries(one, other, cases);
  }

  /** False where it was told to stop: then it says nothing of any of them. */
  async #round(steps: readonly Step[]): Promise<boolean> {
    const { source, constants, mayGoOn } = this.#setting;
    const tuningEntry = this.best;
    const entrants = steps.map((step) => ({
      step,
      number: ++this.#trials,
      standing: createEntry(step.values, renderConstants(source, constants, step.values)),
    }));
    let racing = entrants;
    for (const cases of this.#rungs()) {
      if (mayGoOn && !(await mayGoOn())) return false;
      const affordable = racing.slice(0, Math.max(0, this.#setting.evaluations - this.evaluations - 1));
      await this.#evaluate([tuningEntry, ...affordable.map(({ standing }) => standing)], cases);
      const isLast = cases.length === this.#setting.cases.length;
      const ranked = affordable
        .map((entrant) => ({ entrant, result: this.#compareEntries(entrant.standing, tuningEntry, cases) }))
        .toSorted((a, b) => b.result.rescued - a.result.rescued || b.result.mean - a.result.mean);
      const kept = isLast
        ? ranked.slice(0, 1).filter(({ result }) => isSignificantlyBetter(result))
        : ranked
            .slice(0, Math.ceil(racing.length / 2))
            .filter(({ result }) => result.rescued > 0 || (result.rescued === 0 && result.mean > 0));
      for (const each of ranked) {
        const isKept = kept.includes(each);
        if (isKept && !isLast) continue;
        const { number, standing } = each.entrant;
        const told = { number, values: standing.values, cases: cases.length, gain: each.result.mean };
        this.#setting.onTrial?.({ ...told, fate: isKept ? 'best' : 'dropped' });
      }
      racing = kept.map(({ entrant }) => entrant);
      if (racing.length === 0) break;
    }
    for (const { step, standing } of entrants) {
      const isBetter = racing.some((each) => each.standing === standing);
      this.#steps.learn(tuningEntry.values, step, isBetter);
      if (isBetter) this.best = standing;
    }
    return true;
  }

  /** An eighth of the cases, then twice as many, and at last all. */
  *#rungs(): Generator<readonly string[]> {
    const { cases } = this.#setting;
    let size = Math.max(fewestCases, Math.ceil(cases.length / 8));
    for (; size < cases.length; size *= 2) yield cases.slice(0, size);
    yield cases;
  }

  /** How `one` does against `other` on these cases, as far as both were run there. */
  #compareEntries(one: TuningEntry, other: TuningEntry, cases: readonly string[]): DuelResult {
    const rules = { onFailure: 'all' } as const;
    const differences: number[] = [];
    let rescued = 0;
    for (const name of cases) {
      const [its, others] = [one.outcomes.get(name), other.outcomes.get(name)];
      if (!its || !others) continue;
      const [mine, theirs] = [this.#points.of(its, rules), this.#points.of(others, rules)];
      if (mine !== null && theirs !== null) differences.push(mine - theirs);
      else rescued += Number(mine !== null) - Number(theirs !== null);
    }
    return { rescued: one.isBroken ? -cases.length : rescued, differences, mean: mean(differences) ?? 0 };
  }

  /** At once, each only where it was not run yet. */
  async #evaluate(tuningEntries: readonly TuningEntry[], cases: readonly string[]): Promise<void> {
    const missing = tuningEntries.flatMap((tuningEntry) => {
      const names = tuningEntry.isBroken ? [] : cases.filter((name) => !tuningEntry.outcomes.has(name));
      return names.length > 0 ? [{ standing: tuningEntry, names }] : [];
    });
    this.evaluations += missing.length;
    const evaluations = await Promise.all(
      missing.map(({ standing, names }) => this.#run.evaluate(standing.source, names)),
    );
    for (const [at, evaluation] of evaluations.entries()) {
      const { compiled, cases: outcomes } = programEvaluationIn(evaluation);
      const tuningEntry = missing[at]?.standing;
      if (tuningEntry && !compiled) tuningEntry.isBroken = true;
      // What was not judged is run again when it is asked for again.
      const judged = outcomes.filter(({ verdict }) => verdict !== 'NJ');
      for (const outcome of judged) tuningEntry?.outcomes.set(outcome.name, outcome);
      this.#points.learn(judged);
    }
  }
}

function isSignificantlyBetter(result: DuelResult): boolean {
  const { rescued, differences, mean } = result;
  if (rescued !== 0) return rescued > 0;
  const count = differences.length;
  const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, count - 1);
  return mean > 0 && mean > leastCertainty * Math.sqrt(variance / Math.max(1, count));
}

/** A program with its values and its known outcomes. */
type TuningEntry = {
  readonly values: ConstantValues;
  readonly source: string;
  readonly outcomes: Map<string, CaseOutcome>;
  /** It does not compile. */
  isBroken: boolean;
};

function createEntry(values: ConstantValues, source: string): TuningEntry {
  return { values, source, outcomes: new Map(), isBroken: false };
}

type DuelResult = {
  /** Cases that it solves and the other does not, less those that the other solves and it does not. */
  readonly rescued: number;
  /** In points, on the cases that both solve. */
  readonly differences: readonly number[];
  readonly mean: number;
};
