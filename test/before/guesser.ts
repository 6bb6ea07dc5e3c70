/**
 * An agent, a family and a model of a caller's own, as in examples/1-your-own-agent.ts. A journal names them, and holds
 * nothing of their code: whoever opens it brings them along.
 */
import { z } from 'zod';
import { defineAgent, requireReply, scriptedModel, textOf } from '../../src/index.ts';
import type { Family, Own } from './library.ts';

const secret = '42';

const numbers: Family = {
  name: 'numbers',
  load: async () => ({
    family: 'numbers',
    id: 'numbers/1',
    title: 'Guess a number',
    reference: {},
    contentHash: secret,
    statement: [{ type: 'text', text: 'I think of a whole number from 1 to 100.' }],
    brief: {
      task: 'Guess it.',
      answerFormat: 'The number alone.',
      criteria: 'It is the number.',
      environment: '',
    },
    stages: [],
    detail: {},
  }),
  open: (spec) => ({
    spec,
    parse: (reply) => {
      const text = /\d+/.exec(reply)?.[0];
      return text ? { type: 'text', text } : { type: 'misfit', feedback: 'Say a number.' };
    },
    check: async (answer) => {
      const guess = answer.type === 'text' ? Number(answer.text) : Number.NaN;
      const pass = guess === Number(secret);
      return { pass, feedback: pass ? 'Yes.' : guess < Number(secret) ? 'Higher.' : 'Lower.' };
    },
    grade: async ({ answer }) => ({
      correct: answer?.type === 'text' && answer.text === secret,
      explanation: `The number is ${secret}.`,
    }),
  }),
};

const settings = z.object({ guesses: z.number().int().positive().default(7) });

const agent = defineAgent({
  name: 'guesser',
  settings,
  needs: ['parse', 'check'],
  roles: ['solver'],
  prompts: { ask: '{{task}} {{answerFormat}} So far: {{history}}' },
  async solve(problem, run, { guesses }) {
    const history: string[] = [];
    for (let guess = 0; guess < guesses; guess += 1) {
      const { task, answerFormat } = problem.spec.brief;
      const content = run.prompt('ask', { task, answerFormat, history: history.join(' ') || 'nothing.' });
      const reply = requireReply(await run.generate('solver', { messages: [{ role: 'user', content }] }));
      const answer = problem.parse(textOf(reply.message));
      if (answer?.type !== 'text') continue;
      const verdict = await run.check(answer);
      run.note('guessed', { number: Number(answer.text), pass: verdict.pass });
      if (verdict.pass) return { end: 'answered', answer };
      history.push(`${answer.text}: ${verdict.feedback}`);
    }
    return { end: 'gave-up', detail: 'No guesses are left.' };
  },
});

const halving = scriptedModel({
  id: 'own/halving',
  script: ({ index }) => ['50', 'Is it 25?', '37', '42'][index],
});

export const guesser: Own = { agents: [agent], families: [numbers], models: { [halving.id]: halving } };
