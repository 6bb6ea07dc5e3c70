/** Looks up what sessions have learned: what fits the words best first, and of that what gained most. Pure. */
import { creditOfPrompts, type PromptCredit } from './credit.ts';
import type { Knowledge, KnownPiece } from './known.ts';
import { worthOf } from './pieces.ts';
import { isFound, keywordsIn, type SearchedText, searchedText } from './words.ts';

type Source = Pick<Knowledge, 'contest' | 'title' | 'session' | 'tags' | 'isScript'>;

export type FoundPiece = KnownPiece & { readonly from: Source };

export type Looked = { readonly keywords?: readonly string[]; readonly contest?: string };

/** Without words: all. With words: those that at least one of them is in. Those of the own contest are there, and first. */
export function searchKnowledge(
  known: readonly Knowledge[],
  { keywords = [], contest = '' }: Looked,
): readonly FoundPiece[] {
  const words = keywordsIn(keywords);
  const all = known.flatMap((from) => from.pieces.map((piece): FoundPiece => ({ ...piece, from })));
  const fits = fitsOf(all.map(textOfPiece), words);
  const isOwn = ({ from }: FoundPiece): number => (from.contest === contest ? 1 : 0);
  return all
    .map((piece, at) => ({ piece, fit: fits[at] ?? 0 }))
    .filter(({ piece, fit }) => keywords.length === 0 || fit > 0 || isOwn(piece) > 0)
    .toSorted(
      (a, b) => isOwn(b.piece) - isOwn(a.piece) || b.fit - a.fit || worthOf(b.piece) - worthOf(a.piece),
    )
    .map(({ piece }) => piece);
}

/** By their words and the contests that they were used in; without words all. By credit. */
export function searchPrompts(
  known: readonly Knowledge[],
  keywords: readonly string[],
): readonly PromptCredit[] {
  const words = keywordsIn(keywords);
  return creditOfPrompts(known).filter((each) => {
    const text = searchedText([each.name, each.words, ...each.contests, ...each.sessions].join(' '));
    return keywords.length === 0 || words.some((word) => isFound(word, text));
  });
}

/** Rare words count more; one that is in all of them says nothing, but is found. */
function fitsOf(texts: readonly SearchedText[], words: readonly string[]): readonly number[] {
  const fits = texts.map(() => 0);
  for (const word of words) {
    const hits = texts.flatMap((text, at) => (isFound(word, text) ? [at] : []));
    for (const at of hits) fits[at] = (fits[at] ?? 0) + Math.log((texts.length + 1) / hits.length);
  }
  return fits;
}

/** What was written and said counts as much as whom it was for. */
function textOfPiece({ summary, code, operator, from }: FoundPiece): SearchedText {
  const { contest, title, session, tags } = from;
  return searchedText([summary, code, operator, contest, title, session, ...tags].join(' '));
}
