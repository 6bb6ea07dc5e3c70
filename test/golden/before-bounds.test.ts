/**
 * A journal that was written when a reservation was three characters a token: what is reserved has changed since, and
 * is no part of what is asked. It replays, and goes on wherever its process may have died.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foldRun } from '../../src/core/fold.ts';
import type { BlobRow, EventRow } from '../../src/core/store.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import type { World } from '../../src/run/world.ts';
import { Lockstep, lockstepModel } from '../support/lockstep.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { answerOf, eventsOf, normalise, toyWorld } from '../support/world.ts';

const file = join(import.meta.dirname, 'before-bounds.journal.json');
const { rows, blobs } = JSON.parse(readFileSync(file, 'utf8')) as { rows: EventRow[]; blobs: BlobRow[] };

/** A store that holds so many of its events. */
async function holding(events: number): Promise<World> {
  // What it says depends on the words alone, and not on the room that a reply is given today.
  const model = lockstepModel({
    lockstep: new Lockstep(),
    reply: ({ messages }, call) => answerOf({ messages }, call),
  });
  const world = toyWorld({ folder: temporaryFolder(), model });
  const run = { id: 'run', createdAtMs: 0, parent: null, summary: {}, owner: world.owner };
  const ownership = await world.store.create(run, {
    events: rows.slice(0, events),
    blobs,
    durable: false,
    ended: events === rows.length,
  });
  await world.store.release(ownership);
  return world;
}

test('an older journal holds another reservation than would be made today', async () => {
  const [request] = rows.filter(({ kind }) => kind === 'model-request');
  expect(request?.body).toContain('"reserve":{"costUsd":0.008207,"tokens":4111}');
});

test('it replays', async () => {
  expect(await replayRun(await holding(rows.length), 'run')).toMatchObject({ isSame: true });
});

test('it goes on from each of its events, and comes to the same end', async () => {
  const whole = normalise(await eventsOf(await holding(rows.length), 'run'));
  for (let events = 2; events < rows.length; events += 1) {
    // A change of stage is written together with what brought it about.
    if (rows[events]?.kind.startsWith('stage-')) continue;
    const world = await holding(events);
    await (await resumeRun(world, 'run')).done;
    const resumed = await eventsOf(world, 'run');
    expect(withoutReserve(normalise(resumed)), `from event ${events}`).toEqual(withoutReserve(whole));
    expect(foldRun(resumed).end?.outcome).toBe('solved');
    await world.store.close();
  }
});

function withoutReserve(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/"reserve":\{[^}]*\},/, ''));
}
