/** What is refused before a run exists: nothing is written and no model is called. */

import { describe, expect, test } from 'vitest';
import { evolution } from '../../src/agents/search/evolution.ts';
import type { Agent } from '../../src/core/agent.ts';
import { UserError } from '../../src/core/errors.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { parseSettings, type RunSpec, startRun } from '../../src/run/start.ts';
import { coded } from '../support/coded.ts';
import { agentOf, answered, modelOf, oddRun, oddWorld, say } from '../support/odd.ts';

const solve = async () => answered('');

describe('a run is refused', () => {
  test.each<[string, Partial<RunSpec>]>([
    ['has no role judge', { models: { default: 'test/odd', judge: 'test/odd' } }],
    ['No model is named for the role solver', { models: {} }],
    ['has no prompt named nope', { prompts: { nope: '' } }],
    ['has no place {{nope}}', { prompts: { go: 'x {{nope}}' } }],
    ['has no prompt named constructor', { prompts: { constructor: '' } as Record<string, string> }],
    ['do not fit', { settings: { rounds: Number.NaN } }],
  ])('where it %s', async (message, spec) => {
    const world = oddWorld({ solve });
    const started = startRun(world, oddRun(spec));
    await expect(started).rejects.toThrow(UserError);
    await expect(startRun(world, oddRun(spec))).rejects.toThrow(message);
    expect(await world.store.list()).toEqual([]);
  });

  test('where roles have no model: all of them are named, and how to give one', async () => {
    const agent = agentOf(solve, { roles: ['solver', 'grader', 'judge'] });
    const spec = oddRun({ models: { grader: 'test/odd' } });
    await expect(startRun(oddWorld({ agent }), spec)).rejects.toThrow(
      'No model is named for the roles solver, judge. Name one for all roles with `--model MODEL`, or for each: `--model solver=MODEL`.',
    );
  });

  test('where its budget is in dollars and a price is not known', async () => {
    const world = oddWorld({ solve, model: modelOf(() => 'x', { price: null }) });
    const started = startRun(world, oddRun({ limits: { costUsd: 1 } }));
    await expect(started).rejects.toThrow(coded('price-unknown', 'test/odd'));
    expect(await world.store.list()).toEqual([]);
  });

  test('where its agent needs what the problem does not offer', async () => {
    const agent = agentOf(solve, { needs: ['tools', 'stages', 'parse', 'program', 'check'] });
    const world = oddWorld({ agent });
    await expect(startRun(world, oddRun())).rejects.toThrow(coded('problem-lacks-capability'));
    expect(await world.store.list()).toEqual([]);
  });

  test('where its id is taken', async () => {
    const world = oddWorld({ solve });
    await (await startRun(world, oddRun())).done;
    await expect(startRun(world, oddRun())).rejects.toThrow(coded('run-exists'));
  });
});

test('a misspelled setting of a strict agent is named with those that there are: it was told that a key is not recognized', () => {
  const refused = (agent: Agent, settings: JsonObject) => {
    try {
      return parseSettings(agent, settings);
    } catch (error) {
      return error instanceof UserError && error.explanation;
    }
  };
  const strict: Agent = evolution;
  expect(refused(strict, { iland: 1 })).toEqual({
    code: 'no-such-setting',
    what: 'The agent evolution has no setting iland.',
    fix: expect.stringMatching(/^Its settings are: .*\bislands, .*, temperature\.$/),
  });
  expect(refused(strict, { islands: -1 })).toEqual({
    code: 'settings-invalid',
    what: expect.stringContaining('→ at islands'),
    fix: 'Correct what is named; a setting that is left out has its usual value.',
  });
});

test('a role without a model of its own is served by the default', async () => {
  const agent = agentOf(async (run) => answered(await say(run, 'x')), { roles: ['solver', 'judge'] });
  const world = oddWorld({ agent, models: { 'test/judge': modelOf(() => 'judged') } });
  const handle = await startRun(world, oddRun({ models: { default: 'test/odd', judge: 'test/judge' } }));
  expect((await handle.done).solution?.answer).toEqual({ type: 'text', text: 'yes' });
  expect(Object.keys(handle.header.models)).toEqual(['default', 'judge']);
});
