/** Several answers without brackets: in any order, unless names or a tuple on the other side give them one. */
import { keyOf } from '../canonical.ts';
import type { Tree } from '../tree.ts';
import { different, type Judgement } from '../verdict.ts';
import { assignmentIn } from './assignment.ts';
import { distinct, inAnyOrder, inOrder } from './matching.ts';
import type { Context, Rule } from './rule.ts';

export const lists: Rule = (gold, reply, context) => {
  if (gold.kind === 'list' && reply.kind === 'list') {
    if (areOpposed(gold, reply)) return different('list', 'the one says "and", the other "or"');
    return twoLists(gold.items, reply.items, context);
  }
  if (gold.kind !== 'list' && reply.kind !== 'list') return null;
  const [list, other] = gold.kind === 'list' ? [gold, reply] : [reply, gold];
  if (list.kind !== 'list') return null;
  const items = withoutSharedName(withNames(list.items));
  if (other.kind === 'tuple') return listAndTuple(items, other.items, gold.kind === 'list', context);
  return different('list', `${items.length} answers are not one`);
};

type List = Extract<Tree, { kind: 'list' }>;

/**
 * Of values it means the same: the solutions are 1 and 2, x is 1 or 2. Of words, of things that only have names, and of
 * several names with a value each, it does not.
 */
function areOpposed(a: List, b: List): boolean {
  const joiners = new Set([a.joiner, b.joiner]);
  if (joiners.size === 1 || joiners.has('comma')) return false;
  const areOnlyNames = a.items.every(({ kind }) => ['symbol', 'choice', 'text'].includes(kind));
  return areOnlyNames || areNamed(a.items);
}

function twoLists(gold: readonly Tree[], reply: readonly Tree[], context: Context): Judgement {
  const [named, alsoNamed] = [withNames(gold), withNames(reply)];
  const areBothNamed = hasName(named) && hasName(alsoNamed);
  const [a, b] = [named, alsoNamed].map((items) =>
    onceEach(areBothNamed ? items : withoutSharedName(items), context),
  );
  if (!a || !b) return different('list', 'there is nothing to compare');
  const [aNamed, bNamed] = [areNamed(a), areNamed(b)];
  if (aNamed === bNamed) return inAnyOrder(a, b, context, 'list');
  if (context.relation === 'agreement') return different('list', 'only one of them names its values');
  return inOrder(a, b, context, 'list');
}

type Items = readonly Tree[];

/** A point that is named twice is one point; a number may well come twice. */
function onceEach(items: Items, context: Context): Items {
  return items.every(({ kind }) => kind === 'tuple') ? distinct(items, context) : items;
}

/** A tuple has an order, and so has what is named; a bare list has none that could be held against it. */
function listAndTuple(
  items: readonly Tree[],
  tuple: readonly Tree[],
  isGoldList: boolean,
  context: Context,
): Judgement {
  if (context.relation === 'agreement' && !areNamed(items)) return different('list', 'a list is no tuple');
  const ordered = asCoordinates(items);
  return isGoldList ? inOrder(ordered, tuple, context, 'tuple') : inOrder(tuple, ordered, context, 'tuple');
}

/** `y = 1, x = 2` is the point (2, 1): a tuple begins with x. */
function asCoordinates(items: Items): Items {
  const names = items.map((item) => {
    const name = assignmentIn(item)?.name;
    return name?.kind === 'symbol' && /^[xyz]$/.test(name.name) ? name.name : '';
  });
  if (names.includes('')) return items;
  return items
    .map((item, at) => ({ item, name: names[at] ?? '' }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ item }) => item);
}

/** `n = 2, 3, 4` names all three. */
function withNames(items: Items): Items {
  const [first, ...rest] = items;
  const assigned = first && assignmentIn(first);
  if (!first || !assigned?.name || rest.some((item) => item.kind === 'relation')) return items;
  const { name } = assigned;
  return [
    first,
    ...rest.map((value): Tree => ({ kind: 'relation', sides: [name, value], operators: ['='] })),
  ];
}

function hasName(items: Items): boolean {
  return items.some((item) => assignmentIn(item)?.name);
}

/** `p = 1, p = 2`: the name says nothing of which is which. */
function withoutSharedName(items: Items): Items {
  const found = items.map(assignmentIn);
  const names = new Set(found.map((each) => (each?.name ? keyOf(each.name) : null)));
  return names.size === 1 && !names.has(null) ? items.map((item, at) => found[at]?.value ?? item) : items;
}

/** Each by another name. */
function areNamed(items: readonly Tree[]): boolean {
  const names = items.flatMap((item) => {
    const name = assignmentIn(item)?.name;
    return name ? [keyOf(name)] : [];
  });
  return items.length > 1 && names.length === items.length && new Set(names).size === names.length;
}
