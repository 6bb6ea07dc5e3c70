/** Which notes of a journal hold. */
import { expect, test } from 'vitest';
import type { Event } from '../core/event.ts';
import { survivingNotes } from './note.ts';

const written = (...lines: readonly (readonly [branch: string, index: number, kind: string])[]) =>
  lines.map(
    ([branch, index, kind], at): Event => ({
      seq: at + 1,
      atMs: 0,
      branch,
      ordinal: null,
      attempt: 0,
      kind: 'note',
      body: { kind, data: {}, index },
    }),
  );
const kinds = (events: readonly Event[]) => survivingNotes(events).map(({ body }) => body.kind);

test('all of them, in the order of the journal, where nothing was taken back', () => {
  expect(kinds(written(['a', 0, 'one'], ['b', 0, 'two'], ['a', 1, 'three']))).toEqual([
    'one',
    'two',
    'three',
  ]);
});

test('what a branch notes at a place once more takes the place of that and of all behind it', () => {
  const events = written(
    ['a', 0, 'begin'],
    ['a', 1, 'end'],
    ['a', 2, 'late'],
    ['b', 0, 'other'],
    ['a', 1, 'on'],
  );
  expect(kinds(events)).toEqual(['begin', 'other', 'on']);
});
