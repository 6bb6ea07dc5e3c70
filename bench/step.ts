/**
 * A whole step (agent, run.generate, a model that answers at once, two journal events) against a bare loop over the
 * same model, and against the two raw inserts that it cannot do without. The start and the end of the run are in it.
 */
import { join } from 'node:path';
import type { EventRow } from '../src/core/store.ts';
import { callingAgent, instantModel, questionOf } from './calling.ts';
import { type Bench, contest, counter, type Row, timedEach } from './measure.ts';
import { openRaw } from './raw.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type BenchWorld, openWorld, runToEnd } from './world.ts';

const steps = 500;
const rounds = 15;

export const step: Bench = {
  name: 'step',
  async run() {
    await using world = openWorld({ agent: callingAgent, model: instantModel });
    using folder = temporaryFolder();
    using raw = openRaw(join(folder.path, 'raw.db'));
    const numbers = counter();
    const ours = (): Promise<number> =>
      timedEach(steps, () => runToEnd(world, `run-${numbers()}`, { steps }));
    const bare = await contest({ rounds, ours, floor: () => timedEach(steps, bareLoop) });
    const rows = await rowsOf(world, 'run-1');
    let firstSeq = 0;
    const floor = async (): Promise<number> => {
      const renumbered = rows.map((row) => ({ ...row, seq: row.seq + firstSeq }));
      firstSeq += rows.length + 1;
      return timedEach(steps, () => {
        for (const row of renumbered) raw.insertTogether([row]);
      });
    };
    const inserts = await contest({ rounds, ours, floor });
    return rowsFor(bare, inserts);
  },
};

type Result = Awaited<ReturnType<typeof contest>>;

function rowsFor(bare: Result, inserts: Result): Row[] {
  const what = 'a step: one model call';
  const eventsPerSecond = (2 / inserts.measured) * 1e6;
  return [
    { what, unit: 'µs', against: 'a bare loop over the same model', ...bare, aim: null },
    { what, unit: 'µs', against: 'two raw inserts', ...inserts, aim: null },
    {
      what: 'events written a second',
      unit: '/s',
      against: '',
      measured: eventsPerSecond,
      floor: null,
      ratio: null,
      aim: null,
    },
  ];
}

async function bareLoop(): Promise<void> {
  const signal = new AbortController().signal;
  for (let index = 0; index < steps; index += 1) {
    const call = { role: 'solver', branch: '', index, attempt: 0, signal };
    await instantModel.generate(questionOf(index), call);
  }
}

/** What one run wrote, but for its beginning and its end. */
async function rowsOf(world: BenchWorld, id: string): Promise<EventRow[]> {
  const rows = await world.store.events(id);
  return rows.filter(({ kind }) => kind === 'model-request' || kind === 'model-response');
}
