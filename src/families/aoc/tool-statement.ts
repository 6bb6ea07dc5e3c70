/** DownloadProblemStatement: part 1 from the spec of the problem, part 2 from the site once this run has opened it. */
import { z } from 'zod';
import type { Tool } from '../../core/problem.ts';
import { markdownOf } from './statement.ts';
import { clientOf, defineTool, hasOnePart, mistake, otherPuzzle, type Puzzle } from './tools.ts';

export function statementTool(puzzle: Puzzle): Tool {
  return defineTool({
    name: 'DownloadProblemStatement',
    description: 'Returns the statement of part 1, or of part 2 once part 1 is solved.',
    parameters: z.object({ year: z.int(), day: z.int(), part: z.int().min(1).max(2) }),
    async call(args, context) {
      const refusal = otherPuzzle(puzzle, args);
      if (refusal) return refusal;
      if (args.part === 1) return { text: partOneOf(puzzle), data: { part: 1 } };
      if (hasOnePart(puzzle)) return mistake('This day has one part only.', { mistake: 'no-part-2' });
      if (context.stage === 'part1') {
        // Even where the site would show it: its user may have solved part 1 before, this run has not.
        return mistake('Part 2 opens when your answer to part 1 is accepted.', { mistake: 'part-2-locked' });
      }
      const page = await clientOf(puzzle, context).page('kept');
      const part = page.parts[1];
      if (!part) return mistake('The site does not show part 2.', { mistake: 'part-2-missing' });
      return { text: markdownOf(part), data: { part: 2 } };
    },
  });
}

function partOneOf({ spec }: Puzzle): string {
  return spec.statement.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n');
}
