/**
 * Answers: found in replies and compared as mathematics. The public entry, `polya/answers`. `equal`, `agree` and
 * `clusters` load the algebra library when they are first called; `openAnswers` loads it once and is immediate after.
 */
import { type Answers, openAnswers, type Stated } from './answers.ts';
import type { EqualOptions } from './options.ts';
import type { Verdict } from './verdict.ts';

export { type Answers, answersWith, openAnswers, type Stated } from './answers.ts';
export { type Case, type Checked, checkCases, type Miss } from './check.ts';
export { type Extraction, type ExtractOptions, extract } from './extraction/extract.ts';
export { type ProfileName, profileNames } from './extraction/profiles.ts';
export { type EqualOptions, type PercentProfile, percentProfiles } from './options.ts';
export type { Basis, Verdict } from './verdict.ts';

let opened: Promise<Answers> | null = null;

function answers(): Promise<Answers> {
  opened ??= openAnswers();
  return opened;
}

/** Whether a reply is what the gold answer asks for, and why. */
export async function equal(gold: Stated, reply: Stated, options?: EqualOptions): Promise<Verdict> {
  return (await answers()).equal(gold, reply, options);
}

/** Whether two replies say the same, in either order. */
export async function agree(a: Stated, b: Stated, options?: EqualOptions): Promise<Verdict> {
  return (await answers()).agree(a, b, options);
}

/** Which replies agree: lists of their indices, the largest first. */
export async function clusters(
  replies: readonly Stated[],
  options?: EqualOptions,
): Promise<readonly (readonly number[])[]> {
  return (await answers()).clusters(replies, options);
}
