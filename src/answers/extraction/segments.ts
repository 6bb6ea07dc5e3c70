/** Stretches of a text that are set as mathematics: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`. Inline ones stay on their line. */

export type Segment = { readonly start: number; readonly end: number; readonly content: string };

const patterns =
  /\$\$([\s\S]{1,4000}?)\$\$|\\\[([\s\S]{1,4000}?)\\\]|\\\(([\s\S]{1,4000}?)\\\)|(?<!\\)\$((?:[^$\n\\]|\\[^\n]){1,4000}?)\$(?!\d)/g;

export function segmentsOf(text: string): readonly Segment[] {
  return [...text.matchAll(patterns)].flatMap((match) => {
    const content = match[1] ?? match[2] ?? match[3] ?? match[4] ?? '';
    // `$5 and paid $7`: two amounts of money, and no mathematics between them.
    const isMoney =
      match[4] !== undefined && /^\d[\d,.]*\s+[a-zA-Z]{2,}/.test(content) && !/[\\^_=]/.test(content);
    if (isMoney || content.trim() === '') return [];
    return [{ start: match.index, end: match.index + match[0].length, content: content.trim() }];
  });
}
