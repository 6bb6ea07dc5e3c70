/** What came of a batch as a page of charts: points by combination, what they cost, and the course of every session. */
import { barChart } from '../../../cli/charts/bar-chart.ts';
import { lineChart, type Series } from '../../../cli/charts/line-chart.ts';
import { pageOf, paragraph, type Section, tableOf } from '../../../cli/charts/page.ts';
import { count } from '../../../text/format.ts';
import {
  type BatchResult,
  combinationName,
  numberText,
  rangeText,
  sessionRows,
  shareOrDash,
  wordsOn,
} from './result.ts';

export function batchPage(result: BatchResult): string {
  const { name, set, label, outcomes, standings } = result;
  return pageOf({
    title: `Batch ${name}`,
    subtitle: [`run-set ${set}`, ...(label === null ? [] : [label])].join('; '),
    facts: [
      ['sessions', `${outcomes.length}`],
      ['combinations', `${standings.length}`],
      ['problems', [...new Set(outcomes.map(({ problem }) => problem))].join(', ')],
    ],
    sections: [
      pointsSection(result),
      againstSection(result),
      costSection(result),
      ...courseSections(result),
      tableSection(result),
    ].filter((each): each is Section => each !== null),
  });
}

function pointsSection(result: BatchResult): Section | null {
  const bars = result.standings.flatMap((each) =>
    each.points === null
      ? []
      : [
          {
            name: combinationName(result, each.combination),
            value: each.points * 100,
            low: each.low === null ? undefined : each.low * 100,
            high: each.high === null ? undefined : each.high * 100,
            text: count(each.sessions, 'session'),
          },
        ],
  );
  if (bars.length === 0) return null;
  const chart = barChart(bars, {
    title: 'Points by combination',
    x: 'points, % of the best; line: 95 % interval over sessions',
    isFromZero: false,
  });
  return { heading: 'Points', body: [...wordsOn(result).map(paragraph), chart].join('\n') };
}

function againstSection(result: BatchResult): Section | null {
  const rows = result.standings.flatMap(({ combination, against }) =>
    against
      ? [
          [
            combinationName(result, combination),
            against.pairs,
            `${(against.mean * 100).toFixed(2)} %`,
            rangeText(against.low, against.high),
            against.p === null ? 'too few' : against.p.toPrecision(2),
          ],
        ]
      : [],
  );
  if (rows.length === 0) return null;
  const words = `Against ${combinationName(result, 0)}, on the same problems and repeats; p by an exact permutation test, corrected for all comparisons (Holm).`;
  const head = ['combination', 'pairs', 'difference', '95 % interval', 'p'];
  return { heading: 'Differences', body: `${paragraph(words)}\n${tableOf(head, rows)}` };
}

function costSection(result: BatchResult): Section | null {
  const done = result.outcomes.filter(({ isDone }) => isDone);
  const isPriced = done.every(({ costUsd }) => costUsd !== null && costUsd > 0);
  const series = result.standings.map(({ combination, points }): Series => {
    const name = combinationName(result, combination);
    const spent = spentOf(done, combination, isPriced);
    const isShown = points !== null && spent !== null;
    return { name, as: 'dots', points: isShown ? [{ x: spent, y: points * 100, about: name }] : [] };
  });
  if (series.every(({ points }) => points.length === 0)) return null;
  const x = isPriced ? 'US dollars a session' : 'tokens a session';
  return {
    heading: 'What it cost',
    body: lineChart(series, { title: 'Points over cost', x, y: 'points, %' }),
  };
}

/** Mean over the compared sessions; null where it is unknown for one of them. */
function spentOf(done: BatchResult['outcomes'], combination: number, isPriced: boolean): number | null {
  const own = done.filter((each) => each.combination === combination);
  const spent = own.flatMap(({ costUsd, tokens }) => (isPriced ? costUsd : tokens) ?? []);
  return own.length === 0 || spent.length < own.length
    ? null
    : spent.reduce((sum, each) => sum + each, 0) / own.length;
}

/** One chart a problem: scores of different problems cannot be compared. */
function courseSections(result: BatchResult): Section[] {
  const { outcomes } = result;
  const workspaces = [...new Set(outcomes.map(({ workspace }) => workspace))];
  return workspaces.flatMap((workspace) => {
    const problem = problemIn(outcomes, workspace);
    const series: Series[] = outcomes
      .filter((each) => each.workspace === workspace && each.course.length > 0)
      .map(({ session, course, combination }) => ({
        name: combinationName(result, combination),
        as: 'steps',
        points: course.map(({ tokens, score }) => ({
          x: tokens,
          y: score,
          about: `${session}: ${numberText(score)}`,
        })),
      }));
    if (series.length === 0) return [];
    const labels = { title: `Score over tokens, ${problem}`, x: 'tokens', y: 'score of the search' };
    return [{ heading: `Course on ${problem}`, body: lineChart(series, labels) }];
  });
}

/** With its folder, where two workspaces are of the same contest. */
function problemIn(outcomes: BatchResult['outcomes'], workspace: string): string {
  const problem = outcomes.find((each) => each.workspace === workspace)?.problem ?? workspace;
  const isOnly = outcomes.every((each) => each.problem !== problem || each.workspace === workspace);
  return isOnly ? problem : `${problem} in ${workspace}`;
}

const shownOnPage = [
  'session',
  'problem',
  'combination',
  'outcome',
  'score',
  'tokens',
  'cost',
  'time',
] as const;

function tableSection(result: BatchResult): Section {
  const { head, rows } = sessionRows(result.outcomes, shownOnPage);
  const points = result.standings.map((each) => [
    combinationName(result, each.combination),
    shareOrDash(each.points),
  ]);
  return {
    heading: 'Sessions',
    body: `${tableOf(head, rows)}\n${tableOf(['combination', 'points'], points)}`,
  };
}
