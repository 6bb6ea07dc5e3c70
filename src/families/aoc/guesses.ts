/**
 * What earlier answers say of one more answer: those of this run, and those of any run of the account. Pure: it says no
 * more than the site would to that very answer.
 */
import { z } from 'zod';
import { jsonIn } from '../../core/json.ts';
import type { PreviousToolCall } from '../../core/problem.ts';

const wrongVerdicts = ['wrong', 'too-high', 'too-low'] as const;
export type WrongVerdict = (typeof wrongVerdicts)[number];

const wrongGuess = z.object({ answer: z.string(), verdict: z.enum(wrongVerdicts) });
export type WrongGuess = z.infer<typeof wrongGuess>;

const accountGuess = z.object({
  part: z.literal([1, 2]),
  answer: z.string(),
  verdict: z.enum(['right', ...wrongVerdicts]),
  /** Which run gave it. */
  run: z.string().optional(),
});
export type AccountGuess = z.infer<typeof accountGuess>;

/**
 * The account's guesses from a file with one JSON object a line, only ever added to, so that no process loses another's.
 * Lines that cannot be read are skipped: a full disk may have cut one short.
 */
export function parseGuesses(text: string): AccountGuess[] {
  return text.split('\n').flatMap((line) => accountGuess.safeParse(jsonIn(line)).data ?? []);
}

/** How many answers of this run the site called wrong, or may have: a reply that cannot be read counts. */
export function countWrongAnswers(previous: readonly PreviousToolCall[], stage: string): number {
  const judged = collectSubmissions(previous, stage).filter(({ result }) => result.data?.source === 'site');
  const previousToolCalls = judged.filter(({ result }) => result.data?.verdict === 'unknown');
  return collectWrongGuesses(judged, stage).length + previousToolCalls.length;
}

/** Whether the site would not take this very answer. */
export function wasTooLong(past: readonly PreviousToolCall[], stage: string, answer: string): boolean {
  return collectSubmissions(past, stage).some(({ result: { data } }) => {
    return data?.verdict === 'too-much-data' && data.answer === answer;
  });
}

/** Until when the site takes no answers, as far as this run was told; 0 where it was not. */
export function lockedUntilMs(previous: readonly PreviousToolCall[]): number {
  const lines = previous.map(({ result }) => result.data?.lockedUntilMs);
  return Math.max(0, ...lines.filter((untilMs) => typeof untilMs === 'number'));
}

export function collectWrongGuesses(past: readonly PreviousToolCall[], stage: string): WrongGuess[] {
  return collectSubmissions(past, stage).flatMap((call) => wrongGuess.safeParse(call.result.data).data ?? []);
}

function collectSubmissions(
  previous: readonly PreviousToolCall[],
  stage: string,
): readonly PreviousToolCall[] {
  return previous.filter((call) => call.tool === 'SubmitAnswer' && call.stage === stage);
}

/** The answer with which this run solved a part, or null. */
export function acceptedAnswer(past: readonly PreviousToolCall[], stage: string): string | null {
  const accepted = collectSubmissions(past, stage).find(({ result }) => result.data?.verdict === 'right');
  const data = accepted?.result.data;
  return typeof data?.answer === 'string' ? data.answer : null;
}

/** What the site would say, or null where only the site knows. */
export function findGuess(estimates: readonly WrongGuess[], answer: string): WrongVerdict | null {
  const same = estimates.find((estimate) => estimate.answer === answer);
  if (same) return same.verdict;
  const bound = estimates.find(
    ({ verdict, answer: other }) => verdict !== 'wrong' && compareWithTruth(answer, other) === verdict,
  );
  return bound?.verdict ?? null;
}

/** Whether `answer` is the known right one, and if not, what the site says to such an answer. */
export function compareWithTruth(answer: string, truth: string): 'right' | WrongVerdict {
  if (answer === truth) return 'right';
  const areNumbers = [answer, truth].every((text) => /^-?\d+$/.test(text));
  if (!areNumbers || BigInt(answer) === BigInt(truth)) return 'wrong';
  return BigInt(answer) > BigInt(truth) ? 'too-high' : 'too-low';
}
