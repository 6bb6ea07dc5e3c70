/** An agent of your own: it asks several times and hands in the answer that most replies agree on. */
import { type Answer, defineAgent, requireReply, textOf } from 'polya';
import { z } from 'zod';

export default defineAgent({
  name: 'voter',
  settings: z.object({ samples: z.int().min(1).max(9).default(3) }),
  needs: ['parse', 'equal'],
  prompts: { form: '{{task}} {{answerFormat}}' },
  async solve(problem, run, { samples }) {
    const form = { type: 'text', text: run.prompt('form', { ...problem.spec.brief }) } as const;
    const content = [...problem.spec.statement, form];
    const votes: Answer[] = [];
    for (let sample = 0; sample < samples; sample += 1) {
      const reply = requireReply(await run.generate('solver', { messages: [{ role: 'user', content }] }));
      const answer = problem.parse(textOf(reply.message));
      if (answer.type !== 'misfit') votes.push(answer);
    }
    const support = (answer: Answer) => votes.filter((vote) => problem.equal(answer, vote)).length;
    const [best] = votes.toSorted((a, b) => support(b) - support(a));
    return best ? { end: 'answered', answer: best } : { end: 'malformed', detail: 'No reply has an answer.' };
  },
});
