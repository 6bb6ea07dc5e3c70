/** What is known of one program on cases, and of two on the cases that both were run on. Pure. */
import {
  type CaseOutcome,
  isBetter,
  type ProgramEvaluation,
  type ProgramTask,
  pointsOf,
} from '../../core/program.ts';
import { mean } from '../../core/statistics/bootstrap.ts';
import type { ConstantValues } from './constants.ts';

export type Scale = Pick<ProgramTask, 'direction' | 'scoring' | 'timeLimitMs'> & {
  /** What part of the time limit a case may take. */
  readonly timeMargin: number;
};

/** The best that is known of each case; it grows. */
export class BestScores {
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

export class Standing {
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
export function duel(
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

export function isAhead({ rescued, mean: difference }: Duel): boolean {
  return rescued > 0 || (rescued === 0 && difference > 0);
}
