/**
 * The one folder of a run of the suite: made before its first test, gone with all that is in it after its last, whether
 * that passed or not. With POLYA_KEEP=1 it stays, and is named. Vitest calls this in its own process, not in a test's.
 */
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endSharedCluster } from './postgres.ts';
import { runFolderVariable } from './temporary-folder.ts';

export default function makeRunFolder(): () => Promise<void> {
  // In /tmp whatever TMPDIR says: the path of a socket may not be long, and cells of other users have to get through.
  const folder = realpathSync(mkdtempSync('/tmp/polya-tests-'));
  chmodSync(folder, 0o711);
  process.env[runFolderVariable] = folder;
  return async () => {
    await endSharedCluster(folder);
    if (process.env.POLYA_KEEP) console.log(`The tests' files are in ${folder}`);
    else remove(folder);
  };
}

/** A process that ends only now may still write: what it is left with is told and is no test's failure. */
function remove(folder: string): void {
  const removeAll = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  try {
    removeAll();
  } catch {
    try {
      open(folder);
      removeAll();
    } catch (error) {
      console.error(`${folder} could not be removed: ${error instanceof Error ? error.message : error}`);
    }
  }
}

/** Some tests close their folders: only root can remove what is in those. */
function open(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    chmodSync(path, 0o700);
    open(path);
  }
}
