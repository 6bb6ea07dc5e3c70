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
import { doubtful, readable } from './more-grids.ts';
import { ambiguous, readable as whole } from './whole-grids.ts';

type Grid = (typeof grids)[number][0];

test('311 cases of equality in the styles of five suites', async () => {
  const cases = readCases(join(import.meta.dirname, 'equality.jsonl'));
  const { right, falseEquals } = checkCases(cases, await openAnswers());
  expect(cases).toHaveLength(311);
  expect(falseEquals).toEqual([]);
  // First 269, and one that was called equal and is not.
  expect(right).toBe(311);
});

function readIn(styles: Iterable<(grid: Grid, other: Grid) => string>): (boolean | null)[] {
  const replies = [...styles].flatMap((write) =>
    grids.map(([grid, other]) => [write(grid, other), grid] as const),
  );
  return replies.map(([text, grid]) => {
    const parsed = parseGrids(text, 1);
    return parsed.ok ? JSON.stringify(parsed.grids[0]) === JSON.stringify(grid) : null;
  });
}

test('200 replies in forty styles, each with one grid that answers: 150 were read at first, 5 wrongly', () => {
  const read = readIn(styles.map(({ write }) => write));
  expect(read).toHaveLength(200);
  expect(read.filter((each) => each === false)).toEqual([]);
  expect(read.filter((each) => each === true).length).toBeGreaterThanOrEqual(200);
});

test.each(readable)('is read: %s', (_name, write) => {
  expect(readIn([write])).toEqual(grids.map(() => true));
});

test.each(doubtful)('is refused and never read as another shape: %s', (_name, write) => {
  expect(readIn([write])).toEqual(grids.map(() => null));
});

test('300 replies in sixty further styles: 101 were read at first, 81 wrongly', () => {
  const read = readIn(whole.map(([, write]) => write));
  expect(read).toHaveLength(300);
  expect(read.filter((each) => each === false)).toEqual([]);
  expect(read.filter((each) => each === true).length).toBeGreaterThanOrEqual(300);
});

test('250 replies that hold no whole grid, or two: 66 were refused at first', () => {
  for (const [name, write] of ambiguous) {
    for (const [grid, other] of grids) expect(parseGrids(write(grid, other), 1).ok, name).toBe(false);
  }
});
