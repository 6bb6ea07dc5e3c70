/**
 * The house rules of ARCHITECTURE.md as functions over source texts: who may import whom, no cycles, no import inside
 * a function without its reason, and nothing of the outside world in the pure rooms.
 */
import { dirname, join, normalize, relative } from 'node:path';

export type Source = { readonly path: string; readonly text: string };
export type Violation = string;

/** The way in from the faces of the program, and from other people's. */
const entrance = 'index.ts';

/** Rooms below the composition root, which knows them all. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  core: [],
  answers: ['core'],
  grids: ['core'],
  pages: ['core'],
  run: ['core'],
  models: ['core'],
  sandbox: ['core'],
  store: ['core'],
  io: ['core'],
  agents: ['core', 'answers', 'grids'],
  families: ['core', 'answers', 'grids', 'pages'],
  practice: ['core', 'io'],
  studies: ['core', 'run'],
};

/** Room → rooms it may import, besides itself. The same table stands in ARCHITECTURE.md. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  ...rooms,
  composition: Object.keys(rooms),
  [entrance]: [...Object.keys(rooms), 'composition'],
  cli: [entrance, 'core', 'studies'],
  server: [entrance, 'core', 'studies'],
};

/** Rooms that touch the world through a run or a context alone. */
const pureRooms = ['core', 'answers', 'grids', 'pages', 'agents', 'families'];

const banned: readonly (readonly [RegExp, string])[] = [
  [/\bset(Timeout|Interval|Immediate)\s*\(/, 'a timer'],
  [/\bqueueMicrotask\s*\(/, 'a timer'],
  [/\bPromise\s*\.\s*race\b/, 'Promise.race'],
  [/\bnew Date\b|\bDate\s*\.\s*now\b/, 'Date'],
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
    if (isDynamic && !lazyTables.includes(source.path) && !hasReason(source, line)) {
      found.push(`${source.path}:${line}: an import inside a function, without its reason beside it`);
    }
    if (!target.startsWith('.')) continue;
    const other = roomOf(join(dirname(source.path), target));
    if (other !== room && !allowed.includes(other)) {
      found.push(`${source.path}:${line}: ${room} may not import ${other}`);
    }
  }
  return found;
}

/** A comment on the line, or on one of the two before it. */
/** Nothing but lazy imports, one a command: the reason for all of them stands in the header. */
const lazyTables: readonly string[] = [
  'src/cli/commands.ts',
  'src/composition/agents.ts',
  'src/composition/families.ts',
];

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
