/** What the four tools share: what they are made with, and the refusal of other puzzles; the two that only tell. */
import { z } from 'zod';
import { UnavailableError, UserError } from '../../core/errors.ts';
import { changeStrings, type JsonObject } from '../../core/json.ts';
import type { Brief, EffectContext, ProblemSpec, Tool, ToolResult } from '../../core/problem.ts';
import type { ExecLimits, SandboxInfo, Toolchain } from '../../core/sandbox.ts';
import { integerArgument, ToolMisuseError } from './arguments.ts';
import { byteLength, cutMiddle } from './excerpt.ts';
import { markdownOf } from './page.ts';
import { type AocReference, languageName } from './reference.ts';
import { createClient } from './site-client.ts';
import type { AocClient, AocSettings } from './sites.ts';
import forms from './tools.json' with { type: 'json' };

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

/** The form of tools in new runs. The journals of runs that began before hold the earlier one in each request. */
export const toolForm = 2;

export function isLegacyForm({ spec }: Puzzle): boolean {
  return spec.detail.tools !== toolForm;
}

/** Models are shown fewer arguments than are understood; those that are not, the result speaks of. */
export function defineTool(
  puzzle: Puzzle,
  name: keyof typeof forms.now,
  call: (args: JsonObject, context: EffectContext) => Promise<ToolResult>,
  /** Absent: the tool may be called again at will. */
  reconcile?: (args: JsonObject, context: EffectContext) => Promise<ToolResult | null>,
): Tool {
  const { lang } = puzzle.reference;
  const form = (isLegacyForm(puzzle) ? forms.before : forms.now)[name];
  return {
    name,
    ...changeStrings(form, (text) =>
      text.replace('{{lang}}', lang).replace('{{language}}', languageName(lang)),
    ),
    parameters: z.record(z.string(), z.json()),
    repeat: reconcile
      ? { reconcile: (args, context) => withFriendlyErrors(() => reconcile(args, context)) }
      : 'safe',
    call: (args, context) => withFriendlyErrors(() => call(args, context)),
  };
}

/** A cookie or a file that has gone missing in the middle of a run ends it as something to be resumed. */
async function withFriendlyErrors<T>(work: () => Promise<T>): Promise<T | ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolMisuseError)
      return { text: error.message, isError: true, data: { mistake: error.mistake } };
    throw error instanceof UserError ? new UnavailableError(error.explanation) : error;
  }
}

/** A run is about one day, which need not be named; asking for another one is a mistake. */
export function checkPuzzle({ reference }: Puzzle, args: JsonObject): void {
  const [year, day] = [integerArgument(args, 'year'), integerArgument(args, 'day')];
  if ((year ?? reference.year) === reference.year && (day ?? reference.day) === reference.day) return;
  const question = `year ${year ?? reference.year}, day ${day ?? reference.day}`;
  const text = `This run is about year ${reference.year}, day ${reference.day}; ${question} is not available.`;
  throw new ToolMisuseError('other-puzzle', text);
}

export function statementTool(puzzle: Puzzle): Tool {
  return defineTool(puzzle, 'DownloadProblemStatement', async (args, context) => {
    checkPuzzle(puzzle, args);
    const requested = integerArgument(args, 'part') ?? (context.stage === 'part2' ? 2 : 1);
    if (requested === 1) return { text: partOneOf(puzzle.spec), data: { part: 1 } };
    if (requested !== 2) throw new ToolMisuseError('no-such-part', 'The parts are 1 and 2.');
    if (hasOnePart(puzzle)) throw new ToolMisuseError('no-part-2', 'This day has one part only.');
    if (context.stage === 'part1') {
      // Even where the site would show it: its user may have solved part 1 before, this run has not.
      throw new ToolMisuseError('part-2-locked', 'Part 2 opens when your answer to part 1 is accepted.');
    }
    const page = await clientOf(puzzle, context).page('kept');
    const part = page.parts[1];
    // The practice site of another host, where the run began, has shown it.
    const stageAdvance = context.past.findLast(({ result }) => result.advance?.to === 'part2')?.result
      .advance;
    if (!part && stageAdvance) return { text: stageAdvance.statement, data: { part: 2 } };
    if (!part) throw new ToolMisuseError('part-2-missing', 'The site does not show part 2.');
    return { text: markdownOf(part), data: { part: 2 } };
  });
}

/** Behind it stands the first look at the input, which journals of earlier runs do not hold. */
export function partOneOf({ statement: [first] }: ProblemSpec): string {
  return first?.type === 'text' ? first.text : '';
}

/** An input of up to `completeCharacters` is shown completely at first, of a longer one an excerpt. */
const [completeCharacters, firstCharacters, mostCharacters] = [1_500, 400, 6_000];

export function inputTool(puzzle: Puzzle): Tool {
  return defineTool(puzzle, 'DownloadInput', async (args, context) => {
    checkPuzzle(puzzle, args);
    const input = await clientOf(puzzle, context).input();
    const [from, length] = [integerArgument(args, 'from'), integerArgument(args, 'length')];
    const isFirstLook = from === undefined && length === undefined;
    return {
      text: isFirstLook ? inputPreview(input) : excerptOf(input, from ?? 0, length ?? mostCharacters),
      data: { bytes: byteLength(input), lines: countLines(input) },
    };
  });
}

function excerptOf(input: string, from: number, length: number): string {
  if (from >= input.length)
    throw new ToolMisuseError('from', `The input has ${input.length} characters: take a smaller \`from\`.`);
  const text = input.slice(from, from + Math.min(Math.max(length, 1), mostCharacters)).toWellFormed();
  return `Characters ${from} to ${from + text.length - 1} of ${input.length}, counted from 0:\n\n${text}`;
}

export function inputPreview(input: string): string {
  const written = input.trimEnd();
  const { text, cutBytes } =
    written.length <= completeCharacters
      ? { text: written, cutBytes: 0 }
      : cutMiddle(written, firstCharacters);
  const lines = countLines(input);
  const size = `${byteLength(input)} bytes in ${lines === 1 ? '1 line' : `${lines} lines`}`;
  return `Your puzzle input has ${size}. ${cutBytes > 0 ? 'Its beginning and its end' : 'This is all of it'}:\n\n${text}`;
}

function countLines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}

const usualOutputCharacters = 6_000;

/** How much of stdout, and again of stderr, a model reads of one call. */
export function outputCharactersOf({ reference, settings }: Omit<Puzzle, 'spec'>): number {
  return reference.outputCharacters ?? settings.outputCharacters ?? usualOutputCharacters;
}

export function dayBrief(
  { year, day, lang }: AocReference,
  toolchain: Toolchain,
  { limits }: SandboxInfo,
  subject: {
    readonly partCount: number;
    readonly outputCharacters: number;
    /** Somebody can say whether an answer to its first part is right. */
    readonly isJudged: boolean;
  },
): Brief {
  const puzzle =
    day > 0 ? `day ${day} of year ${year} of Advent of Code` : 'a puzzle in the style of Advent of Code';
  const parts = subject.partCount === 1 ? 'which has one part only' : 'part 1 and then part 2';
  return {
    task: `Solve ${puzzle}, ${parts}, by writing and running programs in ${languageName(lang)}.`,
    answerFormat: 'Each part has one answer, a number or a word, that you hand in with SubmitAnswer.',
    criteria: `${subject.isJudged ? judgedCriteria : unjudgedCriteria} Run a program on the example of the statement and on your puzzle input in one call, and submit if the example comes out right.`,
    environment: environmentOf(toolchain, limits, subject.outputCharacters),
  };
}

const judgedCriteria = 'A part is solved when its answer is accepted; wrong answers cost time.';
const unjudgedCriteria =
  'The first answer to a part counts: it is written down, and you are not told whether it is right.';

function environmentOf(
  { version, level, notes, sourceFile }: Toolchain,
  { wallMs, cpuMs, memoryBytes }: ExecLimits,
  characters: number,
): string {
  return [
    `Programs are run by ${version}${level ? ` (${level})` : ''} as one file, ${sourceFile}, without network.`,
    ...(notes.length > 0 ? notes : ['There is the standard library only.']),
    'Standard input and the file input.txt hold the input.',
    `Limits of a run: ${cpuMs / 1000} s of CPU time, ${wallMs / 1000} s of wall time, ${mebibytes(memoryBytes)} of memory.`,
    `Of up to ${characters} characters that a call prints you see all, of more an excerpt.`,
  ].join(' ');
}

export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
