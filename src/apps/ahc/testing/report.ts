/** What `polya ahc test` prints: the table of cases while it grows, a line on how far it is, and the report. Pure. */
import type { Output } from '../../../cli/contract.ts';
import { memoryText, secondsText } from '../../../cli/exec/words.ts';
import type { CaseOutcome } from '../../../core/program.ts';
import { count, duration, grouped, oneLine, truncate } from '../../../text/format.ts';
import type { Painter } from '../../../text/paint.ts';
import { table } from '../../../text/table.ts';
import { type Comparison, pointsOf } from '../compare/summary.ts';
import {
  averageText,
  changeText,
  namesText,
  scoreText,
  shareText,
  signedText,
  timesText,
  verdictsText,
  verdictTone,
} from '../words.ts';
import type { TestResult } from './result.ts';

export type RowsSetting = {
  readonly names: readonly string[];
  /** False: only those that fail. */
  readonly showsAll: boolean;
  readonly paint: Painter;
  /** Of the best known before this evaluation: `98.2 %`. Null where there is none yet. */
  pointsOf(done: CaseOutcome): number | null;
  /** Milliseconds since it began. */
  elapsedMs(): number;
};

const widths = { verdict: 9, score: 16, share: 11, cpu: 10, wall: 10, memory: 12 };

export class CaseRows {
  readonly #setting: RowsSetting;
  readonly #nameWidth: number;
  readonly #early = new Map<string, CaseOutcome>();
  readonly #verdicts: Partial<Record<string, number>> = {};
  #isHeaded: boolean;
  #shown = 0;
  #ended = 0;
  #points = 0;
  #known = 0;

  constructor(setting: RowsSetting) {
    this.#setting = setting;
    // If all rows are shown, the head is shown before the first has ended.
    this.#isHeaded = setting.showsAll;
    this.#nameWidth = setting.names.reduce((most, name) => Math.max(most, [...name].length), 4);
  }

  get head(): string {
    const titles = ['case', 'verdict', 'score', 'of best', 'CPU', 'wall', 'memory'] as const;
    const [name, verdict, score, share, cpu, wall, memory] = titles;
    return this.#setting.paint('faint', this.#columns({ name, verdict, score, share, cpu, wall, memory }));
  }

  get status(): string {
    const { names, elapsedMs } = this.#setting;
    const leftMs = (elapsedMs() / this.#ended) * (names.length - this.#ended);
    const left = this.#ended === 0 ? '' : `; ${duration(leftMs)} left`;
    const share = this.#known === 0 ? '' : `; ${shareText(this.#points / this.#known)} of the best known`;
    return `${this.#ended} of ${names.length}: ${verdictsText(this.#verdicts)}${share}${left}`;
  }

  /** The rows that can be shown now. */
  add(done: CaseOutcome): readonly string[] {
    this.#ended += 1;
    this.#verdicts[done.verdict] = (this.#verdicts[done.verdict] ?? 0) + 1;
    const points = this.#setting.pointsOf(done);
    if (points !== null) {
      this.#points += points;
      this.#known += 1;
    }
    this.#early.set(done.name, done);
    const rows: string[] = [];
    for (let next = this.#next(); next; next = this.#next()) {
      this.#early.delete(next.name);
      this.#shown += 1;
      rows.push(...this.#rowsOf(next));
    }
    return rows;
  }

  /** What waited for a case that never ended, because the evaluation was broken off. */
  rest(): readonly string[] {
    return this.#setting.names.flatMap((name) => {
      const done = this.#early.get(name);
      return done ? this.#rowsOf(done) : [];
    });
  }

  #rowsOf(done: CaseOutcome): readonly string[] {
    if (!this.#setting.showsAll && done.verdict === 'AC') return [];
    const head = this.#isHeaded ? [] : [this.head];
    this.#isHeaded = true;
    return [...head, this.#row(done)];
  }

  #next(): CaseOutcome | undefined {
    return this.#early.get(this.#setting.names[this.#shown] ?? '');
  }

  #row(done: CaseOutcome): string {
    const { paint, pointsOf } = this.#setting;
    const { name, verdict, score, cpuMs, wallMs, memoryBytes, message } = done;
    const line = this.#columns({
      name: oneLine(name),
      verdict,
      score: scoreText(score),
      share: score === null ? '–' : shareText(pointsOf(done)),
      cpu: secondsText(cpuMs),
      wall: secondsText(wallMs),
      memory: memoryText(memoryBytes),
    });
    const why = message === '' ? '' : `  ${truncate(oneLine(message), 80)}`;
    return `${line.replace(verdict, () => paint(verdictTone(verdict), verdict))}${why}`;
  }

  #columns(cells: Readonly<Record<'name' | keyof typeof widths, string>>): string {
    const numbers = ['score', 'share', 'cpu', 'wall', 'memory'] as const;
    const right = numbers.map((column) => cells[column].padStart(widths[column])).join('');
    return `${cells.name.padEnd(this.#nameWidth)}  ${cells.verdict.padEnd(widths.verdict)}${right}`;
  }
}

export function reportText(output: Output, result: TestResult): string {
  const { compared, groups } = result;
  const parts = [
    totalsText(output, result),
    timesTextOf(output, result),
    edgesText(output, result),
    groups ? groupsText(output, groups) : '',
    compared ? `${comparisonText(output, compared.name, compared.comparison)}\n` : '',
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function totalsText({ paint }: Output, { summary, evaluation, contest }: TestResult): string {
  const { cases, verdicts, scored, total, average, relativeAverage, relativeTotal } = summary;
  const { asked, version, improved } = evaluation;
  const isComplete = cases === asked && verdicts.AC === cases;
  const done = cases === asked ? '' : ` of ${asked}, broken off`;
  const lines = [
    `${version.name} of ${version.file}: ${count(cases, 'case')}${done}: ${paint(isComplete ? 'good' : 'bad', verdictsText(verdicts))}`,
  ];
  if (total !== null) {
    const over = scored === cases ? '' : ` over the ${grouped(scored)} with a score`;
    lines.push(`score     total ${scoreText(total)}, average ${averageText(average)}${over}`);
    const points = contest.scoring === 'relative' ? `, ${scoreText(relativeTotal)} points` : '';
    lines.push(`relative  ${shareText(relativeAverage)} of the best known on average${points}`);
    if (improved.length > 0)
      lines.push(
        `best      ${count(improved.length, 'case')} better than all known before: ${namesText(improved)}`,
      );
  }
  return `${lines.join('\n')}\n`;
}

function timesTextOf({ paint }: Output, { slowest, nearLimit, contest, summary }: TestResult): string {
  if (summary.cases === 0) return '';
  const lines = [`slowest   ${slowest.map((each) => `${each.name} (${timesText(each)})`).join('; ')}`];
  if (nearLimit.length > 0) {
    const names = namesText(nearLimit.map(({ name }) => name));
    const what = `near the limit of ${secondsText(contest.timeLimitMs)}: ${names}`;
    lines.push(paint('warn', `${what}. The judge's machine may be slower: leave more room.`));
  }
  return `${lines.join('\n')}\n`;
}

function edgesText(output: Output, { worst, isWorstAsked, evaluation, contest }: TestResult): string {
  if (worst.length === 0)
    return isWorstAsked ? 'furthest from the best known: none, each score is the best known\n' : '';
  const rows = worst.map((each) => [
    each.name,
    each.verdict,
    scoreText(each.score),
    scoreText(evaluation.best.of(each)),
    shareText(pointsOf(each, { direction: contest.direction, best: evaluation.best })),
  ]);
  return `furthest from the best known\n${table(output, ['case', 'verdict', 'score', 'best known', 'share'], rows)}`;
}

function groupsText(output: Output, { by, of }: NonNullable<TestResult['groups']>): string {
  const isCompared = of.some(({ comparison }) => comparison !== null);
  const compared = isCompared ? ['won', 'lost', 'change', ''] : [];
  const head = [by, 'cases', 'AC', 'average', 'of best', 'slowest', ...compared];
  const rows = of.map(({ label, summary, comparison }) => [
    label,
    summary.cases,
    summary.verdicts.AC ?? 0,
    averageText(summary.average),
    shareText(summary.relativeAverage),
    secondsText(summary.slowestMs),
    ...(comparison ? comparedCells(comparison) : []),
  ]);
  return `groups by ${by}\n${table(output, head, rows)}`;
}

function comparedCells({ wins, losses, change, verdict }: Comparison): (string | number)[] {
  return [wins, losses, change === null ? '–' : changeText(change), verdict === 'few' ? 'too few' : verdict];
}

export function comparisonText(output: Output, name: string, comparison: Comparison): string {
  const { common, wins, losses, ties, paired } = comparison;
  const head = `against ${name}, over ${count(common, 'case')} that both were run on: ${wins} won, ${losses} lost, ${ties} equal`;
  const lines = [...(paired > 0 ? [differenceLine(output, comparison)] : []), ...asideLines(comparison)];
  return [head, ...lines.map((line) => `  ${line}`)].join('\n');
}

function differenceLine({ paint }: Output, comparison: Comparison): string {
  const { difference, interval, change, p, verdict, unit, paired } = comparison;
  const show = (value: number): string =>
    unit === 'points' ? `${value >= 0 ? '+' : '−'}${shareText(Math.abs(value))}` : signedText(value);
  const words = {
    better: paint('good', 'better: more than noise'),
    worse: paint('bad', 'worse: more than noise'),
    noise: paint('warn', 'cannot be told from noise'),
    few: paint('warn', 'too few cases differ to tell it from noise'),
  };
  const of = unit === 'points' ? ' of the best known' : change === null ? '' : ` (${changeText(change)})`;
  const range = interval ? `, 95 % interval ${show(interval.low)} to ${show(interval.high)}` : '';
  const chance = p === null ? '' : `, p = ${p < 0.001 ? '< 0.001' : p.toFixed(3)}`;
  const cases = paired === comparison.common ? '' : ` over the ${paired} that both solved`;
  return `mean difference ${show(difference ?? 0)}${of}${cases}${range}${chance.replace('= <', '<')}: ${words[verdict]}`;
}

function asideLines({ scoredOnlyNew, scoredOnlyOld, onlyNew, onlyOld }: Comparison): string[] {
  const lines: string[] = [];
  if (scoredOnlyNew > 0) lines.push(`${count(scoredOnlyNew, 'case')} solved now and not before`);
  if (scoredOnlyOld > 0) lines.push(`${count(scoredOnlyOld, 'case')} solved before and not now`);
  if (onlyNew + onlyOld > 0) {
    const counts = `${onlyNew} of this version, ${onlyOld} of the other`;
    lines.push(`left out, because only one was run on them: ${counts}`);
  }
  return lines;
}
