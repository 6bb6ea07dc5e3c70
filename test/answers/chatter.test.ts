/** The project's own gold answers, boxed, with chatter around them. */
import { test } from 'vitest';
import { openAnswers } from '../../src/answers/index.ts';
import { expectNothingLost } from './chatter.ts';
import { ownGolds } from './golds.ts';
import { collections, numbers } from './own-cases.ts';

const answers = await openAnswers();

test('a boxed answer is found in chatter of any style', () => {
  const others = [...numbers, ...collections].map(([gold]) => gold).filter((gold) => !gold.includes('boxed'));
  expectNothingLost([...new Set([...ownGolds, ...others])], answers);
});
