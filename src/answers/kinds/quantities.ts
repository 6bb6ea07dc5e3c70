/** Percent by its profile, units and currencies by conversion, numbers modulo something. */
import { areSame, rational } from '../exact/rational.ts';
import { different, type Judgement, same } from '../options.ts';
import { exact, integer, type OfKind, product, someTree, type Tree } from '../tree.ts';
import { type Context, named, orderByKind, type Rule } from './rule.ts';

export const percents: Rule = (gold, reply, context) => {
  const percent = orderByKind('percent', gold, reply);
  if (!percent) return null;
  const { it, other, ordered } = percent;
  if (other.kind === 'percent') return named('percent', context.compare(it.value, other.value));
  if (other.kind === 'list' || other.kind === 'tuple' || other.kind === 'relation') return null;
  if (other.kind === 'quantity') return different('percent', `${other.unit.name} is not percent`);
  const asFraction = () => {
    const tree = product([it.value, exact(rational(1n, 100n))]);
    return named('percent as fraction', context.compare(...ordered(tree, other)));
  };
  const { percent: profile } = context.options;
  if (profile === 'fraction') return asFraction();
  const judgement = context.compare(...ordered(it.value, other));
  const isEither = profile === 'either' && context.relation === 'gold';
  return isEither && !judgement.equal ? asFraction() : named('percent as number', judgement);
};

export const quantities: Rule = (gold, reply, context) => {
  if (gold.kind === 'quantity' && reply.kind === 'quantity') return compareQuantities(gold, reply, context);
  const quantity = orderByKind('quantity', gold, reply);
  if (!quantity) return null;
  const { it, other, ordered } = quantity;
  if (other.kind === 'list' || other.kind === 'relation') return null;
  if (it.unit.isLetter) return different('unit', `${it.unit.name} may be a variable`);
  const isInRadians = it.unit.dimension === 'angle' && hasPi(other) && !hasPi(it.value);
  const value = isInRadians ? toRadians(it.value) : it.value;
  return named(isInRadians ? 'degrees' : 'unit left out', context.compare(...ordered(value, other)));
};

type Quantity = OfKind<'quantity'>;

function compareQuantities(gold: Quantity, reply: Quantity, { compare, relation }: Context): Judgement {
  const [a, b] = [gold.unit, reply.unit];
  if (a.dimension === b.dimension) {
    if (areSame(a.factor, b.factor)) return named('unit', compare(gold.value, reply.value));
    const [x, y] = [product([gold.value, exact(a.factor)]), product([reply.value, exact(b.factor)])];
    return named(`${b.name} in ${a.name}`, compare(x, y));
  }
  const dimensions = [a.dimension, b.dimension];
  if (dimensions.includes('angle') && dimensions.includes('radian')) {
    const radians = ({ unit, value }: Quantity) => (unit.dimension === 'angle' ? toRadians(value) : value);
    return named('degrees', compare(radians(gold), radians(reply)));
  }
  const areLabels = dimensions.every((dimension) => dimension.startsWith('label:'));
  const isPart = areLabels && (a.name.includes(b.name) || b.name.includes(a.name));
  if (isPart && relation === 'gold') return named('unit', compare(gold.value, reply.value));
  return different('unit', `${a.name} is not ${b.name}`);
}

function toRadians(value: Tree): Tree {
  return product([value, { kind: 'constant', name: 'pi' }, exact(rational(1n, 180n))]);
}

function hasPi(tree: Tree): boolean {
  return someTree(tree, (each) => each.kind === 'constant' && each.name === 'pi');
}

/** The base that a number is written to is part of the answer: `52_8` is asked for where 42 was given. */
export const bases: Rule = (gold, reply, context) => {
  const based = orderByKind('based', gold, reply);
  if (!based) return null;
  const { it, other, ordered } = based;
  if (other.kind === 'based' && it.base === other.base) {
    const isSame = it.value.over === other.value.over;
    return isSame ? same('base', 'the same digits') : different('base', 'other digits');
  }
  const bare = (tree: Tree) => (tree.kind === 'based' && tree.base === 10 ? exact(tree.value) : tree);
  const [a, b] = [bare(it), bare(other)];
  if (a.kind === 'based' || b.kind === 'based') return different('base', 'not to the same base');
  return context.compare(...ordered(a, b));
};

/**
 * `9 \pmod{11}` beside `20 \pmod{11}`. A congruence holds for many numbers, so that it is none of them; but a gold answer
 * that is one may have been asked for as a remainder: there a bare 9, from 0 to 10, is enough.
 */
export const residues: Rule = (gold, reply, { compare, relation }) => {
  const residue = orderByKind('residue', gold, reply);
  if (!residue) return null;
  const { it, other } = residue;
  if (other.kind !== 'residue') {
    const isRemainder = relation === 'gold' && it === gold && isBelow(other, it.modulus);
    if (!isRemainder) return different('modulus', 'only one of them is taken modulo something');
    return compare(it, { ...it, value: other });
  }
  if (!compare(it.modulus, other.modulus).equal) return different('modulus', 'another modulus');
  const [a, b, m] = [it.value, other.value, it.modulus];
  if (a.kind === 'number' && b.kind === 'number' && m.kind === 'number' && m.value.over !== 0n) {
    const areWhole = [a, b, m].every(({ value }) => value.under === 1n);
    const isSame = areWhole && (a.value.over - b.value.over) % m.value.over === 0n;
    return isSame ? same('modulus', 'the same residue') : different('modulus', 'another residue');
  }
  return compare(product([integer(1), a]), product([integer(1), b]));
};

function isBelow(tree: Tree, modulus: Tree): boolean {
  if (tree.kind !== 'number' || modulus.kind !== 'number') return false;
  return tree.value.under === 1n && tree.value.over >= 0n && tree.value.over < modulus.value.over;
}
