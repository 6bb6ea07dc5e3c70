/** What a case came to, as a search and as the records of a workspace have it. Pure. */
import type { CaseOutcome } from '../../../core/program.ts';
import { leadingNumbers } from '../features.ts';
import type { CaseReport } from '../judge/evaluate.ts';
import type { CaseRecord } from '../records/history.ts';
import type { Facts } from './facts.ts';

export function outcomeOf(
  report: CaseReport,
  input: string,
  { contest, features: names }: Facts,
): CaseOutcome {
  const { name, verdict, score, message, cpuMs, wallMs, peakMemoryBytes } = report;
  // What a tester reads of an interactive problem is hidden from the program, and from whoever writes it.
  const isShown = verdict !== 'AC' && !contest.isInteractive;
  return {
    ...{ name, verdict, score, message, features: featuresOf(input, names) },
    cpuMs: rounded(cpuMs),
    wallMs: rounded(wallMs),
    memoryBytes: peakMemoryBytes,
    ...(isShown ? { input: beginningOf(input) } : {}),
  };
}

/** `input`: its hash. */
export function recordOf(outcome: CaseOutcome, input: string): CaseRecord {
  const { name, verdict, score, cpuMs, wallMs, memoryBytes } = outcome;
  return { name, input, verdict, score, cpuMs, wallMs, memoryBytes };
}

const shownCharacters = 400;

function beginningOf(input: string): string {
  return input.length <= shownCharacters ? input : `${input.slice(0, shownCharacters)}…`;
}

/** A journal holds many of them. */
function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function featuresOf(input: string, names: readonly string[]): CaseOutcome['features'] {
  const numbers = leadingNumbers(input);
  const pairs = names.flatMap((name, at) => {
    const number = numbers[at];
    return number === undefined ? [] : [[name, number] as const];
  });
  return Object.fromEntries(pairs);
}
