/** Percent by its profile, units and currencies by conversion, numbers modulo something. */
import { areSame, rational } from '../exact/rational.ts';
import { hasNames } from '../numeric/meeting.ts';
import { exact, product, someTree, type Tree, whole } from '../tree.ts';
import { different, type Judgement, same } from '../verdict.ts';
import { type Context, either, type Rule } from './rule.ts';

export const percents: Rule = (gold, reply, context) => {
  const percent = either('percent', gold, reply);
  if (!percent) return null;
  const { it, other } = percent;
  if (other.kind === 'percent') {
    const [a, b] =
      gold.kind === 'percent' && reply.kind === 'percent'
        ? [gold.value, reply.value]
        : [it.value, other.value];
    return named('percent', context.compare(a, b));
  }
  if (other.kind === 'list' || other.kind === 'tuple' || other.kind === 'relation') return null;
  if (other.kind === 'quantity') return different('percent', `${other.unit.name} is not percent`);
  const { percent: profile } = context.options;
  const asNumber = () => (gold === it ? context.compare(it.value, other) : context.compare(other, it.value));
  const hundredth = product([it.value, exact(rational(1n, 100n))]);
  const asFraction = () =>
    gold === it ? context.compare(hundredth, other) : context.compare(other, hundredth);
  if (profile === 'fraction') return named('percent as fraction', asFraction());
  const judgement = asNumber();
  const isEither = profile === 'either' && context.relation === 'gold';
  return isEither && !judgement.isEqual
    ? named('percent as fraction', asFraction())
    : named('percent as number', judgement);
};

function named(rule: string, judgement: Judgement): Judgement {
  return { ...judgement, rule: `${rule}, ${judgement.rule}` };
}

type Quantity = Extract<Tree, { kind: 'quantity' }>;

export const quantities: Rule = (gold, reply, context) => {
  if (gold.kind === 'quantity' && reply.kind === 'quantity') return twoQuantities(gold, reply, context);
  const quantity = either('quantity', gold, reply);
  if (!quantity) return null;
  const { it, other } = quantity;
  if (other.kind === 'list' || other.kind === 'relation') return null;
  const isInRadians = it.unit.dimension === 'angle' && hasPi(other) && !hasPi(it.value);
  const value = isInRadians ? inRadians(it.value) : it.value;
  const judgement = gold === it ? context.compare(value, other) : context.compare(other, value);
  return named(isInRadians ? 'degrees' : 'unit left out', judgement);
};

function twoQuantities(gold: Quantity, reply: Quantity, context: Context): Judgement {
  const [a, b] = [gold.unit, reply.unit];
  if (a.dimension === b.dimension && areSame(a.factor, b.factor)) {
    return named('unit', context.compare(gold.value, reply.value));
  }
  if (a.dimension === b.dimension) {
    const judgement = context.compare(
      product([gold.value, exact(a.factor)]),
      product([reply.value, exact(b.factor)]),
    );
    return named(`${b.name} in ${a.name}`, judgement);
  }
  const dimensions = [a.dimension, b.dimension];
  if (dimensions.includes('angle') && dimensions.includes('radian')) {
    const [x, y] = [gold, reply].map(({ unit, value }) =>
      unit.dimension === 'angle' ? inRadians(value) : value,
    );
    return x && y ? named('degrees', context.compare(x, y)) : different('unit', 'another unit');
  }
  const isPart =
    isLabel(a.dimension) && isLabel(b.dimension) && (a.name.includes(b.name) || b.name.includes(a.name));
  if (isPart && context.relation === 'gold') return named('unit', context.compare(gold.value, reply.value));
  return different('unit', `${a.name} is not ${b.name}`);
}

function isLabel(dimension: string): boolean {
  return dimension.startsWith('label:');
}

function inRadians(value: Tree): Tree {
  return product([value, { kind: 'constant', name: 'pi' }, exact(rational(1n, 180n))]);
}

function hasPi(tree: Tree): boolean {
  return someTree(tree, (each) => each.kind === 'constant' && each.name === 'pi');
}

/** The base that a number is written to is part of the answer: `52_8` is asked for where 42 was given. */
export const bases: Rule = (gold, reply, context) => {
  const based = either('based', gold, reply);
  if (!based) return null;
  const { it, other } = based;
  if (other.kind === 'based' && it.base === other.base) {
    return it.value.over === other.value.over
      ? same('base', 'the same digits')
      : different('base', 'other digits');
  }
  const [a, b] = [gold, reply].map((tree) =>
    tree.kind === 'based' && tree.base === 10 ? exact(tree.value) : tree,
  );
  if (!a || !b || a.kind === 'based' || b.kind === 'based') return different('base', 'not to the same base');
  return context.compare(a, b);
};

/** `9 \pmod{11}` beside `20 \pmod{11}`, and beside a bare 9. */
export const residues: Rule = (gold, reply, context) => {
  const residue = either('residue', gold, reply);
  if (!residue) return null;
  const { it, other } = residue;
  if (other.kind !== 'residue') {
    if (hasNames(it.value)) return different('modulus', 'only one of them is taken modulo something');
    return gold === it ? context.compare(it.value, other) : context.compare(other, it.value);
  }
  if (!context.compare(it.modulus, other.modulus).isEqual) return different('modulus', 'another modulus');
  const [a, b, m] = [it.value, other.value, it.modulus];
  if (a.kind === 'number' && b.kind === 'number' && m.kind === 'number' && m.value.over !== 0n) {
    const areWhole = [a, b, m].every(({ value }) => value.under === 1n);
    const isSame = areWhole && (a.value.over - b.value.over) % m.value.over === 0n;
    return isSame ? same('modulus', 'the same residue') : different('modulus', 'another residue');
  }
  return context.compare(product([whole(1), a]), product([whole(1), b]));
};
