/**
 * What is asked of the algebra library: is a difference zero, and what is its value to fifty digits. Nothing reaches it
 * that the guard has not seen. It is loaded when it is first needed, and knows nothing of answers.
 */
import type { ComputeEngine as Engine } from '@cortex-js/compute-engine';
import type { Rational } from '../exact/rational.ts';
import type { Tree } from '../tree.ts';
import { type Names, numberJson, toMathJson } from './math-json.ts';

export type Algebra = {
  /** A proof that it is zero; false is no proof that it is not. */
  isZero(difference: Tree): boolean;
  /** How far two expressions are apart at a point, to many digits; null where one has no real value. */
  distance(a: Tree, b: Tree, pointOf: (name: string) => Rational): number | null;
};

type Library = { readonly ComputeEngine: new () => Engine };

/** Digits to which numbers are calculated, and how many of them must agree. */
const digits = 60;
export const agreeing = 45;

export async function loadAlgebra(): Promise<Algebra> {
  // Loaded here because it costs a third of a second that most commands and most comparisons need not pay.
  return algebraWith(await import('@cortex-js/compute-engine'));
}

export function algebraWith({ ComputeEngine }: Library): Algebra {
  const engine = new ComputeEngine();
  engine.precision = digits;
  return {
    isZero(difference) {
      const json = toMathJson(difference, new Map());
      if (json === null) return false;
      return scoped(engine, () => engine.box(json).simplify().json === 0) ?? false;
    },
    distance(a, b, pointOf) {
      const ask = () => {
        const [left, right] = [valueIn(engine, a, pointOf), valueIn(engine, b, pointOf)];
        if (left === null || right === null) return null;
        const difference = Math.abs(engine.box(['Subtract', left, right]).N().re);
        return Number.isFinite(difference) ? difference : null;
      };
      return scoped(engine, ask) ?? null;
    },
  };
}

type Json = NonNullable<ReturnType<typeof toMathJson>>;

/** As a number in MathJSON, with all its digits. */
function valueIn(engine: Engine, tree: Tree, pointOf: (name: string) => Rational): Json | null {
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
  return (
    typeof json === 'object' &&
    json !== null &&
    'num' in json &&
    /^-?[\d.]+(?:e[+-]?\d+)?$/i.test(String(json.num))
  );
}

/**
 * What the library infers of a name is forgotten with the scope, or one comparison would change the next. What it cannot
 * do says nothing about the answers.
 */
function scoped<T>(engine: Engine, ask: () => T): T | undefined {
  engine.pushScope();
  try {
    return ask();
  } catch {
    return undefined;
  } finally {
    engine.popScope();
  }
}
