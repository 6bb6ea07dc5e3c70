/**
 * Takes somebody's words out of a reply, and puts them back in a conversation that holds them: a cassette may be passed
 * on, a puzzle may not. Every line and sentence becomes its hash; who has the puzzle has the line of that hash. Pure.
 */
import { createHash } from 'node:crypto';
import type { ModelRequest } from '../../core/model.ts';
import { piecesOf } from '../../core/pieces.ts';

const mark = /\[words #([0-9a-f]{16})\]/g;

export type Change = (text: string) => string;

/** Longer pieces go first, so that a line goes before the sentences in it. */
export function hideWords(texts: readonly string[]): Change {
  const pieces = [...new Set(texts.flatMap(piecesOf))].sort((a, b) => b.length - a.length);
  return (text) =>
    pieces.reduce((rest, piece) => rest.replaceAll(piece, () => `[words #${hashOf(piece)}]`), text);
}

/** What is in no message stays marked; `missing` is told of it. */
export function restoreWords(request: ModelRequest, missing: (hash: string) => void): Change {
  let known: Map<string, string> | null = null;
  return (text) =>
    text.replaceAll(mark, (whole, hash: string) => {
      known ??= new Map(
        textsIn(request)
          .flatMap(piecesOf)
          .map((piece) => [hashOf(piece), piece]),
      );
      const piece = known.get(hash);
      if (piece === undefined) missing(hash);
      return piece ?? whole;
    });
}

function textsIn({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap(({ content }) => {
    if (typeof content === 'string') return [content];
    return content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  });
}

function hashOf(piece: string): string {
  return createHash('sha256').update(piece).digest('hex').slice(0, 16);
}
