/** What the page shows of a search for programs: the folds of `status` and `report`, as a panel. Pure. */
import type { Event, Header } from '../../core/event.ts';
import type { Panel } from '../../notes/panel.ts';
import { openedPanel } from './panels/candidate.ts';
import { casesPart } from './panels/cases.ts';
import { type Chained, courseChart, factsOf, nowTable, sentenceOf } from './panels/course.ts';
import { searchOf } from './panels/search.ts';
import { deathsTable, hintsTable, lineageOf, linesTable, operatorsTable } from './panels/tables.ts';

export function panelsOf(
  events: readonly Event[],
  problem: Header['problem'],
  chained: Chained | null = null,
): readonly Panel[] {
  const search = searchOf(events, problem);
  if (!search) return [];
  const { best } = search;
  const blocks = [
    ...[factsOf(search, chained), nowTable(search), courseChart(search), lineageOf(search)],
    ...[linesTable(search), casesPart(search)],
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
export function openedOf(events: readonly Event[], problem: Header['problem'], seq: number): Panel | null {
  const search = searchOf(events, problem);
  const attempt = search?.tried.find((each) => each.seq === seq);
  return search && attempt ? openedPanel(search, attempt) : null;
}
