/** Whether two expressions meet at seeded points: doubles see what is clearly apart, and what may be together. */
import { toNumber } from '../exact/rational.ts';
import type { Work } from '../limits.ts';
import { hasNames, someTree, type Tree } from '../tree.ts';
import { complexField, difference, size } from './complex.ts';
import { evaluate } from './evaluate.ts';
import { hash, needed, realField, rounds } from './real.ts';

export type SampledComparison = 'apart' | 'together' | 'unknown';

/** `error` is what the distance may come from, `size` what it is measured against. */
type Seen = { readonly distance: number; readonly error: number; readonly size: number };

export function compareAtSamples(a: Tree, b: Tree, seed: number, work: Work): SampledComparison {
  const isConstant = !hasNames(a) && !hasNames(b);
  const poll = isComplex(a) || isComplex(b) ? complexAt : realAt;
  let met = 0;
  let close = 0;
  for (let round = 0; round < (isConstant ? 1 : rounds); round += 1) {
    const seen = poll(a, b, { round, seed, work });
    if (!seen) continue;
    if (seen.distance > 8 * seen.error) return 'apart';
    met += 1;
    if (seen.error <= 1e-9 * seen.size || seen.error <= 1e-15) close += 1;
  }
  if (!isConstant && poll === realAt && differAt(a, b, { round: 0, seed, work })) return 'apart';
  return met >= (isConstant ? 1 : needed) && close === met ? 'together' : 'unknown';
}

const broken = new Set(['abs', 'max', 'min', 'floor', 'ceil', 'sign', 'root', 'gcd', 'lcm']);

/**
 * `|x − 100|` is `100 − x` at all small points, and `ln |x|` is `ln x` wherever both are real: where a function breaks,
 * points beyond the numbers that are written count, and so does a value that only one of them has.
 */
function differAt(a: Tree, b: Tree, place: Place): boolean {
  const [aBreaks, bBreaks] = [a, b].map((tree) => someTree(tree, canDiverge));
  if (!aBreaks && !bBreaks) return false;
  if (jumpApart(a, b, place)) return true;
  const [aIsAbsolute, bIsAbsolute] = [a, b].map((tree) =>
    someTree(tree, (each) => each.kind === 'call' && each.name === 'abs'),
  );
  for (let round = 0; round < 7; round += 1) {
    const seen = realAt(a, b, { ...place, round, stretch: samplingScale(a, b) });
    if (seen && seen.distance > 8 * seen.error) return true;
    if (aIsAbsolute === bIsAbsolute) continue;
    const field = realField(round, place.seed);
    if ((evaluate(a, field, place.work) === null) !== (evaluate(b, field, place.work) === null)) return true;
  }
  return false;
}

/** Functions that jump at whole numbers differ there and closely below, where chance has no points. */
function jumpApart(a: Tree, b: Tree, { seed, work }: Place): boolean {
  const jumps = (tree: Tree) => tree.kind === 'call' && /^(?:floor|ceil)$/.test(tree.name);
  if (!someTree(a, jumps) && !someTree(b, jumps)) return false;
  const points = [0, 0.5, -(2 ** -7), -(2 ** -12), -(2 ** -20)].flatMap((offset) =>
    Array.from({ length: 25 }, (_, at) => at + offset),
  );
  return points.some((point) => {
    const symbol = (name: string) => ({ value: point + (hash(name) % 5), error: 0 });
    const field = { ...realField(0, seed), symbol };
    const [x, y] = [evaluate(a, field, work), evaluate(b, field, work)];
    return x !== null && y !== null && Math.abs(x.value - y.value) > 8 * (x.error + y.error);
  });
}

function canDiverge(tree: Tree): boolean {
  if (tree.kind === 'call') return broken.has(tree.name);
  return tree.kind === 'power' && tree.exponent.kind === 'number' && tree.exponent.value.under !== 1n;
}

/** A size beyond which numbers of these sizes put no break. */
function samplingScale(a: Tree, b: Tree): number {
  let stretch = 4;
  someTree({ kind: 'list', items: [a, b], joiner: 'and' }, (each) => {
    const size = each.kind === 'number' ? Math.abs(toNumber(each.value)) : 1;
    if (size > 0) stretch *= Math.max(size, 1 / size);
    return false;
  });
  return Math.min(stretch, 1e12);
}

/** How large what stands in two expressions is, null where one of them has no real value. */
export function sizeAt(a: Tree, b: Tree, place: Place): number | null {
  const seen = realAt(a, b, place);
  return seen && Math.max(seen.size, seen.error * 2 ** 52);
}

type Place = {
  readonly round: number;
  readonly seed: number;
  readonly work: Work;
  readonly stretch?: number;
};

function realAt(a: Tree, b: Tree, { round, seed, work, stretch }: Place): Seen | null {
  const field = realField(round, seed, stretch);
  const [x, y] = [evaluate(a, field, work), evaluate(b, field, work)];
  if (!x || !y) return null;
  return {
    distance: Math.abs(x.value - y.value),
    error: x.error + y.error,
    size: Math.max(Math.abs(x.value), Math.abs(y.value)),
  };
}

function complexAt(a: Tree, b: Tree, { round, seed, work }: Place): Seen | null {
  const field = complexField(round, seed);
  const [x, y] = [evaluate(a, field, work), evaluate(b, field, work)];
  if (!x || !y) return null;
  return { distance: size(difference(x, y)), error: x.error + y.error, size: Math.max(size(x), size(y)) };
}

export function isComplex(tree: Tree): boolean {
  return someTree(tree, (each) => each.kind === 'constant' && each.name === 'i');
}
