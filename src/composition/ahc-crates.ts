/**
 * What a crate depends on, by the user's own cargo, in a folder of ours: manifest, lockfile and the names of its sources
 * are all that cargo sees, so nothing of the crate is run and no configuration of it counts. The network and where crates
 * come from are as the user has set cargo up.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Folder } from '../core/io.ts';
import type { VendorCrates } from '../families/ahc/intake/parts.ts';
import { openFolder } from '../io/folder.ts';
import type { Environment } from '../io/home.ts';

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
      const failed =
        (await run('fetch', '--locked')) ??
        (await run('vendor', '--locked', '--offline', '--respect-source-config', 'vendor'));
      return failed === null ? { files: await vendored(place) } : { files: null, why: failed };
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

/** Libraries for linking on Windows are most of the bytes, and nothing here links with them. */
async function vendored(place: Folder): Promise<Record<string, Uint8Array>> {
  const names = (await place.files('vendor')).filter((name) => !/^win[^/]*\/.*\.(a|lib)$/.test(name));
  const files: Record<string, Uint8Array> = {};
  for (const name of names) files[name] = (await place.readBytes(`vendor/${name}`)) ?? new Uint8Array();
  return files;
}

/** Null where it went well, else the last lines of what it said. */
function runCargo(
  cargo: string,
  args: readonly string[],
  {
    folder,
    env,
    signal,
  }: { readonly folder: string; readonly env: Environment; readonly signal: AbortSignal },
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(cargo, [...args], {
      cwd: folder,
      env: { CARGO_NET_RETRY: '1', ...env, CARGO_TERM_COLOR: 'never' },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-8_000);
    });
    child.on('error', (error) =>
      signal.aborted ? reject(signal.reason) : resolve(`cargo ${args[0]}: ${error.message}.`),
    );
    child.on('close', (code) => resolve(code === 0 ? null : `cargo ${args[0]} said: ${lastLines(said)}`));
  });
}

function lastLines(said: string): string {
  const lines = said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.slice(-4).join(' ').slice(0, 600);
}
