/** What the four tools share: what they are made with, typed arguments, and the refusal of other puzzles. */
import { z } from 'zod';
import { UnavailableError, UserError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Brief, EffectContext, ProblemSpec, Tool, ToolResult } from '../../core/problem.ts';
import type { ExecLimits, SandboxInfo, Toolchain } from '../../core/sandbox.ts';
import { byteLength, cutMiddle } from './excerpt.ts';
import { type AocReference, languageName } from './reference.ts';
import { createClient } from './site-client.ts';
import type { AocClient, AocSettings } from './sites.ts';
import { markdownOf } from './statement.ts';

export const stages = ['part1', 'part2'] as const;

export type Puzzle = {
  readonly spec: ProblemSpec;
  readonly reference: AocReference;
  readonly settings: AocSettings;
};

/** The last day of an event has one; so have files that hold no more. */
export function hasOnePart({ spec }: Puzzle): boolean {
  return spec.stages.length === 1;
}

export function clientOf({ settings, reference }: Puzzle, { io, signal }: EffectContext): AocClient {
  return createClient(settings, reference, { io, signal });
}

/** A tool whose functions get their arguments in the schema's own type. */
export function defineTool<Args extends JsonObject>(tool: {
  readonly name: string;
  readonly description: string;
  readonly parameters: z.ZodType<Args>;
  call(args: Args, context: EffectContext): Promise<ToolResult>;
  /** Absent: the tool may be called again at will. */
  reconcile?(args: Args, context: EffectContext): Promise<ToolResult | null>;
}): Tool {
  const { name, description, parameters, call, reconcile } = tool;
  return {
    name,
    description,
    parameters,
    repeat: reconcile
      ? { reconcile: (args, context) => resumable(() => reconcile(parameters.parse(args), context)) }
      : 'safe',
    call: (args, context) => resumable(() => call(parameters.parse(args), context)),
  };
}

/** A cookie or a file that has gone missing in the middle of a run ends it as something to be resumed. */
async function resumable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UserError ? new UnavailableError(error.explanation) : error;
  }
}

/** An error that is the model's to mend. */
export function mistake(text: string, data: JsonObject): ToolResult {
  return { text, isError: true, data };
}

/** A run is about one day; asking for another one is a mistake. */
export function otherPuzzle({ reference }: Puzzle, asked: { year: number; day: number }): ToolResult | null {
  if (asked.year === reference.year && asked.day === reference.day) return null;
  const text = `This run is about year ${reference.year}, day ${reference.day}; year ${asked.year}, day ${asked.day} is not available.`;
  return mistake(text, { mistake: 'other-puzzle' });
}

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

export function briefOf(
  { year, day, lang }: AocReference,
  toolchain: Toolchain,
  sandbox: SandboxInfo,
  partCount: number,
): Brief {
  const puzzle =
    day > 0 ? `day ${day} of year ${year} of Advent of Code` : 'a puzzle in the style of Advent of Code';
  const parts = partCount === 1 ? 'which has one part only' : 'part 1 and then part 2';
  return {
    task: [
      `Solve ${puzzle}, ${parts}, by writing and running programs in ${languageName(lang)}.`,
      `Call the tools with year ${year}, day ${day} and lang "${lang}".`,
    ].join(' '),
    answerFormat:
      'Each part has one answer, a number or a short text, that you hand in with SubmitAnswer as a string. Saying it in words does not count.',
    criteria:
      'A part is solved when your answer is accepted. Wrong answers cost time: try your program on the example of the statement first.',
    environment: environmentOf(toolchain, sandbox),
  };
}

function environmentOf({ version, level, notes, sourceFile }: Toolchain, { limits }: SandboxInfo): string {
  return [
    `Programs are run by ${version}${level ? ` (${level})` : ''} as one file, ${sourceFile}, without network.`,
    ...(notes.length > 0 ? notes : ['There is the standard library only.']),
    'Standard input and the file input.txt hold the puzzle input. Print what you want to see.',
    `Limits of a run: ${limitsOf(limits)}.`,
  ].join(' ');
}

function limitsOf({ wallMs, cpuMs, memoryBytes }: ExecLimits): string {
  const memory = `${Math.round(memoryBytes / 2 ** 20)} MiB of memory`;
  return `${wallMs / 1000} s of wall time, ${cpuMs / 1000} s of CPU time, ${memory}`;
}
