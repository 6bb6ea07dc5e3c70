/**
 * C++ source as tokens whose texts, joined, are the source again, character for character: comments, preprocessor lines
 * and raw strings included. It takes any text, one that no compiler would take too, and knows nothing of what tokens mean.
 */

export type CppTokenKind =
  | 'space'
  | 'comment'
  /** A whole preprocessor line, with the lines that it goes on in. */
  | 'directive'
  | 'string'
  | 'character'
  | 'number'
  | 'name'
  | 'punctuation';

export type CppToken = { readonly kind: CppTokenKind; readonly text: string; readonly start: number };

export function cppTokens(source: string): readonly CppToken[] {
  const tokens: CppToken[] = [];
  let beginsLine = true;
  for (let at = 0; at < source.length; ) {
    const { kind, text } = tokenAt(source, at, beginsLine);
    tokens.push({ kind, text, start: at });
    at += text.length;
    if (kind === 'space') beginsLine ||= lineBreak.test(text);
    else if (kind !== 'comment') beginsLine = false;
  }
  return tokens;
}

/** One that no backslash takes back. */
const lineBreak = /(?<!\\\r?)\n/;

/** Those that a compiler sees: no space, no comment. */
export function codeTokens(source: string): readonly CppToken[] {
  return cppTokens(source).filter(({ kind }) => kind !== 'space' && kind !== 'comment');
}

/** Sticky, in the order in which they are tried. Raw strings and directives have rules of their own. */
const patterns: readonly (readonly [CppTokenKind, RegExp])[] = [
  ['space', /(?:\s|\\\r?\n)+/y],
  ['comment', /\/\/(?:[^\\\n]|\\(?:\r?\n|[\s\S]|$))*/y],
  ['comment', /\/\*[\s\S]*?(?:\*\/|$)/y],
  ['string', /(?:u8|[uUL])?"(?:[^"\\\n]|\\(?:\r\n|[\s\S]|$))*"?/y],
  ['character', /(?:u8|[uUL])?'(?:[^'\\\n]|\\(?:\r\n|[\s\S]|$))*'?/y],
  ['number', /\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*/y],
  ['name', /[\p{L}_$][\p{L}\p{N}_$]*/uy],
  ['punctuation', /<=>|->\*|\.\.\.|::|\+\+|--|->|&&|\|\||[<>=!+\-*/%&|^]=|[\s\S]/uy],
];

function tokenAt(source: string, at: number, beginsLine: boolean): Pick<CppToken, 'kind' | 'text'> {
  if (beginsLine && source[at] === '#') return { kind: 'directive', text: directiveAt(source, at) };
  const raw = rawStringAt(source, at);
  if (raw !== null) return { kind: 'string', text: raw };
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text) return { kind, text };
  }
  return { kind: 'punctuation', text: source.charAt(at) };
}

const rawOpening = /(?:u8|[uUL])?R"(?<mark>[^\s()\\"]{0,16})\(/y;

/** Nothing is an escape in it; it ends where its own mark stands again. */
function rawStringAt(source: string, at: number): string | null {
  rawOpening.lastIndex = at;
  const opening = rawOpening.exec(source);
  if (!opening) return null;
  const closing = `)${opening.groups?.mark ?? ''}"`;
  const end = source.indexOf(closing, at + opening[0].length);
  return source.slice(at, end < 0 ? source.length : end + closing.length);
}

const directivePart = /\/\*[\s\S]*?(?:\*\/|$)|\\\r?\n|"(?:[^"\\\n]|\\[^\n])*"|[^\n]/y;

/** Up to the end of its line, which a backslash or a comment may take further down. A comment of a line is part of it. */
function directiveAt(source: string, at: number): string {
  let end = at;
  while (end < source.length && source[end] !== '\n') {
    if (source.startsWith('//', end)) return source.slice(at, lineEnd(source, end));
    directivePart.lastIndex = end;
    end += directivePart.exec(source)?.[0].length ?? 1;
  }
  return source.slice(at, end);
}

function lineEnd(source: string, from: number): number {
  let end = source.indexOf('\n', from);
  while (end > 0 && /\\\r?$/.test(source.slice(Math.max(from, end - 2), end)))
    end = source.indexOf('\n', end + 1);
  return end < 0 ? source.length : end;
}
