/** A run-set as a table: its problems one below the other, what is compared side by side. Pure. */
import { canonicalJson } from '../../core/json.ts';
import type { RowPlan, SetPlan } from './plan.ts';

export type SetLayout = {
  /** One for each problem; for each row where nothing is compared. */
  readonly lines: readonly string[];
  /** What is compared, by what tells one from the others: agent, model, setting. One: nothing is compared. */
  readonly columns: readonly string[];
  /** The line and the column of each row. */
  readonly places: readonly { readonly line: number; readonly column: number }[];
};

/** More side by side than this is a search over settings, and no comparison. */
const mostColumns = 24;

export function layoutOf({ rows }: Pick<SetPlan, 'rows'>): SetLayout {
  const systems = uniqueBy(rows, systemOf);
  const problems = uniqueBy(rows, problemOf);
  const cells = new Set(rows.map((row) => `${problemOf(row)} ${systemOf(row)}`)).size;
  // If most problems have one system each, there is nothing to compare.
  const isSparse = cells * 2 < problems.size * systems.size;
  if (systems.size < 2 || systems.size > mostColumns || isSparse) {
    const positions = rows.map((_row, line) => ({ line, column: 0 }));
    return {
      lines: rows.map(({ name }) => name),
      columns: [columnName(rows.slice(0, 1), rows)],
      places: positions,
    };
  }
  const places = rows.map((row) => ({
    line: problems.get(problemOf(row))?.at ?? 0,
    column: systems.get(systemOf(row))?.at ?? 0,
  }));
  const lines = withoutCommon([...problems.values()].map(({ own }) => sharedName(own)));
  const rowPlans = [...systems.values()].flatMap(({ own }) => own.slice(0, 1));
  return { lines, columns: shortenNames(rowPlans.map((row) => columnName([row], rowPlans))), places };
}

function problemOf({ family, problem }: RowPlan): string {
  return canonicalJson([family, problem]);
}

/** All that may differ between two rows of one problem, but their seeds. */
function systemOf(row: RowPlan): string {
  return canonicalJson(partsOf(row));
}

function partsOf({ agent, models, settings, modelSettings, limits, baseUrls = {}, promptsFolder }: RowPlan) {
  const parts = { agent, models, settings, modelSettings, limits: { ...limits }, baseUrls };
  return promptsFolder === undefined ? parts : { ...parts, prompts: promptsFolder };
}

function uniqueBy(rows: readonly RowPlan[], keyOf: (row: RowPlan) => string) {
  const found = new Map<string, { readonly at: number; readonly own: RowPlan[] }>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = found.get(key) ?? { at: found.size, own: [] };
    known.own.push(row);
    found.set(key, known);
  }
  return found;
}

/** What it has and not all of the others have; where they are all alike, its agent. */
function columnName([row]: readonly RowPlan[], siblings: readonly RowPlan[]): string {
  if (!row) return '';
  const own = wordsIn(partsOf(row));
  const all = siblings.map((other) => wordsIn(partsOf(other)));
  const telling = [...own].filter(([path, word]) => all.some((words) => words.get(path) !== word));
  return telling.map(([path, word]) => (isName(path) ? word : `${path} ${word}`)).join(', ') || row.agent;
}

/** Agents and models are known by name alone. */
function isName(path: string): boolean {
  return path === 'agent' || path === 'default';
}

/** Plain values by the name of their field, from the innermost on as far as it is needed. */
function wordsIn(value: unknown, path = ''): ReadonlyMap<string, string> {
  if (typeof value !== 'object' || value === null) return new Map([[path, String(value)]]);
  const inner = Object.entries(value).flatMap(([name, each]) => [...wordsIn(each, name)]);
  return new Map(inner);
}

/** What the names of its rows have in common: the combination of a row follows behind a comma. */
function sharedName(rows: readonly RowPlan[]): string {
  const [first = [], ...siblings] = rows.map(({ name }) => name.replace(/ \(\d+\)$/, '').split(', '));
  const different = first.findIndex((part, at) => siblings.some((other) => other[at] !== part));
  return (different > 0 ? first.slice(0, different) : first).join(', ');
}

/** What follows the first comma in all of them is no part of a problem. */
function withoutCommon(names: readonly string[]): readonly string[] {
  const [, first] = /^[^,]*(,.*)$/.exec(names[0] ?? '') ?? [];
  if (first === undefined || names.length < 2 || !names.every((name) => name.endsWith(first))) return names;
  return names.map((name) => name.slice(0, -first.length));
}

/** Without the folder or provider that all of them have in common. */
function shortenNames(names: readonly string[]): readonly string[] {
  const [first = '', ...siblings] = names;
  let shared = first;
  for (const other of siblings) {
    while (!other.startsWith(shared)) shared = shared.slice(0, -1);
  }
  const cut = shared.search(/[^/:]*$/);
  const rest = names.map((name) => name.slice(cut));
  return siblings.length > 0 && new Set(rest).size === names.length ? rest : names;
}
