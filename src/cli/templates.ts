/** What `polya init` writes: code that its user reads first and changes then. The tests run it as it is. */

export type Template = { readonly code: string; readonly test: string };

export function agentTemplate(name: string): Template {
  return {
    code: `/** Asks a model, and asks again where the reply holds no answer. */
import { defineAgent, requireReply, textOf } from 'polya';
import { z } from 'zod';

export default defineAgent({
  name: '${name}',
  settings: z.object({
    tries: z.int().min(1).max(10).default(2).describe('how often it asks before it gives up'),
  }),
  // It runs on every problem that offers this.
  needs: ['parse'],
  prompts: { ask: '{{task}}\\n\\n{{answerFormat}}' },

  // It awaits nothing but what the run gives it: so it can be resumed, replayed and forked.
  async solve(problem, run, { tries }) {
    const { task, answerFormat } = problem.spec.brief;
    const ask = { type: 'text', text: run.prompt('ask', { task, answerFormat }) } as const;
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      const request = { messages: [{ role: 'user', content: [...problem.spec.statement, ask] }] } as const;
      const reply = requireReply(await run.generate('solver', request));
      const answer = problem.parse(textOf(reply.message));
      if (answer.type !== 'misfit') return { end: 'answered', answer };
      run.note('no-answer', { attempt, why: answer.feedback });
    }
    return { end: 'gave-up', detail: 'No reply held an answer.' };
  },
});
`,
    test: `${testHead}import mine from './${name}.ts';

const question = { question: 'What is 6 times 7?', answer: '42', profile: 'number' };

test('hands in the answer that it finds', async () => {
  await using polya = await opened(['The product is 42.\\n\\nAnswer: 42']);
  const { id, outcome } = await polya.run({ family: 'qa', problem: question, agent: '${name}', model: 'script' });
  assert.equal(outcome, 'solved');
  const replay = await polya.replay(id);
  assert.ok(replay.complete && replay.isSame);
});

test('gives up when no reply holds an answer', async () => {
  await using polya = await opened(['I do not know.', 'No idea.']);
  const { outcome } = await polya.run({ family: 'qa', problem: question, agent: '${name}', model: 'script' });
  assert.equal(outcome, 'gave-up');
});

${openedWith('agents: [mine]')}`,
  };
}

export function familyTemplate(name: string): Template {
  return {
    code: `/** Sums: \`{ a: 6, b: 7 }\` names a problem, and its answer is one number. */
import { defineFamily } from 'polya';
import { z } from 'zod';

export default defineFamily({
  name: '${name}',
  // How a problem is named: --problem a=6 --problem b=7
  reference: z.object({ a: z.int().describe('the first number'), b: z.int().describe('the second number') }),
  // What only the family knows; no agent sees it.
  detail: z.object({ sum: z.int() }),
  offers: ['parse'],

  // Here a family reads its files or asks its site.
  load: async ({ a, b }) => ({
    id: \`${name}/\${a}-\${b}\`,
    title: \`\${a} + \${b}\`,
    statement: \`How much is \${a} + \${b}?\`,
    brief: { task: 'Add the numbers.', answerFormat: 'End with the sum, a number alone on the last line.' },
    detail: { sum: a + b },
  }),

  // Pure functions of what was loaded.
  open: ({ detail }) => ({
    parse: (reply) => {
      const text = reply.trim().split('\\n').at(-1)?.trim() ?? '';
      return /^-?\\d+$/.test(text)
        ? { type: 'text', text }
        : { type: 'misfit', feedback: 'The last line is no number.' };
    },
    grade: async ({ answer }) => ({
      correct: answer?.type === 'text' && Number(answer.text) === detail.sum,
      explanation: \`The sum is \${detail.sum}.\`,
    }),
  }),
});
`,
    test: `${testHead}import mine from './${name}.ts';

const problem = { a: 6, b: 7 };

test('the sum is right', async () => {
  await using polya = await opened(['6 and 7 make\\n13']);
  const { id, outcome } = await polya.run({ family: '${name}', problem, agent: 'single-call', model: 'script' });
  assert.equal(outcome, 'solved');
  const replay = await polya.replay(id);
  assert.ok(replay.complete && replay.isSame);
});

test('another number is wrong, and words are no answer', async () => {
  await using polya = await opened(['14']);
  const wrong = await polya.run({ family: '${name}', problem, agent: 'single-call', model: 'script' });
  assert.equal(wrong.outcome, 'wrong');
  await using other = await opened(['thirteen']);
  const words = await other.run({ family: '${name}', problem, agent: 'single-call', model: 'script' });
  assert.equal(words.outcome, 'malformed');
});

${openedWith('families: [mine]')}`,
  };
}

const testHead = `/** Run it with \`polya test\`. The model is a script: replies written ahead, free and always the same. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPolya, scriptedModel } from 'polya';
`;

function openedWith(brings: string): string {
  return `/** With journals in a folder of its own. */
function opened(replies: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), 'polya-test-'));
  const script = scriptedModel({ id: 'script', script: ({ index }) => replies[index] });
  return openPolya({ env: { ...process.env, POLYA_HOME: home }, ${brings}, models: { script } });
}
`;
}
