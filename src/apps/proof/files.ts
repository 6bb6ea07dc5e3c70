/** The problems that a file of the user's holds, for whoever chooses among them before anything is begun. */
import { readLinesInCode, readProblems } from '../../families/proof/files.ts';
import type { PosedProblem } from '../../families/proof/problems.ts';
import { localFiles } from '../../io/local-files.ts';

export function problemsIn(file: string, folder = '.'): Promise<readonly PosedProblem[]> {
  return readProblems(localFiles(folder), file);
}

/** The lines of it that look like the beginning of a problem and are none, because they stand in a block of code. */
export function problemLinesInCode(file: string, folder = '.'): Promise<readonly number[]> {
  return readLinesInCode(localFiles(folder), file);
}
