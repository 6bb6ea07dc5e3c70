/**
 * What the site says to an answer: a pure function of the account's history, the answer and the time.
 * Knows neither pages nor how the history is kept.
 */

export type Attempt = { readonly day: number; readonly level: number; readonly answer: string };

/** What an account did so far, as far as it bears on one attempt. */
export type History = {
  /** Parts of this day that are solved: 0, 1 or 2. */
  readonly stars: number;
  /** Parts of the whole year that are solved. */
  readonly starsOfYear: number;
  /** Wrong answers to this part. */
  readonly wrongAnswers: number;
  /** Until when this account may not answer. */
  readonly waitUntilMs: number;
};

export type Reply =
  | { readonly kind: 'right'; readonly level: number }
  | { readonly kind: 'wrong'; readonly hint: 'too high' | 'too low' | null; readonly waitMs: number }
  | { readonly kind: 'too-recent'; readonly leftMs: number }
  | { readonly kind: 'wrong-level' }
  | { readonly kind: 'finished' }
  | { readonly kind: 'too-much-data' };

export type Rules = {
  readonly truth: readonly [string, string];
  readonly starsInYear: number;
  readonly cooldownMs: number;
  readonly nowMs: number;
};

const longestAnswer = 200;

export function judge(history: History, attempt: Attempt, rules: Rules): Reply {
  if (attempt.answer.length > longestAnswer) return { kind: 'too-much-data' };
  if (history.starsOfYear >= rules.starsInYear) return { kind: 'finished' };
  if (attempt.level !== history.stars + 1) return { kind: 'wrong-level' };
  if (rules.nowMs < history.waitUntilMs) {
    return { kind: 'too-recent', leftMs: history.waitUntilMs - rules.nowMs };
  }
  const truth = rules.truth[attempt.level === 1 ? 0 : 1];
  const answer = attempt.answer.trim();
  if (answer === truth) return { kind: 'right', level: attempt.level };
  const waitMs = rules.cooldownMs * patience(history.wrongAnswers + 1);
  return { kind: 'wrong', hint: hintFor(answer, truth), waitMs };
}

/** Who guesses a lot waits longer. */
function patience(wrongAnswers: number): number {
  if (wrongAnswers < 4) return 1;
  return wrongAnswers < 7 ? 5 : 10;
}

function hintFor(answer: string, truth: string): 'too high' | 'too low' | null {
  if (!/^-?\d+$/.test(answer) || !/^-?\d+$/.test(truth)) return null;
  return BigInt(answer) > BigInt(truth) ? 'too high' : 'too low';
}
