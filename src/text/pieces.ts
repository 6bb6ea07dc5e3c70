/**
 * Cuts a text into the pieces in which it is quoted: its lines, and the sentences within them, without the marks of
 * Markdown around them. Whoever takes somebody's words out of a text, and whoever puts them back, cuts alike. Pure.
 */

/** Shorter ones say nothing of where they come from, and stand in programs for other reasons. */
export const shortestPiece = 24;

export function piecesOf(text: string): string[] {
  const lines = text.split('\n');
  const sentences = lines.flatMap((line) => line.split(/(?<=[.?!:;])[\s*`]+/));
  return [...lines, ...sentences]
    .map((piece) => piece.replaceAll(/^[\s*#>`-]+|(?<![\s*`])[\s*`]+$/g, ''))
    .filter((piece) => piece.length >= shortestPiece);
}
