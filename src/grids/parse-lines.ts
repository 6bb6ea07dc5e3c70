/** The lines of a reply, and which of them lie in fences. A fence that shares its line with a row is set apart from it. */

export type Line = {
  /** Counted from 1, as the text has it. */
  readonly number: number;
  readonly text: string;
  readonly kind: 'text' | 'fence';
  readonly fenced: boolean;
};

export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let open: string | null = null;
  for (const [at, whole] of text.split('\n').entries()) {
    const pieces: readonly string[] = piecesOf(whole, open);
    for (const piece of pieces) {
      const fence: string | undefined = /^\s*(`{3,}|~{3,})/.exec(piece)?.[1];
      const closes: boolean = fence !== undefined && open !== null && fence.startsWith(open);
      const isFence = fence !== undefined && (open === null || closes);
      if (isFence) open = closes ? null : (fence ?? null);
      lines.push({ number: at + 1, text: piece, kind: isFence ? 'fence' : 'text', fenced: open !== null });
    }
  }
  return lines;
}

/** "0 0```" and "```0 0" are a row and a fence each; "```json" is a fence. */
function piecesOf(line: string, open: string | null): string[] {
  const found = /^(?<before>.*?)(?<fence>`{3,}|~{3,})(?<after>.*)$/.exec(line)?.groups;
  if (!found) return [line];
  const { before = '', fence = '', after = '' } = found;
  const isInfo = open === null && !/\d/.test(after);
  const behind = after.trim() === '' || isInfo ? [] : piecesOf(after, open === null ? fence : null);
  return [...(before.trim() ? [before] : []), isInfo ? fence + after : fence, ...behind];
}
