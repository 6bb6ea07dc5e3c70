/** Without strictness names say nothing but which is which: they are numbered in the order in which they come. */
import { mapTree, symbol, type Tree } from './tree.ts';

export function renumbered(tree: Tree): Tree {
  const numbers = new Map<string, string>();
  return mapTree(tree, (each) => {
    if (each.kind !== 'symbol') return each;
    const name = numbers.get(each.name) ?? `x${numbers.size + 1}`;
    numbers.set(each.name, name);
    return symbol(name);
  });
}
