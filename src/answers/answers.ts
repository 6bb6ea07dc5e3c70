/**
 * The two relations. `equal`: is this reply what the gold answer asks for? It is not symmetric. `agree`: do two replies
 * say the same? It is symmetric, and so are the clusters that it makes. Both take answers, not whole replies.
 */
import type { Algebra } from './algebra/algebra.ts';
import { loadAlgebra } from './algebra/algebra.ts';
import { contextOf } from './compare.ts';
import { display } from './display.ts';
import { BoundReached, newWork } from './limits.ts';
import { chosen, type EqualOptions } from './options.ts';
import { type Readings, readingsOf } from './parse/read.ts';
import { renumbered } from './strictness.ts';
import type { Tree } from './tree.ts';
import { different, type Judgement, same, type Verdict } from './verdict.ts';

/** An answer and whether it was set as mathematics; a bare string is looked at to find out. */
export type Stated = string | { readonly text: string; readonly isMath: boolean | null };

export type Answers = {
  /** Whether the reply is what the gold answer asks for. */
  equal(gold: Stated, reply: Stated, options?: EqualOptions): Verdict;
  /** Whether two replies say the same; in either order. */
  agree(a: Stated, b: Stated, options?: EqualOptions): Verdict;
  /** Indices of replies that agree, directly or through others; blank ones are in none. Largest first, then first. */
  clusters(replies: readonly Stated[], options?: EqualOptions): readonly (readonly number[])[];
};

/** The algebra library is loaded at once, so that every comparison afterwards is immediate. */
export async function openAnswers(): Promise<Answers> {
  const algebra = await loadAlgebra();
  return answersWith(() => algebra);
}

/** `algebra` is asked for only where nothing cheaper decides. */
export function answersWith(algebra: () => Algebra): Answers {
  const judge = judgeWith(algebra);
  const agree = (a: Stated, b: Stated, options?: EqualOptions): Verdict => {
    const [forth, back] = [judge(a, b, 'agreement', options), judge(b, a, 'agreement', options)];
    return forth.equal || !back.equal ? forth : { ...back, gold: forth.gold, answer: forth.answer };
  };
  return {
    equal: (gold, reply, options) => judge(gold, reply, 'gold', options),
    agree,
    clusters: (replies, options) => clustersOf(replies, (a, b) => agree(a, b, options).equal),
  };
}

type Relation = 'gold' | 'agreement';

function judgeWith(algebra: () => Algebra) {
  return (gold: Stated, reply: Stated, relation: Relation, given?: EqualOptions): Verdict => {
    const asked = chosen(given);
    const options = relation === 'gold' ? asked : { ...asked, allowSetRelation: true };
    const work = newWork();
    try {
      const [a, b] = [read(gold, work), read(reply, work)];
      const judgement = judged(a, b, contextOf({ options, work, relation, algebra }));
      return verdict(judgement, display(a.first), display(b.first));
    } catch (error) {
      if (!(error instanceof BoundReached)) throw error;
      const isSame = textOf(gold).trim() === textOf(reply).trim();
      return verdict(
        isSame ? same('identical', 'the same text') : different('limit', error.message),
        '…',
        '…',
      );
    }
  };
}

function read(stated: Stated, work: ReturnType<typeof newWork>): Readings {
  return typeof stated === 'string'
    ? readingsOf(stated, null, work)
    : readingsOf(stated.text, stated.isMath, work);
}

function textOf(stated: Stated): string {
  return typeof stated === 'string' ? stated : stated.text;
}

function judged(gold: Readings, reply: Readings, context: ReturnType<typeof contextOf>): Judgement {
  if (gold.text === '' || reply.text === '') return different('blank', 'there is no answer');
  if (gold.text === reply.text) return same('identical', 'the same text');
  const turn = context.options.strict ? (tree: Tree) => tree : renumbered;
  const first = context.compare(turn(gold.first), turn(reply.first));
  if (first.isEqual) return first;
  const isGold = context.relation === 'gold';
  // A number is not two, nor a time a ratio: only a gold answer says which of them `1,234` or `15:30` was meant.
  const others = (of: Readings) => (isGold || !['number', 'time'].includes(of.first.kind) ? of.others : []);
  const pairs = [
    ...others(reply)
      .filter((other) => isGold || !isDecimalComma(other))
      .map((other) => [gold.first, other] as const),
    ...others(gold)
      .filter((other) => !isDecimalComma(other))
      .map((other) => [other, reply.first] as const),
  ];
  for (const [a, b] of pairs) {
    if (!areComparable(a, b)) continue;
    const judgement = context.compare(turn(a), turn(b));
    if (judgement.isEqual) return { ...judgement, rule: `another reading, ${judgement.rule}` };
  }
  return first;
}

/** A gold `1,2` is two answers: it must not be taken for 1.2. A reply `1,2` may be, where 1.2 is what is asked for. */
function isDecimalComma({ kind }: Tree): boolean {
  return kind === 'number' || kind === 'quantity' || kind === 'percent' || kind === 'product';
}

/** Another reading counts where it is of the kind that the other side is. */
function areComparable(a: Tree, b: Tree): boolean {
  const plural = ['list', 'tuple', 'set', 'interval', 'ratio'];
  const single = ['number', 'quantity', 'percent'];
  if (single.includes(a.kind) && single.includes(b.kind)) return true;
  return a.kind === b.kind || (plural.includes(a.kind) && plural.includes(b.kind));
}

function verdict({ isEqual, rule, basis, reason }: Judgement, gold: string, answer: string): Verdict {
  return { equal: isEqual, rule, basis, reason, gold, answer };
}

/** Connected components: who agrees with whom does not depend on the order, and so neither do they. */
function clustersOf(
  replies: readonly Stated[],
  agree: (a: Stated, b: Stated) => boolean,
): readonly (readonly number[])[] {
  const root = replies.map((_, at) => at);
  const find = (at: number): number => (root[at] === at || root[at] === undefined ? at : find(root[at]));
  for (const [at, reply] of replies.entries()) {
    for (let other = 0; other < at; other += 1) {
      const second = replies[other];
      if (second === undefined || find(at) === find(other)) continue;
      if (agree(reply, second)) root[Math.max(find(at), find(other))] = Math.min(find(at), find(other));
    }
  }
  const members = new Map<number, number[]>();
  for (const [at, reply] of replies.entries()) {
    if (textOf(reply).trim() === '') continue;
    members.set(find(at), [...(members.get(find(at)) ?? []), at]);
  }
  return [...members.values()].sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
}
