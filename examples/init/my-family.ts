/** Sums: `{ a: 6, b: 7 }` names a problem, and its answer is one number. */
import { defineFamily } from 'polya';
import { z } from 'zod';

export default defineFamily({
  name: 'my-family',
  // How a problem is named: --problem a=6 --problem b=7
  reference: z.object({ a: z.int().describe('the first number'), b: z.int().describe('the second number') }),
  // What only the family knows; no agent sees it.
  detail: z.object({ sum: z.int() }),
  offers: ['parse'],

  // Here a family reads its files or asks its site.
  load: async ({ a, b }) => ({
    id: `my-family/${a}-${b}`,
    title: `${a} + ${b}`,
    statement: `How much is ${a} + ${b}?`,
    brief: { task: 'Add the numbers.', answerFormat: 'End with the sum, a number alone on the last line.' },
    detail: { sum: a + b },
  }),

  // Pure functions of what was loaded.
  open: ({ detail }) => ({
    parse: (reply) => {
      const text = reply.trim().split('\n').at(-1)?.trim() ?? '';
      return /^-?\d+$/.test(text)
        ? { type: 'text', text }
        : { type: 'misfit', feedback: 'The last line is no number.' };
    },
    grade: async ({ answer }) => ({
      correct: answer?.type === 'text' && Number(answer.text) === detail.sum,
      explanation: `The sum is ${detail.sum}.`,
    }),
  }),
});
