/** A home that is gone after use, for what must leave nothing behind: sites keep accounts, stores keep journals. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findHome } from '../io/home.ts';
import type { Journals, JournalsOptions } from '../open/options.ts';
import { configFor } from '../open/user-code/config.ts';
import type { Shell } from './contract.ts';
import { withPolya } from './journals.ts';

export type HomeOptions = {
  readonly opening: JournalsOptions;
  /** For a dry run. */
  readonly isScratch?: boolean;
  readonly keepsCache?: boolean;
};

/** Opens the journals of the working folder, or of a home that is gone afterwards. */
export function withHome<T>(
  shell: Shell,
  work: (polya: Journals) => Promise<T>,
  { opening, isScratch, keepsCache }: HomeOptions,
): Promise<T> {
  if (!isScratch) return withPolya(shell, work, opening);
  return withScratch(shell, { keepsCache }, (scratch) => withPolya(scratch, work, opening));
}

export async function withScratch<T>(
  shell: Shell,
  /** Pages of a site that must not be asked twice stay in its user's cache. */
  { keepsCache = true }: { readonly keepsCache?: boolean },
  work: (shell: Shell) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'polya-dry-run-'));
  try {
    const cache = keepsCache ? {} : { XDG_CACHE_HOME: folder };
    const home = findHome(shell.folder, shell.env).folder;
    const config = configFor({ folder: shell.folder, env: shell.env, home });
    const env = { ...shell.env, POLYA_HOME: folder, POLYA_STORE: '', POLYA_CONFIG: config, ...cache };
    shell.knownStores?.add(folder);
    return await work({ ...shell, env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
