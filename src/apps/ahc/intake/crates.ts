/**
 * What a crate depends on, by the user's own cargo, in a folder of ours: manifest, lockfile and the names of its sources
 * are all that cargo sees, so nothing of the crate is run and no configuration of it counts. The network and where crates
 * come from are as the user has set cargo up. Not by `cargo vendor`: it deletes what it copies from, and where a user's
 * crates come from a folder, as Debian's do, that is the folder itself.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { openFolder } from '../../../io/folder.ts';
import type { Environment } from '../../../io/home.ts';
import type { VendorCrates } from './source.ts';

const longestMs = 10 * 60_000;

export function vendorCrates(env: Environment): VendorCrates {
  return async ({ manifest, lock, sources }, signal) => {
    const cargo = findCargo(env);
    if (cargo === null) return { files: null, why: 'There is no cargo on the PATH.' };
    const folder = mkdtempSync(join(tmpdir(), 'polya-crates-'));
    try {
      const place = openFolder(folder);
      await place.write('Cargo.toml', manifest);
      await place.write('Cargo.lock', lock);
      for (const name of ['src/lib.rs', ...sources]) await place.write(name, '');
      const run = (...args: readonly string[]) => runCargo(cargo, args, { folder, env, signal });
      const fetched = await run('fetch', '--locked');
      if (fetched.why !== null) return { files: null, why: fetched.why };
      const listed = await run('metadata', '--locked', '--offline', '--format-version', '1');
      return listed.why === null
        ? { files: await copied(listed.said, lock) }
        : { files: null, why: listed.why };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

function findCargo(env: Environment): string | null {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  return folders.map((folder) => join(folder, 'cargo')).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  source: z.string().nullable(),
  manifest_path: z.string(),
});
const listSchema = z.object({ packages: z.array(packageSchema) });

/** Read, never moved. Libraries for linking on Windows are most of the bytes, and nothing here links with them. */
async function copied(list: string, lock: Uint8Array): Promise<Record<string, string | Uint8Array>> {
  const checksums = checksumsIn(new TextDecoder().decode(lock));
  const files: Record<string, string | Uint8Array> = {};
  const { packages } = listSchema.parse(JSON.parse(list));
  for (const { name, version, manifest_path } of packages.filter(({ source }) => source !== null)) {
    const crate = `${name}-${version}`;
    const place = openFolder(dirname(manifest_path));
    for (const path of await place.files('.')) {
      if (/\.(a|lib)$/.test(path) && name.startsWith('win')) continue;
      files[`${crate}/${path}`] = (await place.readBytes(path)) ?? new Uint8Array();
    }
    // The sum of the whole, which the lockfile names, is kept; those of single files are the business of who fetched them.
    const sums = { files: {}, package: checksums.get(crate) ?? null };
    files[`${crate}/.cargo-checksum.json`] = JSON.stringify(sums);
  }
  return files;
}

/** By name and version. */
function checksumsIn(lock: string): ReadonlyMap<string, string> {
  const found = lock.split('[[package]]').flatMap((entry) => {
    const [name, version, checksum] = ['name', 'version', 'checksum'].map(
      (key) => new RegExp(`^${key} = "([^"]*)"`, 'm').exec(entry)?.[1],
    );
    return name && version && checksum ? [[`${name}-${version}`, checksum] as const] : [];
  });
  return new Map(found);
}

/** What it printed; where it failed, the last lines of its complaints. */
async function runCargo(
  cargo: string,
  args: readonly string[],
  { folder, env, signal }: { folder: string; env: Environment; signal: AbortSignal },
): Promise<{ readonly why: null; readonly said: string } | { readonly why: string }> {
  const running = promisify(execFile)(cargo, args, {
    cwd: folder,
    env: { CARGO_NET_RETRY: '1', ...env, CARGO_TERM_COLOR: 'never' },
    maxBuffer: Number.POSITIVE_INFINITY,
    signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
  });
  running.child.stdin?.end();
  try {
    return { why: null, said: (await running).stdout };
  } catch (error) {
    signal.throwIfAborted();
    const { code, message, stderr } = failureSchema.parse(error);
    const hasRun = typeof code !== 'string';
    return { why: `cargo ${args[0]}${hasRun ? ` said: ${lastLines(stderr)}` : `: ${message}.`}` };
  }
}

/** `code` is a text where it could not be started, or was broken off. */
const failureSchema = z.object({
  code: z.union([z.string(), z.number(), z.null()]),
  message: z.string(),
  stderr: z.string().default(''),
});

function lastLines(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .slice(-4)
    .join(' ')
    .slice(0, 600);
}
