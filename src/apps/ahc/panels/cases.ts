/** Candidates by cases: how far each is from the best of each case, and where the best one has most to gain. */
import type { CaseOutcome } from '../../../core/program.ts';
import type { Heat, Part, Table } from '../../../notes/panel.ts';
import { count } from '../../../text/format.ts';
import { bestOfCases } from '../session/course.ts';
import { byScore, percent, type Search, scoreText, tableOf } from './search.ts';

/** More rows would not be looked at. */
const mostRows = 50;
const mostListed = 10;

type Gap = (outcome: CaseOutcome | undefined) => number;

export function casesPart(search: Search): Part | null {
  const result = search.tried.filter(({ score, note }) => score !== null && note.evaluation);
  const shown = result.toSorted(byScore(search)).slice(0, mostRows);
  if (shown.length === 0) return null;
  const bests = bestOfCases(search.state, search.counting.direction);
  const gap: Gap = (outcome) => (outcome ? distance(outcome, bests.get(outcome.name) ?? null) : 0);
  const outcomes = shown.map(({ note }) => new Map(note.evaluation?.cases.map((each) => [each.name, each])));
  const separate = new Map<string, number>();
  for (const of of outcomes)
    for (const [name, each] of of) separate.set(name, Math.max(separate.get(name) ?? 0, gap(each)));
  const columns = [...separate.keys()].toSorted((a, b) => (separate.get(b) ?? 0) - (separate.get(a) ?? 0));
  const far = darkest(outcomes.flatMap((of) => [...of.values()].map(gap)));
  const cellOf = (outcome: CaseOutcome | undefined): Heat['cells'][number][number] => {
    if (!outcome) return null;
    const value = gap(outcome);
    const told = value === 0 ? 'the best' : `${percent(value)} off`;
    const text = value === 1 ? outcome.verdict : `${scoreText(outcome.score)}, ${told}`;
    return { value, text, shade: Math.min(1, value / far) };
  };
  const heat: Heat = {
    kind: 'heat',
    title: `How far from the best of each case; darkest from ${percent(far)} on`,
    rows: shown.map(({ id, seq, score }) => ({ label: `${id} ${scoreText(score)}`, seq })),
    columns,
    cells: outcomes.map((of) => columns.map((name) => cellOf(of.get(name)))),
  };
  const left = result.length > shown.length ? `, the best of ${result.length}` : '';
  const description = `${count(shown.length, 'candidate')} on ${count(columns.length, 'case')}${left}; those first on which they are farthest apart`;
  const table = worstTable(search, gap, bests);
  return { kind: 'part', title: 'Cases', about: description, blocks: table ? [heat, table] : [heat] };
}

/** As a part of the larger one; of a failure all. */
function distance({ score, verdict }: CaseOutcome, best: number | null): number {
  if (score === null || verdict !== 'AC') return 1;
  const size = Math.max(Math.abs(best ?? 0), Math.abs(score));
  return best === null || size === 0 ? 0 : Math.min(0.999, Math.abs(best - score) / size);
}

/** Few are farther than this. */
function darkest(gaps: readonly number[]): number {
  const sorted = gaps.filter((each) => each > 0 && each < 1).toSorted((a, b) => a - b);
  return sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 1;
}

function worstTable({ best }: Search, gap: Gap, bests: ReadonlyMap<string, number>): Table | null {
  const cases = best?.note.evaluation?.cases ?? [];
  const worse = cases.filter((each) => gap(each) > 0);
  const rows = worse
    .toSorted((a, b) => gap(b) - gap(a))
    .slice(0, mostListed)
    .map((each) => {
      const own = each.score === null ? each.verdict : scoreText(each.score);
      return { cells: [each.name, own, scoreText(bests.get(each.name) ?? null), percent(gap(each))] };
    });
  const title = `Where ${best?.id} has most to gain; it is the best on ${cases.length - worse.length} of ${count(cases.length, 'case')}`;
  return tableOf(title, [['case'], ['this', 'best known', 'off by']], rows);
}
