/** A file of 48 tasks of the project's own. */
import { join } from 'node:path';
import { generateTasks } from './generated-tasks.ts';
import { holdTaskFile } from './task-files.ts';
import { folderWith } from './tasks.ts';

const count = 48;
const { challenges, solutions } = generateTasks(count, 20_261_121);
const folder = folderWith({ 'own_challenges.json': challenges, 'own_solutions.json': solutions });

holdTaskFile({
  name: 'tasks of our own',
  file: join(folder, 'own_challenges.json'),
  tasks: count,
  pairs: Object.values(solutions).flat().length,
});
