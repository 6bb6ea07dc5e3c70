/**
 * Journals that were recorded before (test/fixtures): each is read, replayed and forked, and one that ends in the middle goes
 * on and comes to what the uninterrupted run came to.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { difference } from './alike.ts';
import { factsOf } from './facts.ts';
import { expectedOf, unpacked, using } from './fixture.ts';
import { guesser } from './guesser.ts';
import { journals, momentIn, readPlan } from './plan.ts';

const names = readdirSync(journals).filter((name) => existsSync(join(journals, name, 'plan.json')));

describe.each(names)('%s', (name) => {
  const plan = readPlan(name);
  const expected = expectedOf(name);
  const own = plan.own ? guesser : {};
  const { measures = false } = plan;
  test.each(['whole', 'cut'] as const)('is read: %s', async (state) => {
    await using(unpacked(name, state), own, async (polya) => {
      expect((await polya.ids()).toSorted()).toEqual(Object.keys(expected[state] ?? {}).toSorted());
      for (const [id, facts] of Object.entries(expected[state] ?? {}))
        expect(factsOf(polya, await polya.events(id)), id).toMatchObject(facts);
    });
  });

  test('is replayed, and so is its fork; the cut one as far as it goes', async () => {
    await using(unpacked(name, 'whole'), own, async (polya) => {
      for (const id of ['run', 'fork'])
        expect(await polya.replay(id), id).toMatchObject({ complete: true, isSame: true });
    });
    await using(unpacked(name, 'cut'), own, async (polya) => {
      expect(await polya.replay('run')).toMatchObject({ complete: false });
    });
  });

  test('goes on where it was cut, and becomes the uninterrupted run event for event', async () => {
    const whole = await using(unpacked(name, 'whole'), own, async (polya, folder) => ({
      events: await polya.events('run'),
      folder,
    }));
    await using(unpacked(name, 'cut'), own, async (polya, folder) => {
      await polya.resume('run');
      const events = await polya.events('run');
      expect(difference({ events, folder }, whole, { measures })).toBe(null);
      const { outcome, answer, totals } = factsOf(polya, events);
      const run = expected.whole?.run;
      expect({ outcome, answer }).toEqual({ outcome: run?.outcome, answer: run?.answer });
      if (!measures) expect(totals).toMatchObject({ ...run?.totals });
      expect(await polya.replay('run')).toMatchObject({ complete: true, isSame: true });
    });
  });

  test('is forked, and the fork becomes what it became then', async () => {
    await using(unpacked(name, 'whole'), own, async (polya, folder) => {
      const { at, ...change } = plan.fork;
      await polya.fork('run', { ...change, id: 'again', at: momentIn(await polya.events('run'), at) });
      const again = await polya.events('again');
      const then = await polya.events('fork');
      expect(difference({ events: again, folder }, { events: then, folder }, { measures })).toBe(null);
      expect(factsOf(polya, again).outcome).toBe(expected.whole?.fork?.outcome);
      expect(await polya.replay('again')).toMatchObject({ complete: true, isSame: true });
    });
  });
});
