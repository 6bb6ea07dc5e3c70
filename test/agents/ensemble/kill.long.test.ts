/** An ensemble whose process is killed with SIGKILL, at every kind of boundary, comes out as if nothing had happened. */
import { expect, test } from 'vitest';
import { ensembleNotesOf } from '../../../src/notes/ensemble.ts';
import { startRun } from '../../../src/run/start.ts';
import { killWorld } from '../../support/kill-world.ts';
import { expectWhole, killAt, moments, uninterrupted } from '../../support/kills.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { toyRun } from '../../support/toy-run.ts';
import { eventsOf, toyWorld } from '../../support/world.ts';

test('what is killed goes through all four stages', async () => {
  const world = toyWorld({ ...killWorld, folder: temporaryFolder() });
  expect((await (await startRun(world, toyRun('ensemble-split'))).done).solution).toMatchObject({
    end: 'answered',
    answer: { text: '42' },
  });
  const { samples, vote, decision } = ensembleNotesOf(await eventsOf(world, 'run'));
  expect(samples.map(({ repairs, steps, review }) => [repairs, steps, review])).toEqual([
    [1, 0, null],
    [0, 0, null],
    [0, 0, 'changed'],
    [0, 4, null],
    [1, 0, null],
  ]);
  expect(vote).toMatchObject({ extra: 1, winner: null });
  expect(decision).toMatchObject({ by: 'self-correction' });
  await world.store.close();
});

const killed = [
  ['ensemble-split', moments],
  ['ensemble-agree', ['during-effect', 'before-append']],
] as const;

test.each(killed)('%s resumed equals uninterrupted', async (agent, chosen) => {
  const whole = await uninterrupted(agent);
  for (const [at, moment] of chosen.entries()) {
    const folder = temporaryFolder();
    const total = moment.endsWith('append') ? whole.appends : whole.effects;
    const number = 1 + ((at * 3 + 2) % (total - 1));
    const context = `${agent} killed at ${moment} ${number}`;
    expect(await killAt({ folder, agent, how: 'start', moment, number }), context).toBe('SIGKILL');
    if (at === 1) await killAt({ folder, agent, how: 'resume', moment: 'during-effect', number: 2 });
    await expectWhole(folder, whole, context);
  }
});
