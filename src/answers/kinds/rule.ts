/** What a rule is, and what the rules share: a kind on either side, and items in order or in any order. */
import type { Algebra } from '../algebra/algebra.ts';
import { keyOf } from '../canonical.ts';
import { spend, type Work } from '../limits.ts';
import { different, type Judgement, type ResolvedOptions, same } from '../options.ts';
import type { OfKind, Tree } from '../tree.ts';

export type Context = {
  readonly options: ResolvedOptions;
  readonly work: Work;
  /** Agreement has no gold side: what is accepted of a reply only because a gold answer asks for it, is not. */
  readonly relation: 'gold' | 'agreement';
  algebra(): Algebra;
  /** All rules, for what is inside an answer. */
  compare(gold: Tree, reply: Tree): Judgement;
};

/** Decides about its own kinds of answers; null for all others. */
export type Rule = (gold: Tree, reply: Tree, context: Context) => Judgement | null;

/** The side of this kind, and the other one. `ordered` restores the order of gold and reply. */
export function orderByKind<K extends Tree['kind']>(kind: K, gold: Tree, reply: Tree) {
  const isIt = (tree: Tree): tree is OfKind<K> => tree.kind === kind;
  if (isIt(gold)) return { it: gold, other: reply, ordered: (it: Tree, other: Tree) => [it, other] as const };
  if (isIt(reply))
    return { it: reply, other: gold, ordered: (it: Tree, other: Tree) => [other, it] as const };
  return null;
}

/** The judgement under a rule that led to it. */
export function named(rule: string, judgement: Judgement): Judgement {
  return { ...judgement, rule: `${rule}, ${judgement.rule}` };
}

export function inOrder(
  gold: readonly Tree[],
  reply: readonly Tree[],
  { compare }: Pick<Context, 'compare'>,
  rule: string,
): Judgement {
  if (gold.length !== reply.length) return different(rule, `${gold.length} items and ${reply.length}`);
  let judged = same(rule, 'the same items in the same order');
  for (const [at, item] of gold.entries()) {
    const other = reply[at];
    const judgement = other ? compare(item, other) : different(rule, 'an item is missing');
    if (!judgement.equal) return different(rule, `item ${at + 1}: ${judgement.reason}`, judgement.basis);
    if (judgement.basis === 'numeric') judged = { ...judged, basis: 'numeric' };
  }
  return judged;
}

/** Each item with one of its own on the other side. */
export function inAnyOrder(
  gold: readonly Tree[],
  reply: readonly Tree[],
  { compare, work }: Pick<Context, 'compare' | 'work'>,
  rule: string,
): Judgement {
  if (gold.length !== reply.length) return different(rule, `${gold.length} items and ${reply.length}`);
  let judged = same(rule, 'the same items');
  // A reply may contain the same tree twice.
  const left = new Set(reply.map((other) => ({ other })));
  for (const [at, item] of gold.entries()) {
    // Identical forms are tried first.
    const alike = ({ other }: { other: Tree }) => Number(keyOf(other) === keyOf(item));
    const found = [...left]
      .sort((a, b) => alike(b) - alike(a))
      .find(({ other }) => {
        spend(work);
        const judgement = compare(item, other);
        if (judgement.equal && judgement.basis === 'numeric') judged = { ...judged, basis: 'numeric' };
        return judgement.equal;
      });
    if (!found) return different(rule, `item ${at + 1} has no equal`);
    left.delete(found);
  }
  return judged;
}

/** As a set counts: each once. */
export function uniqueTrees(items: readonly Tree[], { compare }: Pick<Context, 'compare'>): readonly Tree[] {
  const kept: Tree[] = [];
  for (const item of items) if (!kept.some((other) => compare(other, item).equal)) kept.push(item);
  return kept;
}
