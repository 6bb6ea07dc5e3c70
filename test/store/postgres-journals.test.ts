/** Journals on Postgres are those of the files: the golden ones, and those of runs whose process was killed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forkRun } from '../../src/run/fork.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { expectWhole, killAt, uninterrupted } from '../support/kills.ts';
import { newStoreUrl } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { toyRun } from '../support/toy-run.ts';
import { eventsOf, normalise, storeUrlFile, toyWorld } from '../support/world.ts';

async function folderOnPostgres(): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, storeUrlFile), await newStoreUrl());
  return folder;
}

test('the journal of the agent line is the golden one', async () => {
  const world = toyWorld({ folder: await folderOnPostgres() });
  await (await startRun(world, toyRun('line'))).done;
  const golden = readFileSync(join(import.meta.dirname, '../golden/line.golden.json'), 'utf8');
  expect(normalise(await eventsOf(world, 'run'))).toEqual(JSON.parse(golden));
  await world.store.close();
});

/** What their branches do at once comes in the order in which a server answers. */
test.each(['archive', 'vote', 'limit', 'session'])(
  'a run of the agent %s is replayed and forked',
  async (agent) => {
    const world = toyWorld({ folder: await folderOnPostgres() });
    await (await startRun(world, toyRun(agent))).done;
    expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
    await (await forkRun(world, 'run', { id: 'fork', at: 4 })).done;
    expect(await replayRun(world, 'fork')).toMatchObject({ complete: true, isSame: true });
    await world.store.close();
  },
);

const kills = [
  ['line', 'before-effect'],
  ['line', 'after-append'],
  ['vote', 'during-effect'],
  ['session', 'before-append'],
  ['graphs', 'after-effect'],
] as const;

test.each(kills)('agent %s, killed %s, is resumed to what it would have been', async (agent, moment) => {
  const uncut = await uninterrupted(agent);
  const whole = agent === 'line' ? uncut : { ...uncut, journal: null };
  const folder = await folderOnPostgres();
  expect(await killAt({ folder, agent, how: 'start', moment, number: 3 })).toBe('SIGKILL');
  await expectWhole(folder, whole, `${agent} killed ${moment}`);
});
