/** Loads a file of the user's, once in this process, and says what it brings. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Environment, isTrusted } from '../../io/home.ts';
import { hashText } from '../../run/hash.ts';
import { missingFile, neverLoaded, noCode, notLoaded } from './failures.ts';
import { letUserCodeImportPolya, ownEntry } from './imports.ts';
import { type Brought, broughtBy } from './module.ts';
import { waitingFor } from './waits.ts';

export type Source = Brought & { readonly file: string; readonly hash: string };

const sources = new Map<string, Promise<Source>>();

/** `file` is absolute. Throws `UserError` for whatever is wrong with it, the same each time. */
export function loadSource(file: string, env: Environment): Promise<Source> {
  const known = sources.get(file) ?? load(file, env);
  sources.set(file, known);
  return known;
}

/** What a loaded file imports has its own code, which does not change with a price in the configuration that lists it. */
export async function importedSources(file: string, env: Environment): Promise<readonly Source[]> {
  const found = await Promise.allSettled(importsOf(realpathSync(file)).map((path) => loadSource(path, env)));
  return found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

async function load(file: string, env: Environment): Promise<Source> {
  if (!existsSync(file)) throw missingFile(file);
  const real = realpathSync(file);
  if (!statSync(real).isFile() || !/\.[cm]?[jt]s$/.test(real)) throw noCode(file);
  // Before it is run: what is loaded is what was hashed, unless somebody saves it at this very moment.
  const hash = hashOfCode(real);
  return { ...broughtBy(file, await imported(real, file, env)), file, hash };
}

async function imported(
  real: string,
  file: string,
  env: Environment,
): Promise<Readonly<Record<string, unknown>>> {
  letUserCodeImportPolya();
  const waiting = new AbortController();
  // A module that waits for nothing that is on its way would end the process without a word.
  const stuck = new Promise<never>((_, reject) => {
    const giveUp = () => reject(neverLoaded(file));
    process.once('beforeExit', giveUp);
    waiting.signal.addEventListener('abort', () => process.off('beforeExit', giveUp));
  });
  try {
    // Loaded here because the user names it.
    return await waitingFor(`${file} to be loaded`, Promise.race([stuck, import(pathToFileURL(real).href)]));
  } catch (error) {
    throw notLoaded(file, error, { env, exportsOfPolya: await exportsOfPolya(error) });
  } finally {
    waiting.abort();
  }
}

/** Asked only after a failure: to say which name was meant. */
async function exportsOfPolya(error: unknown): Promise<readonly string[]> {
  if (!(error instanceof SyntaxError)) return [];
  // Loaded here because only a mistake needs it.
  return Object.keys(await import(ownEntry));
}

/** The first file of another owner among this file and all its relative imports. */
export function foreignIn(file: string, folder: string): string | undefined {
  return [file, ...codeIn(realpathSync(file)).keys()].find((each) => !isTrusted(each, folder));
}

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
function codeIn(file: string, texts = new Map<string, string>()): ReadonlyMap<string, string> {
  const text = texts.has(file) ? null : textOf(file);
  if (text === null) return texts;
  texts.set(file, text);
  for (const path of importsOf(file, text)) codeIn(path, texts);
  return texts;
}

function importsOf(file: string, text = textOf(file) ?? ''): readonly string[] {
  return [...text.matchAll(relativeImport)].map(([, , path = '']) => resolve(dirname(file), path));
}

/** Null where there is none: what looked like an import was something else, such as a line in a string. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
