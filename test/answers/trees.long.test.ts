/** 10,000 answers by chance, each beside one that is unequal by construction. */
import { test } from 'vitest';
import { openAnswers } from '../../src/answers/index.ts';
import { holdTrees } from './hold-trees.ts';

const answers = await openAnswers();

test.for([1, 2, 3, 4, 5])('what is changed in one place is never called equal: seed %i', (seed) =>
  holdTrees(answers, { seed, times: 2_000 }),
);
