/**
 * Which test file is of which kind, by what it is and imports, so that nobody keeps a list:
 * - `long`: named `*.long.test.ts`. Many kills, sanitizers, installations; `npm run test:long`.
 * - `public`: named `*.public.test.ts`. Needs public data that are not part of the project (`shared-data.ts`).
 * - `fast`: nothing that it imports, directly or not, starts a process, and it does not run the whole command line.
 * - `alone`: of the others, those that need a process each: they replace modules, watch what a process of ours leaves, or
 *   import a module with hooks, which is loaded once in a process, and not once for each file.
 * - `rest`: all others.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Kind = 'fast' | 'rest' | 'alone' | 'public' | 'long';
/** Paths from the project's root. */
export type FilesByKind = Readonly<Record<Kind, readonly string[]>>;

/** What makes a test slow. The command line loads on demand, so its imports do not tell what it starts. */
export const slow: readonly string[] = ['node:child_process', 'playwright-core', 'test/cli/shell.ts'];

export function filesByKind(root: string): FilesByKind {
  const kinds: Record<Kind, string[]> = { fast: [], rest: [], alone: [], public: [], long: [] };
  const imports = importsBelow(root);
  for (const path of testFiles(root)) kinds[kindOf(root, path, imports(path))].push(path);
  return kinds;
}

function kindOf(root: string, path: string, imports: readonly string[]): Kind {
  if (path.endsWith('.long.test.ts')) return 'long';
  if (path.endsWith('.public.test.ts')) return 'public';
  if (!imports.some((each) => slow.includes(each))) return 'fast';
  const text = (each: string) => (existsSync(join(root, each)) ? readFileSync(join(root, each), 'utf8') : '');
  const hooks = (each: string) =>
    each.startsWith('test/') && /^(?:before|after)(?:All|Each)\(/m.test(text(each));
  const isAlone = /(?:^|\/)sandbox\//.test(path) || /\bvi\.mock\(/.test(text(path)) || imports.some(hooks);
  return isAlone ? 'alone' : 'rest';
}

function testFiles(root: string): readonly string[] {
  const inFolder = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  return ['src', 'test']
    .flatMap(inFolder)
    .filter((path) => path.endsWith('.test.ts'))
    .sort();
}

/** What a file imports, directly or not; of ours nothing beyond what is slow. */
function importsBelow(root: string): (path: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const importsOf = (path: string): readonly string[] => {
    // A program in a test's text imports what is not there.
    if (slow.includes(path) || !path.endsWith('.ts') || !existsSync(join(root, path))) return [];
    const found = known.get(path) ?? importsIn(path, readFileSync(join(root, path), 'utf8'));
    known.set(path, found);
    return found;
  };
  return (path) => {
    const seen = new Set(importsOf(path));
    for (const each of seen) for (const other of importsOf(each)) seen.add(other);
    return [...seen];
  };
}

const imported = /^(?:import|export)\s+(?!type\b)([^'"`;]*?)\bfrom\s*'([^']+)'|^import\s*'([^']+)'/gm;

/** From the root; packages by their names. Types are not there when a test runs. */
function importsIn(path: string, text: string): readonly string[] {
  return [...text.matchAll(imported)].flatMap(([, names = '', from, bare]) => {
    const target = from ?? bare ?? '';
    const isTypes = /^\{(?:\s*type\s[^,}]+,?)+\s*\}\s*$/.test(names);
    if (isTypes) return [];
    return [target.startsWith('.') ? join(dirname(path), target) : target];
  });
}
