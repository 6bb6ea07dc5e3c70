/** What charts draw, and which candidates followed a hint. */
import { expect, test } from 'vitest';
import { followed, near } from '../../../src/apps/ahc/session/course.ts';
import type { CandidateNote } from '../../../src/notes/evolution.ts';

const drawn = (values: readonly number[]) => values.filter(near(values));

test('charts begin where the scores are: a template far below, or far above, is left out', () => {
  expect(drawn([1, 1400, 1442, 1450, 1455])).toEqual([1400, 1442, 1450, 1455]);
  expect(drawn([1, 1447.9, 1447.9, 1448, 1455.6])).toEqual([1447.9, 1447.9, 1448, 1455.6]);
  expect(drawn([90_000, 310, 305, 300, 298])).toEqual([310, 305, 300, 298]);
});

test('scores that are near one another are all drawn, and so are few', () => {
  expect(drawn([100, 120, 130, 150, 170])).toHaveLength(5);
  expect(drawn([1, 1400])).toEqual([1, 1400]);
  expect(drawn([7])).toEqual([7]);
  expect(drawn([0, 0, 0])).toHaveLength(3);
});

test('a hint is credited with what was made for it, not with all whose prompts held it', () => {
  const note = (more: Partial<CandidateNote>) =>
    ({ generation: 2, hints: [1, 2], parameters: {}, ...more }) as CandidateNote;
  expect(followed(note({}), 1)).toBe(false);
  expect(followed(note({ parameters: { hint: 1 } }), 1)).toBe(true);
  expect(followed(note({ parameters: { hint: 2 } }), 1)).toBe(false);
  expect(followed(note({ generation: 0 }), 2)).toBe(true);
});
