/** The Rust toolchains that rustup put on this machine for its user. It starts none of them. */
import { lstat, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Absolute folders, released versions before others. A linked one is left out: its folder may hold anything of the user's. */
export async function rustupToolchains(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<readonly string[]> {
  const named = env.RUSTUP_HOME;
  const home = named?.startsWith('/') ? named : join(env.HOME || homedir(), '.rustup');
  const folder = join(home, 'toolchains');
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const own = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const released = own.filter((name) => !/^(?:nightly|beta)/.test(name));
  const selected = await Promise.all((released.length > 0 ? released : own).sort().map(wholeIn(folder)));
  return selected.filter((path) => path !== null);
}

/** Null where compiler or cargo is missing, or leads elsewhere. */
function wholeIn(folder: string) {
  return async (name: string): Promise<string | null> => {
    const programs = ['rustc', 'cargo'].map((program) => join(folder, name, 'bin', program));
    const found = await Promise.all(programs.map((path) => lstat(path).catch(() => null)));
    return found.every((each) => each?.isFile()) ? join(folder, name) : null;
  };
}
