/**
 * What programs are worth against one another: points on cases that both ran on. Points are made when they are asked
 * for, because with relative scoring a new best of a case changes those of all programs. Pure.
 */
import { type CaseOutcome, isBetter, type ProgramTask, pointsOf, shareOfBest } from '../../core/program.ts';
import { mean } from '../../core/statistics/bootstrap.ts';

type Task = Pick<ProgramTask, 'direction' | 'scoring' | 'best' | 'timeLimitMs'>;

/** Next to a score of 0 that is to be small: scores are whole numbers. */
const leastWhole = 1;

/** `case`: a case that fails counts nothing; `all`: it makes its program worthless. */
export type Rules = { readonly onFailure: 'all' | 'case' };

/** The share of the time limit that a case may take here: the judge's machine may be slower. */
export const timeMargin = 0.9;

export class Points {
  readonly #task: Task;
  readonly #best: Map<string, number>;
  /**
   * What was known when the session began, else what its first program made of a case: it does not move. Nothing is
   * told against a score of 0 where more is better, which is often the template's.
   */
  readonly #first: Map<string, number>;
  /** Of outcomes that are asked for again and again, all programs of a search after each new one. */
  readonly #means = new WeakMap<
    readonly CaseOutcome[],
    Rules & { readonly version: number; readonly mean: number | null }
  >();
  /** What was known of cases when points were last others than before. */
  #version = 0;

  constructor(task: Task) {
    this.#task = task;
    this.#best = new Map(Object.entries(task.best));
    this.#first = new Map([...this.#best].filter(([, score]) => this.#canBeFirst(score)));
  }

  /** The best score known of each case, from before or from this session. */
  get best(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#best);
  }

  learn(outcomes: readonly CaseOutcome[]): void {
    for (const { name, verdict, score } of outcomes) {
      if (verdict !== 'AC' || score === null) continue;
      if (!this.#first.has(name) && this.#canBeFirst(score)) this.#first.set(name, score);
      const known = this.#best.get(name);
      if (known !== undefined && !isBetter(score, known, this.#task.direction)) continue;
      this.#best.set(name, score);
      // Where scores count as they are, nothing hangs on the best.
      if (this.#task.scoring === 'relative') this.#version += 1;
    }
  }

  /** What is wrong with an outcome; null where it is sound. Near the time limit is wrong: the judge may be slower. */
  outcomeIssue(outcome: CaseOutcome): string | null {
    const { verdict, score, cpuMs, message } = outcome;
    if (verdict !== 'AC') return message === '' ? verdict : `${verdict}: ${message}`;
    if (score === null) return 'nothing scored it';
    const { timeLimitMs } = this.#task;
    if (timeLimitMs === null || cpuMs <= timeLimitMs * timeMargin) return null;
    return `it took ${Math.round(cpuMs)} ms of the ${timeLimitMs} ms that are allowed; more than ${Math.floor(timeLimitMs * timeMargin)} ms is a failure here, for the judge's machine may be slower`;
  }

  /** Null where a program with this outcome is worth nothing at all. */
  of(outcome: CaseOutcome, rules: Rules): number | null {
    const best = this.#best.get(outcome.name) ?? null;
    if (this.outcomeIssue(outcome) === null) return pointsOf(outcome, this.#task, best);
    // Where less is better, no score means worthless, so a failure makes the program worthless.
    const canCount = this.#task.scoring === 'relative' || this.#task.direction === 'maximise';
    return rules.onFailure === 'case' && canCount ? 0 : null;
  }

  /** Null if one outcome has no value, or there are no outcomes. */
  meanOf(outcomes: readonly CaseOutcome[], { onFailure }: Rules): number | null {
    const claimed = this.#means.get(outcomes);
    if (claimed?.version === this.#version && claimed.onFailure === onFailure) return claimed.mean;
    const points = outcomes.map((outcome) => this.of(outcome, { onFailure }));
    const found = points.includes(null) ? null : mean(points.filter((each) => each !== null));
    this.#means.set(outcomes, { onFailure, version: this.#version, mean: found });
    return found;
  }

  /** Of cases that both were run on, the second less the first; null where one of them is worth nothing. */
  differences(first: readonly CaseOutcome[], second: readonly CaseOutcome[], rules: Rules) {
    const before = new Map(first.map((outcome) => [outcome.name, outcome]));
    const found: number[] = [];
    for (const outcome of second) {
      const other = before.get(outcome.name);
      if (!other) continue;
      const [one, second] = [this.of(other, rules), this.of(outcome, rules)];
      if (one === null || second === null) return null;
      found.push(second - one);
    }
    return found;
  }

  /** A difference in points, for prompts: `12.3 better`, `0.4 worse`, `as good`. */
  formatDifference(difference: number): string {
    if (difference === 0) return 'as good';
    const size = Math.abs(difference) * (this.#task.scoring === 'relative' ? relativeMost : 1);
    return `${formatFigure(size)} ${difference > 0 ? 'better' : 'worse'}`;
  }

  /**
   * Whether load may be what makes the second better or worse by so much: in words for prompts, empty where it is not. Only what runs until its clock ends comes less far on a busy machine; what is ahead with less of a processor is ahead.
   */
  doubt(first: readonly CaseOutcome[], second: readonly CaseOutcome[], difference: number): string {
    const minimum = (this.#task.timeLimitMs ?? Number.POSITIVE_INFINITY) * leastOfLimit;
    const share = (outcomes: readonly CaseOutcome[], others: readonly CaseOutcome[]): number => {
      const common = new Set(others.map(({ name }) => name));
      const long = outcomes.filter(({ name, wallMs }) => wallMs >= minimum && common.has(name));
      const sum = (key: 'cpuMs' | 'wallMs') => long.reduce((total, each) => total + each[key], 0);
      return long.length === 0 ? 1 : Math.min(1, sum('cpuMs') / sum('wallMs'));
    };
    const [before, now] = [share(first, second), share(second, first)];
    const percent = (part: number) => Math.round(part * 100);
    if (Math.sign(difference) * (now - before) <= mostUnlike) return '';
    return ` (not sure: measured under unlike load, with ${percent(now)} % of a processor against ${percent(before)} %)`;
  }

  /** The share of the best known score, 0 to 1, with either scoring: for prompts. */
  share(outcome: CaseOutcome): number {
    if (this.outcomeIssue(outcome) !== null || outcome.score === null) return 0;
    return shareOfBest(outcome.score, this.#best.get(outcome.name) ?? null, this.#task.direction);
  }

  /**
   * The mean score; with relative scoring the mean ratio to `#first`, above 1 where it is better: shares of a best that
   * moves would tell no history. Null where a case is not sound.
   */
  scoreOf(outcomes: readonly CaseOutcome[]): number | null {
    if (outcomes.some((outcome) => this.outcomeIssue(outcome) !== null)) return null;
    const { scoring } = this.#task;
    return mean(outcomes.map((each) => (scoring === 'absolute' ? (each.score ?? 0) : this.#ratio(each))));
  }

  #canBeFirst(score: number): boolean {
    return this.#task.direction === 'minimise' || score > 0;
  }

  #ratio({ name, score }: CaseOutcome): number {
    const first = this.#first.get(name) ?? null;
    if (score === null || first === score) return 1;
    if (this.#task.direction === 'maximise') return first === null ? 0 : score / first;
    // A score of 0 counts as 1, because no ratio to 0 exists.
    return first === null ? 1 : first / (score > 0 ? score : leastWhole);
  }
}

/** Programs that use their time run for so much of it at least. */
const leastOfLimit = 0.5;
/** Shares of a processor that differ by more make two measurements unlike. */
const mostUnlike = 0.05;

/** What a case is worth with relative scoring, as contests count it. */
export const relativeMost = 1e9;

/** Whole from a thousand on; small ones with three digits that count. */
export function formatFigure(value: number): string {
  if (Math.abs(value) >= 1000) return String(Math.round(value));
  return String(Number(Math.abs(value) >= 1 ? value.toFixed(2) : value.toPrecision(3)));
}
