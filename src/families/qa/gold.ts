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
  const most = (is: (answer: string) => boolean) => written.filter(is).length * 2 > written.length;
  if (most((answer) => answer.includes('####'))) return 'hashes';
  // A bare answer that is set in a box is no solution: the comparison looks into it by itself.
  if (most(isSolution)) return 'boxed';
  return 'bare';
}

/** Words before a box, or lines behind it. */
function isSolution(answer: string): boolean {
  const box = answer.lastIndexOf('\\boxed');
  if (box < 0) return false;
  const lineEnd = answer.indexOf('\n', answer.indexOf('\\boxed'));
  return answer.slice(0, box).trim() !== '' || (lineEnd >= 0 && answer.slice(lineEnd).trim() !== '');
}

const nearlyAll = 0.9;

/**
 * A number for school problems, a letter where they are letters, else whatever mathematics can say. The few that are none
 * among many are flaws, and no reason to read the others in another way.
 */
export function profileFor(form: GoldForm, golds: readonly string[]): ProfileName {
  const are = (pattern: RegExp) =>
    golds.length > 0 && golds.filter((gold) => pattern.test(gold)).length >= nearlyAll * golds.length;
  if (form === 'hashes' && are(/\d/)) return 'number';
  return are(/^\(?[A-J]\)?$/) ? 'choice' : 'math';
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
  if (form === 'bare' && gold.includes('####'))
    return { flaw: 'its answer has a "####", which most have not' };
  if (gold.length > longest) return { flaw: `its answer has more than ${longest} characters` };
  if (!isBalanced(gold))
    return { flaw: `its answer cannot be read: braces are not balanced in ${shown(gold)}` };
  return { gold };
}

const asMath = ' (others are read with --profile math)';

/** A letter or a number is asked for, and the gold answer is none. */
export function unfit(gold: string, profile: ProfileName): string | null {
  if (profile === 'choice' && !/^\W*[A-Ja-j]\W*$/.test(gold)) {
    return `its answer cannot be read: ${shown(gold)} is no letter from A to J${asMath}`;
  }
  if (profile === 'number' && extract(gold, { profile: 'number' }).answer === null) {
    return `its answer cannot be read: ${shown(gold)} is no number${asMath}`;
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
