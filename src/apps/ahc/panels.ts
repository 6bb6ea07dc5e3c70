/** What the page shows of a search for programs: the folds of `status` and `report`, as a panel. Pure. */
import type { Event, Header } from '../../core/event.ts';
import type { Panel } from '../../notes/panel.ts';
import { openedPanel } from './panels/candidate.ts';
import { casesPart } from './panels/cases.ts';
import { type Chained, courseChart, factsOf, nowTable, sentenceOf } from './panels/course.ts';
import { drawingsOf, type Pictures, toldApart } from './panels/drawings.ts';
import { searchOf } from './panels/search.ts';
import { deathsTable, hintsTable, lineageOf, linesTable, operatorsTable } from './panels/tables.ts';

export function panelsOf(
  events: readonly Event[],
  problem: Header['problem'],
  chained: Chained | null = null,
  pictures: Pictures | null = null,
): readonly Panel[] {
  const search = searchOf(events, problem);
  if (!search) return [];
  const { best } = search;
  const blocks = [
    ...[factsOf(search, chained), nowTable(search), courseChart(search), lineageOf(search)],
    ...[linesTable(search), casesPart(search)],
    pictures && drawingsOf(toldApart(search), pictures),
    ...[deathsTable(search), operatorsTable(search), hintsTable(search)],
    best &&
      ({
        kind: 'code',
        title: `The best program, ${best.id}`,
        text: best.note.source,
        seq: best.seq,
      } as const),
  ].filter((each) => each !== null);
  return [{ title: 'Search', sentence: sentenceOf(search), blocks }];
}

/** A candidate; null where the event settles none. */
export function openedOf(
  events: readonly Event[],
  problem: Header['problem'],
  seq: number,
  pictures: Pictures | null = null,
): Panel | null {
  const search = searchOf(events, problem);
  const attempt = search?.tried.find((each) => each.seq === seq);
  if (!search || !attempt) return null;
  const panel = openedPanel(search, attempt);
  const parent = search.byId.get(attempt.note.parents[0] ?? '');
  const drawings = pictures && drawingsOf(parent ? [attempt, parent] : [attempt], pictures);
  return drawings ? { ...panel, blocks: [...panel.blocks, drawings] } : panel;
}

/** The program of a candidate; null where the event settles none. */
export function programAt(events: readonly Event[], problem: Header['problem'], seq: number): string | null {
  const tried = searchOf(events, problem)?.tried.find((each) => each.seq === seq);
  return tried?.note.source || null;
}
