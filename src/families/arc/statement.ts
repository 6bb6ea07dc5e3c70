/** What any agent may read of an ARC task: the train pairs and the test inputs, and how to answer. Never a solution. */
import type { Brief } from '../../core/problem.ts';
import { formatGrid } from '../../grids/format.ts';
import { sizeText } from '../../grids/grid.ts';
import type { ArcTask } from './task.ts';

export function statementOf({ train, test }: ArcTask): string {
  const pairs = train.map(({ input, output }, at) =>
    [
      `## Train pair ${at + 1}`,
      `Input (${sizeText(input)}):\n${formatGrid(input)}`,
      `Output (${sizeText(output)}):\n${formatGrid(output)}`,
    ].join('\n\n'),
  );
  const inputs = test.map(
    (input, at) => `## Test input ${at + 1} (${sizeText(input)})\n\n${formatGrid(input)}`,
  );
  const question = `One and the same rule turns each train input into its output. What does it make of the test ${test.length > 1 ? 'inputs' : 'input'}?`;
  return [question, ...pairs, ...inputs].join('\n\n');
}

export function briefOf({ test }: ArcTask): Brief {
  const several = test.length > 1;
  const each = several ? `each of the ${test.length} test inputs` : 'the test input';
  return {
    task: `One rule turns each train input into its output. Find it, and apply it to ${each}. A grid has 1 to 30 rows and columns; its cells are colours, the digits 0 to 9. Sizes are rows×columns.`,
    answerFormat: [
      `Give the output of ${each} as a grid in a fence of its own (\`\`\`): a line a row, its digits with spaces between them${several ? ', in the order of the test inputs' : ''}. Put nothing else into fences.`,
      `Two guesses ${several ? 'for each test input' : ''} count. Where you are not sure, give a second one for ${several ? 'every test input: both guesses for test input 1, then both for test input 2, and so on' : 'it, in a second fence'}.`.replaceAll(
        / {2,}/g,
        ' ',
      ),
    ].join(' '),
    criteria: `An output is right when its size and every cell are right. ${several ? 'The task is solved when all outputs are right.' : 'The task is solved when it is right.'}`,
    environment: '',
  };
}
