/** Makes a folder with those above it. Node's recursive `mkdir` never returns below /proc. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Whether it was made now; one that is there already stays as it is. Throws what the system says. */
export function makeFolder(path: string, { mode = 0o777 }: { readonly mode?: number } = {}): boolean {
  const folder = resolve(path);
  if (isFolder(folder)) return false;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), { mode });
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    // Another process may have been faster.
    if (isFolder(folder)) return false;
    throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
