/** What a rule is: it decides about kinds of answers that are its own, and says nothing of others. */
import type { Algebra } from '../algebra/algebra.ts';
import type { Work } from '../limits.ts';
import type { Chosen } from '../options.ts';
import type { Tree } from '../tree.ts';
import type { Judgement } from '../verdict.ts';

export type Context = {
  readonly options: Chosen;
  readonly work: Work;
  /** Agreement has no gold side: what is accepted of a reply only because a gold answer asks for it, is not. */
  readonly relation: 'gold' | 'agreement';
  algebra(): Algebra;
  /** All rules, for what is inside an answer. */
  compare(gold: Tree, reply: Tree): Judgement;
};

/** Null: neither side is mine. */
export type Rule = (gold: Tree, reply: Tree, context: Context) => Judgement | null;

/** Both orders, for rules that treat the sides alike. */
export function either<K extends Tree['kind']>(
  kind: K,
  a: Tree,
  b: Tree,
): { readonly it: Extract<Tree, { kind: K }>; readonly other: Tree } | null {
  if (a.kind === kind) return { it: a as Extract<Tree, { kind: K }>, other: b };
  return b.kind === kind ? { it: b as Extract<Tree, { kind: K }>, other: a } : null;
}
