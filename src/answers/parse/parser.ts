/** From cleaned text to a tree, or null where the text is in no form that is known. Bounds are thrown. */
import { BoundReached, limits, type Work } from '../limits.ts';
import type { OfKind, Relation, Tree } from '../tree.ts';
import { argument, type Cursor, isCommand, isMark, ParseError, peek, take, takeMark } from './cursor.ts';
import { parseSum } from './expression.ts';
import { parsePrimary } from './primary.ts';
import { type Token, type TokenStyle, tokensOf } from './tokens.ts';

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
    if (error instanceof ParseError) return null;
    throw error;
  }
}

const relations = byName([
  ['=', '= == approx cong'],
  ['∼', 'sim'],
  ['<', '< lt'],
  ['>', '> gt'],
  ['≤', '<= =< le leq leqslant'],
  ['≥', '>= => ge geq geqslant'],
  ['≠', '!= ne neq'],
  ['∈', 'in'],
  ['≡', 'equiv'],
] as const);

/** Each name that may be written, with its meaning. */
function byName<Meaning>(meanings: readonly (readonly [Meaning, string])[]): ReadonlyMap<string, Meaning> {
  return new Map(
    meanings.flatMap(([meaning, names]) => names.split(' ').map((name) => [name, meaning] as const)),
  );
}

function parseStatement(cursor: Cursor): Tree {
  const trees = [parseCombination(cursor)];
  const operators: Relation[] = [];
  for (let found = parseRelation(cursor); found; found = parseRelation(cursor)) {
    take(cursor);
    operators.push(found);
    trees.push(parseCombination(cursor));
    if (trees.length > limits.items) throw new BoundReached('items');
  }
  const tree = parseModulus(cursor);
  const last = trees.at(-1);
  if (tree && last) trees[trees.length - 1] = { kind: 'residue', value: last, modulus: tree };
  return only(trees) ?? { kind: 'relation', sides: trees, operators };
}

function only(items: readonly Tree[]): Tree | null {
  return items.length === 1 ? (items[0] ?? null) : null;
}

function parseRelation(cursor: Cursor): Relation | null {
  const token = peek(cursor);
  if (token?.type !== 'mark' && token?.type !== 'command') return null;
  if (token.type === 'command' && token.text === 'not' && peek(cursor, 1)?.text === '=') {
    cursor.at += 1;
    return '≠';
  }
  return relations.get(token.text) ?? null;
}

/** `\pmod{11}`, `\mod 11`, `(\bmod 11)`. */
function parseModulus(cursor: Cursor): Tree | null {
  const isBracketed = isMark(peek(cursor), '(') && isCommand(peek(cursor, 1), 'mod', 'bmod', 'pmod');
  if (isBracketed) cursor.at += 1;
  const token = peek(cursor);
  const isModulus =
    isCommand(token, 'pmod', 'mod', 'bmod') || (token?.type === 'word' && token.text === 'mod');
  if (!isModulus) return null;
  take(cursor);
  const tree = argument(cursor);
  if (isBracketed && !takeMark(cursor, ')')) throw new ParseError('a bracket is not closed');
  return tree;
}

const combinations = byName([
  ['union', 'cup bigcup union'],
  ['intersection', 'cap intersect intersection'],
  ['difference', 'setminus backslash'],
] as const);

function parseCombination(cursor: Cursor): Tree {
  let tree = parseRatio(cursor);
  for (let operator = parseSetOperator(cursor, tree); operator; operator = parseSetOperator(cursor, tree)) {
    take(cursor);
    const right = parseRatio(cursor);
    const items: readonly Tree[] =
      tree.kind === 'combination' && tree.operator === operator && operator !== 'difference'
        ? [...tree.items, right]
        : [tree, right];
    if (items.length > limits.items) throw new BoundReached('items');
    tree = { kind: 'combination', operator, items };
  }
  return tree;
}

function parseSetOperator(cursor: Cursor, before: Tree) {
  const token = peek(cursor);
  if (!token) return null;
  const isSet = ['interval', 'set', 'tuple', 'combination', 'domain'].includes(before.kind);
  if (token.type === 'letter' && token.text === 'U' && isSet) return 'union';
  return token.type === 'command' || token.type === 'word' ? (combinations.get(token.text) ?? null) : null;
}

function parseRatio(cursor: Cursor): Tree {
  const items = [cursor.expression(cursor)];
  while (isMark(peek(cursor), ':') || isCommand(peek(cursor), 'colon')) {
    take(cursor);
    items.push(cursor.expression(cursor));
    if (items.length > limits.items) throw new BoundReached('items');
  }
  return only(items) ?? { kind: 'ratio', items };
}

type Joiner = OfKind<'list'>['joiner'];

function parseList(cursor: Cursor): Tree {
  const groups = [[parseStatement(cursor)]];
  let joiner: Joiner = 'comma';
  for (let found = parseJoiners(cursor); found; found = parseJoiners(cursor)) {
    if (found !== 'comma' && found !== 'next') joiner = found;
    if (!peek(cursor) || isMark(peek(cursor), '}')) break;
    if (found === 'or' || found === 'next') groups.push([]);
    groups.at(-1)?.push(parseStatement(cursor));
    if (groups.flat().length > limits.items) throw new BoundReached('items');
  }
  const items = inPoints(groups) ?? groups.flat();
  return only(items) ?? { kind: 'list', items, joiner };
}

/** `p = 5, q = 2; p = 7, q = 2` is two points; null where not each group gives as many names their values. */
function inPoints(groups: readonly (readonly Tree[])[]): readonly Tree[] | null {
  const width = groups[0]?.length ?? 0;
  const isNamed = (item: Tree): item is OfKind<'relation'> =>
    item.kind === 'relation' && item.operators.join() === '=' && item.sides[0]?.kind === 'symbol';
  const pairs = groups.map((group) => group.filter(isNamed).map(({ sides }) => sides));
  if (groups.length < 2 || width < 2) return null;
  if (groups.some(({ length }, at) => length !== width || pairs[at]?.length !== width)) return null;
  const tuple = (items: readonly Tree[]): Tree => ({ kind: 'tuple', items, brackets: 'round' });
  return pairs.map((group): Tree => {
    const trees = [0, 1].map((at) => tuple(group.flatMap((pair) => pair[at] ?? [])));
    return { kind: 'relation', sides: trees, operators: ['='] };
  });
}

/** Reads all joiners, as in `, \text{ and }`; null if there is none. `next`: a semicolon. */
function parseJoiners(cursor: Cursor): Joiner | 'next' | null {
  let found: Joiner | 'next' | null = null;
  for (let joiner = toJoiner(peek(cursor)); joiner; joiner = toJoiner(peek(cursor))) {
    const isNext = isMark(take(cursor), ';');
    if (found === null || joiner !== 'comma') found = isNext ? 'next' : joiner;
  }
  return found;
}

function toJoiner(token: Token | undefined): Joiner | null {
  if (!token) return null;
  if (isMark(token, ',', ';')) return 'comma';
  if (isCommand(token, 'land', 'wedge')) return 'and';
  if (isCommand(token, 'lor', 'vee')) return 'or';
  const isWords = token.type === 'word' || token.type === 'text';
  const word = isWords ? /^[\s,;]*(and|or)[\s,;]*$/i.exec(token.text)?.[1]?.toLowerCase() : undefined;
  return word === 'and' || word === 'or' ? word : null;
}
