/**
 * What the faces and the library's users do with ARC tasks outside of runs: files of tasks, submissions and their score,
 * grids as text, in the terminal and as pictures. `load-arc.ts` brings it in when it is needed.
 */

import { rightAttempts } from '../../families/arc/answer.ts';
import { taskIn } from '../../families/arc/family.ts';
import { readJsonOf } from '../../families/arc/files.ts';
import { scoreOf } from '../../families/arc/score.ts';
import { chooseTasks, faultyTasks, unknownTasks } from '../../families/arc/select.ts';
import { loadSolutions, solutionsPathOf } from '../../families/arc/solutions.ts';
import { placeholder, readSubmission, submissionOf } from '../../families/arc/submission.ts';
import { loadTaskFile, type TaskFileQuestion } from '../../families/arc/task-file.ts';
import { drawCollage } from '../../grids/collage.ts';
import { differingCells, diffText, gridScore, partialScore } from '../../grids/diff.ts';
import { drawDiff, drawGrid } from '../../grids/drawing.ts';
import { formatGrid } from '../../grids/format.ts';
import { gridFault, gridKey, isGrid, sameGrid, sizeText } from '../../grids/grid.ts';
import { palette } from '../../grids/palette.ts';
import { findGrids, lastGrid, parseGrids } from '../../grids/parse.ts';
import { drawingPng, gridPng } from '../../grids/png.ts';
import { drawingSvg, gridSvg } from '../../grids/svg.ts';
import { beside, gridBlock, stacked, textBlock } from '../../grids/terminal.ts';
import { augment, augmentations, restore } from '../../grids/transforms.ts';
import { bundled } from '../../io/bundled.ts';
import { localFiles } from '../../io/local-files.ts';

export const arc = {
  /** Tasks of our own making that come with Polya. */
  bundledTasks: bundled('arc', 'polya_challenges.json'),
  /** Paths are relative to the folder. */
  readTasks: (folder: string, question: TaskFileQuestion) => loadTaskFile(localFiles(folder), question),
  readSolutions: (folder: string, path: string) => loadSolutions(localFiles(folder), path),
  /** A JSON file as it is; undefined where there is none. */
  readJson: (folder: string, path: string) => readJsonOf(localFiles(folder))(path),
  solutionsPathOf,
  chooseTasks,
  faultyTasks,
  unknownTasks,
  taskIn,
  submissionOf,
  readSubmission,
  placeholder,
  rightAttempts,
  scoreOf,
  findGrids,
  parseGrids,
  lastGrid,
  formatGrid,
  gridFault,
  gridKey,
  isGrid,
  sameGrid,
  sizeText,
  differingCells,
  diffText,
  gridScore,
  partialScore,
  augment,
  augmentations,
  restore,
  palette,
  drawGrid,
  drawDiff,
  drawCollage,
  drawingPng,
  drawingSvg,
  gridPng,
  gridSvg,
  gridBlock,
  textBlock,
  stacked,
  beside,
} as const;
