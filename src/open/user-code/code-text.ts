/** The texts of a file of code and of all that it imports by paths, and their hash. It runs nothing and knows no packages. */
import { dirname, relative, resolve } from 'node:path';
import { plainText, readPlainFileSync } from '../../io/plain-file.ts';
import { hashText } from '../../run/hash.ts';

/** As it may be written: with comments between, escapes in the path, `createRequire(…)` before it. */
const fileImport =
  /\b(?:from|import|require|createRequire\([^()\n]{0,200}\))(?:[\s(]|\/\*[^*]{0,200}\*\/|\/\/[^\n]{0,200}\n){0,20}(['"`])((?:\\.|(?!\1)[^\\\n]){1,1000})\1/g;

/** The same wherever the folder lies. */
export function hashOfCode(file: string): string {
  const texts = codeIn(file);
  // The file itself has no name in it: another one with the same text is the same code.
  const nameOf = (path: string): string => (path === file ? '' : relative(dirname(file), path));
  const parts = [...texts].map(([path, text]) => [nameOf(path), text]);
  return hashText(JSON.stringify(parts.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))));
}

/** The texts of a file and of all that it imports by paths, by their places. */
export function codeIn(file: string, texts = new Map<string, string>()): ReadonlyMap<string, string> {
  const text = texts.has(file) ? null : textOf(file);
  if (text === null) return texts;
  texts.set(file, text);
  for (const path of importsOf(file, text)) codeIn(path, texts);
  return texts;
}

export function importsOf(file: string, text = textOf(file) ?? ''): readonly string[] {
  return [...text.matchAll(fileImport)].flatMap(([, , written = '']) => {
    const path = written.replaceAll(escapedSign, (_, ...codes: string[]) => signOf(codes));
    if (path.startsWith('file:')) return URL.canParse(path) ? decodeURIComponent(new URL(path).pathname) : [];
    return /^(?:\.{1,2})?\//.test(path) ? resolve(dirname(file), path) : [];
  });
}

const escapedSign = /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi;

function signOf(codes: readonly string[]): string {
  const code = Number.parseInt(codes.slice(0, 3).find(Boolean) ?? '', 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Null where there is none: what looked like an import was something else, such as a line in a string. */
function textOf(file: string): string | null {
  try {
    return plainText(readPlainFileSync(file));
  } catch {
    return null;
  }
}
