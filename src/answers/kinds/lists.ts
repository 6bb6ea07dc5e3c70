/** Several answers without brackets: in any order, unless names or a tuple on the other side give them one. */
import { keyOf } from '../canonical.ts';
import { different, type Judgement, same } from '../options.ts';
import type { OfKind, Tree } from '../tree.ts';
import { assignmentIn } from './assignment.ts';
import { type Context, inAnyOrder, inOrder, orderByKind, type Rule, uniqueTrees } from './rule.ts';

export const lists: Rule = (gold, reply, context) => {
  if (gold.kind === 'list' && reply.kind === 'list') return compareLists(gold, reply, context);
  const list = orderByKind('list', gold, reply);
  if (!list) return null;
  const items = withoutSharedName(withNames(list.it.items));
  if (list.other.kind !== 'tuple') {
    // `\frac12 or 0.5` says one thing twice.
    const isOne =
      list.it.joiner === 'or' &&
      items.every((item) => context.compare(...list.ordered(item, list.other)).equal);
    return isOne
      ? same('list', 'each is the same')
      : different('list', `${items.length} answers are not one`);
  }
  if (list.it.joiner === 'or' && list.other.brackets === 'round')
    return different('list', 'one of several is no tuple');
  // A tuple has an order, and so has what is named; a bare list has none that could be held against it.
  if (context.relation === 'agreement' && !areNamed(items)) return different('list', 'a list is no tuple');
  // What a program lists has the order in which it was found.
  if (gold.kind === 'list' && list.other.brackets === 'square' && !areNamed(items))
    return inAnyOrder(items, list.other.items, context, 'list');
  const [coordinates, tuple] = [asCoordinates(items), list.other.items];
  const [a, b] = gold.kind === 'list' ? [coordinates, tuple] : [tuple, coordinates];
  return inOrder(a, b, context, 'tuple');
};

type List = OfKind<'list'>;
type Items = readonly Tree[];

function compareLists(gold: List, reply: List, context: Context): Judgement {
  if (areNegatedLists(gold, reply)) return different('list', 'the one says "and", the other "or"');
  const [first, second] = [withNames(gold.items), withNames(reply.items)];
  const hasName = (items: Items) => items.some((item) => assignmentIn(item)?.name);
  const areBothNamed = hasName(first) && hasName(second);
  const compared = (items: Items) => onceEach(areBothNamed ? items : withoutSharedName(items), context);
  const [a, b] = [compared(first), compared(second)];
  if (areNamed(a) === areNamed(b)) return inAnyOrder(a, b, context, 'list');
  if (context.relation === 'agreement') return different('list', 'only one of them names its values');
  return inOrder(a, b, context, 'list');
}

/**
 * Of values it means the same: the solutions are 1 and 2, x is 1 or 2. Of words, of things that only have names, and of
 * several names with a value each, it does not.
 */
function areNegatedLists(a: List, b: List): boolean {
  const joiners = new Set([a.joiner, b.joiner]);
  if (joiners.size === 1 || joiners.has('comma')) return false;
  return a.items.every(({ kind }) => ['symbol', 'choice', 'text'].includes(kind)) || areNamed(a.items);
}

/** A point that is named twice is one point; a number may well come twice. */
function onceEach(items: Items, context: Context): Items {
  return items.every(({ kind }) => kind === 'tuple') ? uniqueTrees(items, context) : items;
}

/** `y = 1, x = 2` is the point (2, 1): a tuple begins with x. */
function asCoordinates(items: Items): Items {
  const named = items.map((item) => {
    const name = assignmentIn(item)?.name;
    return { item, name: name?.kind === 'symbol' && /^[xyz]$/.test(name.name) ? name.name : '' };
  });
  if (named.some(({ name }) => name === '')) return items;
  return named.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))).map(({ item }) => item);
}

/** `n = 2, 3, 4` names all three. */
function withNames(items: Items): Items {
  const [first, ...rest] = items;
  const name = first && assignmentIn(first)?.name;
  if (!first || !name || rest.some((item) => item.kind === 'relation')) return items;
  return [
    first,
    ...rest.map((value): Tree => ({ kind: 'relation', sides: [name, value], operators: ['='] })),
  ];
}

/** `p = 1, p = 2`: the name says nothing of which is which. */
function withoutSharedName(items: Items): Items {
  const found = items.map(assignmentIn);
  const names = new Set(found.map((each) => (each?.name ? keyOf(each.name) : null)));
  return names.size === 1 && !names.has(null) ? items.map((item, at) => found[at]?.value ?? item) : items;
}

/** Each by another name. */
function areNamed(items: Items): boolean {
  const names = items.flatMap((item) => {
    const name = assignmentIn(item)?.name;
    return name ? [keyOf(name)] : [];
  });
  return items.length > 1 && names.length === items.length && new Set(names).size === names.length;
}
