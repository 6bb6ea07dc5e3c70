/**
 * Where tests put files: `temporaryFolder()` is a new one, below the one folder of this run of the suite, which goes with
 * all that is in it when the run ends (`run-folder.ts`). So no test removes what it made, and none can forget to.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

/** Names that folder to the processes of a run, those which tests start included. */
export const runFolderVariable = 'POLYA_TESTS_IN';

/** The name tells somebody who looks (`POLYA_KEEP=1`) whose it was. Its path is real, and open to its owner alone. */
export function temporaryFolder(name = 'test'): string {
  const runFolder = process.env[runFolderVariable];
  if (!runFolder) throw new Error(`${runFolderVariable} is not set: tests are started by vitest.`);
  return mkdtempSync(join(runFolder, `${name}-`));
}
