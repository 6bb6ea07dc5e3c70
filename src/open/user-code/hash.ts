/** One hash over a file and all that it imports by relative paths, found in its text: nothing is run for it. */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { hashText } from '../../run/hash.ts';

const relativeImport = /\b(?:from|import|require)\s*\(?\s*(['"`])(\.{1,2}\/[^'"`]+)\1/g;

/** The same wherever the folder lies. */
export function hashOfCode(file: string): string {
  const texts = new Map<string, string>();
  collect(file, texts);
  // The file itself has no name in it: another one with the same text is the same code.
  const nameOf = (path: string): string => (path === file ? '' : relative(dirname(file), path));
  const parts = [...texts].map(([path, text]) => [nameOf(path), text]);
  return hashText(JSON.stringify(parts.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))));
}

function collect(file: string, texts: Map<string, string>): void {
  if (texts.has(file)) return;
  const text = readOr(file, null);
  // What looks like an import and is none, such as a line in a string.
  if (text === null) return;
  texts.set(file, text);
  for (const [, , path = ''] of text.matchAll(relativeImport)) collect(resolve(dirname(file), path), texts);
}

function readOr<T>(file: string, otherwise: T): string | T {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}
