/** What stands in brackets: groups, tuples, intervals, sets, vectors, absolute values, floors. */
import { BoundReached, limits } from '../limits.ts';
import { call, type Tree } from '../tree.ts';
import { type Cursor, isCommand, isMark, nested, ParseError, peek, requireMark, take } from './cursor.ts';

/** What closes a bracket: marks or commands. */
const closings: Readonly<Record<string, readonly string[]>> = {
  '(': [')', ']'],
  '[': [']', ')'],
  langle: ['rangle'],
  lvert: ['rvert'],
  lVert: ['rVert'],
  '|': ['|'],
  lfloor: ['rfloor'],
  lceil: ['rceil'],
};

export function parseBrackets(cursor: Cursor, open: string): Tree {
  const type = open === '(' || open === '[' ? 'mark' : 'command';
  const { items, close } = contents(cursor, type, closings[open] ?? []);
  const [first, second] = items;
  if (!first) throw new ParseError('empty brackets');
  if (type === 'mark') return parseParenthesized(open, close, items);
  if (open === 'langle') return { kind: 'tuple', items, brackets: 'angle' };
  if (second) throw new ParseError('several things between bars');
  if (open === 'lfloor') return call('floor', first);
  if (open === 'lceil') return call('ceil', first);
  return call(open === 'lvert' ? 'abs' : 'norm', first);
}

function parseParenthesized(open: string, close: string, items: readonly Tree[]): Tree {
  const [low, high] = items;
  const isRound = open === '(' && close === ')';
  if (items.length === 1 && low) {
    if (isRound || (open === '[' && close === ']')) return low;
    throw new ParseError('half an interval');
  }
  const rows = isRound ? [] : items.flatMap(rowIn);
  if (rows.length === items.length && rows.every((row) => row.length === rows[0]?.length))
    return { kind: 'matrix', rows };
  const isUnbounded = items.some(isInfinite);
  if (items.length === 2 && low && high && (!isRound || isUnbounded)) {
    return { kind: 'interval', low, high, isLowOpen: open === '(', isHighOpen: close === ')' };
  }
  if (open === '(' ? close !== ')' : close !== ']') throw new ParseError('brackets of two kinds');
  return { kind: 'tuple', items, brackets: isRound ? 'round' : 'square' };
}

/** `[1, 2]` inside of brackets is a row, as programs write matrices. */
function rowIn(tree: Tree): (readonly Tree[])[] {
  if (tree.kind === 'interval' && !tree.isLowOpen && !tree.isHighOpen) return [[tree.low, tree.high]];
  return tree.kind === 'tuple' && tree.brackets === 'square' ? [tree.items] : [];
}

function isInfinite(tree: Tree): boolean {
  if (tree.kind === 'product') return tree.items.some(isInfinite);
  return tree.kind === 'constant' && tree.name === 'infinity';
}

/** `\{ … \}`, and `\{x \mid …\}`, which is what its condition says. */
export function parseSet(cursor: Cursor): Tree {
  if (isCommand(peek(cursor), '}', 'rbrace')) {
    take(cursor);
    return { kind: 'set', items: [] };
  }
  return builder(cursor) ?? { kind: 'set', items: contents(cursor, 'command', ['}', 'rbrace']).items };
}

/** `x \mid x > 3`: the union of the values that the condition allows. Null without a condition. */
function builder(cursor: Cursor): Tree | null {
  const start = cursor.at;
  const name = take(cursor);
  const isNamed = name.type === 'letter' || (name.type === 'command' && /^[a-z]+$/i.test(name.text));
  const isOver = isNamed && isCommand(peek(cursor), 'in');
  if (isOver) take(cursor);
  const domain = isOver ? cursor.primary(cursor) : null;
  if (!isNamed || (!isCommand(peek(cursor), 'mid') && !isMark(peek(cursor), '|', ':'))) {
    cursor.at = start;
    return null;
  }
  take(cursor);
  const condition = nested(cursor, (inner) => inner.list(inner));
  if (!isCommand(take(cursor), '}', 'rbrace')) throw new ParseError('a set is not closed');
  if (domain && (domain.kind !== 'domain' || domain.name !== 'reals'))
    throw new ParseError('a set over another set');
  return { kind: 'combination', operator: 'union', items: [condition] };
}

/** Statements with commas between them, up to the bracket that closes. */
function contents(cursor: Cursor, type: 'mark' | 'command', closing: readonly string[]) {
  return nested(cursor, (inner) => {
    const bars = inner.bars;
    inner.bars = 0;
    const items: Tree[] = [inner.statement(inner)];
    while (isMark(peek(inner), ',', ';')) {
      take(inner);
      items.push(inner.statement(inner));
      if (items.length > limits.items) throw new BoundReached('items');
    }
    inner.bars = bars;
    const close = take(inner);
    if (close.type !== type || !closing.includes(close.text)) throw new ParseError('a bracket is not closed');
    return { items, close: close.text };
  });
}

/** `|x|`: while a bar is open, the next one closes it. */
export function parseAbsolute(cursor: Cursor): Tree {
  return nested(cursor, (inner) => {
    inner.bars += 1;
    const content = inner.expression(inner);
    inner.bars -= 1;
    if (isCommand(peek(inner), 'vert')) take(inner);
    else requireMark(inner, '|');
    return call('abs', content);
  });
}
