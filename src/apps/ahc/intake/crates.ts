/**
 * What a crate depends on, by the user's own cargo, in a folder of ours: manifest, lockfile and the names of its sources
 * are all that cargo sees, so nothing of the crate is run and no configuration of it counts. The network and where crates
 * come from are as the user has set cargo up. Not by `cargo vendor`: it deletes what it copies from, and where a user's
 * crates come from a folder, as Debian's do, that is the folder itself.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
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

const listSchema = z.object({
  packages: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      source: z.string().nullable(),
      manifest_path: z.string(),
    }),
  ),
});

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

type Answer = { readonly why: null; readonly said: string } | { readonly why: string };

/** What it printed; where it failed, the last lines of its complaints. */
function runCargo(
  cargo: string,
  args: readonly string[],
  {
    folder,
    env,
    signal,
  }: { readonly folder: string; readonly env: Environment; readonly signal: AbortSignal },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(cargo, [...args], {
      cwd: folder,
      env: { CARGO_NET_RETRY: '1', ...env, CARGO_TERM_COLOR: 'never' },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
    });
    let said = '';
    let complaints = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaints = (complaints + text).slice(-8_000);
    });
    child.on('error', (error) =>
      signal.aborted ? reject(signal.reason) : resolve({ why: `cargo ${args[0]}: ${error.message}.` }),
    );
    child.on('close', (code) =>
      resolve(code === 0 ? { why: null, said } : { why: `cargo ${args[0]} said: ${lastLines(complaints)}` }),
    );
  });
}

function lastLines(said: string): string {
  const lines = said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.slice(-4).join(' ').slice(0, 600);
}
