/** What an agent is told of a contest, slot by slot. Pure. */
import type { Brief } from '../../../core/problem.ts';
import type { Toolchain } from '../../../core/sandbox.ts';
import { type Contest, sourceLimitBytes } from '../contest.ts';
import { judgeFlags } from '../judge/evaluate.ts';

export function briefOf(
  contest: Contest,
  { toolchain, cases }: { toolchain: Toolchain; cases: number },
): Brief {
  return {
    task: [
      `Write a program for the problem ${contest.title}, of an AtCoder Heuristic Contest.`,
      'Nobody knows the best answer: every valid one has a score, and yours is to be as good as you can make it.',
      ...(contest.isInteractive
        ? ['The problem is interactive: the program talks to the judge over its standard input and output.']
        : []),
    ].join(' '),
    answerFormat: [
      'ONE complete C++20 source file, in one block of code fenced by ```cpp and ```.',
      'It reads standard input and writes standard output, and opens no other file.',
      `At most ${sourceLimitBytes / 1024} KiB; it includes nothing but what comes with the compiler.`,
    ].join(' '),
    criteria: criteriaOf(contest, cases),
    environment: environmentOf(contest, toolchain),
  };
}

function criteriaOf({ direction, scoring, isInteractive }: Contest, cases: number): string {
  const more =
    direction === 'maximise'
      ? 'The higher the score of a case, the better.'
      : 'The lower the score of a case, the better.';
  const share = direction === 'maximise' ? 'yours / best' : 'best / yours';
  return [
    more,
    scoring === 'relative'
      ? `Scoring is relative: a case counts as ${share} of the best score known of it, so every case weighs the same.`
      : 'Scoring is absolute: the scores of the cases are added up as they are.',
    `Programs are measured on ${cases} ${cases === 1 ? 'case' : 'cases'} by the official tools, and in the end on others of the same kind.`,
    'An invalid output, a crash, or a case that takes too long is worth nothing, and one such case may cost the whole submission.',
    ...(isInteractive ? ['Flush standard output after each line.'] : []),
  ].join(' ');
}

function environmentOf(
  { timeLimitMs, memoryLimitBytes }: Contest,
  { version, level, notes }: Toolchain,
): string {
  return [
    `${version}${level ? ` (${level})` : ''}, with ${judgeFlags.join(' ')}, without network.`,
    ...notes,
    `Time limit: ${timeLimitMs / 1000} s a case. The judge's machine may be slower: a program that uses its time stops by its own clock at nine tenths of the limit at the latest.`,
    `Memory limit: ${Math.round(memoryLimitBytes / 2 ** 20)} MiB.`,
  ].join(' ');
}
