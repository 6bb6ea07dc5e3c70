/** The host that gives a set out and watches it, for tests of a fleet. */
import type { Store } from '../../src/core/store.ts';
import { needsOf } from '../../src/studies/fleet/fits.ts';
import { RowAssigner } from '../../src/studies/fleet/given-rows.ts';
import { beginSet, prepareRows, resumeSet } from '../../src/studies/run-set/execute.ts';
import type { RunSet } from '../../src/studies/run-set/plan.ts';
import { eventsOf } from '../support/world.ts';
import { hostWorld, type Place } from './fleet-world.ts';

/** By the host that is none of the workers. */
export async function giveOut(
  place: Place,
  set: RunSet,
  how: 'begin' | 'resume' = 'begin',
  more: Parameters<typeof hostWorld>[2] = {},
  wrap: (store: Store) => Store = (store) => store,
) {
  const world = await hostWorld(place, 'giver', more);
  wrap(world.store);
  const prepared = await prepareRows(world, set);
  const headerOf = async (index: number) => {
    const [first] = await eventsOf(world, `${set.id}-${index + 1}`);
    return prepared.get(index)?.header ?? (first?.kind === 'run-start' ? first.body : null);
  };
  const runner = new RowAssigner(world, set, prepared, {
    fleet: world.fleet,
    needsOf: async (index) => {
      const header = prepared.get(index)?.header ?? (await headerOf(index));
      if (!header) throw new Error('It has no header.');
      return needsOf(header);
    },
    onAlone: () => undefined,
  });
  const work = { prepared, runner };
  const handle = await (how === 'begin' ? beginSet(world, set, work) : resumeSet(world, set, work));
  return { world, handle };
}
