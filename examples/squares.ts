/** A family of your own: magic squares of three rows, with a number given. Nobody needs to know the solution. */
import { defineFamily } from 'polya';
import { z } from 'zod';

export default defineFamily({
  name: 'squares',
  reference: z.object({ topLeft: z.int().min(1).max(9) }),
  detail: z.object({}),
  offers: ['parse', 'equal'],
  async load({ topLeft }) {
    return {
      id: `squares/${topLeft}`,
      title: `A magic square with ${topLeft} at the top left`,
      statement: `Put the numbers 1 to 9 into three rows of three, each once, so that every row, every column and both diagonals add up to 15. The top left is ${topLeft}.`,
      brief: {
        task: 'Find the square.',
        answerFormat: 'End with the nine numbers, row by row, divided by spaces.',
      },
      detail: {},
    };
  },
  open: ({ reference: { topLeft } }) => ({
    parse(reply) {
      const numbers = reply.match(/\b[1-9]\b/g)?.slice(-9) ?? [];
      if (numbers.length < 9)
        return { type: 'misfit', feedback: 'The reply does not end with nine numbers.' };
      return { type: 'text', text: numbers.join(' ') };
    },
    equal: (a, b) => a.type === 'text' && b.type === 'text' && a.text === b.text,
    async grade({ answer }) {
      const square = answer?.type === 'text' ? answer.text.split(' ').map(Number) : [];
      const isSum = (line: readonly number[]) => line.reduce((sum, at) => sum + (square[at] ?? 0), 0) === 15;
      const correct = square[0] === topLeft && new Set(square).size === 9 && lines.every(isSum);
      return { correct, explanation: correct ? 'All lines add up to 15.' : 'It is no such square.' };
    },
  }),
});

const lines = ['012', '345', '678', '036', '147', '258', '048', '246'].map((line) => [...line].map(Number));
