/** The evolution of programs over whole runs: what it finds, what it notes, how it ends. */
import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/event.ts';
import { evolved, evolvingTemplate, notesOf, worthOf } from '../../support/evolving.ts';

test('programs get better, and what was decided is noted', async () => {
  const { end, events, replay } = await evolved();
  expect(end.outcome).toBe('scored');
  expect(replay).toMatchObject({ complete: true, isSame: true });
  expect(end.grade?.score).toBeGreaterThan(worthOf(evolvingTemplate) + 60);
  expectWholeNumbers(events);
  const [final] = notesOf(events, 'final');
  const root = final?.standings.find(({ id }) => id === 'gen00_id01');
  const chosen = final?.standings.find(({ id }) => id === final.chosen);
  expect(final?.cases).toBe(20);
  expect(root?.gain).toBeNull();
  expect(chosen?.low).toBeGreaterThan(0);
});

/** Each candidate once, numbered without a gap, and its generation told when the last of it is settled. */
function expectWholeNumbers(events: readonly Event[]): void {
  const candidates = notesOf(events, 'candidate');
  const ids = candidates.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const generations = notesOf(events, 'generation').map(({ generation }) => generation);
  expect(generations).toEqual([0, 1, 2, 3, 4]);
  for (const generation of generations.slice(1)) {
    const numbers = candidates.filter((each) => each.generation === generation).map(({ number }) => number);
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
  }
}
