/** The code blocks of a Markdown text, from their opening fence to their closing one. One that never closes is none. Pure. */

export type Block = { readonly start: number; readonly end: number };

type Fence = { readonly mark: string; readonly start: number };

export function codeBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: Fence | null = null;
  for (const { groups, index, 0: line } of text.matchAll(/^ {0,3}(?<mark>`{3,}|~{3,})(?<rest>.*)$/gm)) {
    const { mark = '', rest = '' } = groups ?? {};
    if (open === null) open = { mark, start: index };
    else if (closes(open, mark, rest)) {
      blocks.push({ start: open.start, end: index + line.length });
      open = null;
    }
  }
  return blocks;
}

function closes(open: Fence, mark: string, rest: string): boolean {
  return mark[0] === open.mark[0] && mark.length >= open.mark.length && rest.trim() === '';
}
