/** What `polya ahc test` tells when all cases are done. Pure. */

import { secondsText } from '../../../cli/exec/words.ts';
import type { Output } from '../../../cli/output.ts';
import { grouped } from '../../../text/format.ts';
import { table } from '../../../text/table.ts';
import type { Comparison } from '../compare/paired.ts';
import { pointsOf } from '../compare/summary.ts';
import {
  casesText,
  changeText,
  namesText,
  scoreText,
  shareText,
  signedText,
  timesText,
  verdictsText,
} from '../words.ts';
import type { Noise } from './noise.ts';
import type { TestResult } from './result.ts';

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
  const isWhole = cases === asked && verdicts.AC === cases;
  const done = cases === asked ? '' : ` of ${asked}, broken off`;
  const lines = [
    `${version.name} of ${version.file}: ${casesText(cases)}${done}: ${paint(isWhole ? 'good' : 'bad', verdictsText(verdicts))}`,
  ];
  if (total !== null) {
    const over = scored === cases ? '' : ` over the ${grouped(scored)} with a score`;
    lines.push(`score     total ${scoreText(total)}, average ${scoreText(average)}${over}`);
    const points = contest.scoring === 'relative' ? `, ${scoreText(relativeTotal)} points` : '';
    lines.push(`relative  ${shareText(relativeAverage)} of the best known on average${points}`);
    if (improved.length > 0)
      lines.push(
        `best      ${casesText(improved.length)} better than all known before: ${namesText(improved)}`,
      );
  }
  return `${lines.join('\n')}\n`;
}

function timesTextOf({ paint }: Output, { slowest, noise, nearLimit, contest, summary }: TestResult): string {
  if (summary.cases === 0) return '';
  const lines = [
    `slowest   ${slowest.map((each) => `${each.name} (${timesText(each)})`).join('; ')}`,
    ...(noise ? [`machine   ${noiseText(noise)}`] : []),
  ];
  if (nearLimit.length > 0) {
    const names = namesText(nearLimit.map(({ name }) => name));
    const limit = secondsText(contest.timeLimitMs);
    lines.push(
      paint(
        'warn',
        `near the limit of ${limit}: ${names}. The judge's machine may be slower: leave more room.`,
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Measured right after the cases, as many at once. */
function noiseText({ runs, leastMs, mostMs, leastWallMs, mostWallMs, spread }: Noise): string {
  const range = (least: number, most: number): string => `${least.toFixed(1)} to ${most.toFixed(1)} ms`;
  const times = `${range(leastMs, mostMs)} of CPU, ${range(leastWallMs, mostWallMs)} on the wall`;
  return `the same work, ${runs} times, took ${times}: CPU times here are good to ${(spread * 100).toFixed(0)} %`;
}

function edgesText(output: Output, { worst, evaluation, contest }: TestResult): string {
  if (worst.length === 0) return '';
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
  const head = [
    by,
    'cases',
    'AC',
    'average',
    'of best',
    'slowest',
    ...(isCompared ? ['won', 'lost', 'change', ''] : []),
  ];
  const rows = of.map(({ label, summary, comparison }) => [
    label,
    summary.cases,
    summary.verdicts.AC ?? 0,
    scoreText(summary.average),
    shareText(summary.relativeAverage),
    secondsText(summary.slowestMs),
    ...(comparison ? comparedCells(comparison) : []),
  ]);
  return `groups by ${by}\n${table(output, head, rows)}`;
}

function comparedCells({ wins, losses, change, verdict }: Comparison): (string | number)[] {
  const share = change === null ? '–' : `${change >= 0 ? '+' : ''}${(change * 100).toFixed(2)} %`;
  return [wins, losses, share, verdict === 'few' ? 'too few' : verdict];
}

export function comparisonText(output: Output, name: string, comparison: Comparison): string {
  const { common, wins, losses, ties, paired } = comparison;
  const head = `against ${name}, over ${casesText(common)} that both were run on: ${wins} won, ${losses} lost, ${ties} equal`;
  return [head, ...(paired > 0 ? [differenceLine(output, comparison)] : []), ...asideLines(comparison)]
    .map((line, index) => (index === 0 ? line : `  ${line}`))
    .join('\n');
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
  if (scoredOnlyNew > 0) lines.push(`${casesText(scoredOnlyNew)} solved now and not before`);
  if (scoredOnlyOld > 0) lines.push(`${casesText(scoredOnlyOld)} solved before and not now`);
  if (onlyNew + onlyOld > 0) {
    lines.push(
      `left out, because only one was run on them: ${onlyNew} of this version, ${onlyOld} of the other`,
    );
  }
  return lines;
}
