/** DownloadInput: the input goes to the model's programs; the model itself sees an excerpt. */
import { z } from 'zod';
import type { Tool } from '../../core/problem.ts';
import { byteLength, cutMiddle } from './excerpt.ts';
import { clientOf, defineTool, otherPuzzle, type Puzzle } from './tools.ts';

const excerptCharacters = 600;

export function inputTool(puzzle: Puzzle): Tool {
  return defineTool({
    name: 'DownloadInput',
    description:
      'Downloads your puzzle input. Your programs get the whole of it; you are shown its size and an excerpt.',
    parameters: z.object({ year: z.int(), day: z.int() }),
    async call(args, context) {
      const refusal = otherPuzzle(puzzle, args);
      if (refusal) return refusal;
      const input = await clientOf(puzzle, context).input();
      return { text: describeInput(input), data: { bytes: byteLength(input), lines: countLines(input) } };
    },
  });
}

function describeInput(input: string): string {
  const lines = countLines(input);
  const excerpt = cutMiddle(input.trimEnd(), excerptCharacters);
  return [
    `The input has ${byteLength(input)} bytes in ${lines === 1 ? '1 line' : `${lines} lines`}.`,
    'Every program you run reads it on standard input, and from the file input.txt.',
    excerpt.cutBytes > 0 ? 'Its beginning and its end:' : 'This is all of it:',
    `\n${excerpt.text}`,
  ].join('\n');
}

function countLines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}
