/** Asks a model, and asks again where the reply holds no answer. */
import { defineAgent, requireReply, textOf } from 'polya';
import { z } from 'zod';

export default defineAgent({
  name: 'my-agent',
  settings: z.object({
    tries: z.int().min(1).max(10).default(2).describe('how often it asks before it gives up'),
  }),
  // It runs on every problem that offers this.
  needs: ['parse'],
  prompts: { ask: '{{task}}\n\n{{answerFormat}}' },

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
