/**
 * The two relations. `equal`: is this reply what the gold answer asks for? It is not symmetric. `agree`: do two replies
 * say the same? It is symmetric, and so are the clusters that it makes. Both take answers, not whole replies.
 */
import { type Algebra, loadAlgebra } from './algebra/algebra.ts';
import { keyOf } from './canonical.ts';
import { display } from './display.ts';
import { isRefusal } from './extraction/refusal.ts';
import { areOfOthers } from './kinds/assignment.ts';
import { expressions } from './kinds/expressions.ts';
import { lists } from './kinds/lists.ts';
import { bases, percents, quantities, residues } from './kinds/quantities.ts';
import { relations } from './kinds/relations.ts';
import type { Context, Rule } from './kinds/rule.ts';
import { sets } from './kinds/sets.ts';
import { ratios, vectors } from './kinds/vectors.ts';
import { choices, dates, times, words } from './kinds/words.ts';
import { BoundReached, limits, newWork, spend, type Work } from './limits.ts';
import {
  different,
  type EqualOptions,
  type Judgement,
  resolveOptions,
  same,
  type Verdict,
} from './options.ts';
import { parseReadings, type Readings } from './parse/read.ts';
import { mapTree, someTree, symbol, type Tree } from './tree.ts';

/** An answer and whether it was set as mathematics; a bare string is looked at to find out. */
export type StatedAnswer = string | { readonly text: string; readonly isMath: boolean | null };

export type Answers = {
  /** Whether the reply is what the gold answer asks for. */
  equal(gold: StatedAnswer, reply: StatedAnswer, options?: EqualOptions): Verdict;
  /** Whether two replies say the same; in either order. */
  agree(a: StatedAnswer, b: StatedAnswer, options?: EqualOptions): Verdict;
  /** Indices of replies each of which agrees with all others of its cluster; blank ones and refusals are in none. Largest first, then first. */
  clusters(replies: readonly StatedAnswer[], options?: EqualOptions): readonly (readonly number[])[];
};

/** The algebra library is loaded at once, so that every comparison afterwards is immediate. */
export async function openAnswers(): Promise<Answers> {
  const algebra = await loadAlgebra();
  return answersWith(() => algebra);
}

/** `algebra` is asked for only where nothing cheaper decides. */
export function answersWith(algebra: () => Algebra): Answers {
  const judge = (
    gold: StatedAnswer,
    reply: StatedAnswer,
    relation: Context['relation'],
    equalOptions?: EqualOptions,
  ) => {
    const asked = resolveOptions(equalOptions);
    const options = relation === 'gold' ? asked : { ...asked, allowSetRelation: true };
    const work = newWork();
    try {
      const [a, b] = [read(gold, work), read(reply, work)];
      const judgement = judged(a, b, contextOf({ options, work, relation, algebra }));
      return { ...judgement, gold: display(a.first), answer: display(b.first) };
    } catch (error) {
      if (!(error instanceof BoundReached)) throw error;
      const isSame = textOf(gold).trim() === textOf(reply).trim();
      const judgement = isSame ? same('identical', 'the same text') : different('limit', error.message);
      return { ...judgement, gold: '…', answer: '…' };
    }
  };
  const agree = (a: StatedAnswer, b: StatedAnswer, options?: EqualOptions): Verdict => {
    const [forth, back] = [judge(a, b, 'agreement', options), judge(b, a, 'agreement', options)];
    return forth.equal || !back.equal ? forth : { ...back, gold: forth.gold, answer: forth.answer };
  };
  return {
    equal: (gold, reply, options) => judge(gold, reply, 'gold', options),
    agree,
    clusters: (replies, options) => clusterByAgreement(replies, (a, b) => agree(a, b, options).equal),
  };
}

function read(statement: StatedAnswer, work: Work): Readings {
  return parseReadings(textOf(statement), typeof statement === 'string' ? null : statement.isMath, work);
}

function textOf(stated: StatedAnswer): string {
  return typeof stated === 'string' ? stated : stated.text;
}

function judged(gold: Readings, reply: Readings, context: Context): Judgement {
  if (gold.text === '' || reply.text === '') return different('blank', 'there is no answer');
  if (gold.text === reply.text) return same('identical', 'the same text');
  if (areOfOthers(gold.first, reply.first)) return different('value of a name', 'it is of another thing');
  const turn = context.options.strict ? (tree: Tree) => tree : renumberVariables;
  const first = context.compare(turn(gold.first), turn(reply.first));
  if (first.equal) return first;
  const isGold = context.relation === 'gold';
  // Only a gold answer says which reading of `1,234` or `15:30` was meant: in agreement a number or a time has one.
  const others = (of: Readings) => (isGold || !['number', 'time'].includes(of.first.kind) ? of.others : []);
  // A gold `1,2` is two answers, never 1.2. A reply `1,2` may be 1.2, where 1.2 is what is asked for.
  const isDecimalComma = ({ kind }: Tree) => ['number', 'quantity', 'percent', 'product'].includes(kind);
  const ofReply = [...others(reply).filter((other) => isGold || !isDecimalComma(other)), ...reply.also];
  const ofGold = [...others(gold).filter((other) => !isDecimalComma(other)), ...gold.also];
  const pairs = [
    ...ofReply.map((other) => [gold.first, other] as const),
    ...ofGold.map((other) => [other, reply.first] as const),
  ];
  for (const [a, b] of pairs) {
    if (!areComparable(a, b)) continue;
    const judgement = context.compare(turn(a), turn(b));
    if (judgement.equal) return { ...judgement, rule: `another reading, ${judgement.rule}` };
  }
  return first;
}

/** Without strictness names are numbered in the order in which they come. */
function renumberVariables(tree: Tree): Tree {
  const numbers = new Map<string, string>();
  return mapTree(tree, (each) => {
    if (each.kind !== 'symbol') return each;
    const name = numbers.get(each.name) ?? `x${numbers.size + 1}`;
    numbers.set(each.name, name);
    return symbol(name);
  });
}

const families: readonly (readonly string[])[] = [
  ['number', 'quantity', 'percent'],
  ['list', 'tuple', 'set', 'interval', 'ratio'],
  ['number', 'quantity', 'sum', 'product', 'power', 'call', 'constant'],
];

/** Another reading counts where it is of the kind that the other side is. */
function areComparable(a: Tree, b: Tree): boolean {
  const [x, y] = [a, b].map(({ kind, ...rest }) =>
    'sides' in rest ? (rest.sides.at(-1)?.kind ?? kind) : kind,
  );
  return (
    x !== undefined &&
    y !== undefined &&
    (x === y || families.some((kinds) => kinds.includes(x) && kinds.includes(y)))
  );
}

/** The first rule that knows one of the two kinds decides. */
const rules: readonly Rule[] = [
  ...[choices, words, times, dates, relations, sets, lists],
  ...[bases, residues, percents, quantities, vectors, ratios, expressions],
];

/** A context whose `compare` asks all rules, as deep as the limit allows. */
function contextOf(parts: Omit<Context, 'compare'>): Context {
  let depth = 0;
  const context: Context = {
    ...parts,
    compare(gold, reply) {
      spend(parts.work);
      if (depth >= limits.depth) return different('limit', 'the answers are nested too deep');
      depth += 1;
      const judgement = decide(gold, reply, context);
      depth -= 1;
      return judgement;
    },
  };
  return context;
}

function decide(gold: Tree, reply: Tree, context: Context): Judgement {
  const isDecimal = (tree: Tree) => tree.kind === 'number' && tree.decimals !== null;
  if (keyOf(gold) === keyOf(reply) && !someTree(gold, isDecimal)) return same('form', 'the same form');
  for (const rule of rules) {
    const judgement = rule(gold, reply, context);
    if (judgement) return judgement;
  }
  return different('kinds', `${gold.kind} is no ${reply.kind}`);
}

/** Who agrees with most comes first, then the shorter text: clusters do not depend on the order of the replies. */
function clusterByAgreement(
  replies: readonly StatedAnswer[],
  agree: (a: StatedAnswer, b: StatedAnswer) => boolean,
) {
  const texts = replies.map(textOf);
  const answeredCount = [...texts.keys()].filter((at) => texts[at]?.trim() && !isRefusal(texts[at]));
  const friends = new Map(answeredCount.map((at) => [at, new Set([at])]));
  for (const at of answeredCount) {
    for (const other of answeredCount) {
      const [reply, second] = [replies[at], replies[other]];
      if (other >= at || reply === undefined || second === undefined || !agree(reply, second)) continue;
      friends.get(at)?.add(other);
      friends.get(other)?.add(at);
    }
  }
  const degree = (at: number) => friends.get(at)?.size ?? 0;
  const order = answeredCount.toSorted(
    (a, b) => degree(b) - degree(a) || compareTexts(texts[a] ?? '', texts[b] ?? '') || a - b,
  );
  const clusters: number[][] = [];
  for (const at of order) {
    const cluster = clusters.find((members) => members.every((member) => friends.get(at)?.has(member)));
    if (cluster) cluster.push(at);
    else clusters.push([at]);
  }
  return clusters
    .map((members) => members.toSorted((a, b) => a - b))
    .sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
}

function compareTexts(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}
