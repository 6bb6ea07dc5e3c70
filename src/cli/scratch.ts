/** A home that is gone after use, for what must leave nothing behind: sites keep accounts, stores keep journals. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findHome } from '../io/home.ts';
import { configFor } from '../open/user-code/config.ts';
import type { Shell } from './contract.ts';

export async function withScratch<T>(
  shell: Shell,
  /** Pages of a site that must not be asked twice stay in its user's cache. */
  { keepsCache = true }: { readonly keepsCache?: boolean | undefined },
  work: (shell: Shell) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'polya-dry-run-'));
  try {
    const cache = keepsCache ? {} : { XDG_CACHE_HOME: folder };
    const home = findHome(shell.folder, shell.env).folder;
    const config = configFor({ folder: shell.folder, env: shell.env, home });
    const env = { ...shell.env, POLYA_HOME: folder, POLYA_CONFIG: config, ...cache };
    return await work({ ...shell, env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
