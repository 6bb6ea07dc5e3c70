/** Where things lie inside a cell, as languages' commands and the runner name them. */
import { posix } from 'node:path';

export const runnerInside = '/run/polya/runner';
/** The same program by the name under which it is the relay of an interactive pair. */
export const relayInside = '/run/polya/relay';
/** The runner's folder is the parent of these. */
export const scratchFolder = '/scratch';
/** The program's working folder, relative to the scratch folder; also reachable as `/box`. */
export const boxFolder = 'box';
/** Beside the working folder, so that a program finds there only its own files. */
export const programFile = 'program';
export const programInside = posix.join(scratchFolder, programFile);
/** For compilers: what is written here (`/tmp`) does not meet the files of the program. */
export const outputFolder = 'tmp';

export function inBox(path: string): string {
  return posix.join(boxFolder, path);
}
