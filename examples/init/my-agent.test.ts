/** Run it with `polya test`. The model is a script: replies written ahead, free and always the same. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPolya, scriptedModel } from 'polya';
import mine from './my-agent.ts';

const question = { question: 'What is 6 times 7?', answer: '42', profile: 'number' };

test('hands in the answer that it finds', async () => {
  await using polya = await opened(['The product is 42.\n\nAnswer: 42']);
  const { id, outcome } = await polya.run({
    family: 'qa',
    problem: question,
    agent: 'my-agent',
    model: 'script',
  });
  assert.equal(outcome, 'solved');
  const replay = await polya.replay(id);
  assert.ok(replay.complete && replay.isSame);
});

test('gives up when no reply holds an answer', async () => {
  await using polya = await opened(['I do not know.', 'No idea.']);
  const { outcome } = await polya.run({
    family: 'qa',
    problem: question,
    agent: 'my-agent',
    model: 'script',
  });
  assert.equal(outcome, 'gave-up');
});

/** With journals in a folder of its own. */
function opened(replies: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), 'polya-test-'));
  const script = scriptedModel({ id: 'script', script: ({ index }) => replies[index] });
  return openPolya({ env: { ...process.env, POLYA_HOME: home }, agents: [mine], models: { script } });
}
