/** Before a command runs: which files of its folder would act, and whether their user has trusted them. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { findHome } from '../io/home.ts';
import { foundAt, plainText, readPlainFileSync } from '../io/plain-file.ts';
import { findActingFiles, maxActingBytes } from '../open/trust/acting-files.ts';
import { type ActingFolder, untrustedError } from '../open/trust/decide.ts';
import { filterUntrusted, isTrustedFile, trust } from '../open/trust/trust.ts';
import { screenFileVariables } from '../open/trust/variables.ts';
import { projectConfig } from '../open/user-code/config.ts';
import { oneLine } from '../text/format.ts';
import type { Acts, Shell } from './contract.ts';
import { readable } from './readable.ts';
import { sharedStoreIn } from './shared-store.ts';

/** Asks at a terminal; throws `UserError` where nobody can be asked, or where the answer is no. */
export async function requireTrust(shell: Shell): Promise<void> {
  await requireTrustFor(
    shell,
    relatedDirs(shell).map((folder) => findActingFiles(folder)),
  );
}

/** The same for these folders and files. */
export async function requireTrustFor(shell: Shell, all: readonly ActingFolder[]): Promise<void> {
  for (const found of all.map((each) => filterUntrusted(each, shell.env))) {
    if (found.files.length === 0) continue;
    if (!shell.isInteractive) throw untrustedError(found);
    shell.err.write(describeFolder(found));
    if (!(await shell.confirm('Do you trust this folder?', false))) throw untrustedError(found);
    trust(found, shell.env);
  }
}

/** Each once: the working folder, that of its configuration, of its contest, and its store. */
export function relatedDirs({ folder, env }: Pick<Shell, 'folder' | 'env'>): readonly string[] {
  const home = findHome(folder, env).folder;
  const isNamed = Boolean(env.POLYA_CONFIG?.trim());
  const config = isNamed ? null : projectConfig({ folder, env, home });
  const surroundings = [
    ...(config === null ? [] : [dirname(config)]),
    ...['ahc_config.yaml', 'polya.yaml'].flatMap((name) => nearestWith(folder, name) ?? []),
    ...(sharedStoreIn(env) ? [] : [home]),
  ];
  return [...new Set([folder, ...surroundings.filter((each) => existsSync(each))])];
}

function nearestWith(from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder;
    if (folder === dirname(folder)) return null;
  }
}

export function describeFolder({ folder, files }: ActingFolder): string {
  const lines = files.map(({ name, effect }) => `  ${name.padEnd(16)} ${oneLine(effect)}\n`);
  return `In ${oneLine(folder)} Polya would use:\n${lines.join('')}`;
}

/** What the file `.env` of the working folder gives; nothing where it is not trusted. */
export function variablesHere({ folder, env, err }: Shell, acts: Acts): Shell['env'] {
  const path = join(folder, '.env');
  const what = `The file ${path}`;
  const words = { fix: 'Make it readable, or go to another folder.' };
  // Some keep a folder of that name, such as a Python environment. A pipe or a device says something else each time.
  if (!foundAt(path)?.isFile()) return {};
  if (!isTrustedFile(path, env)) {
    if (acts === 'looks')
      err.write(`${oneLine(path)} is not used: you have not trusted it. See \`polya trust\`.\n`);
    return {};
  }
  const bytes = readable(what, () => readPlainFileSync(path, maxActingBytes), words);
  const { accepted, rejected } = screenFileVariables(parseEnv(plainText(bytes)), env);
  for (const [reason, all] of Map.groupBy(rejected, (each) => each.reason)) {
    const names = all.map(({ name }) => name).join(', ');
    err.write(`${err.paint('warn', 'Warning:')} ${path} sets ${names}, which is not used: ${reason}.\n`);
  }
  return accepted;
}
