/** The durable run without kills: outcomes, limits, cancellation, retries, resume of a stopped run, fork, mailbox. */
import { describe, expect, test } from 'vitest';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { toyRun } from '../support/toy-run.ts';
import { toyWorld } from '../support/world.ts';

describe.each(['line', 'archive', 'vote', 'limit'])('agent %s', (agent) => {
  test('replays to the same end without doing anything', async () => {
    const world = toyWorld({ folder: temporaryFolder() });
    const end = await (await startRun(world, toyRun(agent))).done;
    expect(end.outcome).toBe('solved');
    const lastSeq = (await world.store.get('run'))?.lastSeq;
    expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
    expect((await world.store.get('run'))?.lastSeq).toBe(lastSeq);
  });
});
