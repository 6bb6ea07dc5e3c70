/** Finds Kotlin's compiler on the host. It is too large for a dependency: npm or `polya setup` installs it apart. */
import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export const kotlinPackage = { name: 'kotlin-compiler', version: '2.4.20' } as const;

/** The compiler and what its manifest names: CDS wants all of them where they were. */
export const compilerJar = 'kotlin-compiler.jar';
export const libraryJar = 'kotlin-stdlib.jar';
const jars = [
  compilerJar,
  libraryJar,
  'annotations-13.0.jar',
  'kotlin-reflect.jar',
  'kotlin-script-runtime.jar',
  'kotlinx-coroutines-core-jvm.jar',
];

/** Files by name, as they are to be staged. */
export type KotlinCompiler = { readonly version: string; readonly jars: Readonly<Record<string, string>> };

/** Our own folder in the user's cache, one below it for each pinned version. */
export function kotlinFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const named = env.XDG_CACHE_HOME;
  const cache = named?.startsWith('/') ? named : join(env.HOME || homedir(), '.cache');
  return join(cache, 'polya', 'toolchains', `${kotlinPackage.name}-${kotlinPackage.version}`);
}

export async function findKotlinCompiler(): Promise<KotlinCompiler | null> {
  for (const folder of [join(kotlinFolder(), 'node_modules', kotlinPackage.name), besideUs()]) {
    const found = folder === null ? null : await readCompiler(folder);
    if (found !== null) return found;
  }
  return null;
}

function besideUs(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${kotlinPackage.name}/package.json`));
  } catch {
    return null;
  }
}

async function readCompiler(folder: string): Promise<KotlinCompiler | null> {
  try {
    const text = await readFile(join(folder, 'package.json'), 'utf8');
    const [, version] = /"version":\s*"(\d[^"]*)"/.exec(text) ?? [];
    const paths = jars.map((name): [string, string] => [name, join(folder, 'lib', name)]);
    for (const [, path] of paths) await stat(path);
    return version === undefined ? null : { version, jars: Object.fromEntries(paths) };
  } catch {
    return null;
  }
}
