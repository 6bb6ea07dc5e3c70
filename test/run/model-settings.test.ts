/** Settings of models: the user's own are errors where a model does not take them, an agent's are adapted and told once. */

import { expect, test } from 'vitest';
import type { Run, Solution } from '../../src/core/agent.ts';
import { UserError } from '../../src/core/errors.ts';
import type { Model, ModelRequest, ModelSettings } from '../../src/core/model.ts';
import { forkRun } from '../../src/run/fork.ts';
import { previewRun } from '../../src/run/preview.ts';
import { replayRun } from '../../src/run/replay.ts';
import { prepareRun, startRun } from '../../src/run/start.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { coded } from '../support/coded.ts';
import { agentOf, answered, familyOf, modelOf, oddRun, oddWorld, said } from '../support/odd.ts';
import { eventsOf } from '../support/world.ts';

/** Takes no temperature, and says so. */
function coldModel(asked: ModelRequest[], images = true): Model {
  const adapt = ({ temperature, ...rest }: ModelSettings) => ({
    settings: rest,
    notices: temperature === undefined ? [] : ['It takes no temperature.'],
  });
  return {
    ...modelOf(async (request) => {
      asked.push(request);
      const { notices } = adapt(request.settings ?? {});
      return { ...said('ok'), ...(notices.length ? { notices } : {}) };
    }),
    takes: { images, tools: true },
    adapt,
  };
}

const twice = async (run: Run): Promise<Solution> => {
  const settings = { temperature: 0.1, maxOutputTokens: 100 };
  for (let call = 0; call < 2; call += 1) {
    await run.generate('solver', { messages: [{ role: 'user', content: 'hello' }], settings });
  }
  return answered('done');
};

function world(images = true) {
  const asked: ModelRequest[] = [];
  return { asked, world: oddWorld({ solve: twice, model: coldModel(asked, images) }) };
}

test("the user's own settings go before the agent's, stand in the header, and are the same in a replay", async () => {
  const { asked, world: here } = world();
  const modelSettings = { default: { maxOutputTokens: 7 }, solver: { seed: 3 } };
  const { done } = await startRun(here, oddRun({ modelSettings }));
  expect((await done).outcome).not.toBe('error');
  expect(asked[0]?.settings).toEqual({ temperature: 0.1, maxOutputTokens: 7, seed: 3 });
  const [start] = await eventsOf(here, 'run');
  expect(start?.body).toMatchObject({ models: { solver: { settings: { maxOutputTokens: 7, seed: 3 } } } });
  expect(await replayRun(here, 'run')).toMatchObject({ complete: true, isSame: true });
});

test("an agent's defaults are adapted: journaled with each call, told once", async () => {
  const { world: here } = world();
  const notices: string[] = [];
  const { done } = await startRun(here, oddRun({}), { onNotice: (notice) => notices.push(notice) });
  await done;
  expect(notices).toEqual(['test/odd: It takes no temperature.']);
  const replies = (await eventsOf(here, 'run')).filter(({ kind }) => kind === 'model-response');
  expect(replies).toMatchObject([
    { body: { result: { notices: ['It takes no temperature.'] } } },
    { body: { result: { notices: ['It takes no temperature.'] } } },
  ]);
});

test("the user's own settings that the model does not take are refused before anything is asked", async () => {
  const { asked, world: here } = world();
  const begun = startRun(here, oddRun({ modelSettings: { solver: { temperature: 1 } } }));
  await expect(begun).rejects.toThrow(UserError);
  await expect(begun).rejects.toThrow(coded('model-settings-unsupported'));
  await expect(startRun(here, oddRun({ modelSettings: { nobody: { seed: 1 } } }))).rejects.toThrow(
    'no role nobody',
  );
  expect(asked).toEqual([]);
});

test('a fork keeps what it does not change, and is refused like a new run', async () => {
  const { asked, world: here } = world();
  await (await startRun(here, oddRun({ modelSettings: { default: { seed: 3, topP: 0.5 } } }))).done;
  const forked = await forkRun(here, 'run', { id: 'fork', at: 1, modelSettings: { default: { seed: 4 } } });
  await forked.done;
  expect(asked.at(-1)?.settings).toMatchObject({ seed: 4, topP: 0.5 });
  const warm = forkRun(here, 'run', { id: 'warm', modelSettings: { default: { temperature: 1 } } });
  await expect(warm).rejects.toThrow(coded('model-settings-unsupported'));
});

test('a preview shows the settings as the model takes them', async () => {
  const { world: here } = world();
  const scratch = openSqliteStore({ file: ':memory:', now: () => Date.now() });
  const first = await previewRun(here, scratch, await prepareRun(here, oddRun({})));
  expect(first).toMatchObject({ notices: ['It takes no temperature.'] });
  expect(first.request?.settings).toEqual({ maxOutputTokens: 100 });
  await scratch.close();
});

test('a picture that the model cannot see is an error before the first call', async () => {
  const asked: ModelRequest[] = [];
  const picture = { type: 'image', mediaType: 'image/png', data: 'aGk=' } as const;
  const family = familyOf({ spec: { statement: [picture] } });
  const blind = oddWorld({ solve: twice, family, model: coldModel(asked, false) });
  await expect(startRun(blind, oddRun({}))).rejects.toThrow(coded('model-without-images', 'test/odd'));
  const seeing = oddWorld({ solve: twice, family, model: coldModel(asked) });
  await (await startRun(seeing, oddRun({}))).done;
  expect(asked).toHaveLength(2);
});

test('an agent that calls tools is not given a model that takes none', async () => {
  const agent = agentOf(twice, { needs: ['tools'] });
  const toolless = { ...coldModel([]), takes: { images: true, tools: false } };
  const world = oddWorld({ agent, family: familyOf({ tools: [] }), model: toolless });
  await expect(startRun(world, oddRun({}))).rejects.toThrow(coded('model-without-tools', 'test/odd'));
});

test('an agent can learn what its settings come to, and a replay learns the same without a model', async () => {
  const learnt: ModelSettings[] = [];
  const curious = async (run: Run): Promise<Solution> => {
    learnt.push(run.settingsFor('solver', { temperature: 0.7, seed: 5, maxOutputTokens: 9 }));
    return answered('done');
  };
  const here = oddWorld({ solve: curious, model: coldModel([]) });
  const modelSettings = { solver: { seed: 3 } };
  await (await startRun(here, oddRun({ modelSettings }))).done;
  expect(await replayRun(here, 'run')).toMatchObject({ complete: true, isSame: true });
  expect(learnt).toEqual([
    { seed: 3, maxOutputTokens: 9 },
    { seed: 3, maxOutputTokens: 9 },
  ]);
  const [start] = await eventsOf(here, 'run');
  expect(start?.body).toMatchObject({ models: { solver: { ignores: ['temperature'] } } });
});
