/** C++ as tokens whose joined texts are the source again. It takes any text and knows no meaning of tokens. */

type CppTokenKind =
  | 'space'
  | 'comment'
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

export function codeTokens(source: string): readonly CppToken[] {
  return cppTokens(source).filter(({ kind }) => kind !== 'space' && kind !== 'comment');
}

/** A whole preprocessor line, which a backslash or a comment may take further down. */
const directive =
  /#(?:\/\*[\s\S]*?(?:\*\/|$)|\\\r?\n|"(?:[^"\\\n]|\\[^\n])*"|(?!\/\/)[^\n])*(?:\/\/(?:[^\n]|(?<=\\\r?)\n)*)?/y;

/** Tried in this order. A raw string ends at its own mark. */
const patterns: readonly (readonly [CppTokenKind, RegExp])[] = [
  ['string', /(?:u8|[uUL])?R"(?<mark>[^\s()\\"]{0,16})\([\s\S]*?(?:\)\k<mark>"|$)/y],
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
  if (beginsLine && source[at] === '#') return { kind: 'directive', text: matchAt(directive, source, at) };
  for (const [kind, pattern] of patterns) {
    const text = matchAt(pattern, source, at);
    if (text) return { kind, text };
  }
  return { kind: 'punctuation', text: source.charAt(at) };
}

function matchAt(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? '';
}

/** The number of the line of a position, from 1. Positions are asked for from front to back. */
export function lineCounter(source: string): (at: number) => number {
  let line = 1;
  let end = source.indexOf('\n');
  return (at) => {
    for (; end >= 0 && end < at; line += 1) end = source.indexOf('\n', end + 1);
    return line;
  };
}
