/**
 * Finds the mathematics in what people and models write: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, and environments that stand
 * alone, such as `align`. Code is left alone, `\$` is a dollar, and a sign without its partner is text. Pure.
 */

export type Formula = Extract<Piece, { type: 'math' }>;

export type Piece =
  | { readonly type: 'text' | 'code'; readonly text: string }
  /** `source` with its signs, `tex` without. */
  | { readonly type: 'math'; readonly tex: string; readonly isDisplay: boolean; readonly source: string };

export function mathPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const found = mathAt(text, at) ?? codeAt(text, at);
    if (found) {
      if (plain) pieces.push({ type: 'text', text: plain });
      plain = '';
      pieces.push(found);
      at += sourceOf(found).length;
      continue;
    }
    const skipped = escapeAt(text, at) ?? (text[at] as string);
    plain += skipped;
    at += skipped.length;
  }
  return plain ? [...pieces, { type: 'text', text: plain }] : pieces;
}

/** As it was written. */
export function sourceOf(piece: Piece): string {
  return piece.type === 'math' ? piece.source : piece.text;
}

/** Environments that TeX opens outside of mathematics. */
const alone = String.raw`(?:align|alignat|gather|multline|eqnarray|equation|displaymath|math)\*?`;

type Form = { readonly pattern: RegExp; readonly isDisplay: boolean };

/** None of them reaches over a paragraph's end: a sign that was forgotten spoils no more than its own. */
const inner = String.raw`(?:(?!\n[ \t]*\n)[^\\]|\\[\s\S])`;
const forms: readonly Form[] = [
  { pattern: new RegExp(String.raw`\$\$(${inner}+?)\$\$`, 'y'), isDisplay: true },
  { pattern: new RegExp(String.raw`\\\[(${inner}+?)\\\]`, 'y'), isDisplay: true },
  { pattern: new RegExp(String.raw`(\\begin\{(${alone})\}${inner}+?\\end\{\2\})`, 'y'), isDisplay: true },
  { pattern: new RegExp(String.raw`\\\((${inner}+?)\\\)`, 'y'), isDisplay: false },
  // As in Pandoc: no space inside the signs, and no digit behind the closing one: "$5 and $6" are prices.
  {
    pattern: /\$(?![\s$])((?:(?!\n[ \t]*\n)[^\\$]|\\[\s\S])*?(?:[^\s\\$]|\\\S))\$(?!\d)/y,
    isDisplay: false,
  },
];

function mathAt(text: string, at: number): Formula | null {
  if (text[at] !== '$' && text[at] !== '\\') return null;
  for (const { pattern, isDisplay } of forms) {
    pattern.lastIndex = at;
    const [source, tex] = pattern.exec(text) ?? [];
    if (source !== undefined && tex !== undefined && tex.trim() !== '')
      return { type: 'math', tex: tex.trim(), isDisplay, source };
  }
  return null;
}

const fence = /(?<=^|\n)[ \t]{0,3}(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n)??[ \t]{0,3}\1[`~]*[ \t]*(?=\n|$)/y;
const codeSpan = /(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?(?<!`)\1(?!`)/y;

function codeAt(text: string, at: number): Piece | null {
  for (const pattern of [fence, codeSpan]) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found) return { type: 'code', text: found };
  }
  return null;
}

function escapeAt(text: string, at: number): string | null {
  return text[at] === '\\' && at + 1 < text.length ? text.slice(at, at + 2) : null;
}
