/** RunGeneratedCode: the model's program in the sandbox, over the real input unless the model gives another one. */
import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import type { Tool, ToolResult } from '../../core/problem.ts';
import type { CapturedOutput, ExecResult, StepResult } from '../../core/sandbox.ts';
import { quotesOf } from '../../text/passages.ts';
import { type CutText, cutMiddle } from './excerpt.ts';
import { findLanguage, languageName } from './reference.ts';
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
        const text = `This run is in ${lang}; programs in ${args.lang} are not run.`;
        return mistake(text, { mistake: 'other-language' });
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
  const inputQuotes = quotes.length === 0 ? undefined : quotes.join('\n');
  return { ...report, data: { ...report.data, inputQuotes } };
}

/** `digest`: what the compiler said, short; its whole words are shown where there is none. */
type Compilation = StepResult & { readonly digest?: string };

const noText: CutText = { text: '', cutBytes: 0 };

/** First a line on how it ended, then the sections `stdout:` and `stderr:`. */
export function reportExecution(
  result: Pick<ExecResult, 'run'> & { readonly compile: Compilation | null },
  outputCharacters: number,
): ToolResult {
  const step = result.run ?? result.compile;
  if (!step) throw new Error('The sandbox neither compiled nor ran anything.');
  const compileFailed = result.run === null;
  const digest = compileFailed ? (result.compile?.digest ?? '') : '';
  const stdout = digest === '' ? cut(step.stdout, outputCharacters) : noText;
  const stderr = digest === '' ? cut(step.stderr, outputCharacters) : cutMiddle(digest, outputCharacters);
  const status = compileFailed ? compileStatus(step) : statusOf(step);
  const failed = compileFailed || step.verdict !== 'ok';
  return {
    text: `status: ${status}; ${measuresOf(step)}\nstdout:\n${stdout.text}\nstderr:\n${stderr.text}`,
    isError: failed || undefined,
    data: {
      failed,
      phase: compileFailed ? 'compile' : 'run',
      ...factsOf(step),
      compile: result.compile ? factsOf(result.compile) : null,
      // A reader of the journal is to see what the model did not.
      stdout: step.stdout.text.trimEnd() === stdout.text ? undefined : step.stdout.text,
      stderr: step.stderr.text.trimEnd() === stderr.text ? undefined : step.stderr.text,
    },
  };
}

function cut(output: CapturedOutput, characters: number): CutText {
  return cutMiddle(output.text.trimEnd(), characters, output.cut ? output.bytes : undefined);
}

function compileStatus(step: StepResult): string {
  return step.verdict === 'exit' ? 'compile error' : `compile error (${statusOf(step)})`;
}

function statusOf(step: StepResult): string {
  switch (step.verdict) {
    case 'ok':
    case 'cancelled':
      return step.verdict;
    case 'exit':
      return `exit ${step.exitCode ?? '?'}`;
    case 'signal':
      return `signal ${step.signal ?? '?'}`;
    case 'wall':
      return 'time limit (wall time)';
    case 'cpu':
      return 'time limit (CPU time)';
    default:
      return `${step.verdict} limit`;
  }
}

function measuresOf(step: StepResult): string {
  const mebibytes = (step.peakMemoryBytes / 2 ** 20).toFixed(1);
  return `wall ${Math.round(step.wallMs)} ms, CPU ${Math.round(step.cpuMs)} ms, memory ${mebibytes} MiB`;
}

function factsOf({ stdout, stderr, ...step }: StepResult): JsonObject {
  const { verdict, exitCode, signal, wallMs, cpuMs, peakMemoryBytes } = step;
  const measured = { verdict, exitCode, signal, wallMs, cpuMs, peakMemoryBytes };
  return { ...measured, stdoutBytes: stdout.bytes, stderrBytes: stderr.bytes };
}
