/** Near misses of the project's own gold answers. */
import { openAnswers } from '../../src/answers/index.ts';
import { ownGolds } from './golds.ts';
import { holdNearMisses } from './near-misses.ts';
import { algebra, collections, numbers } from './own-cases.ts';

const cases = [...numbers, ...algebra, ...collections].map(([gold]) => gold);
holdNearMisses([...ownGolds, ...cases], await openAnswers(), 16);
