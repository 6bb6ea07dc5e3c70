/** The texts of a file of code and of all that it imports by relative paths, and their hash. It runs nothing. */
import { dirname, relative, resolve } from 'node:path';
import { plainText, readPlainFileSync } from '../../io/plain-file.ts';
import { hashText } from '../../run/hash.ts';

const relativeImport = /\b(?:from|import|require)\s*\(?\s*(['"`])(\.{1,2}\/[^'"`]+)\1/g;

/** The same wherever the folder lies. */
export function hashOfCode(file: string): string {
  const texts = codeIn(file);
  // The file itself has no name in it: another one with the same text is the same code.
  const nameOf = (path: string): string => (path === file ? '' : relative(dirname(file), path));
  const parts = [...texts].map(([path, text]) => [nameOf(path), text]);
  return hashText(JSON.stringify(parts.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))));
}

/** The texts of a file and of all that it imports by relative paths, by their places. */
export function codeIn(file: string, texts = new Map<string, string>()): ReadonlyMap<string, string> {
  const text = texts.has(file) ? null : textOf(file);
  if (text === null) return texts;
  texts.set(file, text);
  for (const path of importsOf(file, text)) codeIn(path, texts);
  return texts;
}

export function importsOf(file: string, text = textOf(file) ?? ''): readonly string[] {
  return [...text.matchAll(relativeImport)].map(([, , path = '']) => resolve(dirname(file), path));
}

/** Null where there is none: what looked like an import was something else, such as a line in a string. */
function textOf(file: string): string | null {
  try {
    return plainText(readPlainFileSync(file));
  } catch {
    return null;
  }
}
