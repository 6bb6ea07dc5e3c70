/**
 * What earlier answers say of one more answer. Pure: it says no more than the site would to that very answer, whoever
 * gave the earlier ones.
 */
import { z } from 'zod';
import type { PastToolCall } from '../../core/problem.ts';

export type WrongVerdict = 'wrong' | 'too-high' | 'too-low';

const wrongGuess = z.object({ answer: z.string(), verdict: z.enum(['wrong', 'too-high', 'too-low']) });
export type WrongGuess = z.infer<typeof wrongGuess>;

/** How many answers this run has sent to the site in vain; what nobody could read of its replies may have said so. */
export function wrongAnswersSent(past: readonly PastToolCall[], stage: string): number {
  const judged = submissionsIn(past, stage).filter(({ result }) => result.data?.source === 'site');
  const unread = judged.filter(({ result }) => result.data?.verdict === 'unknown');
  return wrongGuessesOf(judged, stage).length + unread.length;
}

/** Whether the site would not take this very answer. */
export function wasTooLong(past: readonly PastToolCall[], stage: string, answer: string): boolean {
  return submissionsIn(past, stage).some(({ result: { data } }) => {
    return data?.verdict === 'too-much-data' && data.answer === answer;
  });
}

/** Until when the site takes no answers, as far as this run was told; 0 where it was not. */
export function lockedUntilMs(past: readonly PastToolCall[]): number {
  const told = past.map(({ result }) => result.data?.lockedUntilMs);
  return Math.max(0, ...told.filter((untilMs) => typeof untilMs === 'number'));
}

export function wrongGuessesOf(past: readonly PastToolCall[], stage: string): WrongGuess[] {
  return submissionsIn(past, stage).flatMap((call) => wrongGuess.safeParse(call.result.data).data ?? []);
}

function submissionsIn(past: readonly PastToolCall[], stage: string): readonly PastToolCall[] {
  return past.filter((call) => call.tool === 'SubmitAnswer' && call.stage === stage);
}

/** The answer with which this run solved a part, or null. */
export function acceptedAnswer(past: readonly PastToolCall[], stage: string): string | null {
  const accepted = submissionsIn(past, stage).find(({ result }) => result.data?.verdict === 'right');
  const data = accepted?.result.data;
  return typeof data?.answer === 'string' ? data.answer : null;
}

/** What the site would say, or null where only the site knows. */
export function recall(guesses: readonly WrongGuess[], answer: string): WrongVerdict | null {
  const same = guesses.find((guess) => guess.answer === answer);
  if (same) return same.verdict;
  const bound = guesses.find(
    (guess) =>
      (guess.verdict === 'too-high' && compareNumbers(answer, guess.answer) === 1) ||
      (guess.verdict === 'too-low' && compareNumbers(answer, guess.answer) === -1),
  );
  return bound?.verdict ?? null;
}

/** Whether `answer` is the known right one, and if not, what the site says to such an answer. */
export function compareWithTruth(answer: string, truth: string): 'right' | WrongVerdict {
  if (answer === truth) return 'right';
  const order = compareNumbers(answer, truth);
  if (order === null || order === 0) return 'wrong';
  return order === 1 ? 'too-high' : 'too-low';
}

/** 1 where `a` is larger; null unless both are whole numbers, of any length. */
function compareNumbers(a: string, b: string): -1 | 0 | 1 | null {
  const wholeNumber = /^-?\d+$/;
  if (!wholeNumber.test(a) || !wholeNumber.test(b)) return null;
  const difference = BigInt(a) - BigInt(b);
  if (difference === 0n) return 0;
  return difference > 0n ? 1 : -1;
}
