/** Sets: finite ones by their members, sets of real numbers by their pieces, all others by their parts. */
import { keyOf } from '../canonical.ts';
import { childrenOf, type Tree } from '../tree.ts';
import { different, type Judgement, same } from '../verdict.ts';
import { assignmentIn } from './assignment.ts';
import { type Pieces, piecesOf } from './pieces.ts';
import { type Context, distinct, inAnyOrder, inOrder, named, type Rule } from './rule.ts';

const kinds = ['set', 'interval', 'combination', 'domain'];

export const sets: Rule = (gold, reply, context) => {
  if (!kinds.includes(gold.kind) && !kinds.includes(reply.kind)) return null;
  const special = gold.kind === 'set' || reply.kind === 'set' ? finite : closedPair;
  return special(gold, reply, context) ?? pieces(gold, reply, context);
};

function finite(gold: Tree, reply: Tree, context: Context): Judgement | null {
  const [a, b] = [membersOf(gold), membersOf(reply)];
  // `x = 1, y = 2` says more than the set of both: two replies that differ in it would agree through the set.
  if (context.relation === 'agreement' && [gold, reply].some(namesItsValues))
    return different('set', 'only one of them names its values');
  if (a && b) return membersAlike(distinct(a, context), distinct(b, context), context);
  const [set, other] = a ? [a, reply] : [b ?? [], gold];
  if (other.kind === 'tuple') {
    if (context.options.strict) return different('set', 'a set is no tuple');
    return inAnyOrder(set, other.items, context, 'set');
  }
  const [only] = set;
  if (kinds.includes(other.kind) || set.length !== 1 || !only) return null;
  return named('only member', a ? context.compare(only, other) : context.compare(other, only));
}

/** A number is as good as the set of it alone where it is the answer, not where it is in a set. */
function membersAlike(a: readonly Tree[], b: readonly Tree[], context: Context): Judgement {
  const isSet = ({ kind }: Tree) => kind === 'set';
  const compare: Context['compare'] = (x, y) =>
    isSet(x) === isSet(y) ? context.compare(x, y) : different('set', 'a member is not the set of it');
  return inAnyOrder(a, b, { ...context, compare }, 'set');
}

function namesItsValues(tree: Tree): boolean {
  const names = tree.kind === 'list' ? tree.items.map((item) => assignmentIn(item)?.name) : [];
  return new Set(names.map((name) => (name ? keyOf(name) : ''))).size > 1;
}

function membersOf(tree: Tree): readonly Tree[] | null {
  return tree.kind === 'set' || tree.kind === 'list' ? tree.items : null;
}

/** `[1, 3]` may be a list in brackets. */
function closedPair(gold: Tree, reply: Tree, context: Context): Judgement | null {
  const [interval, other] = gold.kind === 'interval' ? [gold, reply] : [reply, gold];
  if (interval.kind !== 'interval' || interval.isLowOpen || interval.isHighOpen || other.kind !== 'list')
    return null;
  if (context.relation === 'agreement') return different('list', 'an interval is no list');
  return inAnyOrder([interval.low, interval.high], other.items, context, 'list');
}

function pieces(gold: Tree, reply: Tree, context: Context): Judgement {
  const [a, b] = [piecesOf(gold, context), piecesOf(reply, context)];
  if (a && b) return samePieces(a, b, context);
  if (gold.kind !== reply.kind) return different('set', `${gold.kind} is no ${reply.kind}`);
  if (gold.kind === 'domain' || reply.kind === 'domain') return different('set', 'another set');
  if (shapeOf(gold) !== shapeOf(reply)) return different('set', 'not the same ends');
  const isOrdered = gold.kind !== 'combination' || gold.operator === 'difference';
  return (isOrdered ? inOrder : inAnyOrder)(childrenOf(gold), childrenOf(reply), context, 'set');
}

function shapeOf(tree: Tree): string {
  if (tree.kind === 'combination') return tree.operator;
  return tree.kind === 'interval' ? `${tree.isLowOpen} ${tree.isHighOpen}` : '';
}

export function samePieces(a: Pieces, b: Pieces, { compare }: Context): Judgement {
  if (a.length !== b.length) return different('set', `${a.length} pieces and ${b.length}`);
  let judged = same('set', 'the same real numbers');
  for (const [at, piece] of a.entries()) {
    const other = b[at];
    for (const end of ['low', 'high'] as const) {
      const [mine, yours] = [piece[end], other?.[end]];
      if (mine.isOpen !== yours?.isOpen) return different('set', 'an end belongs to one of them alone');
      if (!Number.isFinite(mine.value) && mine.value === yours.value) continue;
      const judgement = compare(mine.tree, yours.tree);
      if (!judgement.equal) return different('set', `an end: ${judgement.reason}`, judgement.basis);
      if (judgement.basis === 'numeric') judged = { ...judged, basis: 'numeric' };
    }
  }
  return judged;
}
