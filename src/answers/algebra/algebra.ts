/**
 * What is asked of the algebra library: is a difference zero, and how far are two values apart to fifty digits. Before it
 * is asked, `isHarmless` has to look at each tree. The library is loaded when it is first needed.
 */
import type { ComputeEngine as Engine } from '@cortex-js/compute-engine';
import type { MathJsonExpression } from '@cortex-js/compute-engine/math-json';
import type { Rational } from '../exact/rational.ts';
import { limits, type Work } from '../limits.ts';
import { complexField, size } from '../numeric/complex.ts';
import { evaluate } from '../numeric/evaluate.ts';
import { childrenOf, hasNames, type Tree } from '../tree.ts';

export type Algebra = {
  /** A proof that it is zero; false is no proof that it is not. */
  isZero(difference: Tree): boolean;
  /** How far two expressions are apart at a point, to many digits; null where one has no real value. */
  distance(a: Tree, b: Tree, pointOf: (name: string) => Rational): number | null;
};

/** Digits to which numbers are calculated, and how many of them must agree. */
const digits = 60;
export const agreeing = 45;

export async function loadAlgebra(): Promise<Algebra> {
  // Loaded here because it costs a third of a second that most commands and most comparisons need not pay.
  const { ComputeEngine } = await import('@cortex-js/compute-engine');
  const engine = new ComputeEngine();
  engine.precision = digits;
  return {
    isZero(difference) {
      const json = toMathJson(difference, new Map());
      if (json === null) return false;
      return scoped(engine, () => engine.box(json).simplify().json === 0) ?? false;
    },
    distance(a, b, pointOf) {
      const request = () => {
        const [left, right] = [valueIn(engine, a, pointOf), valueIn(engine, b, pointOf)];
        if (left === null || right === null) return null;
        const difference = Math.abs(engine.box(['Subtract', left, right]).N().re);
        return Number.isFinite(difference) ? difference : null;
      };
      return scoped(engine, request) ?? null;
    },
  };
}

/** As a number in MathJSON, with all its digits. */
function valueIn(engine: Engine, tree: Tree, pointOf: (name: string) => Rational): MathJsonExpression | null {
  const names: Names = new Map();
  const json = toMathJson(tree, names);
  if (json === null) return null;
  const values = Object.fromEntries(
    [...names].map(([name, own]) => [own, engine.box(numberJson(pointOf(name)))]),
  );
  const value = engine.box(json).subs(values).N().json;
  return typeof value === 'number' || isLongNumber(value) ? value : null;
}

function isLongNumber(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('num' in json)) return false;
  return /^-?[\d.]+(?:e[+-]?\d+)?$/i.test(String(json.num));
}

/**
 * What the library infers of a name is forgotten with the scope, or one comparison would change the next. What it cannot
 * do says nothing about the answers.
 */
function scoped<T>(engine: Engine, request: () => T): T | undefined {
  engine.pushScope();
  try {
    return request();
  } catch {
    return undefined;
  } finally {
    engine.popScope();
  }
}

/** Names are numbered, so that none means anything to the library. */
type Names = Map<string, string>;

const constants = { pi: 'Pi', e: 'ExponentialE', i: 'ImaginaryUnit' } as const;

/** The library calls these as we do, with a capital. */
const functions = new Set(
  'sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh arsinh arcosh artanh ln abs factorial'.split(
    ' ',
  ),
);

/** Our tree in MathJSON, the library's own form; null where something in it is not known to the library. */
function toMathJson(tree: Tree, names: Names): MathJsonExpression | null {
  switch (tree.kind) {
    case 'number':
      return numberJson(tree.value);
    case 'constant':
      return tree.name === 'infinity' ? null : constants[tree.name];
    case 'symbol': {
      const known = names.get(tree.name) ?? `v${names.size}`;
      names.set(tree.name, known);
      return known;
    }
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
      const isKnown = functions.has(tree.name) ? tree.items.length === 1 : /^(?:root|log)$/.test(tree.name);
      return isKnown
        ? applied(`${tree.name.charAt(0).toUpperCase()}${tree.name.slice(1)}`, tree.items, names)
        : null;
    }
    default:
      return null;
  }
}

function isHalf(tree: Tree): boolean {
  return tree.kind === 'number' && tree.value.over === 1n && tree.value.under === 2n;
}

function numberJson({ over, under }: Rational): MathJsonExpression {
  const top = { num: over.toString() };
  return under === 1n ? top : ['Rational', top, { num: under.toString() }];
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

/** Small, shallow, with few digits, and with powers and factorials that stay small when they are worked out. */
export function isSafeToEvaluate(tree: Tree, work: Work): boolean {
  return isSmall(tree, 0, { nodes: 0 }, work);
}

const { algebra } = limits;

function isSmall(tree: Tree, depth: number, count: { nodes: number }, work: Work): boolean {
  count.nodes += 1;
  if (count.nodes > algebra.nodes || depth > algebra.depth) return false;
  if (tree.kind === 'number' && digitsOf(tree.value.over) + digitsOf(tree.value.under) > algebra.digits)
    return false;
  if (tree.kind === 'power' && !isSmallPower(tree.base, tree.exponent, work)) return false;
  if (tree.kind === 'call' && /actorial|binomial/.test(tree.name)) {
    if (!tree.items.every((item) => isSmallerThan(item, algebra.factorial, work))) return false;
  }
  return childrenOf(tree).every((child) => isSmall(child, depth + 1, count, work));
}

/** A sum to a power is multiplied out: the more terms, the smaller the power must be. */
function isSmallPower(base: Tree, tree: Tree, work: Work): boolean {
  const terms = base.kind === 'sum' ? base.items.length : 1;
  const most = terms > 1 ? Math.floor(24 / terms) : algebra.exponent;
  if (tree.kind === 'number') return isSmallerThan(tree, most, work);
  return hasNames(tree) || isSmallerThan(tree, algebra.exponent, work);
}

function isSmallerThan(tree: Tree, most: number, work: Work): boolean {
  const value = evaluate(tree, complexField(0, 0), work);
  return value !== null && size(value) <= most;
}

function digitsOf(value: bigint): number {
  return value.toString().length;
}
