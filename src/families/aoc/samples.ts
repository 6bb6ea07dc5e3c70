/** How programs for a day are tried: on the examples of its statement, then by its tools on the input that no agent holds. */
import type { Samples } from '../../core/problem.ts';
import type { Puzzle } from './tools.ts';

export function samplesOfDay({ reference: { lang } }: Puzzle): Samples {
  return {
    language: lang,
    format:
      'The program reads the puzzle input from standard input and prints the answer to the part that is described last, alone on its last line. An answer is one number or one word.',
    pairs: null,
    target: {
      type: 'tools',
      run: (source) => ({ name: 'RunGeneratedCode', args: { code: source } }),
      output: ({ text, isError }) => (isError ? null : lastOutputLine(text)),
      handIn: (output) => ({ name: 'SubmitAnswer', args: { answer: output } }),
    },
  };
}

/** The last line below `stdout:`, of the report that `tool-run.ts` writes; null for none. */
function lastOutputLine(report: string): string | null {
  const stdout =
    report
      .split(/^stdout:$/m)
      .at(1)
      ?.split(/^stderr:$/m)[0] ?? '';
  const line = stdout.trim().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? null : line;
}
