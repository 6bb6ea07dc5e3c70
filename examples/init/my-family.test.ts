/** Run it with `polya test`. The model is a script: replies written ahead, free and always the same. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPolya, scriptedModel } from 'polya';
import mine from './my-family.ts';

const problem = { a: 6, b: 7 };

test('the sum is right', async () => {
  await using polya = await opened(['6 and 7 make\n13']);
  const { id, outcome } = await polya.run({
    family: 'my-family',
    problem,
    agent: 'single-call',
    model: 'script',
  });
  assert.equal(outcome, 'solved');
  const replay = await polya.replay(id);
  assert.ok(replay.complete && replay.isSame);
});

test('another number is wrong, and words are no answer', async () => {
  await using polya = await opened(['14']);
  const wrong = await polya.run({ family: 'my-family', problem, agent: 'single-call', model: 'script' });
  assert.equal(wrong.outcome, 'wrong');
  await using other = await opened(['thirteen', 'thirteen again']);
  const words = await other.run({ family: 'my-family', problem, agent: 'single-call', model: 'script' });
  assert.equal(words.outcome, 'malformed');
});

/** With journals in a folder of its own. */
function opened(replies: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), 'polya-test-'));
  const script = scriptedModel({ id: 'script', script: ({ index }) => replies[index] });
  return openPolya({ env: { ...process.env, POLYA_HOME: home }, families: [mine], models: { script } });
}
