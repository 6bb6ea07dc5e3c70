/**
 * Power that goes while SQLite writes its log: at every boundary of its frames, and within one. What the store had
 * acknowledged before is there, the rest is whole or absent, and the run goes on.
 */
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Store } from '../../src/core/store.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { thisProcess } from '../../src/store/owner.ts';
import { answered, modelOf, oddRun, oddWorld, said, say } from '../support/odd.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventsOf } from '../support/world.ts';

const [headBytes, frameBytes] = [32, 24 + 4096];

const runs = ['run-1', 'run-2', 'run-3'];

test('a log that is cut anywhere holds what was acknowledged, and runs that were at work at once go on', async () => {
  const acknowledged: { run: string; lastSeq: number; logBytes: number }[] = [];
  const folder = temporaryFolder();
  const log = join(folder, 'polya.db-wal');
  const noting = (store: Store): Store => {
    const append = store.append.bind(store);
    return Object.assign(store, {
      append: async (...asked: Parameters<Store['append']>) => {
        await append(...asked);
        const [{ runId: run }, { events }] = asked;
        acknowledged.push({ run, lastSeq: events.at(-1)?.seq ?? 0, logBytes: statSync(log).size });
      },
    });
  };
  const worldIn = (place: string, wrapStore = (store: Store): Store => store) =>
    oddWorld({
      folder: place,
      wrapStore,
      model: modelOf(() => said('x'.repeat(3_000))),
      solve: async (run) => {
        for (let call = 0; call < 3; call += 1) await say(run, `call ${call}`);
        return answered('done');
      },
    });
  // Its process is gone with the power.
  const owner = { ...thisProcess(), startedAt: thisProcess().startedAt.replace(/\d+$/, '1') };
  const world = { ...worldIn(folder, noting), owner };
  await Promise.all(runs.map(async (id) => (await startRun(world, oddRun({ id }))).done));
  const whole = new Map<string, Awaited<ReturnType<typeof eventsOf>>>();
  for (const run of runs) whole.set(run, await eventsOf(world, run));
  const bytes = readFileSync(log);
  const frames = (bytes.length - headBytes) / frameBytes;
  expect(acknowledged.length).toBeGreaterThan(5 * runs.length);
  for (let frame = 0; frame <= frames; frame += 1) {
    for (const more of [0, 1 + ((frame * 977) % (frameBytes - 1))]) {
      const cut = Math.min(bytes.length, headBytes + frame * frameBytes + more);
      const place = temporaryFolder();
      copyFileSync(join(folder, 'polya.db'), join(place, 'polya.db'));
      writeFileSync(join(place, 'polya.db-wal'), bytes.subarray(0, cut));
      const after = worldIn(place);
      for (const run of runs) {
        const kept = acknowledged.findLast((each) => each.run === run && each.logBytes <= cut)?.lastSeq ?? 0;
        const row = await after.store.get(run);
        const events = row ? await eventsOf(after, run) : [];
        expect(events.length, `${run}, cut at ${cut}`).toBeGreaterThanOrEqual(kept);
        expect(events, `${run}, cut at ${cut}`).toEqual(whole.get(run)?.slice(0, events.length));
        if (row && !row.ended)
          expect(await (await resumeRun(after, run)).done, `${run}, cut at ${cut}`).toMatchObject({
            outcome: 'answered',
          });
      }
      await after.store.close();
    }
  }
  await world.store.close();
});
