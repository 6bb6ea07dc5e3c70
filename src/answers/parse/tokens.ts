/** Cleaned text as a row of tokens: numbers, letters, words that mean something, commands, texts and marks. */
import type { Rational } from '../exact/rational.ts';
import { BoundReached, limits, spend, type Work } from '../limits.ts';
import { type CommaReading, scanNumber } from './numbers.ts';
import { textCommands, words } from './vocabulary.ts';

export type Token =
  | {
      readonly type: 'number';
      readonly value: Rational;
      readonly decimals: number | null;
      /** As written, without what sets groups apart. */
      readonly text: string;
    }
  | { readonly type: 'letter' | 'word' | 'command' | 'text' | 'mark'; readonly text: string };

export type TokenStyle = { readonly comma: CommaReading; readonly isMath: boolean };

const doubles = ['<=', '>=', '!=', '==', '=<', '=>', '->', '!!'];

export function tokensOf(text: string, style: TokenStyle, work: Work): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let nesting = 0;
  while (at < text.length) {
    spend(work);
    if (tokens.length >= limits.tokens) throw new BoundReached('length');
    const rest = text.slice(at, at + limits.digits + 64);
    const blank = /^\s+/.exec(rest);
    if (blank) {
      at += blank[0].length;
      continue;
    }
    const { length, token } = nextToken(text, at, rest, { ...style, isNested: nesting > 0 });
    if (token) {
      tokens.push(token);
      if (token.type === 'mark' && /^[([]$/.test(token.text)) nesting += 1;
      if (token.type === 'mark' && /^[)\]]$/.test(token.text)) nesting -= 1;
      if (token.type === 'command' && /^(?:\{|langle|begin)$/.test(token.text)) nesting += 1;
      if (token.type === 'command' && /^(?:\}|rangle|end)$/.test(token.text)) nesting -= 1;
    }
    at += length;
  }
  return tokens;
}

type Scanned = { readonly length: number; readonly token: Token | null };
type Style = TokenStyle & { readonly isNested: boolean };

function nextToken(text: string, at: number, rest: string, style: Style): Scanned {
  if (/^(?:\d|[.\ue002]\d|\.\s*\\(?:overline|bar|dot)\b)/.test(rest)) {
    const number = scanNumber(rest, style);
    if (number && number.length > 0) {
      const { value, decimals, digits } = number;
      return { length: number.length, token: { type: 'number', value, decimals, text: digits } };
    }
  }
  if (rest.startsWith('\\')) return commandAt(text, at, rest);
  const letters = /^\p{L}+/u.exec(rest);
  if (letters) return lettersAt(letters[0]);
  const pair = doubles.find((each) => rest.startsWith(each));
  const mark = pair ?? String.fromCodePoint(rest.codePointAt(0) ?? 0x20);
  return { length: mark.length, token: { type: 'mark', text: mark } };
}

/** The longest word that is known from here on, else one letter. */
function lettersAt(run: string): Scanned {
  const lower = run.toLowerCase();
  if (words.has(lower)) return { length: run.length, token: { type: 'word', text: lower } };
  const first = String.fromCodePoint(run.codePointAt(0) ?? 0x20);
  return { length: first.length, token: { type: 'letter', text: first } };
}

function commandAt(text: string, at: number, rest: string): Scanned {
  const name = /^\\([a-zA-Z]+\*?|.)/su.exec(rest)?.[1] ?? '';
  const length = name.length + 1;
  if (name === '') return { length: 1, token: null };
  if (!textCommands.has(name)) return { length, token: { type: 'command', text: name } };
  const group = groupAt(text, at + length);
  if (!group) return { length, token: null };
  return { length: length + group.length, token: { type: 'text', text: group.content } };
}

/** What stands in braces from here on, braces inside counted. */
export function groupAt(
  text: string,
  at: number,
): { readonly length: number; readonly content: string } | null {
  const open = /^\s*\{/.exec(text.slice(at, at + 16));
  if (!open) return null;
  let depth = 0;
  for (let end = at + open[0].length - 1; end < text.length; end += 1) {
    const character = text[end];
    if (character === '\\') end += 1;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return { length: end + 1 - at, content: text.slice(at + open[0].length, end) };
    }
  }
  return null;
}
