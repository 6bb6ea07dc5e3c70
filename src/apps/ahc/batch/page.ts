/** What came of a batch as a page of charts: points by combination, what they cost, and the course of every session. */
import { barChart } from '../../../cli/charts/bar-chart.ts';
import { lineChart, type Series } from '../../../cli/charts/line-chart.ts';
import { pageOf, paragraph, type Section, tableOf } from '../../../cli/charts/page.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import { count } from '../../../text/format.ts';
import {
  type BatchResult,
  nameOf,
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
      ...pointsSection(result),
      ...againstSection(result),
      ...costSection(result),
      ...courseSections(result),
      tableSection(result),
    ],
  });
}

function pointsSection(result: BatchResult): Section[] {
  const percent = (share: number | null) => (share === null ? undefined : share * 100);
  const bars = result.standings.flatMap(({ name, points, low, high, sessions }) => {
    const text = count(sessions, 'session');
    return points === null
      ? []
      : [{ name, value: points * 100, low: percent(low), high: percent(high), text }];
  });
  if (bars.length === 0) return [];
  const chart = barChart(bars, {
    title: 'Points by combination',
    x: 'points, % of the best; line: 95 % interval over sessions',
    isFromZero: false,
  });
  return [{ heading: 'Points', body: [...wordsOn(result).map(paragraph), chart].join('\n') }];
}

function againstSection({ standings }: BatchResult): Section[] {
  const rows = standings.flatMap(({ name, against }) => {
    if (!against) return [];
    const p = against.p === null ? 'too few' : against.p.toPrecision(2);
    return [[name, against.pairs, `${(against.mean * 100).toFixed(2)} %`, rangeText(against), p]];
  });
  if (rows.length === 0) return [];
  const words = `Against ${standings[0]?.name}, on the same problems and repeats; p by an exact permutation test, corrected for all comparisons (Holm).`;
  const head = ['combination', 'pairs', 'difference', '95 % interval', 'p'];
  return [{ heading: 'Differences', body: `${paragraph(words)}\n${tableOf(head, rows)}` }];
}

function costSection({ outcomes, standings }: BatchResult): Section[] {
  const done = outcomes.filter(({ isDone }) => isDone);
  const isPriced = done.every(({ costUsd }) => costUsd !== null && costUsd > 0);
  const series = standings.map(({ name, combination, points }): Series => {
    const own = done.filter((each) => each.combination === combination);
    const spent = own.flatMap(({ costUsd, tokens }) => (isPriced ? costUsd : tokens) ?? []);
    // Unknown where it is unknown for one of the sessions.
    const x = spent.length < own.length ? null : mean(spent);
    const isShown = points !== null && x !== null;
    return { name, as: 'dots', points: isShown ? [{ x, y: points * 100, about: name }] : [] };
  });
  if (series.every(({ points }) => points.length === 0)) return [];
  const x = isPriced ? 'US dollars a session' : 'tokens a session';
  const body = lineChart(series, { title: 'Points over cost', x, y: 'points, %' });
  return [{ heading: 'What it cost', body }];
}

/** One chart a problem: scores of different problems cannot be compared. */
function courseSections({ outcomes }: BatchResult): Section[] {
  return [...Map.groupBy(outcomes, ({ workspace }) => workspace)].flatMap(([workspace, own]) => {
    const series = own
      .filter(({ course }) => course.length > 0)
      .map((each): Series => {
        const points = each.course.map(({ tokens: x, score: y }) => ({
          x,
          y,
          about: `${each.session}: ${numberText(y)}`,
        }));
        return { name: nameOf(each), as: 'steps', points };
      });
    if (series.length === 0) return [];
    const id = own[0]?.problem ?? workspace;
    // Adds the folder if two workspaces are of the same contest.
    const isOnly = outcomes.every((each) => each.problem !== id || each.workspace === workspace);
    const problem = isOnly ? id : `${id} in ${workspace}`;
    const labels = { title: `Score over tokens, ${problem}`, x: 'tokens', y: 'score of the search' };
    return [{ heading: `Course on ${problem}`, body: lineChart(series, labels) }];
  });
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

function tableSection({ outcomes, standings }: BatchResult): Section {
  const { head, rows } = sessionRows(outcomes, shownOnPage);
  const points = standings.map((each) => [each.name, shareOrDash(each.points)]);
  const tables = [tableOf(head, rows), tableOf(['combination', 'points'], points)];
  return { heading: 'Sessions', body: tables.join('\n') };
}
