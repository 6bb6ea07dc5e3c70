/** What the tool loop tells a model whose arguments were no JSON object. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toolLoop } from '../../src/agents/tool-loop/tool-loop.ts';
import type { ModelRequest } from '../../src/core/model.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { familyOf, oddRun, oddWorld, toolOf } from '../support/odd.ts';
import { eventsOf } from '../support/world.ts';

const parameters = z.object({ code: z.string() });

async function toldAfter(raw: string) {
  const requests: ModelRequest[] = [];
  const model = scriptedModel({
    id: 'test/odd',
    script: ({ index, request }) => {
      requests.push(request);
      return index === 0 ? { toolCalls: [{ name: 'Run', args: null, raw }] } : { text: 'bye' };
    },
  });
  let calls = 0;
  const tool = toolOf(
    'Run',
    async () => {
      calls += 1;
      return { text: 'ran' };
    },
    { parameters },
  );
  const family = familyOf({ tools: [tool], spec: { stages: ['1'] } });
  const world = oddWorld({ agent: toolLoop, family, model });
  await (await startRun(world, oddRun({ agent: 'tool-loop', settings: { reminders: 0 } }))).done;
  expect(calls).toBe(0);
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  const settled = (await eventsOf(world, 'run')).find(({ kind }) => kind === 'tool-result');
  expect(settled?.body).toMatchObject({ status: 'ok', result: { isError: true, data: { rejected: true } } });
  const told = requests[1]?.messages.at(-1);
  return told?.role === 'tool' ? told : undefined;
}

test('broken JSON is named as such, with the mistake and what the model wrote', async () => {
  const told = await toldAfter('{"code": "print(1)');
  expect(told).toMatchObject({ name: 'Run', isError: true });
  expect(told?.content).toMatch(
    /^The arguments of Run are no JSON object: Unterminated string in JSON at position \d+.*; you wrote: \{"code": "print\(1\)$/,
  );
  expect(told?.content).not.toContain('received null');
});

test('only the beginning of long arguments is told', async () => {
  const told = await toldAfter(`{"code": ${'x'.repeat(10_000)}`);
  expect(told?.content).toContain('you wrote: {"code": xxx');
  expect(told?.content.length).toBeLessThan(600);
});

test('JSON that is no object is not called broken', async () => {
  expect((await toldAfter('null'))?.content).toContain(
    'are no JSON object: they are JSON of another type; you wrote: null',
  );
});
