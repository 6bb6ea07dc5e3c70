/** What the site replies to an answer, and which stars an account has. The last day's second star is not stored. Pure. */
import type { AnyPuzzle } from './puzzle.ts';

export type Attempt = { readonly level: number; readonly answer: string };

/** The earlier attempts of an account that matter for this one. */
export type History = {
  /** The parts of the event that are answered. */
  readonly answered: AnswerTimes;
  /** Wrong answers to this part. */
  readonly wrongAnswers: number;
  /** Until when this account may not answer. */
  readonly waitUntilMs: number;
};

export type Reply =
  | {
      readonly kind: 'right';
      /** What the account has of this day now. */
      readonly stars: number;
      /** Has this day no part left to answer? */
      readonly isAnswered: boolean;
      /** Another day, the last one, that got its second star with this answer. */
      readonly lastDay: number | null;
    }
  | { readonly kind: 'wrong'; readonly hint: 'too high' | 'too low' | null; readonly waitMs: number }
  | { readonly kind: 'too-recent'; readonly leftMs: number }
  | { readonly kind: 'wrong-level' }
  | { readonly kind: 'finished' }
  | { readonly kind: 'too-much-data' };

export type Rules = {
  readonly puzzle: AnyPuzzle;
  /** The right answers to this account's input, part by part. */
  readonly truth: readonly string[];
  /** All puzzles of the event. */
  readonly puzzles: readonly AnyPuzzle[];
  readonly cooldownMs: number;
  readonly nowMs: number;
};

const longestAnswer = 200;

export function judge(history: History, attempt: Attempt, rules: Rules): Reply {
  const { puzzle, puzzles, truth } = rules;
  if (attempt.answer.length > longestAnswer) return { kind: 'too-much-data' };
  if (missingStars(puzzles, history.answered).length === 0) return { kind: 'finished' };
  const part = history.answered.get(puzzle.day) ?? 0;
  const right = truth[part];
  if (attempt.level !== part + 1 || right === undefined) return { kind: 'wrong-level' };
  if (rules.nowMs < history.waitUntilMs) {
    return { kind: 'too-recent', leftMs: history.waitUntilMs - rules.nowMs };
  }
  const answer = attempt.answer.trim();
  if (answer === right) return rightReply(history, attempt.level, rules);
  const waitMs = rules.cooldownMs * cooldownFactor(history.wrongAnswers + 1);
  return { kind: 'wrong', hint: hintFor(answer, right), waitMs };
}

function rightReply({ answered }: History, level: number, { puzzle, puzzles }: Rules): Reply {
  const after = new Map(answered).set(puzzle.day, level);
  const last = puzzles.find(({ parts }) => parts.length === 1);
  const completesLast = last && last.day !== puzzle.day && starsOf(last, puzzles, after) === 2;
  return {
    kind: 'right',
    stars: starsOf(puzzle, puzzles, after),
    isAnswered: level === puzzle.parts.length,
    lastDay: completesLast ? last.day : null,
  };
}

/** Who guesses a lot waits longer. */
function cooldownFactor(wrongAnswers: number): number {
  if (wrongAnswers < 4) return 1;
  return wrongAnswers < 7 ? 5 : 10;
}

function hintFor(answer: string, truth: string): 'too high' | 'too low' | null {
  if (!/^-?\d+$/.test(answer) || !/^-?\d+$/.test(truth)) return null;
  return BigInt(answer) > BigInt(truth) ? 'too high' : 'too low';
}

/** Day → how many of its parts are answered; a day without any may be absent. */
export type AnswerTimes = ReadonlyMap<number, number>;

/** The stars of one day: 0, 1 or 2. */
export function starsOf(puzzle: AnyPuzzle, puzzles: readonly AnyPuzzle[], answerTimes: AnswerTimes): number {
  const parts = answerTimes.get(puzzle.day) ?? 0;
  const isLast = puzzle.parts.length === 1;
  return isLast && parts === 1 && missingStars(puzzles, answerTimes).length === 0 ? 2 : parts;
}

/** The days whose answers still lack stars. */
export function missingStars(
  puzzles: readonly AnyPuzzle[],
  answered: AnswerTimes,
): { readonly day: number; readonly stars: number }[] {
  return puzzles
    .map(({ day, parts }) => ({ day, stars: parts.length - (answered.get(day) ?? 0) }))
    .filter(({ stars }) => stars > 0);
}
