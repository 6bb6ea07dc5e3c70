/** How good the best is, since when, and the scores over time, cost and evaluations. */
import type { Chart, Facts, Table } from '../../../notes/panel.ts';
import { count, duration, grouped } from '../../../text/format.ts';
import { isMoreBetter } from '../session/course.ts';
import { busyNow } from '../session/fold.ts';
import { byBand, type Search, scoreText, type Tried, tableOf } from './search.ts';

export function sentenceOf({ state, tried }: Search): string {
  const best = tried.findLast(({ id }) => id === state.best.at(-1)?.id);
  if (!best) return `${count(tried.length, 'candidate')} so far; none ran on all cases.`;
  const later = tried.slice(tried.indexOf(best) + 1);
  const cut = later.filter(({ note }) => note.status === 'cut').length;
  const since = `Of ${count(later.length, 'candidate')} in ${duration(state.run.aliveMs - best.aliveMs)} since then none was better`;
  const selected = state.final && state.final.chosen !== best.id ? state.final : null;
  return [
    `Best ${scoreText(best.score)}, ${best.id}, found after ${duration(best.aliveMs)}.`,
    later.length === 0 ? 'It is the newest.' : `${since}${cut > 0 ? `, ${cut} of them cut early` : ''}.`,
    selected ? `${selected.chosen} was chosen in the end: ${selected.because}.` : '',
  ]
    .join(' ')
    .trim();
}

/** A session and its runs: each continuation is a fork. */
export type Chained = { readonly name: string; readonly runs: readonly string[] };

export function factsOf({ state, tried }: Search, chained: Chained | null): Facts {
  const { setting, run, over } = state;
  const runs = chained?.runs ?? [];
  const at = runs.indexOf(run.header?.runId ?? '');
  const [before, after] = [runs[at - 1], runs[at + 1]];
  const total = tried.filter(({ note }) => note.status === 'evaluated').length;
  const limit = setting ? ` of ${duration(setting.timeLimitSeconds * 1000)}` : '';
  const facts = {
    session: chained?.name ?? '',
    run: runs.length > 1 ? `${at + 1} of ${runs.length}` : '',
    'goes on from': before ?? '',
    'goes on in': after ?? '',
    time: `${duration(Math.max(0, run.aliveMs - state.waitedMs))}${limit}`,
    candidates: `${grouped(tried.length)}, ${grouped(total)} run on all cases`,
    evaluations: grouped(tried.at(-1)?.evaluations ?? 0),
    generation: setting ? `${state.generation} of ${setting.maxGenerations}` : '',
    strategies: state.strategies.map(({ name }) => name).join(', '),
    ended: over ?? '',
  };
  return {
    kind: 'facts',
    facts: Object.entries(facts).flatMap(([label, value]) => {
      if (value === '') return [];
      return [label.startsWith('goes on') ? { label, value, run: value } : { label, value }];
    }),
  };
}

export function nowTable({ state }: Search): Table | null {
  const busy = state.run.end ? [] : busyNow(state);
  const rows = busy.map(({ branch, what }) => ({ cells: [branch || 'main', what] }));
  return tableOf('Now', [['line', 'what it does'], []], rows);
}

export function courseChart({ state, tried, counting }: Search): Chart | null {
  const scored = tried.filter(({ score }) => score !== null);
  const last = tried.at(-1);
  if (scored.length === 0 || !last) return null;
  const end = { ...last, aliveMs: state.run.aliveMs };
  const along = (label: string, xOf: (of: Tried) => number) => ({
    x: { label },
    series: seriesOf(scored, end, xOf),
  });
  const first =
    end.aliveMs > 120_000
      ? along('minutes', ({ aliveMs }) => aliveMs / 60_000)
      : along('seconds', ({ aliveMs }) => aliveMs / 1000);
  const fallback = [
    ...(last.costUsd ? [along('US dollars', ({ costUsd }) => costUsd ?? 0)] : []),
    ...(last.evaluations > 0 ? [along('evaluations', ({ evaluations }) => evaluations)] : []),
  ];
  const unit = counting.scoring === 'relative' ? 'share of the best known' : 'mean of its cases';
  const y = { label: `${unit}; ${isMoreBetter(counting) ? 'more' : 'less'} is better` };
  return { kind: 'chart', title: 'Score', ...first, y, otherwise: fallback };
}

function seriesOf(scored: readonly Tried[], end: Tried, xOf: (of: Tried) => number): Chart['series'] {
  const point = (of: Tried) => ({ x: xOf(of), y: of.score ?? 0, seq: of.seq, about: of.id });
  const steps = scored.filter(({ isBest }) => isBest);
  const now = steps.slice(-1).map((of) => ({ x: xOf(end), y: of.score ?? 0 }));
  return [
    { name: 'best so far', isStep: true, points: [...steps.map(point), ...now] },
    ...byBand(scored).map(([name, of]) => ({ name, points: of.map(point) })),
  ];
}
