/**
 * What a solver says of its own solution, and to its graders: whether it is complete, thanks, excuses. Where its summary has
 * a line on its completeness, that line is believed; elsewhere words count that do not occur in a complete proof. The
 * words, in several languages, stand in `words.json`. Pure.
 */
import { sectionFrom, textBefore } from '../kit/sections.ts';
import words from './words.json' with { type: 'json' };

const pattern = (source: string, flags = 'iu') => new RegExp(source, flags);
const anywhere = words.anywhere.map((source) => pattern(source));
const inSummary = words.inSummary.map((source) => pattern(source));
const [partial, complete] = [pattern(words.partial), pattern(words.complete)];
const [unless, negated] = [pattern(words.unless), pattern(words.negated)];
const goodbye = pattern(words.goodbye);
const atParagraph = pattern(String.raw`(?<=^|\n[ \t]*\n)(?:${words.toGrader})+`, 'giu');
const atSentence = pattern(String.raw`(?<=^|\n|[.!?]\s{1,2}|[。！？])(?:${words.toGrader})+`, 'giu');
const unchanged = pattern(words.unchanged);

/** The words in which the solution says that it is not complete; null where it does not. */
export function confessionIn(text: string): string | null {
  const summary =
    sectionFrom(text, 'Summary', ['Detailed Solution']) ?? textBefore(text, 'Detailed Solution');
  const claim = sectionFrom(summary, 'Completeness')?.split('\n')[0] ?? '';
  if (partial.test(claim) || restricted.test(claim)) return claim;
  const isClaimed = complete.test(claim);
  return (isClaimed ? null : said(summary, inSummary)) ?? said(text, anywhere);
}

/** `complete for n ≤ 4, open for larger n`: what is named beside the word takes it back. */
const restricted =
  /\b(?:except|mostly|almost|nearly|partly|conditional|modulo|assum\w+|granted|on faith|missing|lacks?|eludes?|unproven|unproved|remains?)\b|\bopen\b(?! (?:set|interval|ball|cover|disc|disk))|\bbut\b(?! finitely)|%|\bfor (?:[a-z] ?[=<>≤≥]|(?:odd|even|small|large|prime)\b)/iu;

/** The first sentence that one of these is in, and nothing takes back. */
function said(text: string, patterns: readonly RegExp[]): string | null {
  const sentences = text.split(/(?<=[.!?])\s+|(?<=[。！？])|\n\s*\n|\n(?=\s*(?:[-*#>]|\d+[.)]))/);
  for (const each of sentences) {
    const sentence = each
      .replaceAll(/[*_`]+/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const isFound = patterns.some((one) => {
      const found = one.exec(sentence);
      return found && !negated.test(sentence.slice(0, found.index));
    });
    if (isFound && !unless.test(sentence)) return sentence;
  }
  return null;
}

/** Without thanks and excuses: where a paragraph begins, and in a summary in any sentence; and at the end. */
export function withoutTalk(text: string, { isSummary = false } = {}): string {
  const rest = text.trim().replaceAll(isSummary ? atSentence : atParagraph, '');
  return rest.replace(goodbye, '').trim() || text.trim();
}

/** A proof that only refers to the one before it. */
export function isReference(proof: string, before: string): boolean {
  return proof.length < before.length && proof.length < longestReference && unchanged.test(proof);
}

const longestReference = 300;
