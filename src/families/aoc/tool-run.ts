/** RunGeneratedCode: the model's program in the sandbox, over the real input unless the model gives another one. */
import { z } from 'zod';
import type { Tool, ToolResult } from '../../core/problem.ts';
import type { ExecResult } from '../../core/sandbox.ts';
import { quotesOf } from '../../text/passages.ts';
import { reportExecution } from './execution.ts';
import { findLanguage, languageName } from './languages.ts';
import { clientOf, defineTool, mistake, type Puzzle } from './tools.ts';

const outputCharacters = 6_000;

export function runTool(puzzle: Puzzle): Tool {
  const { lang, outputCharacters: shown } = puzzle.reference;
  return defineTool({
    name: 'RunGeneratedCode',
    description: `Runs a whole ${languageName(lang)} program and returns its status, stdout and stderr.`,
    parameters: z.object({
      lang: z.string().describe(`Always ${lang} in this run.`),
      code: z.string().describe('The whole source of the program.'),
      input: z
        .string()
        .optional()
        .describe(
          'What the program reads on standard input and in input.txt. Leave it out for your puzzle input.',
        ),
    }),
    async call(args, context) {
      if (findLanguage(args.lang) !== lang) {
        return mistake(`This run is in ${lang}; programs in ${args.lang} are not run.`, {
          mistake: 'other-language',
        });
      }
      const input = args.input ?? (await clientOf(puzzle, context).input());
      const result = await context.io.sandbox.exec(
        { language: lang, source: args.code, stdin: input, files: { 'input.txt': input } },
        context.signal,
      );
      const report = reportExecution(result, shown ?? puzzle.settings.outputCharacters ?? outputCharacters);
      // What the model gave stands in the call.
      return args.input === undefined ? withQuotes(report, result, input) : report;
    },
  });
}

/** What it printed of its input is written down: who exports the run without its puzzle has no other way to know. */
function withQuotes(report: ToolResult, { run, compile }: ExecResult, input: string): ToolResult {
  const printed = [run, compile].flatMap((step) => (step ? [step.stdout.text, step.stderr.text] : []));
  const quotes = printed.flatMap((text) => quotesOf(input, text));
  return quotes.length === 0
    ? report
    : { ...report, data: { ...report.data, inputQuotes: quotes.join('\n') } };
}
