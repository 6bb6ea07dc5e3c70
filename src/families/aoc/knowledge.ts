/**
 * What is known of an answer before the site is asked: the right one, where the page of the day or an earlier run has it,
 * and wrong ones that other runs of the account were told. It says no more than the site would.
 */
import type { EffectContext } from '../../core/problem.ts';
import type { AocClient } from './client.ts';
import { compareWithTruth, recall, type WrongGuess } from './guesses.ts';
import type { AccountGuess } from './memory.ts';
import type { Outcome } from './submission.ts';

export type Guess = {
  readonly part: 1 | 2;
  readonly answer: string;
  readonly context: EffectContext;
  readonly longestWaitMs: number;
};

export async function judgeByKnowledge(client: AocClient, guess: Guess): Promise<Outcome | null> {
  const guesses = await guessesOf(client, guess);
  return (await judgeByTruth(client, guess, guesses)) ?? judgeByMemory(guess, guesses);
}

export async function guessesOf(client: AocClient, guess: Guess): Promise<readonly AccountGuess[]> {
  return (await client.guesses()).filter(({ part }) => part === guess.part);
}

/** The right answer to a part stands on the page of a day that was solved before, or was once accepted. */
export async function judgeByTruth(
  client: AocClient,
  guess: Guess,
  guesses: readonly AccountGuess[],
  age: 'kept' | 'fresh' = 'kept',
): Promise<Outcome | null> {
  const page = await client.page(age);
  const truth = page.answers[guess.part - 1] ?? guesses.find(({ verdict }) => verdict === 'right')?.answer;
  if (truth === undefined) return null;
  return { ...plain(guess), verdict: compareWithTruth(guess.answer, truth), source: 'local' };
}

export function judgeByMemory(guess: Guess, guesses: readonly AccountGuess[]): Outcome | null {
  const wrong = guesses.flatMap(({ answer, verdict }): WrongGuess[] =>
    verdict === 'right' ? [] : [{ answer, verdict }],
  );
  const verdict = recall(wrong, guess.answer);
  return verdict && { ...plain(guess), verdict, source: 'memory', memoryOf: 'account' };
}

/** The beginning of every outcome. */
export function plain({ part, answer }: Guess): Pick<Outcome, 'part' | 'answer' | 'waitedMs'> {
  return { part, answer, waitedMs: 0 };
}
