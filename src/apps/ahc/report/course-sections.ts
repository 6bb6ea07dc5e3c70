/** The course of a session: its score over time and over tokens, who came from whom, and the program that came of it. */
import { lineChart, type Series } from '../../../cli/charts/line-chart.ts';
import { folded, paragraph, type Section } from '../../../cli/charts/page.ts';
import type { ReportParts } from './parts.ts';

export function courseSection({ ahc, seen }: ReportParts): Section | null {
  const scoreOf = ahc.scoresOf(seen.state, seen.place.manifest);
  const points = ahc.milestonesOf(seen.events).flatMap((milestone) => {
    const score = scoreOf(milestone.id);
    return score === null ? [] : [{ ...milestone, score }];
  });
  if (points.length === 0) return null;
  const { aliveMs: endMs, totals } = seen.state.run;
  const along = (xOf: (point: (typeof points)[number]) => number, endX: number): Series[] => {
    const placed = (some: typeof points) =>
      some.map((point) => ({
        x: xOf(point),
        y: point.score,
        about: `${point.id}: ${ahc.plainNumber(point.score)}`,
      }));
    const best = placed(points.filter(({ isBest }) => isBest));
    const end = best.at(-1);
    return [
      { name: 'best', as: 'steps', points: end ? [...best, { x: Math.max(end.x, endX), y: end.y }] : best },
      { name: 'every program that was run on all cases', as: 'dots', points: placed(points) },
    ];
  };
  const minutes = along(({ aliveMs }) => aliveMs / 60_000, endMs / 60_000);
  const tokens = along((point) => point.tokens, totals.tokens.input + totals.tokens.output);
  const charts = [
    lineChart(minutes, { title: 'Score over time', x: 'minutes alive', y: 'score' }),
    lineChart(tokens, { title: 'Score over tokens', x: 'tokens', y: 'score' }),
  ];
  const words = 'Mean score over the cases of the search; programs that were dropped early have none.';
  return { heading: 'Course', body: [paragraph(words), ...charts].join('\n') };
}

export function lineageSection({ ahc, seen }: ReportParts): Section {
  const { state, place } = seen;
  const scoreOf = ahc.scoresOf(state, place.manifest);
  const svg = ahc.lineageSvg(state, place.manifest.scoring, ({ id, status }) => {
    const score = scoreOf(id);
    return score === null ? status : ahc.plainNumber(score);
  });
  const words =
    'A column a generation, a colour an island; pale ones have no score, the large one is the best.';
  return { heading: 'Lineage', body: `${paragraph(words)}\n<div class="wide">${svg}</div>` };
}

export function sourceSection({ ahc, seen }: ReportParts): Section | null {
  const best = ahc.candidateOf(seen.state, seen.state.bestId);
  if (!best) return null;
  return {
    heading: 'The best program',
    body: folded(`${best.note.id}: ${best.note.summary}`, best.note.source),
  };
}
