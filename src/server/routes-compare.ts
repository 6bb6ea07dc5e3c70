/** Routes over several runs at once: two side by side, and the forks of one. They read, and change nothing. */
import { Hono } from 'hono';
import { totalSpend } from '../core/totals.ts';
import { answerText } from '../notes/ensemble.ts';
import {
  type ComparedRow,
  type ComparedSide,
  type Comparison,
  comparedRows,
  equalRanges,
  type ForkItem,
  type RunFigures,
  summarizeItems,
} from '../notes/page-compare.ts';
import { eventItem, type RunItem } from '../notes/page-items.ts';
import {
  branchEvents,
  diffHeaders,
  findDivergence,
  pairsOf,
  type RunStart,
} from '../notes/run-difference.ts';
import type { Journals } from '../open/options.ts';
import { explanationWithoutGold } from '../open/run-json.ts';
import { readableRuns } from '../run/spending.ts';
import { toolCallsOf } from '../text/labels.ts';
import { numberIn, rejectRequest } from './guard.ts';
import { type Journal, kept, type Reader } from './reader.ts';

type Place = Pick<Journals['world'], 'store'> & { readonly reader: Reader };

/** Comparisons that stay at hand: their rows are asked for in parts. */
const mostKept = 4;
const mostRows = 1_000;
/** A session of a contest is a chain of forks. */
const mostForks = 500;

export function compareRoutes(place: Place): Hono {
  const { store } = place;
  const comparisons = new Map<string, Promise<Compared>>();
  const app = new Hono();

  const compared = async (query: (name: string) => string | undefined): Promise<Compared | null> => {
    const names = [query('a') ?? '', query('b') ?? ''] as const;
    const rows = [await store.get(names[0]), await store.get(names[1])];
    if (!rows.every((row) => row !== null)) return null;
    const branches = [query('branchA') ?? '', query('branchB') ?? ''] as const;
    for (const [index, name] of names.entries()) {
      const { events } = await place.reader.journal(name);
      if (!events.some(({ branch }) => branch === branches[index])) return null;
    }
    const mark = JSON.stringify([names, branches, rows.map(({ lastSeq }) => lastSeq)]);
    const found = kept(comparisons, mark, mostKept, () => compare(place, names, branches));
    found.catch(() => comparisons.delete(mark));
    return found;
  };

  app.get('/compare', async (context) => {
    const found = await compared((name) => context.req.query(name));
    return found ? context.json(found.comparison) : rejectRequest(context, 404, missing);
  });

  app.get('/compare/rows', async (context) => {
    const found = await compared((name) => context.req.query(name));
    if (!found) return rejectRequest(context, 404, missing);
    const from = numberIn(context.req.query('from'), 0, Number.MAX_SAFE_INTEGER);
    const limit = numberIn(context.req.query('limit'), 200, mostRows);
    return context.json({ from, rows: found.rows.slice(from, from + limit) });
  });

  app.get('/runs/:id/forks', async (context) => {
    const forks = await forksOf(place, context.req.param('id'));
    return forks ? context.json(forks) : rejectRequest(context, 404, 'There is no such run here.');
  });

  return app;
}

const missing = 'One of the two runs, or of their branches, is not here.';

type Compared = { readonly comparison: Comparison; readonly rows: readonly ComparedRow[] };

async function compare(
  place: Place,
  [nameA, nameB]: readonly [string, string],
  [branchA, branchB]: readonly [string, string],
): Promise<Compared> {
  const [a, b] = [await place.reader.journal(nameA), await place.reader.journal(nameB)];
  const [eventsA, eventsB] = [branchEvents(a.events, branchA), branchEvents(b.events, branchB)];
  const pairs = pairsOf(eventsA, eventsB);
  const at = findDivergence(eventsA, eventsB)?.at;
  const rows = comparedRows(pairs, [a.view.header, b.view.header]);
  // Of a fork, calls that were open where it begins are asked for once more: they part nothing.
  const parting = rows.findIndex(({ place }) => place === at);
  const similar = equalRanges(rows);
  const [from = -1, to = 0] = similar[0] ?? [];
  const before = rows.slice(0, from === 0 ? to : 0).flatMap((row) => row.a ?? []);
  const [sideA, sideB] = [await sideOf(place, nameA, branchA, a), await sideOf(place, nameB, branchB, b)];
  const [runStart, begunB] = [await readStart(place, nameA, a), await readStart(place, nameB, b)];
  return {
    rows,
    comparison: {
      a: sideA,
      b: sideB,
      header: runStart && begunB ? diffHeaders(runStart, begunB) : [],
      rows: rows.length,
      parting: parting < 0 ? null : parting,
      differences: rows.filter(({ isSame }) => !isSame).length,
      alike: similar,
      beginning: {
        ...summarizeItems(before),
        isShared: (before.at(-1)?.seq ?? 0) <= sharedUpTo(sideA.item, sideB.item),
      },
    },
  };
}

/** The last event that the journal of one run has from the other, or both from a third. */
function sharedUpTo(a: RunItem, b: RunItem): number {
  if (a.id === b.id) return Number.MAX_SAFE_INTEGER;
  if (b.forkOf?.run === a.id) return b.forkOf.seq;
  if (a.forkOf?.run === b.id) return a.forkOf.seq;
  return a.forkOf && a.forkOf.run === b.forkOf?.run ? Math.min(a.forkOf.seq, b.forkOf.seq) : 0;
}

async function readStart({ store }: Place, id: string, { events, view }: Journal): Promise<RunStart | null> {
  const messages = await store.mail(id, 0);
  const tells = messages.flatMap(({ kind, text }) => (kind === 'tell' ? [text] : []));
  return view.header && { header: view.header, events, tells };
}

async function sideOf(
  { store, reader }: Place,
  id: string,
  branch: string,
  journal: Journal,
): Promise<ComparedSide> {
  const { events, view, damage } = journal;
  const row = await store.get(id);
  if (!row) throw new Error(`Run ${id} was deleted while it was compared.`);
  return {
    item: await reader.item(row),
    branch,
    branches: [...new Set(events.map((event) => event.branch))],
    explanation: explanationWithoutGold(view),
    answer: branch === '' ? answerOf(journal) : null,
    figures: branch === '' ? runFigures(journal) : branchFigures(journal, branch),
    damage,
  };
}

function answerOf({ view }: Journal): string | null {
  const { answer } = view.end?.solution ?? {};
  return answer ? answerText(answer) : null;
}

function runFigures({ view }: Journal): RunFigures {
  const { totals, aliveMs, end } = view;
  const { tokens, costUsd } = totalSpend(totals);
  return {
    modelCalls: totals.modelCalls,
    toolCalls: toolCallsOf(totals),
    programs: totals.programs,
    tokens,
    costUsd,
    timeMs: aliveMs,
    score: end?.grade?.score ?? null,
  };
}

function branchFigures({ events, view }: Journal, branch: string): RunFigures {
  const items = branchEvents(events, branch).map((event) => eventItem(event, view.header));
  return { ...summarizeItems(items), score: null };
}

/** From the first of its forebears that is here, each run before its forks. */
async function forksOf(
  place: Place,
  id: string,
): Promise<{ readonly forks: readonly ForkItem[]; readonly more: boolean } | null> {
  const { store, reader } = place;
  const rows = new Map((await readableRuns(store, () => undefined, {})).map((row) => [row.id, row]));
  let first = rows.get(id);
  if (!first) return null;
  for (let up = first.parent; up && rows.has(up.run); up = first.parent) first = rows.get(up.run) ?? first;
  const children = Map.groupBy(rows.values(), ({ parent }) => parent?.run ?? '');
  const forks: ForkItem[] = [];
  const waiting = [{ row: first, parent: null as string | null, depth: 0 }];
  for (let next = waiting.pop(); next && forks.length < mostForks; next = waiting.pop()) {
    const { row, parent, depth } = next;
    const journal = await reader.journal(row.id);
    const own = await readStart(place, row.id, journal);
    const before = parent === null ? null : await readStart(place, parent, await reader.journal(parent));
    forks.push({
      item: await reader.item(row),
      parent,
      depth,
      score: journal.view.end?.grade?.score ?? null,
      answer: answerOf(journal),
      changed: own && before ? diffHeaders(before, own) : [],
    });
    const descendants = (children.get(row.id) ?? []).toSorted((x, y) => y.createdAtMs - x.createdAtMs);
    waiting.push(...descendants.map((each) => ({ row: each, parent: row.id, depth: depth + 1 })));
  }
  return { forks, more: waiting.length > 0 };
}
