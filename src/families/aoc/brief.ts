/** What an agent is told of a puzzle, slot by slot. Pure. */
import type { Brief } from '../../core/problem.ts';
import type { ExecLimits, SandboxInfo, Toolchain } from '../../core/sandbox.ts';
import { languageName } from './languages.ts';
import type { AocReference } from './sites.ts';

export function briefOf(
  { year, day, lang }: AocReference,
  {
    toolchain,
    sandbox,
    partCount,
  }: { readonly toolchain: Toolchain; readonly sandbox: SandboxInfo; readonly partCount: number },
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

function limitsOf(limits: ExecLimits): string {
  const seconds = (ms: number) => `${ms / 1000} s`;
  return [
    `${seconds(limits.wallMs)} of wall time`,
    `${seconds(limits.cpuMs)} of CPU time`,
    `${Math.round(limits.memoryBytes / 2 ** 20)} MiB of memory`,
  ].join(', ');
}
