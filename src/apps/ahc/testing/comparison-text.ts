/** A comparison of two versions for people: wins and losses, the mean difference, and whether it is more than noise. Pure. */

import type { Output } from '../../../cli/output.ts';
import type { Comparison } from '../compare/paired.ts';
import { casesText, changeText, shareText, signedText } from '../words.ts';

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
