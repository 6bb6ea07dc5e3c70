/** Notes of a proof are read again as they were written, and nothing else is taken for one. */
import { expect, test } from 'vitest';
import type { Event } from '../core/event.ts';
import { proofNoteOf } from './proof.ts';

const noted = (kind: string, data: object): Event => ({
  seq: 2,
  atMs: 0,
  branch: 'attempt-1',
  ordinal: null,
  attempt: 0,
  kind: 'note',
  body: { kind, data: data as Record<string, never>, index: 0 },
});

const counters = { attempt: 1, iteration: 3, passes: 2, failures: 0 };

test('a note is read again', () => {
  expect(proofNoteOf(noted('counters', counters))).toEqual({ kind: 'counters', data: counters });
});

test.each([
  ['another kind', noted('generation', counters)],
  ["another agent's note of the same name", noted('counters', { wins: 3 })],
  ['a name that every object has', noted('toString', {})],
  ['no note', { ...noted('counters', counters), kind: 'stage-end', body: { stage: 'one' } } as Event],
])('%s is none', (_name, event) => {
  expect(proofNoteOf(event)).toBeNull();
});
