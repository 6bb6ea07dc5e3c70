/** The problems that a file of the user's holds, for whoever chooses among them before anything is begun. */
import { readProblems } from '../families/proof/files.ts';
import type { PosedProblem } from '../families/proof/problems.ts';
import { localFiles } from '../io/local-files.ts';

export function problemsIn(file: string, folder = '.'): Promise<readonly PosedProblem[]> {
  return readProblems(localFiles(folder), file);
}
