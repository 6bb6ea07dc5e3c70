/**
 * How the tests of older journals use the library: the only file of them that has to change with its API. What they
 * expect, and the fixtures, stay.
 */
import type { Agent } from '../../src/core/agent.ts';
import type { Event, RunEnd } from '../../src/core/event.ts';
import { foldRun, type RunView } from '../../src/core/fold.ts';
import type { Model } from '../../src/core/model.ts';
import type { Family } from '../../src/core/problem.ts';
import { openJournals } from '../../src/open/journals.ts';
import { type ForkSpec, forkRun } from '../../src/run/fork.ts';
import { readJournal } from '../../src/run/load.ts';
import { type Replay, replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { type RunSpec, startRun } from '../../src/run/start.ts';

export type { Event, Family, ForkSpec, Model, Replay, RunEnd, RunSpec, RunView };

/** What a caller brings along. */
export type Own = {
  readonly agents?: readonly Agent[];
  readonly families?: readonly Family[];
  readonly models?: Readonly<Record<string, Model>>;
};

export type Opened = {
  /** `stop` ends it as its user does. */
  start(spec: RunSpec, onEvent?: (event: Event, stop: () => void) => void): Promise<RunEnd>;
  resume(id: string): Promise<RunEnd>;
  replay(id: string): Promise<Replay>;
  fork(id: string, spec: ForkSpec): Promise<RunEnd>;
  /** Throws where the journal is damaged. */
  events(id: string): Promise<readonly Event[]>;
  fold(events: readonly Event[]): RunView;
  ids(): Promise<readonly string[]>;
  close(): Promise<void>;
};

/** `home`: the user's home folder, so that nothing is read from or kept in that of this process. */
export function open(folder: string, home: string, own: Own = {}): Opened {
  const env = { PATH: process.env.PATH, HOME: home, POLYA_TRUST: '1' };
  const polya = openJournals({ folder, env, create: true, ...own });
  const { world } = polya;
  return {
    async start(spec, onEvent) {
      let stop: () => void = () => undefined;
      const observer = { onEvent: (event: Event) => onEvent?.(event, stop) };
      const handle = await startRun(world, spec, observer);
      stop = handle.stop;
      return handle.done;
    },
    resume: async (id) => (await resumeRun(world, id)).done,
    replay: (id) => replayRun(world, id),
    fork: async (id, spec) => (await forkRun(world, id, spec)).done,
    async events(id) {
      const { events, damage } = await readJournal(world.store, id);
      if (damage) throw new Error(`The journal of ${id} is damaged at ${damage.seq}: ${damage.reason}`);
      return events;
    },
    fold: foldRun,
    ids: async () => (await world.store.list()).map(({ id }) => id),
    close: () => polya.close(),
  };
}
