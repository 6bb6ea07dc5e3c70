/** A run or a run-set as one file that opens anywhere, without a server: the page with what it would be told inside. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../core/event.ts';
import { foldRun } from '../core/fold.ts';
import type { RunRow, SetRow } from '../core/store.ts';
import { eventItem } from '../notes/page-items.ts';
import type { Journals } from '../open/options.ts';
import { setRowJson } from '../open/set-json.ts';
import { codeVersion } from '../open/version.ts';
import { readJournal } from '../run/load.ts';
import { layoutOf } from '../studies/run-set/layout.ts';
import { type RowPlan, runIdOf, setOf } from '../studies/run-set/plan.ts';
import { type RowResult, stateOf } from '../studies/run-set/rows.ts';
import { outcomeTone } from '../text/labels.ts';
import { createHiddenFinder } from './hidden-places.ts';
import { itemOf, wholeRun } from './reader.ts';
import type { PanelsOf } from './routes.ts';
import { headOf, resultOf, rowItem } from './set-reader.ts';
import { withoutGrids, withoutPuzzle } from './without-puzzle.ts';

export type CopyOptions = {
  readonly polya: Journals;
  /** The folder of the page's files. */
  readonly page: string;
  readonly withPuzzle: boolean;
  /** Texts of a journal that its app says may not be passed on. */
  hidden(events: readonly Event[]): Promise<readonly string[]>;
  readonly apps: PanelsOf;
  /** Takes secrets out of what it holds. */
  mask?(text: string): string;
};

type CopySource = readonly (readonly [event: string, data: unknown])[];
type Answers = Readonly<Record<string, unknown>>;
type Copy = {
  readonly start: string;
  readonly streams: Readonly<Record<string, CopySource>>;
  readonly answers: Answers;
};

/** One, or a chain of forks; it opens with the last. */
export async function copyOfRuns(options: CopyOptions, rows: readonly RunRow[]): Promise<string> {
  const parts = [];
  for (const row of rows) parts.push(await partOf(options, row));
  const streams = Object.assign({}, ...parts.map((part) => part.streams));
  return fileOf(options, parts.at(-1)?.title ?? '', {
    start: `#/runs/${rows.at(-1)?.id}`,
    streams,
    answers: Object.assign({}, ...parts.map((part) => part.answers)),
  });
}

async function partOf(options: CopyOptions, row: RunRow) {
  const { events, damage, problem } = await journalOf(options, row.id);
  const view = foldRun(events);
  const { title, id } = view.header?.problem ?? { title: row.id, id: '' };
  const shown = { ...row, owner: null, summary: { ...row.summary, title, problem: id } };
  const item = itemOf(shown, { events, view });
  const full = wholeRun(shown, { view, damage }, item);
  const lines = events.map((event) => ['event', eventItem(event, view.header)] as const);
  const samples = await options.apps.panels(events, problem ? { problem } : {});
  const panels = options.withPuzzle ? samples : samples.map(withoutGrids);
  const answers = [
    ...events.map((event) => [`/runs/${row.id}/events/${event.seq}`, event]),
    [`/runs/${row.id}/panels`, { panels }],
  ];
  // Without its puzzle it holds nothing to hide.
  const find = createHiddenFinder(events);
  const hidden = events.flatMap((event) => {
    const positions = options.withPuzzle ? find(event) : [];
    return positions.length > 0
      ? [[`/runs/${row.id}/events/${event.seq}/hidden`, { places: positions }]]
      : [];
  });
  return {
    title,
    streams: { [`/runs/${row.id}/stream`]: [...lines, ['run', full]] } satisfies Copy['streams'],
    answers: Object.fromEntries([...answers, ...hidden]),
  };
}

export async function copyOfSet(options: CopyOptions, row: SetRow): Promise<string> {
  const { store } = options.polya.world;
  const set = setOf(row);
  const rows: RowResult[] = [];
  for (const [index, plan] of set.plan.rows.entries()) {
    const runId = runIdOf(set, index);
    const run = await store.get(runId);
    const view = run && foldRun((await journalOf(options, runId)).events);
    const name = options.withPuzzle ? plan.name : nameOf(plan, index, view?.header?.problem.id);
    rows.push({ index, plan: { ...plan, name }, runId, state: stateOf(run, view?.end ?? null), view });
  }
  const named = { ...set, plan: { ...set.plan, rows: rows.map(({ plan }) => plan) } };
  const layout = layoutOf(named.plan);
  const head = headOf({ ...resultOf(row, named, rows), pid: null }, layout);
  const lines = rows.map((each) => rowItem(each, layout));
  const good = rows.filter(({ view }) => outcomeTone(view?.end?.outcome ?? null) === 'good').length;
  return fileOf(options, set.plan.name, {
    start: `#/sets/${row.id}`,
    streams: {
      [`/sets/${row.id}/stream`]: [
        ['set', head],
        ['rows', lines],
      ],
    },
    answers: { '/sets': { sets: [{ ...setRowJson(row), pid: null, ended: head.ended, good }] } },
  });
}

/** The name of a row may hold its problem, and that its gold answer. */
function nameOf({ name, problem }: RowPlan, index: number, id: string | undefined): string {
  return valuesIn(problem).some((value) => name.includes(value)) ? (id ?? `row ${index + 1}`) : name;
}

/** Every text and number of a problem, but no key. */
function valuesIn(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesIn);
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? [String(value)] : [];
}

async function journalOf({ polya, withPuzzle, hidden }: CopyOptions, id: string) {
  const { events, damage } = await readJournal(polya.world.store, id);
  const head = events.findLast((event) => event.kind === 'run-start' || event.kind === 'run-fork');
  const visible = withPuzzle ? events : withoutPuzzle(events, await hidden(events));
  return { events: visible, damage, problem: head?.body.problem };
}

/** Its one script and its styles are allowed by their hashes; nothing is fetched. */
function fileOf({ page, polya, mask = (text) => text }: CopyOptions, title: string, copy: Copy): string {
  const read = (name: string): string => readFileSync(join(page, name), 'utf8');
  // Inside of a script the end of a script must not stand, whatever it means there.
  const script = read('whole.js').replaceAll(/<(?=\/script|!--|script)/gi, '\\x3C');
  const style = read('page.css');
  const store = {
    home: '',
    version: codeVersion(),
    isReadOnly: true,
    nowMs: polya.world.io.clock.now(),
    calledAs: 'polya',
  };
  const data = inHtml(mask(JSON.stringify({ ...copy, answers: { ...copy.answers, '/store': store } })));
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title.replaceAll(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<script type="application/json" id="copy">${data}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

function inHtml(json: string): string {
  return json.replaceAll(
    /[<>&\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
