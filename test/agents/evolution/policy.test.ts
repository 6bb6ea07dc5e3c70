/** What a search does with the room that it has: parents, first programs that stay, and the tuning that is certain. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { evolved, evolvingTemplate, fence, notesOf } from '../../support/evolving.ts';

const little = {
  maxGenerations: 5,
  populationSize: 6,
  islands: null,
  linesPerIsland: 1,
  room: { beginnings: 5 },
  heldOutCases: 0,
};

async function candidates(settings: JsonObject) {
  const { events, replay } = await evolved({
    settings: { ...little, ...settings },
    reply: ({ messages }, { branch, role }) => {
      const isFirst = JSON.stringify(messages.at(-1)).includes('Write the first program');
      const at = Number(/trial-(\d)/.exec(branch)?.[1] ?? 0);
      return isFirst && role === 'solver'
        ? `So.\n\n${fence(evolvingTemplate.replace('10', `${10 + at}`))}`
        : null;
    },
  });
  expect(replay).toMatchObject({ isSame: true });
  return notesOf(events, 'candidate');
}

const bred = (all: Awaited<ReturnType<typeof candidates>>) =>
  all.filter(({ generation, operator }) => generation > 0 && operator !== 'repair');

/** How often the parent was the best that was settled when its child was begun. */
function shareOfBest(all: Awaited<ReturnType<typeof candidates>>): number {
  const children = bred(all);
  const ofBest = children.filter((child) => {
    const before = all
      .slice(0, all.indexOf(child))
      .filter(({ status, island }) => status === 'evaluated' && island > 0);
    const best = before.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))[0];
    return child.parents.includes(best?.id ?? '');
  });
  return ofBest.length / children.length;
}

const changes = { operators: { change: 1, rewrite: 0, tune: 0 } };

test('where there is little room the best is mostly the parent', async () => {
  expect(shareOfBest(await candidates(changes))).toBeGreaterThan(0.6);
});

test('first programs whose lines ended stay on the one island as parents', async () => {
  const ended = (all: Awaited<ReturnType<typeof candidates>>) => {
    const kept = new Set(bred(all).map(({ island }) => island));
    const gone = all.filter(({ generation, island }) => generation === 0 && island > 0 && !kept.has(island));
    return bred(all).filter(({ parents }) => gone.some(({ id }) => parents.includes(id)));
  };
  // The second parent is the best but one: at first that is a first program.
  const joining = { operators: { change: 0, rewrite: 0, tune: 0, crossover: 1 } };
  expect(ended(await candidates(joining)).length).toBeGreaterThan(0);
});

test('the best is tuned once for certain before the room ends, however seldom tuning is drawn', async () => {
  const tunings = async (settings: JsonObject) =>
    (await candidates(settings)).filter(({ operator }) => operator === 'tune').length;
  const seldom = { operators: { change: 1, rewrite: 0, tune: 1e-9 } };
  expect(await tunings(seldom)).toBe(1);
  expect(await tunings(changes)).toBe(0);
});
