/**
 * Tests an agent: a script in the place of a model, a folder of its own, and no key and no cost.
 *
 *     ./node_modules/.bin/node --test examples/3-test-your-agent.ts
 */
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPolya, type RunSettings, scriptedModel } from 'polya';
import voter from './voter.ts';

async function ask(replies: readonly string[], told: RunSettings = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'voter-'));
  const script = scriptedModel({ id: 'script', script: ({ index }) => replies[index] });
  await using polya = await openPolya({ folder, agents: [voter], models: { script } });
  const problem = { question: 'How much is 6 times 7?', answer: '42' };
  const run = await polya.run({ family: 'qa', problem, agent: 'voter', model: 'script', ...told });
  const replay = await polya.replay(run.id);
  assert(replay.complete && replay.isSame);
  return run;
}

test('what most replies say is handed in', async () => {
  const { outcome, usage } = await ask(['40', '42', '84/2']);
  assert.equal(outcome, 'solved');
  assert.equal(usage.modelCalls, 3);
});

test('one sample asks once', async () => {
  assert.equal((await ask(['40'], { settings: { samples: 1 } })).outcome, 'wrong');
});

test('a limit ends the run', async () => {
  const { outcome, limit } = await ask(['42', '42', '42'], { limits: { modelCalls: 2 } });
  assert.deepEqual([outcome, limit], ['limit', 'modelCalls']);
});
