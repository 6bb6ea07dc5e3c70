/**
 * Which test file is of which kind, by what it is and imports, so that nobody keeps a list:
 * - `long`: named `*.long.test.ts`. Many kills, sanitizers, installations; `npm run test:long`.
 * - `public`: named `*.public.test.ts`. Needs public data that are not part of the project (`shared-data.ts`).
 * - `fast`: nothing that it imports, directly or not, starts a process, and it does not run the whole command line.
 * - `rest`: all others.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Kind = 'fast' | 'rest' | 'public' | 'long';
/** Paths from the project's root. */
export type FilesByKind = Readonly<Record<Kind, readonly string[]>>;

/** What makes a test slow. The command line loads on demand, so its imports do not tell what it starts. */
export const slow: readonly string[] = ['node:child_process', 'test/cli/shell.ts'];

export function filesByKind(root: string): FilesByKind {
  const kinds: Record<Kind, string[]> = { fast: [], rest: [], public: [], long: [] };
  const isSlow = slowness(root);
  for (const path of testFiles(root)) kinds[kindOf(path, isSlow)].push(path);
  return kinds;
}

function kindOf(path: string, isSlow: (path: string) => boolean): Kind {
  if (path.endsWith('.long.test.ts')) return 'long';
  if (path.endsWith('.public.test.ts')) return 'public';
  return isSlow(path) ? 'rest' : 'fast';
}

function testFiles(root: string): readonly string[] {
  const inFolder = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path));
  return ['src', 'test']
    .flatMap(inFolder)
    .filter((path) => path.endsWith('.test.ts'))
    .sort();
}

/** Whether a file, or one that it imports, imports something slow. */
function slowness(root: string): (path: string) => boolean {
  const imports = new Map<string, readonly string[]>();
  const importsOf = (path: string): readonly string[] => {
    const known = imports.get(path) ?? importsIn(path, readFileSync(join(root, path), 'utf8'));
    imports.set(path, known);
    return known;
  };
  return (path) => {
    const seen = new Set([path]);
    for (const each of seen) {
      if (slow.includes(each)) return true;
      // A program in a test's text imports what is not there.
      if (!each.endsWith('.ts') || !existsSync(join(root, each))) continue;
      for (const other of importsOf(each)) seen.add(other);
    }
    return false;
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
