/**
 * The search for better values of constants: a (1+λ) evolution strategy whose rounds are races. Four steps from the best
 * values are tried on a few cases; the half that is ahead of the best on the same cases goes on to twice as many, until
 * one has run on all of them. Chosen over CMA-ES and TPE because there is money for some dozens of programs and not for
 * hundreds: models of the score need several times as many trials as there are constants before they beat stepping,
 * while a race settles most trials on an eighth of the cases, and pairing by case takes most of the noise away.
 */
import type { Run } from '../../core/agent.ts';
import {
  type CaseOutcome,
  isBetter,
  type ProgramEvaluation,
  type ProgramTask,
  pointsOf,
  programEvaluationIn,
} from '../../core/program.ts';
import { mean } from '../../core/statistics/bootstrap.ts';
import { type Constant, type ConstantValues, renderConstants } from './constants.ts';
import { type Step, Steps } from './tuning-steps.ts';

type RaceSetting = {
  readonly task: ProgramTask;
  readonly source: string;
  readonly constants: readonly Constant[];
  /** In the order in which they are added. */
  readonly cases: readonly string[];
  /** Calls of `run.evaluate` at most. */
  readonly evaluations: number;
  readonly best: Readonly<Record<string, number>>;
  readonly timeMargin: number;
  /** Asked before each stage of a round. */
  readonly mayGoOn?: (() => Promise<boolean>) | undefined;
  readonly onTrial?: ((trial: Trial) => void) | undefined;
};

type Trial = {
  /** From 1. */
  readonly number: number;
  readonly values: ConstantValues;
  readonly cases: number;
  /** In points a case, against the best until then. */
  readonly gain: number;
  readonly fate: 'dropped' | 'best';
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
  readonly #scale: Scale;
  readonly #bestScores: BestScores;
  readonly #steps: Steps;
  readonly original: Standing;
  #best: Standing;
  #spent = 0;
  #trials = 0;

  constructor(run: Run, setting: RaceSetting) {
    const { task, source, constants, timeMargin, best } = setting;
    this.#run = run;
    this.#setting = setting;
    this.#scale = { ...task, timeMargin };
    this.#bestScores = new BestScores(this.#scale, { ...task.best, ...best });
    this.#steps = new Steps(constants, () => run.random());
    this.original = new Standing(
      Object.fromEntries(constants.map(({ name, value }) => [name, value])),
      source,
    );
    this.#best = this.original;
  }

  get best(): Standing {
    return this.#best;
  }

  get evaluations(): number {
    return this.#spent;
  }

  async search(): Promise<RaceEnd> {
    const { evaluations } = this.#setting;
    // A round needs one for each of its programs, and one for the best on the same cases.
    while (this.#spent + together < evaluations) {
      const steps = this.#steps.next(this.#best.values, together);
      if (steps.length === 0) return 'exhausted';
      if (!(await this.#round(steps))) return 'stopped';
    }
    return 'evaluations';
  }

  /** Both on cases of their own, whoever was ahead elsewhere. */
  async compare(one: Standing, other: Standing, cases: readonly string[]): Promise<Duel> {
    await this.#evaluate([one, other], cases);
    return this.#duel(one, other, cases);
  }

  /** False where it was told to stop: then it says nothing of any of them. */
  async #round(steps: readonly Step[]): Promise<boolean> {
    const { source, constants, mayGoOn } = this.#setting;
    const incumbent = this.#best;
    const entrants = steps.map((step) => ({
      step,
      number: this.#number(),
      standing: new Standing(step.values, renderConstants(source, constants, step.values)),
    }));
    let racing = entrants;
    for (const cases of this.#rungs()) {
      if (mayGoOn && !(await mayGoOn())) return false;
      const affordable = racing.slice(0, Math.max(0, this.#setting.evaluations - this.#spent - 1));
      await this.#evaluate([incumbent, ...affordable.map(({ standing }) => standing)], cases);
      const isLast = cases.length === this.#setting.cases.length;
      const ranked = affordable
        .map((entrant) => ({ entrant, result: this.#duel(entrant.standing, incumbent, cases) }))
        .toSorted((a, b) => b.result.rescued - a.result.rescued || b.result.mean - a.result.mean);
      const kept = isLast
        ? ranked.slice(0, 1).filter(({ result }) => isSurelyAhead(result))
        : ranked.slice(0, Math.ceil(racing.length / 2)).filter(({ result }) => isAhead(result));
      for (const { entrant, result } of ranked) {
        if (!kept.some((each) => each.entrant === entrant))
          this.#tell(entrant, { cases, result, fate: 'dropped' });
        else if (isLast) this.#tell(entrant, { cases, result, fate: 'best' });
      }
      racing = kept.map(({ entrant }) => entrant);
      if (racing.length === 0) break;
    }
    for (const { step, standing } of entrants) {
      const isBetter = racing.some((each) => each.standing === standing);
      this.#steps.learn(incumbent.values, step, isBetter);
      if (isBetter) this.#best = standing;
    }
    return true;
  }

  #number(): number {
    this.#trials += 1;
    return this.#trials;
  }

  #tell(
    { number, standing }: { readonly number: number; readonly standing: Standing },
    {
      cases,
      result,
      fate,
    }: { readonly cases: readonly string[]; readonly result: Duel; readonly fate: Trial['fate'] },
  ): void {
    this.#setting.onTrial?.({
      number,
      values: standing.values,
      cases: cases.length,
      gain: result.mean,
      fate,
    });
  }

  /** An eighth of the cases, then twice as many, and at last all. */
  *#rungs(): Generator<readonly string[]> {
    const { cases } = this.#setting;
    let size = Math.max(fewestCases, Math.ceil(cases.length / 8));
    for (; size < cases.length; size *= 2) yield cases.slice(0, size);
    yield cases;
  }

  #duel(one: Standing, other: Standing, cases: readonly string[]): Duel {
    return duel([one, other], { cases, best: this.#bestScores, scale: this.#scale });
  }

  /** At once, each only where it was not run yet. */
  async #evaluate(standings: readonly Standing[], cases: readonly string[]): Promise<void> {
    const missing = standings.flatMap((standing) => {
      const names = standing.missing(cases);
      return names.length > 0 ? [{ standing, names }] : [];
    });
    this.#spent += missing.length;
    const evaluations = await Promise.all(
      missing.map(({ standing, names }) => this.#run.evaluate(standing.source, names)),
    );
    for (const [at, evaluation] of evaluations.entries()) {
      const read = programEvaluationIn(evaluation);
      missing[at]?.standing.learn(read);
      this.#bestScores.learn(read);
    }
  }
}

function isSurelyAhead(result: Duel): boolean {
  const { rescued, differences, mean } = result;
  if (rescued !== 0) return rescued > 0;
  const count = differences.length;
  const variance = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / Math.max(1, count - 1);
  return mean > 0 && mean > leastCertainty * Math.sqrt(variance / Math.max(1, count));
}

type Scale = Pick<ProgramTask, 'direction' | 'scoring' | 'timeLimitMs'> & {
  /** What part of the time limit a case may take. */
  readonly timeMargin: number;
};

/** The best that is known of each case; it grows. */
class BestScores {
  readonly #scores: Map<string, number>;
  readonly #task: Scale;

  constructor(task: Scale, known: Readonly<Record<string, number>>) {
    this.#task = task;
    this.#scores = new Map(Object.entries(known));
  }

  learn({ cases }: ProgramEvaluation): void {
    for (const { name, verdict, score } of cases) {
      const before = this.#scores.get(name);
      if (verdict !== 'AC' || score === null) continue;
      if (before === undefined || isBetter(score, before, this.#task.direction))
        this.#scores.set(name, score);
    }
  }

  pointsOf(outcome: CaseOutcome): number | null {
    return pointsOf(outcome, this.#task, this.#scores.get(outcome.name) ?? null);
  }
}

/** A program with its values, and what is known of it on cases. */
class Standing {
  readonly values: ConstantValues;
  readonly source: string;
  readonly #outcomes = new Map<string, CaseOutcome>();
  /** Of another program, or of one that did not compile. */
  isBroken = false;

  constructor(values: ConstantValues, source: string) {
    this.values = values;
    this.source = source;
  }

  missing(cases: readonly string[]): readonly string[] {
    return this.isBroken ? [] : cases.filter((name) => !this.#outcomes.has(name));
  }

  learn({ compiled, cases }: ProgramEvaluation): void {
    if (!compiled) this.isBroken = true;
    for (const outcome of cases) this.#outcomes.set(outcome.name, outcome);
  }

  on(name: string): CaseOutcome | undefined {
    return this.#outcomes.get(name);
  }
}

export type Duel = {
  /** Cases that it solves and the other does not, less those that the other solves and it does not. */
  readonly rescued: number;
  /** Of the cases that both solve, in points. */
  readonly differences: readonly number[];
  readonly mean: number;
};

/** How `one` does against `other` on these cases, as far as both were run there. */
function duel(
  [one, other]: readonly [Standing, Standing],
  {
    cases,
    best,
    scale,
  }: { readonly cases: readonly string[]; readonly best: BestScores; readonly scale: Scale },
): Duel {
  const differences: number[] = [];
  let rescued = 0;
  for (const name of cases) {
    const [its, others] = [one.on(name), other.on(name)];
    if (!its || !others) continue;
    const [mine, theirs] = [worthOf(its, best, scale), worthOf(others, best, scale)];
    if (mine !== null && theirs !== null) differences.push(mine - theirs);
    else rescued += Number(mine !== null) - Number(theirs !== null);
  }
  return { rescued: one.isBroken ? -cases.length : rescued, differences, mean: mean(differences) ?? 0 };
}

/** A case that takes too long here counts as failed: the judge's machine may be slower. */
function worthOf(outcome: CaseOutcome, best: BestScores, { timeLimitMs, timeMargin }: Scale): number | null {
  const isLate = timeLimitMs !== null && outcome.cpuMs > timeLimitMs * timeMargin;
  return isLate ? null : best.pointsOf(outcome);
}

function isAhead({ rescued, mean: difference }: Duel): boolean {
  return rescued > 0 || (rescued === 0 && difference > 0);
}
