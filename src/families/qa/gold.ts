/**
 * Gold answers as data sets write them: bare, after `####` below a solution, or in the last `\boxed{}` of one. What
 * cannot be read is said, for a grader that misreads the gold answer calls right what is wrong. Pure.
 */
import { extract, type ProfileName } from '../../answers/index.ts';

/** How the gold answers of a data set are written. */
export type GoldForm = 'bare' | 'hashes' | 'boxed';

export type Gold = { readonly gold: string } | { readonly flaw: string };

/** By what most of them are: the few that are not are flaws, and no reason to take the others for something else. */
export function goldFormOf(answers: readonly string[]): GoldForm {
  const written = answers.filter((answer) => answer.trim() !== '');
  const most = (pattern: RegExp) =>
    written.filter((answer) => pattern.test(answer)).length * 2 > written.length;
  if (most(/^#{4}/m)) return 'hashes';
  // A bare answer that is set in a box is no solution: the comparison looks into it by itself.
  if (most(/\S[\s\S]*\\boxed|\\boxed[\s\S]*\n\s*\S/)) return 'boxed';
  return 'bare';
}

/** A number for school problems, a letter where all are letters, else whatever mathematics can say. */
export function profileFor(form: GoldForm, golds: readonly string[]): ProfileName {
  if (form === 'hashes' && golds.every((gold) => /\d/.test(gold))) return 'number';
  const areLetters = golds.length > 0 && golds.every((gold) => /^\(?[A-J]\)?$/.test(gold));
  return areLetters ? 'choice' : 'math';
}

const longest = 8_000;

export function goldOf(answer: string, form: GoldForm): Gold {
  if (answer.trim() === '') return { flaw: 'its answer is empty' };
  const gold = textOf(answer, form);
  if (gold === null) {
    return {
      flaw: form === 'hashes' ? 'its answer has no "####"' : 'its answer has no \\boxed{} that is closed',
    };
  }
  if (gold === '') return { flaw: 'there is nothing behind "####" in its answer' };
  if (gold.length > longest) return { flaw: `its answer has more than ${longest} characters` };
  if (!isBalanced(gold))
    return { flaw: `its answer cannot be read: braces are not balanced in ${shown(gold)}` };
  return { gold };
}

/** A letter or a number is asked for, and the gold answer is none. */
export function unfit(gold: string, profile: ProfileName): string | null {
  if (profile === 'choice' && !/^\W*[A-Ja-j]\W*$/.test(gold)) {
    return `its answer cannot be read: ${shown(gold)} is no letter from A to J`;
  }
  if (profile === 'number' && extract(gold, { profile: 'number' }).answer === null) {
    return `its answer cannot be read: ${shown(gold)} is no number`;
  }
  return null;
}

function textOf(answer: string, form: GoldForm): string | null {
  if (form === 'bare') return answer.trim();
  if (form === 'boxed') return extract(answer, { profile: 'boxed' }).answer?.text.trim() ?? null;
  const at = answer.lastIndexOf('####');
  return at < 0 ? null : answer.slice(at + '####'.length).trim();
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [each] of text.matchAll(/\\[\\{}]|[{}]/g)) {
    if (each === '{') depth += 1;
    if (each === '}') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}
