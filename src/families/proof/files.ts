/** Reads the files that a problem is made of. How bytes are come by is its caller's affair. */
import { type FileSort, textOfFile } from './file-text.ts';
import { linesInCode, type PosedProblem, problemsIn } from './problems.ts';

export type ProofFiles = {
  /**
   * The bytes of a file that the user has named, and not many more than `mostBytes` of them: of a longer one the
   * beginning. Throws `UserError` where it cannot be read.
   */
  readBytes(path: string, mostBytes: number): Promise<Uint8Array>;
};

export async function readProblems(files: ProofFiles, file: string): Promise<readonly PosedProblem[]> {
  return problemsIn(await readText(files, file, 'problem'), file);
}

/** Its lines that would divide its problems, did they not stand in blocks of code. From 1 on. */
export async function readLinesInCode(files: ProofFiles, file: string): Promise<readonly number[]> {
  return linesInCode(await readText(files, file, 'problem')).map(({ line }) => line);
}

type Noun = 'problem' | 'proof' | 'rubric';

const mostBytes: Readonly<Record<Noun, number>> = {
  problem: 2 ** 20,
  proof: 2 ** 20,
  rubric: 64 * 1_024,
};

export async function readText(files: ProofFiles, path: string, noun: Noun): Promise<string> {
  const file: FileSort = { path, noun, mostBytes: mostBytes[noun] };
  return textOfFile(await files.readBytes(path, file.mostBytes), file);
}
