/** `\sum_{k=1}^{n} …`, `\prod`, `\int … dx`, `\lim_{x \to a} …`: an operator over a variable that is bound in its body. */
import { minusOne } from '../exact/rational.ts';
import { boundName, exact, mapTree, product, symbol, type Tree } from '../tree.ts';
import {
  argument,
  type Cursor,
  isCommand,
  isMark,
  nested,
  ParseError,
  peek,
  requireMark,
  take,
  takeMark,
} from './cursor.ts';
import { parseFactor } from './expression.ts';

type Bounds = { readonly variable: string; readonly lower: Tree; readonly upper: Tree };

export function parseBig(cursor: Cursor, operator: string): Tree {
  return nested(cursor, (inner) => {
    if (operator === 'int' || operator === 'oint' || operator === 'iint') return integral(inner, operator);
    const { variable, lower, upper } = bounds(inner, operator);
    const body = bodyOf(inner);
    return { kind: 'big', operator, variable, items: [lower, upper, bound(body, variable)] };
  });
}

const nothing: Tree = { kind: 'text', text: '' };

function bounds(cursor: Cursor, operator: string): Bounds {
  requireMark(cursor, '_');
  requireMark(cursor, '{');
  const variable = nameOf(cursor);
  if (operator === 'lim') {
    if (!isCommand(take(cursor), 'to', 'rightarrow')) throw new ParseError('a limit without its point');
    const lower = cursor.expression(cursor);
    const side = takeMark(cursor, '^') ? `^${take(cursor).text}` : '';
    requireMark(cursor, '}');
    return { variable, lower, upper: { kind: 'text', text: side } };
  }
  requireMark(cursor, '=');
  const lower = cursor.expression(cursor);
  requireMark(cursor, '}');
  return { variable, lower, upper: takeMark(cursor, '^') ? argument(cursor) : nothing };
}

function nameOf(cursor: Cursor): string {
  const token = take(cursor);
  if (token.type === 'letter' || token.type === 'command') return token.text;
  throw new ParseError('no variable to go over');
}

/** Factors, up to a sign: `\sum a_k b_k + c` is a sum and c. */
function bodyOf(cursor: Cursor): Tree {
  const items = [parseFactor(cursor)];
  for (;;) {
    const token = peek(cursor);
    const isTimes = isMark(token, '*') || isCommand(token, 'cdot', 'times');
    const begins = token?.type === 'letter' || token?.type === 'number' || isMark(token, '(', '{');
    const isBody = token?.type === 'command' && /^(?:[dt]?frac|sqrt|binom|left|pi)$/.test(token.text);
    if (!isTimes && !begins && !isBody) return product(items);
    if (isTimes) take(cursor);
    items.push(parseFactor(cursor));
  }
}

/** The integrand is all up to `d` and a letter. */
function integral(cursor: Cursor, operator: string): Tree {
  const lower = takeMark(cursor, '_') ? signedArgument(cursor) : nothing;
  const upper = takeMark(cursor, '^') ? signedArgument(cursor) : nothing;
  const end = cursor.tokens.findIndex(
    ({ type, text }, at) =>
      at > cursor.at && type === 'letter' && text === 'd' && cursor.tokens[at + 1]?.type === 'letter',
  );
  if (end < 0) throw new ParseError('an integral without its variable');
  const inner: Cursor = { ...cursor, tokens: cursor.tokens.slice(cursor.at, end), at: 0, bars: 0 };
  const body = cursor.expression(inner);
  if (inner.at < inner.tokens.length) throw new ParseError('an integrand that goes on');
  const variable = cursor.tokens[end + 1]?.text ?? 'x';
  cursor.at = end + 2;
  return { kind: 'big', operator, variable, items: [lower, upper, bound(body, variable)] };
}

function signedArgument(cursor: Cursor): Tree {
  return takeMark(cursor, '-') ? product([exact(minusOne), argument(cursor)]) : argument(cursor);
}

/** A name of its own that is the same whatever the variable is called; `i` and `e` are variables here. */
function bound(body: Tree, variable: string): Tree {
  const own = symbol(boundName);
  return mapTree(body, (tree) =>
    (tree.kind === 'symbol' || tree.kind === 'constant') && tree.name === variable ? own : tree,
  );
}
