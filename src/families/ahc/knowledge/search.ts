/** Looks up what sessions have learned: what fits the words best first, and of that what gained most. Pure. */
import type { Knowledge, KnownPiece, KnownPrompt } from './document.ts';

type Source = Pick<Knowledge, 'contest' | 'title' | 'session' | 'tags'>;

export type FoundPiece = KnownPiece & { readonly from: Source; readonly fit: number };
export type FoundPrompt = KnownPrompt & { readonly from: Source };

/** Without words: all. With words: those that at least one of them is in, those of the own contest among them. */
export function searchKnowledge(
  known: readonly Knowledge[],
  { keywords = [], contest = '' }: { readonly keywords?: readonly string[]; readonly contest?: string },
): readonly FoundPiece[] {
  const words = keywords.flatMap(wordsOf);
  const found = known.flatMap((from) =>
    from.pieces.map((piece) => {
      const own = from.contest === contest ? 2 : 0;
      return { ...piece, from, fit: own + fitOf(words, piece, from) };
    }),
  );
  return found
    .filter(({ fit }) => words.length === 0 || fit > 0)
    .toSorted((a, b) => b.fit - a.fit || b.share - a.share);
}

/** What was written and said counts as much as whom it was for. */
function fitOf(words: readonly string[], { summary, code, operator }: KnownPiece, from: Source): number {
  const text = new Set(
    wordsOf([summary, code, operator, from.contest, from.title, from.session, ...from.tags].join(' ')),
  );
  return words.filter((word) => text.has(word)).length;
}

/** `two_opt` is found by `opt`. */
function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/\p{L}+|\d+/gu) ?? []).filter((word) => word.length > 1);
}

/** By how often they made a program better than its parents, for each time that they were used. */
export function promptsByCredit(known: readonly Knowledge[]): readonly FoundPrompt[] {
  const rate = ({ betterThanParents, made }: KnownPrompt) => betterThanParents / Math.max(1, made);
  return known
    .flatMap((from) => from.prompts.map((prompt) => ({ ...prompt, from })))
    .toSorted((a, b) => rate(b) - rate(a) || b.made - a.made);
}
