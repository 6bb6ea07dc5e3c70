/** Files of tasks and of their solutions, read relative to the folder of a user. */
import { readJsonOf } from '../../families/arc/files.ts';
import { loadSolutions } from '../../families/arc/solutions.ts';
import { loadTaskFile, type TaskFileQuestion } from '../../families/arc/task-file.ts';
import { bundled } from '../../io/bundled.ts';
import { localFiles } from '../../io/local-files.ts';

/** Tasks of our own making that come with Polya. */
export const bundledTasks = bundled('arc', 'polya_challenges.json');

export const readTasks = (folder: string, question: TaskFileQuestion) =>
  loadTaskFile(localFiles(folder), question);

export const readSolutions = (folder: string, path: string) => loadSolutions(localFiles(folder), path);

/** A JSON file as it is; undefined where there is none. */
export const readJson = (folder: string, path: string) => readJsonOf(localFiles(folder))(path);
