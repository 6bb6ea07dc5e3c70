/** `x = 5`, `f(3) = 5`, `AB = 5`, `(p, q) = (1, 2)`: a name, and what it is said to be. */
import { canonical, keyOf } from '../canonical.ts';
import { newWork } from '../limits.ts';
import { compareAtSamples } from '../numeric/meeting.ts';
import { hasNames, isExpression, type Tree } from '../tree.ts';

export type Assignment = { readonly name: Tree | null; readonly value: Tree };

/** Null where it is an equation, an inequality, or nothing of the kind. */
export function assignmentIn(tree: Tree): Assignment | null {
  if (tree.kind !== 'relation' || tree.operators.some((operator) => operator !== '=' && operator !== '≡'))
    return null;
  const [first, second] = tree.sides;
  const last = tree.sides.at(-1);
  if (!first || !second || !last) return null;
  if (tree.sides.length === 2) {
    if (isUnknown(first) || isUnknown(second)) return null;
    if (isName(first) || (isUnder(first) && second.kind === 'matrix')) return { name: first, value: second };
    if (isName(second)) return { name: second, value: first };
    return areSameConstants(first, second) ? { name: null, value: second } : null;
  }
  const name = tree.sides.slice(0, -1).find(isName) ?? null;
  return name || !tree.sides.some(hasNames) ? { name, value: last } : null;
}

/** Something that is called so, and not calculated: a letter, letters, a function of names, a ratio of lengths. */
export function isName(tree: Tree): boolean {
  switch (tree.kind) {
    case 'symbol':
    case 'text':
      return true;
    case 'call': {
      const isPart = (item: Tree) => isName(item) || item.kind === 'number' || isLetter(item);
      return tree.items.length > 0 && tree.items.every(isPart);
    }
    case 'product':
      return tree.items.every((item) => isName(item) || isLetter(item) || isUnder(item));
    case 'tuple':
    case 'ratio':
      return tree.items.every(isName);
    default:
      return false;
  }
}

/** `|x| = 5` and `\ln x = 2` are equations for x; `|AB| = 5` and `\sin A = 1/2` tell what was asked for. */
function isUnknown(tree: Tree): boolean {
  if (tree.kind !== 'call' || !/^(?:abs|ln|log|exp|sqrt)$/.test(tree.name)) return false;
  const [item] = tree.items;
  return item?.kind === 'symbol' && /^[txyz]$/.test(item.name);
}

/** Whether two answers tell values of different things: `\angle A = 30` and `\angle B = 30`. */
export function areOfOthers(one: Tree, other: Tree): boolean {
  const [a, b] = [assignmentIn(one)?.name, assignmentIn(other)?.name];
  if (a?.kind !== 'call' || b?.kind !== 'call' || a.name !== b.name) return false;
  return named.test(a.name) && keyOf(a) !== keyOf(b);
}
const named = /^(?:angle|sin|cos|tan|deg|abs|ln|log|vec|overline|(?:wide)?(?:hat|tilde)|mathbf|d?dot)$/;

/** `i` and `e` in a word. */
function isLetter(tree: Tree): boolean {
  return tree.kind === 'constant' && (tree.name === 'i' || tree.name === 'e');
}

function isUnder(tree: Tree): boolean {
  if (tree.kind !== 'power' || tree.exponent.kind !== 'number') return false;
  return isName(tree.base) && tree.exponent.value.over === -1n;
}

/** `1 + 1 = 2` says 2; `2 + 2 = 5` says nothing. */
function areSameConstants(a: Tree, b: Tree): boolean {
  const isConstant = (tree: Tree) => isExpression(tree) && !hasNames(tree);
  if (!isConstant(a) || !isConstant(b)) return false;
  const work = newWork();
  return (
    keyOf(canonical(a, work)) === keyOf(canonical(b, work)) || compareAtSamples(a, b, 0, work) === 'together'
  );
}
