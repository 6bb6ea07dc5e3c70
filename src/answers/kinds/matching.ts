/** Items of lists and sets against one another: in their order, or each with one of its own in any order. */
import { keyOf } from '../canonical.ts';
import { spend } from '../limits.ts';
import type { Tree } from '../tree.ts';
import { different, type Judgement, same } from '../verdict.ts';
import type { Context } from './rule.ts';

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
    if (!judgement.isEqual) return different(rule, `item ${at + 1}: ${judgement.reason}`, judgement.basis);
    if (judgement.basis === 'numeric') judged = { ...judged, basis: 'numeric' };
  }
  return judged;
}

export function inAnyOrder(
  gold: readonly Tree[],
  reply: readonly Tree[],
  { compare, work }: Pick<Context, 'compare' | 'work'>,
  rule: string,
): Judgement {
  if (gold.length !== reply.length) return different(rule, `${gold.length} items and ${reply.length}`);
  let judged = same(rule, 'the same items');
  const left = new Set(reply.keys());
  for (const [at, item] of gold.entries()) {
    const found = [...left]
      .sort((a, b) => likely(item, reply[b]) - likely(item, reply[a]))
      .find((index) => {
        spend(work);
        const other = reply[index];
        const judgement = other ? compare(item, other) : null;
        if (judgement?.isEqual && judgement.basis === 'numeric') judged = { ...judged, basis: 'numeric' };
        return judgement?.isEqual ?? false;
      });
    if (found === undefined) return different(rule, `item ${at + 1} has no equal`);
    left.delete(found);
  }
  return judged;
}

/** What is written alike is tried first. */
function likely(item: Tree, other: Tree | undefined): number {
  return other && keyOf(item) === keyOf(other) ? 1 : 0;
}

/** As a set counts: each once. */
export function distinct(items: readonly Tree[], { compare }: Pick<Context, 'compare'>): readonly Tree[] {
  const kept: Tree[] = [];
  for (const item of items) if (!kept.some((other) => compare(other, item).isEqual)) kept.push(item);
  return kept;
}
