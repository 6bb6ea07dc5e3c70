import { describe, expect, test } from 'vitest';
import { guessAnswer, likeness } from './bank.ts';
import { understand } from './understanding.ts';

describe('what is known of a contest without tools', () => {
  const samples = [
    { input: '3 2', output: '2 3 1' },
    { input: '4 9', output: '4 3 2 1' },
  ];
  const inputs = samples.map(({ input }) => input);
  const format = 'Input\n\n```\nN M\n```\n\nOutput\n\nOne line.\n';

  test('is what its samples show, where the output has no format', () => {
    const question = { format, statement: '', inputs, samples, isInteractive: false };
    expect(guessAnswer(question, understand(question))).toMatchObject({
      told: 'in order, from 1 where nothing is said',
      isSure: false,
    });
    const wide = samples.map(({ input }) => ({ input, output: '#'.repeat(Number(input[0])) }));
    const board = { ...question, samples: wide, statement: 'Each is `.` or `#`.' };
    expect(guessAnswer(board, understand(board))?.source).toContain('place < N; place++) cout << "#";');
  });

  test('is nothing where neither format nor samples say anything, or the input is not understood', () => {
    const silent = { format, statement: '', inputs, samples: [], isInteractive: false };
    expect(guessAnswer(silent, understand(silent))).toBeNull();
    const strange = { ...silent, format: format.replace('N M', 'N N N'), samples };
    expect(guessAnswer(strange, understand(strange))).toBeNull();
  });

  test.each([
    ['2 3 1\n', 4],
    ['1 2 3', 3],
    ['1 1 2', 2],
    ['0 4 9', 1],
    ['1\n2\n3\n4', 0],
    ['', 0],
  ])('is so much like a sample: %j', (printed, worth) => {
    expect(likeness(printed, '2 3 1\n')).toBe(worth);
  });
});
