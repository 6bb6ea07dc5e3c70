/** The evolution of programs over whole runs: what it finds, what it notes, how it ends. */
import { expect, test } from 'vitest';
import type { Event } from '../../../src/core/event.ts';
import type { Model } from '../../../src/core/model.ts';
import type { ProgramTask } from '../../../src/core/program.ts';
import { replayRun } from '../../../src/run/replay.ts';
import { startRun } from '../../../src/run/start.ts';
import {
  evolvingAgent,
  evolvingFamily,
  evolvingReply,
  evolvingRun,
  evolvingTemplate,
  notesOf,
  worthOf,
} from '../../support/evolving.ts';
import { modelOf, temporaryFolder } from '../../support/odd.ts';
import { eventsOf, toyWorld } from '../../support/world.ts';

type Scene = {
  readonly settings?: Parameters<typeof evolvingRun>[0];
  readonly run?: Parameters<typeof evolvingRun>[1];
  readonly task?: Partial<ProgramTask>;
  readonly model?: Model;
};

async function evolved({ settings = {}, run = {}, task = {}, model = scripted }: Scene = {}) {
  const world = toyWorld({
    folder: temporaryFolder(),
    model,
    agents: [evolvingAgent],
    families: [evolvingFamily(task)],
  });
  const end = await (await startRun(world, evolvingRun(settings, run))).done;
  const events = await eventsOf(world, 'run');
  const replay = await replayRun(world, 'run');
  await world.store.close();
  return { end, events, replay };
}

const scripted = modelOf((request, call) => evolvingReply(request, call) ?? '');

test('programs get better, and what was decided is noted', { timeout: 60_000 }, async () => {
  const { end, events, replay } = await evolved();
  expect(end.outcome).toBe('scored');
  expect(replay).toMatchObject({ complete: true, isSame: true });
  expect(end.grade?.score).toBeGreaterThan(worthOf(evolvingTemplate) + 60);
  expectWholeNumbers(events);
  const [final] = notesOf(events, 'final');
  const root = final?.standings.find(({ id }) => id === 'gen00_id01');
  const chosen = final?.standings.find(({ id }) => id === final.chosen);
  expect(final?.cases).toBe(20);
  expect(root?.gain).toBeNull();
  expect(chosen?.low).toBeGreaterThan(0);
});

/** Each candidate once, numbered without a gap, and its generation told when the last of it is settled. */
function expectWholeNumbers(events: readonly Event[]): void {
  const candidates = notesOf(events, 'candidate');
  const ids = candidates.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const generations = notesOf(events, 'generation').map(({ generation }) => generation);
  expect(generations).toEqual([0, 1, 2, 3, 4]);
  for (const generation of generations.slice(1)) {
    const numbers = candidates.filter((each) => each.generation === generation).map(({ number }) => number);
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
  }
}
