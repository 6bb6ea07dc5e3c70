/** Loads a file of the user's, once in this process, and says what it brings. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { UserError } from '../../core/errors.ts';
import type { Environment } from '../../io/home.ts';
import { hashOfCode, importsOf } from './code-text.ts';
import { notLoaded } from './failures.ts';
import { waitingFor } from './guard.ts';
import { letUserCodeImportPolya, ownEntry } from './imports.ts';
import { type LoadedModule, loadModuleExports } from './module.ts';

export type Source = LoadedModule & { readonly file: string; readonly hash: string };

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
  if (!existsSync(file)) {
    const complete = ['.ts', '.mts', '.js', '.mjs'].map((end) => file + end).find((path) => existsSync(path));
    throw new UserError({
      code: 'user-code-missing',
      what: `There is no file ${file}.`,
      why: complete && `Did you mean ${complete}?`,
      fix: 'Name a TypeScript file that exports an agent or a family; `polya init agent NAME` writes one.',
    });
  }
  // A link to /dev/stdin leads to a pipe, which has no path.
  const real = statSync(file).isFile() ? realpathSync(file) : '';
  if (!/\.[cm]?[jt]s$/.test(real)) {
    throw new UserError({
      code: 'user-code-no-file',
      what: `${file} is no file of TypeScript or JavaScript.`,
      why: 'Its name must end in .ts, .mts, .cts, .js, .mjs or .cjs, and it must be a regular file.',
      fix: 'Name the file that exports the agent or the family; in a folder, name the file in it.',
    });
  }
  // Before it is run: what is loaded is what was hashed, unless somebody saves it at this very moment.
  const hash = hashOfCode(real);
  return { ...loadModuleExports(file, await imported(real, file, env)), file, hash };
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
    const abandon = () =>
      reject(
        new UserError({
          code: 'user-code-waits',
          what: `${file} waits for something that never comes, and was not loaded.`,
          why: 'An `await` outside of any function does not end.',
          fix: 'Move it into `solve` or `load`.',
        }),
      );
    process.once('beforeExit', abandon);
    waiting.signal.addEventListener('abort', () => process.off('beforeExit', abandon));
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
