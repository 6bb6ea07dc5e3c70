/** 1,000 answers by chance, each beside one that is unequal by construction. */
import { test } from 'vitest';
import { openAnswers } from '../../src/answers/index.ts';
import { holdTrees } from './hold-trees.ts';

const answers = await openAnswers();

test('what is changed in one place is never called equal', () =>
  holdTrees(answers, { seed: 20, times: 1_000 }));
