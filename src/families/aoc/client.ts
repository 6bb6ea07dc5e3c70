/** What the tools ask for about one puzzle, whether a site or the user's own files have it. Types only. */
import type { Io } from '../../core/io.ts';
import type { AccountGuess } from './memory.ts';
import type { DayPage } from './page.ts';
import type { JudgedReply } from './reply.ts';

export type AocClient = {
  /** `fresh` asks the site even where the page is kept. */
  page(age: 'kept' | 'fresh'): Promise<DayPage>;
  input(): Promise<string>;
  submit(part: 1 | 2, answer: string): Promise<JudgedReply>;
  /** What all runs of this account were told of their answers, in order. */
  guesses(): Promise<readonly AccountGuess[]>;
  remember(guess: AccountGuess): Promise<void>;
  /** After so many wrong answers to one part a run sends no more; null: as many as it likes. */
  readonly maxWrongAnswers: number | null;
};

export type Asking = { readonly io: Io; readonly signal: AbortSignal };
