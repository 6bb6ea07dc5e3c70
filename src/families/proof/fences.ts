/**
 * The code blocks of a Markdown text, from their opening fence to their closing one. One that never closes is none; nor
 * is code within a line, be it at its beginning. Pure.
 */

export type Block = {
  readonly start: number;
  readonly end: number;
  /**
   * Its fences may pair otherwise than they do: one that opens a block stands in it, or one behind it never closes. Then
   * its own opening one may be that which somebody forgot to close.
   */
  readonly isDoubtful: boolean;
};

type Open = { readonly mark: string; readonly start: number; hasOpening: boolean };

export function codeBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: Open | null = null;
  for (const { groups, index, 0: line } of text.matchAll(
    /^ {0,3}(?<mark>`{3,}(?!.*`)|~{3,})(?<rest>.*)$/gm,
  )) {
    const { mark = '', rest = '' } = groups ?? {};
    if (open === null) open = { mark, start: index, hasOpening: false };
    else if (!isAlike(open, mark)) continue;
    else if (rest.trim() !== '') open.hasOpening = true;
    else {
      blocks.push({ start: open.start, end: index + line.length, isDoubtful: open.hasOpening });
      open = null;
    }
  }
  return open === null ? blocks : blocks.map((block) => ({ ...block, isDoubtful: true }));
}

function isAlike(open: Open, mark: string): boolean {
  return mark[0] === open.mark[0] && mark.length >= open.mark.length;
}
