/** One thing: a number, a name, a root, a fraction, a function with its argument, or something in brackets. */
import { type Rational, rational } from '../exact/rational.ts';
import { BoundReached, limits } from '../limits.ts';
import { call, exact, infinity, integer, power, product, quotient, sum, symbol, type Tree } from '../tree.ts';
import { parseBig } from './big.ts';
import { parseAbsolute, parseBrackets, parseSet } from './brackets.ts';
import {
  argument,
  type Cursor,
  isCommand,
  isMark,
  nested,
  ParseError,
  parseBraced,
  peek,
  requireMark,
  take,
  takeMark,
} from './cursor.ts';
import { applyFunction, half, parseSubscript } from './expression.ts';
import type { Token } from './tokens.ts';
import { decorations, domains, functionNamed, greekLetters, operatorCommands } from './words.ts';

export function parsePrimary(cursor: Cursor): Tree {
  const token = take(cursor);
  switch (token.type) {
    case 'number':
      return numberFrom(cursor, token);
    case 'letter':
      return named(cursor, token.text);
    case 'word':
      return parseWord(cursor, token.text);
    case 'text':
      return parseText(cursor, token.text.trim());
    case 'command':
      return parseCommand(cursor, token.text);
    default:
      return parseMark(cursor, token.text);
  }
}

function numberFrom(cursor: Cursor, { value, decimals, text }: Extract<Token, { type: 'number' }>): Tree {
  if (isMark(peek(cursor), '_')) return based(cursor, text);
  const number: Tree = { kind: 'number', value, decimals };
  const mixed = decimals === null ? mixedFraction(cursor) : null;
  return mixed ? sum([number, mixed]) : number;
}

/** `52_8`. */
function based(cursor: Cursor, text: string): Tree {
  requireMark(cursor, '_');
  const base = argument(cursor);
  const tree = base.kind === 'number' ? digitsTo(Number(base.value.over), text) : null;
  if (!tree) throw new ParseError('no number to a base');
  return tree;
}

/** Null unless the base is from 2 to 36 and has these digits. */
export function digitsTo(base: number, text: string): Tree | null {
  const digits = [...text.toLowerCase()].map((digit) => Number.parseInt(digit, 36));
  if (!(base >= 2 && base <= 36) || digits.some((digit) => !(digit < base))) return null;
  const value = digits.reduce((sofar, digit) => sofar * BigInt(base) + BigInt(digit), 0n);
  return { kind: 'based', digits: text.toLowerCase(), base, value: rational(value) };
}

/** The proper fraction of digits that follows a whole number, as in `1\frac{3}{4}` and `1 3/4`. */
function mixedFraction(cursor: Cursor): Tree | null {
  const start = cursor.at;
  const found = plainFraction(cursor) ?? (peek(cursor)?.type === 'command' ? fractionOfDigits(cursor) : null);
  if (found && found.over > 0n && found.over < found.under) return exact(rational(found.over, found.under));
  cursor.at = start;
  return null;
}

function plainFraction(cursor: Cursor): Rational | null {
  const [over, token] = [peek(cursor), peek(cursor, 2)];
  if (over?.type !== 'number' || !isMark(peek(cursor, 1), '/') || token?.type !== 'number') return null;
  if (over.value.under !== 1n || token.value.under !== 1n) return null;
  cursor.at += 3;
  return { over: over.value.over, under: token.value.over };
}

function fractionOfDigits(cursor: Cursor): Rational | null {
  if (!/^[dtc]?frac$/.test(peek(cursor)?.text ?? '')) return null;
  const upcoming = cursor.tokens.slice(cursor.at + 1, cursor.at + 7).map(({ text }) => text);
  const isBraced = upcoming[0] === '{' && /^\d+$/.test(upcoming[1] ?? '') && upcoming[2] === '}';
  const isComplete = isBraced
    ? upcoming[3] === '{' && /^\d+$/.test(upcoming[4] ?? '') && upcoming[5] === '}'
    : false;
  if (!isComplete && !/^\d+$/.test(upcoming[0] ?? '')) return null;
  cursor.at += 1;
  const [over, tree] = [argument(cursor, true), argument(cursor, true)];
  if (over.kind !== 'number' || tree.kind !== 'number') return null;
  return { over: over.value.over, under: tree.value.over };
}

/** `e` and `i` are constants; f, g and h with brackets are applied, and so is every name with a zero in them. */
function named(cursor: Cursor, name: string): Tree {
  if ((name === 'e' || name === 'i') && !isMark(peek(cursor), '_')) return { kind: 'constant', name };
  const tree = parseSubscript(cursor, name);
  const isAtZero = peek(cursor, 1)?.text === '0' && isMark(peek(cursor, 2), ')');
  const isFunction = isMark(peek(cursor), '(') && (/^[fghFGH]$/.test(name) || isAtZero);
  if (!isFunction || tree.kind !== 'symbol') return tree;
  const brackets = cursor.primary(cursor);
  return call(tree.name, ...(brackets.kind === 'tuple' ? brackets.items : [brackets]));
}

function parseWord(cursor: Cursor, word: string): Tree {
  if (word === 'pi') return { kind: 'constant', name: 'pi' };
  if (/^(?:infinity|infty|inf|oo)$/.test(word)) return infinity;
  const name = functionNamed(word);
  if (!name) throw new ParseError(`"${word}" stands alone`);
  return applyFunction(cursor, name);
}

function parseText(cursor: Cursor, text: string): Tree {
  if (/^[a-zA-Z]$/.test(text)) return named(cursor, text);
  const name = functionNamed(text);
  if (name) return applyFunction(cursor, name);
  if (text === '') throw new ParseError('an empty text');
  return parseSubscript(cursor, `"${text.toLowerCase()}"`);
}

function parseCommand(cursor: Cursor, name: string): Tree {
  if (/^[dtc]?frac$/.test(name))
    return derivative(cursor) ?? quotient(argument(cursor, true), argument(cursor, true));
  if (/^[dt]?binom$/.test(name)) return call('binomial', argument(cursor, true), argument(cursor, true));
  if (name === 'sqrt') return root(cursor);
  if (name === 'boxed' || name === 'fbox') return parseBraced(cursor, cursor.list);
  if (name === 'pi') return { kind: 'constant', name: 'pi' };
  if (name === 'infty') return infinity;
  if (name === 'imath') return { kind: 'constant', name: 'i' };
  if (name === 'mathbb' || name === 'Bbb') return domain(cursor);
  if (/^(?:emptyset|varnothing)$/.test(name)) return { kind: 'set', items: [] };
  if (/^(?:angle|triangle|measuredangle)$/.test(name)) return call(name, ...parseMatrixRows(cursor));
  if (name === 'begin') return parseMatrix(cursor);
  if (/^(?:sum|prod|int|oint|lim|iint)$/.test(name)) return parseBig(cursor, name);
  if (/^(?:\{|lbrace)$/.test(name)) return parseSet(cursor);
  if (/^(?:langle|lvert|lVert|\||lfloor|lceil)$/.test(name)) return parseBrackets(cursor, name);
  if (name === 'vert') return parseAbsolute(cursor);
  if (name === '$') return cursor.primary(cursor);
  if (greekLetters.has(name)) return parseSubscript(cursor, name);
  if (decorations.has(name)) return call(name === 'bar' ? 'overline' : name, argument(cursor));
  const known = functionNamed(name);
  if (known) return applyFunction(cursor, known);
  if (!/^[a-zA-Z]+$/.test(name) || operatorCommands.has(name)) throw new ParseError(`\\${name} is not known`);
  // A command that is not known is a name.
  return parseSubscript(cursor, `\\${name}`);
}

/** `\angle ABC`: its corners in their order, which may be said from either end. */
function parseMatrixRows(cursor: Cursor): readonly Tree[] {
  const first = cursor.primary(cursor);
  if (first.kind !== 'symbol' || !/^[A-Z]/.test(first.name)) return [first];
  const items = [first];
  for (let next = peek(cursor); next?.type === 'letter' && /^[A-Z]$/.test(next.text); next = peek(cursor)) {
    const tree = cursor.primary(cursor);
    if (tree.kind === 'symbol') items.push(tree);
  }
  return (items[0]?.name ?? '') <= (items.at(-1)?.name ?? '') ? items : items.toReversed();
}

/** `\frac{dy}{dx}`: there is no d to cancel. Null where it is a fraction. */
function derivative(cursor: Cursor): Tree | null {
  const upcoming = cursor.tokens.slice(cursor.at, cursor.at + 8).map(({ text }) => text);
  const found = /^\{ d (?:([a-zA-Z]) )?\} \{ d ([a-zA-Z]) \}/.exec(upcoming.join(' '));
  if (!found) return null;
  cursor.at += found[1] ? 8 : 7;
  return call('derivative', ...[found[1], found[2]].flatMap((each) => (each ? [symbol(each)] : [])));
}

function root(cursor: Cursor): Tree {
  if (!takeMark(cursor, '[')) return power(argument(cursor), half);
  const tree = cursor.expression(cursor);
  requireMark(cursor, ']');
  const isSquare = tree.kind === 'number' && tree.value.over === 2n && tree.value.under === 1n;
  const radicand = argument(cursor);
  return isSquare ? power(radicand, half) : call('root', radicand, tree);
}

function domain(cursor: Cursor): Tree {
  const isBraced = takeMark(cursor, '{');
  const name = Object.hasOwn(domains, peek(cursor)?.text ?? '') ? domains[take(cursor).text] : undefined;
  if (!name) throw new ParseError('an unknown set of numbers');
  if (isBraced) requireMark(cursor, '}');
  const sign = takeMark(cursor, '^') || takeMark(cursor, '_') ? signText(cursor) : '';
  return { kind: 'domain', name: `${name}${sign}` };
}

function signText(cursor: Cursor): string {
  return `^${isMark(peek(cursor), '{') ? parseBracedText(cursor) : take(cursor).text}`;
}

function parseMark(cursor: Cursor, mark: string): Tree {
  if (mark === '(' || mark === '[') return parseBrackets(cursor, mark);
  if (mark === '|') return parseAbsolute(cursor);
  if (mark !== '{') throw new ParseError(`"${mark}" stands where something should begin`);
  cursor.at -= 1;
  return group(cursor);
}

/** Braces only hold together; `{n \choose k}` is a binomial. */
function group(cursor: Cursor): Tree {
  if (isMark(peek(cursor, 1), '}')) {
    cursor.at += 2;
    return product([integer(1), cursor.primary(cursor)]);
  }
  return parseBraced(cursor, (inner) => {
    const first = inner.list(inner);
    if (!isCommand(peek(inner), 'choose')) return first;
    take(inner);
    return call('binomial', first, inner.expression(inner));
  });
}

const names = /^(?:[pbvBV]?(?:small)?matrix\*?|array|d?cases)$/;

function parseMatrix(cursor: Cursor): Tree {
  return nested(cursor, (inner) => {
    const name = parseBracedText(inner);
    if (!names.test(name)) throw new ParseError(`${name} is no matrix`);
    // The columns of an array say how it looks.
    if (name === 'array') parseBracedText(inner);
    const rows = rowsOf(inner);
    if (parseBracedText(inner) !== name) throw new ParseError('a matrix is not closed');
    const matrix: Tree = { kind: 'matrix', rows };
    // A system; with conditions it is one value in several cases.
    if (name.endsWith('cases')) return systemOf(rows);
    if (name === 'vmatrix') return call('det', matrix);
    return name === 'Bmatrix' && rows.length === 1 ? { kind: 'set', items: rows.flat() } : matrix;
  });
}

function systemOf(rows: readonly (readonly Tree[])[]): Tree {
  const items = rows.flat();
  if (rows.some((row) => row.length > 1)) return call('cases', ...items);
  return items.length === 1 && items[0] ? items[0] : { kind: 'list', items, joiner: 'and' };
}

function parseBracedText(cursor: Cursor): string {
  requireMark(cursor, '{');
  let text = '';
  while (!isMark(peek(cursor), '}')) text += take(cursor).text;
  requireMark(cursor, '}');
  return text;
}

function rowsOf(cursor: Cursor): Tree[][] {
  const rows: Tree[][] = [];
  let count = 0;
  while (isCommand(peek(cursor), 'hline')) take(cursor);
  while (!isCommand(peek(cursor), 'end')) {
    const row = [cursor.statement(cursor)];
    while (isMark(peek(cursor), '&')) {
      take(cursor);
      row.push(cursor.statement(cursor));
    }
    rows.push(row);
    count += row.length;
    if (count > limits.items) throw new BoundReached('items');
    while (isMark(peek(cursor), '\ue003') || isCommand(peek(cursor), 'hline')) take(cursor);
  }
  take(cursor);
  if (rows.length === 0 || rows.some((row) => row.length !== rows[0]?.length)) {
    throw new ParseError('rows of several lengths');
  }
  return rows;
}
