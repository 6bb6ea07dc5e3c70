/**
 * Cases and replies that were written without a look at the readers, and are not changed any more: what is read of them may
 * only grow.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkCases } from '../../src/answers/check.ts';
import { openAnswers } from '../../src/answers/index.ts';
import { readCases } from '../../src/apps/qa/answer-cases.ts';
import { parseGrids } from '../../src/grids/parse.ts';
import { grids, styles } from './grids.ts';

test('311 cases of equality in the styles of five suites', async () => {
  const cases = readCases(join(import.meta.dirname, 'equality.jsonl'));
  const { right, falseEquals } = checkCases(cases, await openAnswers());
  expect(cases).toHaveLength(311);
  expect(falseEquals).toEqual([]);
  // First 269, and one that was called equal and is not.
  expect(right).toBe(311);
});

test('200 replies in forty styles, each with one grid that answers', () => {
  const replies = styles.flatMap((style) =>
    grids.map(([grid, other]) => [style.write(grid, other), grid] as const),
  );
  const read = replies.map(([text, grid]) => {
    const parsed = parseGrids(text, 1);
    return parsed.ok ? JSON.stringify(parsed.grids[0]) === JSON.stringify(grid) : null;
  });
  expect(read).toHaveLength(200);
  expect(read.filter((each) => each === true).length).toBeGreaterThanOrEqual(150);
  expect(read.filter((each) => each === false).length).toBeLessThanOrEqual(5);
});
