/**
 * A place in a row of tokens, shared by the parts of the parser. They call one another through it, so that none has to
 * import the other; it counts levels and steps.
 */
import { rational } from '../exact/rational.ts';
import { BoundReached, limits, spend, type Work } from '../limits.ts';
import type { Tree } from '../tree.ts';
import type { Token } from './tokens.ts';

/** The text is not in a form that is known: it is compared as a text. */
export class ParseError extends Error {}

export type Cursor = {
  /** Changed only where a number is taken apart into its digits. */
  readonly tokens: Token[];
  readonly work: Work;
  at: number;
  depth: number;
  /** Bars that are open: the next one closes. */
  bars: number;
  /** Sums, without relations and commas. */
  expression(cursor: Cursor): Tree;
  /** One operand without signs and powers. */
  primary(cursor: Cursor): Tree;
  /** Everything that may be between brackets, except commas. */
  statement(cursor: Cursor): Tree;
  /** Statements with commas, `and` and `or` between them. */
  list(cursor: Cursor): Tree;
};

export function peek({ tokens, at }: Cursor, ahead = 0): Token | undefined {
  return tokens[at + ahead];
}

export function take(cursor: Cursor): Token {
  const token = cursor.tokens[cursor.at];
  if (!token) throw new ParseError('it ends too early');
  spend(cursor.work);
  cursor.at += 1;
  return token;
}

export function isMark(token: Token | undefined, ...texts: readonly string[]): boolean {
  return token?.type === 'mark' && texts.includes(token.text);
}

export function isCommand(token: Token | undefined, ...texts: readonly string[]): boolean {
  return token?.type === 'command' && texts.includes(token.text);
}

export function takeMark(cursor: Cursor, text: string): boolean {
  if (!isMark(peek(cursor), text)) return false;
  cursor.at += 1;
  return true;
}

export function requireMark(cursor: Cursor, text: string): void {
  if (!takeMark(cursor, text)) throw new ParseError(`${text} is missing`);
}

/** Takes all signs: whether they make it negative. */
export function consumeSigns(cursor: Cursor): boolean {
  let isNegative = false;
  while (isMark(peek(cursor), '-', '+')) if (take(cursor).text === '-') isNegative = !isNegative;
  return isNegative;
}

/** Runs one level deeper. */
export function nested<T>(cursor: Cursor, parse: (cursor: Cursor) => T): T {
  if (cursor.depth >= limits.depth) throw new BoundReached('depth');
  cursor.depth += 1;
  const result = parse(cursor);
  cursor.depth -= 1;
  return result;
}

/** `{…}`; without braces one token, and of a number only its first digit where `isOneDigit`. */
export function argument(cursor: Cursor, isOneDigit = false): Tree {
  return nested(cursor, (inner) => {
    if (isMark(peek(inner), '{')) return parseBraced(inner, inner.expression);
    return isOneDigit ? oneDigit(inner) : inner.primary(inner);
  });
}

export function parseBraced(cursor: Cursor, parse: (cursor: Cursor) => Tree): Tree {
  requireMark(cursor, '{');
  const bars = cursor.bars;
  cursor.bars = 0;
  const tree = parse(cursor);
  cursor.bars = bars;
  requireMark(cursor, '}');
  return tree;
}

/** `\frac12` is one half: each argument is a digit. What is left of the number is put back. */
function oneDigit(cursor: Cursor): Tree {
  const token = peek(cursor);
  if (token?.type !== 'number' || token.text.length === 1 || !/^\d+$/.test(token.text))
    return cursor.primary(cursor);
  const parts = [token.text.slice(0, 1), token.text.slice(1)].map(
    (text): Token => ({ type: 'number', value: rational(BigInt(text)), decimals: null, text }),
  );
  cursor.tokens.splice(cursor.at, 1, ...parts);
  return cursor.primary(cursor);
}
