/**
 * The house rules of ARCHITECTURE.md as functions over source texts: who may import whom, no cycles, no import inside
 * a function without its reason, and nothing of the outside world in the pure rooms.
 */
import { dirname, join, normalize, relative } from 'node:path';

export type Source = { readonly path: string; readonly text: string };
export type Violation = string;

/** Rooms that know no app, each with the rooms it may import besides itself. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  core: [],
  text: ['core'],
  answers: ['core', 'text'],
  grids: ['core', 'text'],
  pages: ['core', 'text'],
  notes: ['core', 'text'],
  run: ['core', 'text'],
  models: ['core', 'text', 'io'],
  sandbox: ['core', 'text'],
  store: ['core', 'text'],
  io: ['core', 'text'],
  practice: ['core', 'text', 'io'],
  agents: ['core', 'text', 'notes', 'answers', 'grids'],
  families: ['core', 'text', 'notes', 'answers', 'grids', 'pages'],
  studies: ['core', 'text', 'run'],
};

const opened = Object.keys(rooms);
const shown = [
  'core',
  'text',
  'notes',
  'run',
  'studies',
  'store',
  'io',
  'models',
  'sandbox',
  'practice',
  'open',
];

/** Room → rooms it may import, besides itself. The same table stands in ARCHITECTURE.md. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  ...rooms,
  open: opened,
  server: shown,
  cli: [...shown, 'server'],
  web: ['core', 'text', 'notes', 'grids'],
  'index.ts': [...opened, 'open'],
  apps: [...opened, 'open', 'cli', 'server'],
  'main.ts': ['apps', 'cli'],
  'ahc-agent.ts': ['apps', 'cli'],
  'background.ts': ['apps', 'cli'],
};

/** Rooms that touch the world through a run or a context alone. */
const pureRooms = ['core', 'text', 'notes', 'answers', 'grids', 'pages', 'agents', 'families'];

const banned: readonly (readonly [RegExp, string])[] = [
  [/\bset(Timeout|Interval|Immediate)\s*\(/, 'a timer'],
  [/\bqueueMicrotask\s*\(/, 'a timer'],
  [/\bPromise\s*\.\s*race\b/, 'Promise.race'],
  // A date that is made of a number tells no time.
  [/\bnew Date\s*(?!\s*\(\s*[^)\s])|\bDate\s*\.\s*now\b/, 'Date'],
  [/\bperformance\s*\.\s*now\b/, 'the clock'],
  [/\bMath\s*\.\s*random\b/, 'Math.random'],
  [/\bcrypto\s*\./, 'crypto'],
  [/\bprocess\s*\./, 'process'],
  [/(?<![.#\w])fetch\s*\(/, 'fetch'],
];

/** `src/core/x.ts` → `core`; files directly in src are rooms of their own. */
export function roomOf(path: string): string {
  return relative('src', path).split('/')[0] ?? '';
}

export function checkHouse(sources: readonly Source[]): Violation[] {
  return [
    ...sources.flatMap(checkImports),
    ...sources.flatMap(checkPurity),
    ...findCycles(sources).map((cycle) => `a cycle: ${cycle.join(' → ')}`),
  ];
}

type Import = { readonly target: string; readonly isDynamic: boolean; readonly line: number };

const importPattern =
  /^(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*['"`]([^'"`]+)['"`]\s*\)/gm;

/** Types count as imports too: a room that needs another's types knows that room. */
function importsOf({ text }: Source): Import[] {
  return [...withoutComments(text).matchAll(importPattern)].map((match) => ({
    target: match[1] ?? match[2] ?? match[3] ?? '',
    isDynamic: match[3] !== undefined,
    line: text.slice(0, match.index).split('\n').length,
  }));
}

function checkImports(source: Source): Violation[] {
  const room = roomOf(source.path);
  const allowed = mayImport[room];
  if (!allowed) return [`${source.path}: the room ${room} is not in the table`];
  const found: Violation[] = [];
  for (const { target, isDynamic, line } of importsOf(source)) {
    if (isDynamic && !lazyTables.test(source.path) && !hasReason(source, line)) {
      found.push(`${source.path}:${line}: an import inside a function, without its reason beside it`);
    }
    if (!target.startsWith('.')) continue;
    const path = join(dirname(source.path), target);
    const other = roomOf(path);
    if (other !== room && !allowed.includes(other)) {
      found.push(`${source.path}:${line}: ${room} may not import ${other}`);
    }
    if (other === room && isNeighbour(source.path, path)) {
      found.push(
        `${source.path}:${line}: ${folderOf(source.path)} may not import its neighbour ${folderOf(path)}`,
      );
    }
    if (room === 'apps' && other === 'families' && folderOf(path) !== folderOf(source.path)) {
      found.push(
        `${source.path}:${line}: the app ${folderOf(source.path)} may not import the family ${folderOf(path)}`,
      );
    }
  }
  return found;
}

/** Nothing but lazy imports, one a command, an agent or a family: the reason for all of them stands in the header. */
const lazyTables = /^src\/(cli\/commands|open\/agents|open\/families|apps\/[^/]+\/app)\.ts$/;

/** A comment on the line, or on one of the two before it. */

/** Rooms whose folders do not know each other. */
const apart = ['agents', 'families', 'apps'];

/** What agents share. */
const shared = ['kit'];

function isNeighbour(path: string, other: string): boolean {
  if (!apart.includes(roomOf(path)) || path === 'src/apps/all.ts') return false;
  return folderOf(path) !== folderOf(other) && !shared.includes(folderOf(other));
}

/** `src/agents/search/x.ts` → `search`. */
function folderOf(path: string): string {
  return relative('src', path).split('/')[1] ?? '';
}

function hasReason({ text }: Source, line: number): boolean {
  return text
    .split('\n')
    .slice(Math.max(0, line - 3), line)
    .some((each) => /\/\/|\*/.test(each));
}

function checkPurity(source: Source): Violation[] {
  if (!pureRooms.includes(roomOf(source.path))) return [];
  const code = withoutComments(source.text);
  const found = banned
    .filter(([pattern]) => pattern.test(code))
    .map(([, name]) => `${source.path}: uses ${name}; effects go through the run`);
  for (const { target } of importsOf(source)) {
    if (target.startsWith('node:'))
      found.push(`${source.path}: imports ${target}; effects go through the run`);
  }
  return found;
}

/** Blanks take their place, so that positions stay. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) =>
    comment.replaceAll(/[^\n]/g, ' '),
  );
}

/** Cycles of files; each is named once, from its smallest file on. */
export function findCycles(sources: readonly Source[]): string[][] {
  const graph = new Map<string, string[]>();
  for (const source of sources) {
    const targets = importsOf(source).filter(({ target }) => target.startsWith('.'));
    graph.set(
      source.path,
      targets.map(({ target }) => normalize(join(dirname(source.path), target))),
    );
  }
  const cycles = new Map<string, string[]>();
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      const cycle = trail.slice(start);
      cycles.set([...cycle].sort().join(), [...cycle, path]);
      return;
    }
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return [...cycles.values()];
}
