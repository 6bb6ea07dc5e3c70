/** The public tasks, all of them: 400 to evaluate ARC-AGI-1, 1,000 to train for ARC-AGI-2. */
import { sharedFile } from '../support/shared-data.ts';
import { holdTaskFile } from './task-files.ts';

holdTaskFile({
  name: 'ARC-AGI-1, evaluation',
  file: sharedFile('arc-agi-1/arc-agi_evaluation_challenges.json'),
  tasks: 400,
  pairs: 419,
});
holdTaskFile({
  name: 'ARC-AGI-2, training',
  file: sharedFile('arc-agi-2/arc-agi_training_challenges.json'),
  tasks: 1_000,
  pairs: 1_076,
});
