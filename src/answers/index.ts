/**
 * Answers: found in replies and compared as mathematics. The public entry, `polya/answers`. `equal`, `agree` and
 * `clusters` load the algebra library when it is first needed; `openAnswers` loads it at once and is immediate after.
 */
import { type Answers, answersWith, openAnswers, type StatedAnswer } from './answers.ts';
import type { EqualOptions, Verdict } from './options.ts';

export { type Answers, openAnswers, type StatedAnswer } from './answers.ts';
export { type Case, type Checked, checkCases, type WrongJudgement } from './check.ts';
export { type Extraction, type ExtractOptions, extract } from './extraction/extract.ts';
export { type ProfileName, profileNames } from './extraction/profiles.ts';
export { isRefusal } from './extraction/refusal.ts';
export type { Basis, Verdict } from './options.ts';
export { type EqualOptions, type PercentProfile, percentProfiles } from './options.ts';

let opened: Promise<Answers> | null = null;

class AlgebraNeeded extends Error {}

/** Most comparisons are decided before anything is asked of the algebra library: then it is not loaded. */
const withoutAlgebra = answersWith(() => {
  throw new AlgebraNeeded();
});

async function ask<T>(question: (answers: Answers) => T): Promise<T> {
  if (opened) return question(await opened);
  try {
    return question(withoutAlgebra);
  } catch (error) {
    if (!(error instanceof AlgebraNeeded)) throw error;
    opened ??= openAnswers();
    return question(await opened);
  }
}

/** Whether a reply is what the gold answer asks for, and why. */
export async function equal(
  gold: StatedAnswer,
  reply: StatedAnswer,
  options?: EqualOptions,
): Promise<Verdict> {
  return ask((answers) => answers.equal(gold, reply, options));
}

/** Whether two replies say the same, in either order. */
export async function agree(a: StatedAnswer, b: StatedAnswer, options?: EqualOptions): Promise<Verdict> {
  return ask((answers) => answers.agree(a, b, options));
}

/** Which replies agree: lists of their indices, the largest first. */
export async function clusters(
  replies: readonly StatedAnswer[],
  options?: EqualOptions,
): Promise<readonly (readonly number[])[]> {
  return ask((answers) => answers.clusters(replies, options));
}
