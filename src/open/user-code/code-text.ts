/** The texts of a file of code and of all that it imports by paths, and their hash. It runs nothing and knows no packages. */
import { realpathSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isJsonObject, type Json, jsonIn } from '../../core/json.ts';
import { plainText, readPlainFileSync } from '../../io/plain-file.ts';
import { hashText } from '../../run/hash.ts';

/** As it may be written: with comments between, escapes in the path, `createRequire(…)` before it. */
const fileImport =
  /\b(from|import|require|createRequire\([^()\n]{0,200}\))(?:[\s(]|\/\*[^*]{0,200}\*\/|\/\/[^\n]{0,200}\n){0,20}(['"`])((?:\\[\s\S]|(?!\2)[^\\\n]){1,1000})\2/g;

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

/** Paths as Node resolves them, and the package.json that says what `#x` means. */
export function importsOf(file: string, text = textOf(file) ?? ''): readonly string[] {
  return [...text.matchAll(fileImport)].flatMap(([, keyword = '', , text = '']) => {
    const specifier = text.replaceAll(escaped, (_, ...codes: string[]) => decodeEscapes(codes));
    if (specifier.startsWith('#')) return subpathImports(file, specifier);
    return pathOf(file, specifier, keyword) ?? [];
  });
}

function pathOf(file: string, specifier: string, keyword: string): string | null {
  // A parser of URLs leaves these out.
  const plain = specifier.replaceAll(/[\t\n\r]/g, '');
  const isRelative = /^(?:\.{1,2})?\//.test(plain);
  if (!isRelative && !/^file:/i.test(plain)) return null;
  try {
    if (keyword !== 'import' && keyword !== 'from') return createRequire(file).resolve(specifier);
    // What it imports itself is found from where it lies, and not from where a link does.
    return realpathSync(new URL(plain, isRelative ? pathToFileURL(file) : undefined));
  } catch {
    return isRelative ? resolve(dirname(file), specifier) : null;
  }
}

/** Whatever `package.json` lists under the name, for all conditions. */
function subpathImports(file: string, specifier: string): readonly string[] {
  const manifest = findPackageJSON(pathToFileURL(file));
  if (manifest === undefined) return [];
  const content = jsonIn(textOf(manifest));
  const entries = Object.entries(
    (isJsonObject(content) && isJsonObject(content.imports) && content.imports) || {},
  );
  const targets = entries.flatMap(([name, value]) => {
    const [start = '', end] = name.split('*');
    const isMatch =
      end === undefined ? name === specifier : specifier.startsWith(start) && specifier.endsWith(end);
    const star = specifier.slice(start.length, specifier.length - (end?.length ?? 0));
    return isMatch ? stringsIn(value).map((target) => target.replaceAll('*', star)) : [];
  });
  return [manifest, ...targets.flatMap((target) => pathOf(manifest, target, 'import') ?? [])];
}

function stringsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const escaped = /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|(\r\n|[\s\S]))/gi;
const whiteSpace: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function decodeEscapes(codes: readonly string[]): string {
  const [sign] = codes.slice(3, 4);
  if (sign) return /[\n\r\u2028\u2029]/.test(sign) ? '' : (whiteSpace[sign] ?? sign);
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
