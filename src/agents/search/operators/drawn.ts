/** The operators that are drawn by weight. To add one, write its file and name it here. */
import { change } from './change.ts';
import { crossover } from './crossover.ts';
import type { RandomOperator } from './operator.ts';
import { rewrite } from './rewrite.ts';
import { tune } from './tune.ts';

export const drawnOperators: readonly RandomOperator[] = [change, rewrite, tune, crossover];
