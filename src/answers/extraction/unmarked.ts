/**
 * The answer of a reply that marks none: its last claim, where that leaves one candidate. Of several values, of a clause, of
 * what is denied or supposed and of what breaks off nobody knows which is meant: then there is none, and a run asks.
 */
import { isAside, nothingIn, sentencesOf } from './markers.ts';
import { type Candidate, type Form, isShort } from './profiles.ts';
import { isConditional, isOption, isRefusal, isSupposed } from './refusal.ts';
import { type Found, onlyValueIn, withoutHedge } from './sentence.ts';
import words from './words.json' with { type: 'json' };

export function unmarkedCandidates(reply: string, form: Form): readonly Candidate[] {
  const text = reply.split('\n').map(withoutHedge).join('\n');
  const claim = isShort(text) ? lastClaim(text) : conclusionOf(text);
  // The content of a box that was cut off may be half an answer.
  if (claim === null || /\\boxed/.test(claim)) return [];
  const declined = declinedIn(text, claim);
  const found = declined === null ? readClaim(claim, text, form) : { text: declined, isMath: false };
  const place = isShort(text) ? 'line' : 'conclusion';
  return found === null || found.text === '' ? [] : [{ place, ...found, start: 0, end: text.length }];
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => /[\p{L}\p{N}\\$]/u.test(line) && !/^\s*```/.test(line));
}

/** The last sentence of the last line that states a value, or that there is none; else its last sentence. */
function lastClaim(text: string): string | null {
  const flat = text.replaceAll(/(?:(?<!\s)\s+)?(\$\$[^$]+\$\$|\\\[(?:(?!\\\])[\s\S])+\\\])\s*/g, ' $1 ');
  if (flat.includes('\\begin')) return flat;
  const last = linesOf(flat).findLast((line) => !isAside(line)) ?? '';
  const sentences = sentencesOf(last).filter((each) => !isAside(each) && !isConditional(each));
  const isClaim = (each: string) =>
    nothingIn(each) !== null || isRefusal(each, { isUnmarked: true }) || /[\d\\$]/.test(each);
  const claim = sentences.findLast(isClaim) ?? sentences.at(-1) ?? last;
  return isConditional(last) && isSupposed(claim) ? null : claim;
}

/** Of a long reply the last sentence, if it concludes, or a last line that is one value set in bold. */
function conclusionOf(text: string): string | null {
  const last = linesOf(text).at(-1) ?? '';
  if (/^\W{0,3}\*\*[^*]{1,80}\*\*\W{0,3}$/.test(last) && /[\d\\]/.test(last)) return last;
  const sentence = sentencesOf(last).at(-1) ?? '';
  return concluding.test(sentence) && (/[\d\\]/.test(sentence) || nothingIn(sentence)) ? sentence : null;
}

const concluding =
  /^\W*(?:so|thus|therefore|hence|finally|in conclusion|consequently|in total|altogether|overall)\b/i;

/** A sentence that declines, unless the claim asserts something in spite of it. */
function declinedIn(text: string, claim: string): string | null {
  const isDeclined = (each: string) => isRefusal(each, { isUnmarked: true });
  if (isDeclined(claim)) return claim;
  const declined = sentencesOf(text).find(isDeclined);
  if (declined === undefined) return null;
  const isGivenUp = givenUp.test(declined) && isRefusal(declined) && !/^\W*(?:so|thus|hence)\b/i.test(claim);
  return isGivenUp || isSupposed(claim) ? declined : null;
}

/** Of the whole question, where `We do not know whether h > 4` is one step of an answer. */
const givenUp = new RegExp(words.givenUp, 'i');
const affirmed = new RegExp(words.affirmed, 'iu');

function readClaim(claim: string, text: string, form: Form): Found | null {
  if (form !== 'number') {
    const [, affirmation = ''] = affirmed.exec(text) ?? [];
    const isOwn = /^(?:yes|no)$/i.test(affirmation) ? !restated.test(claim) : !/\d\S{0,6}\W*$/.test(claim);
    if (affirmation && isOwn) return { text: affirmation, isMath: false };
    if (isOption(claim) && !/[\d\\]/.test(claim)) return { text: claim, isMath: false };
    const [, name = ''] = complement.exec(claim) ?? [];
    if (name && (/[A-Z]/.test(name) || (claim === text.trim() && !claim.includes(','))))
      return { text: name, isMath: null };
  }
  const nothing = nothingIn(claim);
  if (nothing !== null) return form === 'number' ? null : { text: nothing, isMath: false };
  const found = onlyValueIn(claim, form);
  return found && isValue(found.text, claim) ? found : null;
}

/** `No, it is 5`: the answer is what follows. */
const restated =
  /\b(?:it|that|this|there|total|answer)(?:['’]s| is| are| was)\s[^,]*\d\S*\W*$|^(?:so|thus|hence)\b.*\d/i;

/** `The winner is Evelyn.` A word without a capital, which may say what something is like, counts where nothing else is said. */
const complement =
  /^[^\d\\$=]*\b(?:is|was|are|were)\s+(?!(?:it|that|this|so|not|here|there|why|correct|right|done)\b)([A-Z][\w'-]*(?:(?:,| and|, and| or)? [A-Z][\w'-]*)*|[a-z]{2,})[\s.!*]*$/;

/** A number, a formula or a name: a few words that are no sentence. */
function isValue(text: string, claim: string): boolean {
  if (/[\d\\$=^√π∞∅ℝℤ<>≤≥]/.test(text)) return true;
  if (!/\p{L}/u.test(text)) return /[{[(]/.test(text);
  if (/^(?:final\s+)?answer[\W_]*$/i.test(text)) return false;
  const runs = text.match(/[\p{L}\p{M}'’-]+/gu) ?? [];
  if (/[:：]\W*$/.test(text) || runs.some((run) => /[\p{Lo}\p{M}]{6,}/u.test(run))) return false;
  const isName = runs.every((word) => /^(?:\p{Lu}.*|and|or|of|the|&)$/u.test(word));
  return runs.length === 1 || isName || (runs.length <= 4 && !/[.!?。]\W*$|\p{Lo}/u.test(claim.trim()));
}
