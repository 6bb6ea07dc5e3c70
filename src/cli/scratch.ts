/** A home that is gone after use, for what must leave nothing behind: sites keep accounts, stores keep journals. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    return await work({ ...shell, env: { ...shell.env, POLYA_HOME: folder, ...cache } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
