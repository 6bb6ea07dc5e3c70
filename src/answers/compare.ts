/**
 * All rules, one after the other: the first that knows one of the two kinds decides. It does not read texts; it is
 * handed trees.
 */
import { keyOf } from './canonical.ts';
import { expressions } from './kinds/expressions.ts';
import { lists } from './kinds/lists.ts';
import { bases, percents, quantities, residues } from './kinds/quantities.ts';
import { relations } from './kinds/relations.ts';
import type { Context, Rule } from './kinds/rule.ts';
import { sets } from './kinds/sets.ts';
import { ratios, vectors } from './kinds/vectors.ts';
import { choices, dates, times, words } from './kinds/words.ts';
import { limits, spend } from './limits.ts';
import { someTree, type Tree } from './tree.ts';
import { different, type Judgement, same } from './verdict.ts';

const rules: readonly Rule[] = [
  choices,
  words,
  times,
  dates,
  relations,
  sets,
  lists,
  bases,
  residues,
  percents,
  quantities,
  vectors,
  ratios,
  expressions,
];

/** A context whose `compare` asks all rules, as deep as the limit allows. */
export function contextOf(parts: Omit<Context, 'compare'>): Context {
  const depth = { now: 0 };
  const context: Context = {
    ...parts,
    compare(gold: Tree, reply: Tree): Judgement {
      spend(parts.work);
      if (depth.now >= limits.depth) return different('limit', 'the answers are nested too deep');
      depth.now += 1;
      const judgement = decide(gold, reply, context);
      depth.now -= 1;
      return judgement;
    },
  };
  return context;
}

function decide(gold: Tree, reply: Tree, context: Context): Judgement {
  if (keyOf(gold) === keyOf(reply) && !hasDecimals(gold)) return same('form', 'the same form');
  for (const rule of rules) {
    const judgement = rule(gold, reply, context);
    if (judgement) return judgement;
  }
  return different('kinds', `${gold.kind} is no ${reply.kind}`);
}

function hasDecimals(tree: Tree): boolean {
  return someTree(tree, (each) => each.kind === 'number' && each.decimals !== null);
}
