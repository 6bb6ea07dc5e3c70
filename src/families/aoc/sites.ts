/**
 * What the family must be handed: the sites it may ask, the user's files, and a hash. Secrets stay behind `connect`:
 * they are asked for at each use and never enter a spec, a journal or an error.
 */
import type { Io } from '../../core/io.ts';
import type { AccountGuess } from './guesses.ts';
import type { DayPage, JudgedReply } from './page.ts';
import type { AocReference } from './reference.ts';

/** A year and the days it has. */
export type AocEvent = {
  readonly year: number;
  readonly days: readonly number[];
  /** The day that has one part to answer. */
  readonly lastDay?: number | undefined;
};

type AocConnection = {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The value of the `session` cookie. */
  readonly session: string;
  /**
   * A name for the account behind the session, of letters, digits, `-` and `_`. What is kept on disk is kept by it, so
   * that a new session or a site that was reset does not get another one's input. A short hash of the session will do.
   */
  readonly account?: string;
};

/** What another tool of the user's has kept of a day. Undefined answers are not known. */
export type KeptDay = {
  readonly page: DayPage | null;
  readonly input: string | null;
  readonly answers: readonly (string | undefined)[];
};

export type AocSite = {
  /** `official` is the calendar of the real event, by the clock; other sites name what they have. */
  readonly events: 'official' | readonly AocEvent[];
  /** Solving an event while it runs is refused, unless its user says otherwise. */
  readonly allowsRunningEvent?: boolean;
  /** After so many wrong answers to one part, a run sends no more. Absent: as many as it likes. */
  readonly maxWrongAnswers?: number;
  /**
   * Where the site is and as whom to ask, cheap when called again. Throws `UserError` without a cookie and
   * `UnavailableError` where there is no site.
   */
  connect(reference: AocReference): Promise<AocConnection>;
  /** The same account as `connect` tells, with less to ask for: no site is named. Absent: `connect` is asked. */
  accountOf?(reference: AocReference): Promise<string>;
  /** Each host has it, with the same puzzles and inputs: runs can go on anywhere. */
  readonly isEverywhere?: boolean;
  /** Looked into before the site is asked. */
  kept?(reference: AocReference): Promise<KeptDay | null>;
};

/** Files of the user's; relative paths are the user's too. */
export type AocFiles = {
  /** The path from anywhere. */
  absolute(path: string): string;
  /** Null where there is no such file. */
  read(path: string): Promise<string | null>;
  foldersIn(path: string): Promise<readonly string[]>;
};

export type AocSettings = {
  readonly sites: Readonly<Record<string, AocSite>>;
  /** Absent: there is no site `files`. */
  readonly files?: AocFiles;
  /** A hash for content hashes: this room has none of its own. */
  hashText(text: string): string | Promise<string>;
  /** A lock of the site that ends within this time is waited out; a longer one is told to the model. */
  readonly longestWaitMs?: number;
  /** How many characters of stdout, and again of stderr, a model reads. */
  readonly outputCharacters?: number;
};

/** What the tools ask for about one puzzle, whether a site or the user's own files have it. */
export type AocClient = {
  /** `fresh` asks the site even where the page is kept. */
  page(age: 'kept' | 'fresh'): Promise<DayPage>;
  input(): Promise<string>;
  submit(part: 1 | 2, answer: string): Promise<JudgedReply>;
  /** The verdicts on answers in all runs of this account, in order. */
  guesses(): Promise<readonly AccountGuess[]>;
  remember(estimate: AccountGuess): Promise<void>;
  /** After so many wrong answers to one part a run sends no more; null: as many as it likes. */
  readonly maxWrongAnswers: number | null;
};

export type Asking = { readonly io: Io; readonly signal: AbortSignal };
