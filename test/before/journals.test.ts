/**
 * A journal that was recorded before (test/fixtures) is read, replayed and forked, and one that ends in the middle goes on and
 * comes to what the uninterrupted run came to. Every other fixture is read.
 */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { difference } from './alike.ts';
import { factsOf } from './facts.ts';
import { expectedOf, type State, unpacked, using } from './fixture.ts';
import { journals, momentIn, readPlan } from './plan.ts';

const contest = 'workspace/polya001';
const states = readdirSync(journals).flatMap((name) =>
  (Object.keys(expectedOf(name)) as State[]).map((state) => [name, state] as const),
);

test.each(states)('%s is read: %s', async (name, state) => {
  const folder = unpacked(name, state);
  await using(name === 'session' ? `${folder}/${contest}` : folder, {}, async (polya) => {
    const expected = expectedOf(name)[state] ?? {};
    expect((await polya.ids()).toSorted()).toEqual(Object.keys(expected).toSorted());
    for (const [id, facts] of Object.entries(expected))
      expect(factsOf(polya, await polya.events(id)), id).toMatchObject(facts);
  });
});

test('is replayed, and so is its fork; the cut one as far as it goes', async () => {
  await using(unpacked('chain', 'whole'), {}, async (polya) => {
    for (const id of ['run', 'fork'])
      expect(await polya.replay(id), id).toMatchObject({ complete: true, isSame: true });
  });
  await using(unpacked('chain', 'cut'), {}, async (polya) => {
    expect(await polya.replay('run')).toMatchObject({ complete: false });
  });
});

test('goes on where it was cut, and becomes the uninterrupted run event for event; so does a fork', async () => {
  await using(unpacked('chain', 'whole'), {}, async (polya, folder) => {
    const whole = { events: await polya.events('run'), folder };
    await using(unpacked('chain', 'cut'), {}, async (cut, place) => {
      await cut.resume('run');
      expect(difference({ events: await cut.events('run'), folder: place }, whole)).toBe(null);
    });
    const { at, ...change } = readPlan('chain').fork;
    await polya.fork('run', { ...change, id: 'again', at: momentIn(whole.events, at) });
    const [again, then] = [await polya.events('again'), await polya.events('fork')];
    expect(difference({ events: again, folder }, { events: then, folder })).toBe(null);
  });
});
