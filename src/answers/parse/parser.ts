/** From cleaned text to a tree, or null where the text is in no form that is known. Bounds are thrown. */
import type { Work } from '../limits.ts';
import type { Tree } from '../tree.ts';
import { type Cursor, Unreadable } from './cursor.ts';
import { parseSum } from './expression.ts';
import { parsePrimary } from './primary.ts';
import { parseList, parseStatement } from './statement.ts';
import { type TokenStyle, tokensOf } from './tokens.ts';

export function parse(text: string, style: TokenStyle, work: Work): Tree | null {
  const cursor: Cursor = {
    tokens: tokensOf(text, style, work),
    work,
    at: 0,
    depth: 0,
    bars: 0,
    expression: parseSum,
    primary: parsePrimary,
    statement: parseStatement,
    list: parseList,
  };
  try {
    const tree = parseList(cursor);
    return cursor.at === cursor.tokens.length ? tree : null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}
