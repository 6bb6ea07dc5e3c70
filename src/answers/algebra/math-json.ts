/** Our tree as MathJSON, the algebra library's own form. Names are numbered, so that none means anything to it. */
import type { MathJsonExpression } from '@cortex-js/compute-engine/math-json';
import type { Rational } from '../exact/rational.ts';
import type { Tree } from '../tree.ts';

export type Names = Map<string, string>;

const functions: Readonly<Record<string, string>> = {
  sin: 'Sin',
  cos: 'Cos',
  tan: 'Tan',
  cot: 'Cot',
  sec: 'Sec',
  csc: 'Csc',
  arcsin: 'Arcsin',
  arccos: 'Arccos',
  arctan: 'Arctan',
  sinh: 'Sinh',
  cosh: 'Cosh',
  tanh: 'Tanh',
  arsinh: 'Arsinh',
  arcosh: 'Arcosh',
  artanh: 'Artanh',
  ln: 'Ln',
  abs: 'Abs',
  factorial: 'Factorial',
};

const constants = { pi: 'Pi', e: 'ExponentialE', i: 'ImaginaryUnit' } as const;

/** Null where something in it is not known to the library. */
export function toMathJson(tree: Tree, names: Names): MathJsonExpression | null {
  switch (tree.kind) {
    case 'number':
      return numberJson(tree.value);
    case 'constant':
      return tree.name === 'infinity' ? null : constants[tree.name];
    case 'symbol':
      return nameOf(tree.name, names);
    case 'sum':
      return applied('Add', tree.items, names);
    case 'product':
      return applied('Multiply', tree.items, names);
    case 'power':
      // It knows more of square roots than of powers to a half.
      return isHalf(tree.exponent)
        ? applied('Sqrt', [tree.base], names)
        : applied('Power', [tree.base, tree.exponent], names);
    case 'call': {
      if (tree.name === 'root') return applied('Root', tree.items, names);
      if (tree.name === 'log') return applied('Log', tree.items, names);
      const name = Object.hasOwn(functions, tree.name) ? functions[tree.name] : undefined;
      return name && tree.items.length === 1 ? applied(name, tree.items, names) : null;
    }
    default:
      return null;
  }
}

function isHalf(tree: Tree): boolean {
  return tree.kind === 'number' && tree.value.over === 1n && tree.value.under === 2n;
}

export function numberJson({ over, under }: Rational): MathJsonExpression {
  const top = { num: over.toString() };
  return under === 1n ? top : ['Rational', top, { num: under.toString() }];
}

function nameOf(name: string, names: Names): string {
  const known = names.get(name) ?? `v${names.size}`;
  names.set(name, known);
  return known;
}

function applied(name: string, items: readonly Tree[], names: Names): MathJsonExpression | null {
  const inner: MathJsonExpression[] = [];
  for (const item of items) {
    const json = toMathJson(item, names);
    if (json === null) return null;
    inner.push(json);
  }
  return [name, ...inner];
}
