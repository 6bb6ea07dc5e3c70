/** A run whose process is killed with SIGKILL, at every kind of boundary and many times, comes out as if nothing had happened. */
import { describe, expect, test } from 'vitest';
import { foldRun } from '../../src/core/fold.ts';
import { expectWhole, killAgents, killAt, moments, uninterrupted, type Whole } from '../support/kills.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const killsPerMoment = Math.max(1, Math.round(Number(process.env.POLYA_KILLS ?? 15) / 5));

/** How many of these moments every run of it has: one that need not be like another may have some more or some less. */
function momentsOf({ journal, appends, effects }: Whole, moment: (typeof moments)[number]): number {
  const total = moment.endsWith('append') ? appends : effects;
  return journal ? total : Math.floor((total * 2) / 3);
}

/** The same numbers each time, spread over the run. */
function picks(whole: Whole, moment: (typeof moments)[number]): number[] {
  const total = momentsOf(whole, moment);
  const offset = moments.indexOf(moment) + 1;
  return Array.from(
    { length: killsPerMoment },
    (_, index) => 1 + ((index * 7 + offset * 3) % Math.max(1, total - 1)),
  );
}

describe.each(killAgents)('agent %s', (agent) => {
  test('resumed equals uninterrupted, event for event', async () => {
    const whole = await uninterrupted(agent);
    for (const moment of moments) {
      for (const number of picks(whole, moment)) {
        const folder = temporaryFolder();
        const context = `${agent} killed at ${moment} ${number}`;
        expect(await killAt({ folder, agent, how: 'start', moment, number }), context).toBe('SIGKILL');
        await expectWhole(folder, whole, context);
      }
    }
  });

  test('killed again while it is being resumed', async () => {
    const whole = await uninterrupted(agent);
    const folder = temporaryFolder();
    for (const [how, moment, number] of [
      ['start', 'during-effect', 3],
      ['resume', 'after-append', 2],
      ['resume', 'before-append', 2],
    ] as const) {
      expect(await killAt({ folder, agent, how, moment, number })).toBe('SIGKILL');
    }
    const events = await expectWhole(folder, whole, `${agent} killed three times`);
    expect(foldRun(events).lives).toBeGreaterThan(1);
  });

  test('killed in the middle of what it repeats: each repetition is told', async () => {
    const whole = await uninterrupted(agent);
    const folder = temporaryFolder();
    expect(await killAt({ folder, agent, how: 'start', moment: 'during-effect', number: 3 })).toBe('SIGKILL');
    for (const _again of [1, 2]) {
      expect(await killAt({ folder, agent, how: 'resume', moment: 'during-effect', number: 1 })).toBe(
        'SIGKILL',
      );
    }
    const events = await expectWhole(folder, whole, `${agent} killed in what it repeats`);
    expect(foldRun(events)).toMatchObject({ lives: 4 });
  });
});
