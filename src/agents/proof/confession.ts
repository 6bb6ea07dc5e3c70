/**
 * What a solver says of its own solution in the place for it, and what it says to its graders and not of mathematics. Only
 * words in a fixed place count, and only plain ones; graders read all the rest. Pure.
 */
import { withoutThoughts } from '../../text/model-json.ts';
import { sectionFrom, textBefore } from '../kit/sections.ts';
import words from './words.json' with { type: 'json' };

const pattern = (source: string) => new RegExp(source, 'iu');
const [partial, complete] = [pattern(words.partial), pattern(words.complete)];
const unchanged = pattern(words.unchanged);

export type Claim = { readonly says: 'complete' | 'partial' | null; readonly words: string };

/** Of the line on completeness of its summary, else of its verdict; where there is neither, the summary is what it says. */
export function claimIn(text: string): Claim {
  const summary = (
    sectionFrom(text, 'Summary', ['Detailed Solution', 'Rebuttal']) ?? textBefore(text, 'Detailed Solution')
  ).trim();
  for (const name of ['Completeness', '(?:Final )?Verdict']) {
    // With what continues it: only a word with nothing beside it is a plain one.
    const said = sectionFrom(summary, name)?.split(paragraphEnd, 1)[0]?.trim();
    const says = partial.test(said ?? '') ? 'partial' : complete.test(said ?? '') ? 'complete' : null;
    if (said) return { says, words: `**Completeness:** ${said}` };
  }
  return { says: null, words: summary };
}

const paragraphEnd = /\n(?=[ \t]*(?:\n|#|[*-]?[ \t]*\*\*[^*\n]{1,40}\*\*))/;

/**
 * Without thanks and excuses: where a paragraph begins, and in a summary in any sentence. A sentence is such talk only where
 * each of its words is a word of talk, so that what has a noun, a formula, a number or a reason of its own stays.
 */
export function withoutTalk(text: string, { isSummary = false, problem = '' } = {}): string {
  const isTalk = (sentence: string) => isNothingButTalk(sentence, problem);
  const paragraphs = text.trim().split(/(\n[ \t]*\n)/);
  const kept = paragraphs.map((paragraph) => {
    const sentences = paragraph.split(/(?<=[.!?][*_)]{0,3}\s{1,9}|[。！？]|\n)/);
    const first = sentences.findIndex((sentence) => !isTalk(sentence));
    if (first < 0) return '';
    return sentences.filter((sentence, at) => (isSummary ? !isTalk(sentence) : at >= first)).join('');
  });
  const rest = kept
    .join('')
    .trimEnd()
    .replace(/\n(?:-{3,9}|\*{3,9}|_{3,9})$/, '');
  return rest.replaceAll(/\n[ \t]*\n(?:[ \t]*\n)+/g, '\n\n').trim() || text.trim();
}

const vocabulary = new Set(words.talk.join(' ').split(' '));
const [addressed, wholly] = [pattern(words.addressed), pattern(words.wholly)];

function isNothingButTalk(sentence: string, problem: string): boolean {
  const unmarked = sentence.replaceAll(/[*_()>"“”]+/g, ' ').replaceAll('’', "'");
  const plain = unmarked.trim().toLowerCase();
  if (wholly.test(plain)) return true;
  if (plain.length > longestTalk || !addressed.test(plain) || /[^\p{L}\p{M}\s.,!?'-]/u.test(plain))
    return false;
  // A problem on reports or gaps may have sentences like these.
  const nouns = new Set(problem.toLowerCase().match(/\p{L}{5,}/gu));
  const said = plain.match(/[\p{L}\p{M}'-]+/gu) ?? [];
  return said.every((word) => vocabulary.has(word) && !nouns.has(word));
}

const longestTalk = 300;

/** Nothing but that there is no change. */
export const isUnchanged = (reply: string): boolean => noChange.test(withoutThoughts(reply));
const noChange = pattern(words.noChange);

/** A proof that only refers to the one before it. */
export function isReference(proof: string, before: string): boolean {
  return proof.length < before.length && proof.length < longestReference && unchanged.test(proof);
}

const longestReference = 300;
