/** What a case came to: how its program ended, what its tester said, whether it wrote what it should. Pure. */
import type { CaseResult, StepResult } from '../../core/sandbox.ts';
import { clip, oneLine } from '../../text/format.ts';
import { verdictText } from './words.ts';

export type CheckedCase = CaseResult & {
  /** Null where the right output is not known; `unknown` where too little of it was kept. */
  readonly answer: 'right' | 'wrong' | 'unknown' | null;
  readonly difference: Difference | null;
  /** It ended well, its tester too, and what it wrote is right as far as anybody knows. */
  readonly passed: boolean;
};

export function judge(result: CaseResult, expected: string | null): CheckedCase {
  const { step, tester } = result;
  const difference =
    expected === null || step.stdout.cut ? null : firstDifference(expected, step.stdout.text);
  const answer = expected === null ? null : step.stdout.cut ? 'unknown' : difference ? 'wrong' : 'right';
  const ended = step.verdict === 'ok' && (tester === undefined || tester.verdict === 'ok');
  return { ...result, answer, difference, passed: ended && (answer === null || answer === 'right') };
}

const shownCharacters = 60;

/** Why it did not pass, in one harmless line; empty where there is no more to say than its verdict. */
export function whyFailed({ step, tester, difference, answer }: CheckedCase): string {
  const said = lastLine(step.stderr.text);
  const testerSaid = tester && tester.verdict !== 'ok' ? ofTester(tester) : '';
  // Two that wait for one another reach their limits together, and either may be to blame.
  const isBlamed = tester?.verdict !== 'cancelled';
  if (step.verdict !== 'ok') return [said, isBlamed ? testerSaid : ''].filter(Boolean).join('; ');
  if (testerSaid !== '') return testerSaid;
  if (answer === 'unknown') return 'it wrote more than is kept to be compared; --output keeps more';
  if (!difference) return '';
  return `line ${difference.line}: ${quoted(difference.actual)} and not ${quoted(difference.expected)}`;
}

function ofTester(tester: StepResult): string {
  return `tester: ${verdictText(tester)} ${lastLine(tester.stderr.text)}`.trim();
}

function lastLine(text: string): string {
  return clip(oneLine(text.trimEnd().split('\n').at(-1) ?? ''), 2 * shownCharacters);
}

function quoted(line: string): string {
  return JSON.stringify(clip(oneLine(line), shownCharacters));
}

/** The first line that differs, null where none does. `line` counts from 1. */
export type Difference = { readonly line: number; readonly expected: string; readonly actual: string };

export function firstDifference(expected: string, actual: string): Difference | null {
  const [wanted, written] = [linesOf(expected), linesOf(actual)];
  for (let at = 0; at < Math.max(wanted.length, written.length); at += 1) {
    if (wanted[at] === written[at]) continue;
    return { line: at + 1, expected: wanted[at] ?? '(nothing)', actual: written[at] ?? '(nothing)' };
  }
  return null;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(0, last + 1);
}
