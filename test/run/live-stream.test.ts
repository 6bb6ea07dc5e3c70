import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Agent } from '../../src/core/agent.ts';
import { type Model, type ModelCall, textOf } from '../../src/core/model.ts';
import { type Speech, tail } from '../../src/run/live-stream.ts';
import { readJournal } from '../../src/run/load.ts';
import { startRun } from '../../src/run/start.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { toyWorld } from '../support/world.ts';

type Delta = Parameters<NonNullable<ModelCall['onDelta']>>[0];

/** Says what a test tells it to, until it is told to stop. */
function speaker() {
  const calls: { say(delta: Delta): void; end(text: string): void }[] = [];
  const model: Model = {
    id: 'test/speaker',
    kind: 'live',
    takes: { images: false, tools: false },
    price: null,
    generate: (_request, call) =>
      new Promise((resolve) => {
        calls.push({
          say: (delta) => call.onDelta?.(delta),
          end: (text) =>
            resolve({
              ok: true,
              message: { role: 'assistant', content: [{ type: 'text', text }] },
              finish: 'stop',
              usage: { tokens: null, costUsd: null },
            }),
        });
      }),
  };
  return { model, calls };
}

const asking: Agent = {
  name: 'asking',
  settings: z.object({}),
  needs: [],
  roles: ['solver'],
  prompts: {},
  async solve(_problem, run) {
    const reply = await run.generate('solver', { messages: [{ role: 'user', content: 'Hello?' }] });
    return { end: 'answered', answer: { type: 'text', text: reply.ok ? textOf(reply.message) : '' } };
  },
};

test('thoughts and words, as they are said', async () => {
  const { model, calls } = speaker();
  const world = toyWorld({ folder: temporaryFolder(), model, agents: [asking] });
  const spec = { id: 'a', family: 'toy', problem: {}, agent: 'asking', models: { default: 'x' } };
  const deltas: string[] = [];
  const run = await startRun(world, spec, { onDelta: ({ text }) => deltas.push(text) });
  const heard = (isThere: (speeches: readonly Speech[]) => boolean) =>
    until(async () => {
      const speeches = await tail(world.store, 'a');
      return isThere(speeches) ? speeches : null;
    });
  await until(() => calls.length === 1);
  expect(await tail(world.store, 'a')).toEqual([]);

  calls[0]?.say({ type: 'reasoning', text: 'Hm, ' });
  calls[0]?.say({ type: 'reasoning', text: 'so.' });
  calls[0]?.say({ type: 'text', text: 'It is' });
  expect(await heard((speeches) => speeches.length > 0)).toEqual([
    {
      call: 'main#1',
      branch: '',
      role: 'solver',
      characters: 12,
      tail: [
        { type: 'reasoning', text: 'Hm, so.' },
        { type: 'text', text: 'It is' },
      ],
    },
  ]);
  calls[0]?.say({ type: 'text', text: ' 4'.repeat(5_000) });
  const [long] = await heard(([speech]) => (speech?.characters ?? 0) > 5_000);
  expect(long?.characters).toBe(10_012);
  expect(long?.tail).toEqual([{ type: 'text', text: ' 4'.repeat(2_000) }]);

  calls[0]?.end('It is 4.');
  await run.done;
  expect(await tail(world.store, 'a')).toEqual([]);
  expect(deltas).toHaveLength(4);
  // Nothing of it is in the journal but the reply.
  const { events } = await readJournal(world.store, 'a');
  expect(JSON.stringify(events)).not.toContain('Hm, ');
  await world.store.close();
});
