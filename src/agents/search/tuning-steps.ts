/**
 * Which values are tried next: steps of one constant, of all, leaps, and further in a direction that just paid. Each
 * constant's step grows after a success and shrinks after a failure. Nothing is tried twice; chance is handed in.
 */
import { type Constant, type ConstantValues, settledValue } from './constants.ts';

export type Step = { readonly values: ConstantValues; readonly moved: readonly number[] };

const firstStep = 0.2;
const [leastStep, mostStep] = [0.02, 0.5];
const [growth, decay] = [1.5, 0.85];
const draws = 20;

export class Steps {
  readonly #constants: readonly Constant[];
  readonly #random: () => number;
  readonly #sizes: number[];
  readonly #tried = new Set<string>();
  #heading: Point | null = null;

  constructor(constants: readonly Constant[], random: () => number) {
    this.#constants = constants;
    this.#random = random;
    this.#sizes = constants.map(() => firstStep);
    this.#tried.add(keyOf({}, constants));
  }

  /** Up to `count`, fewer where nothing new was found near. */
  next(from: ConstantValues, count: number): readonly Step[] {
    const at = pointOf(this.#constants, from);
    const kinds = [
      () => this.#nextOnLine(at) ?? this.#randomPoint(at),
      () => this.#stepAlong(at),
      () => this.#jointStep(at),
    ];
    return Array.from({ length: count }).flatMap((_, index) => {
      const step = this.#fresh(from, at, kinds[index] ?? (() => this.#stepAlong(at)));
      return step ? [step] : [];
    });
  }

  /** What came of a step, `from` where it began. */
  learn(from: ConstantValues, { values, moved }: Step, isBetter: boolean): void {
    for (const side of moved) {
      const size = (this.#sizes[side] ?? firstStep) * (isBetter ? growth : decay);
      this.#sizes[side] = Math.min(mostStep, Math.max(leastStep, size));
    }
    if (!isBetter) return;
    const before = pointOf(this.#constants, from);
    this.#heading = pointOf(this.#constants, values).map((unit, side) => unit - (before[side] ?? 0));
  }

  #fresh(from: ConstantValues, at: Point, draw: () => Point): Step | null {
    for (let tries = 0; tries < draws; tries += 1) {
      const point = tries < draws / 2 ? draw() : this.#randomPoint(at);
      const values = valuesAt(this.#constants, point, from);
      const key = keyOf(values, this.#constants);
      if (this.#tried.has(key)) continue;
      this.#tried.add(key);
      const shift = this.#constants.flatMap(({ name }, side) => (values[name] === from[name] ? [] : [side]));
      return { values, moved: shift };
    }
    return null;
  }

  /** Further where it was going, once; it is better than before at every success, so it goes on as long as that pays. */
  #nextOnLine(at: Point): Point | null {
    const point = this.#heading;
    this.#heading = null;
    return point && at.map((unit, side) => reflectUnit(unit + (point[side] ?? 0) * growth));
  }

  #stepAlong(at: Point): Point {
    const side = this.#side(at);
    return at.map((unit, index) => (index === side ? this.#stepUnit(unit, index) : unit));
  }

  #jointStep(at: Point): Point {
    const scale = 1 / Math.sqrt(at.length);
    return at.map((unit, side) =>
      reflectUnit(unit + this.#normal() * (this.#sizes[side] ?? firstStep) * scale * 1.5),
    );
  }

  /** Anywhere, with one constant or two. */
  #randomPoint(at: Point): Point {
    const sides = new Set([this.#side(at), this.#side(at)]);
    return at.map((unit, side) => (sides.has(side) ? this.#random() : unit));
  }

  #side(at: Point): number {
    return Math.floor(this.#random() * at.length);
  }

  #stepUnit(unit: number, side: number): number {
    const size = this.#sizes[side] ?? firstStep;
    return reflectUnit(unit + size * (this.#random() < 0.5 ? -1 : 1) * (0.5 + this.#random()));
  }

  #normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.#random()));
    return radius * Math.cos(2 * Math.PI * this.#random());
  }
}

function keyOf(values: ConstantValues, constants: readonly Constant[]): string {
  return constants.map(({ name, value }) => values[name] ?? value).join(' ');
}

/** Values as a point of the unit cube, one side a constant, linear or logarithmic as its scale says. */
type Point = readonly number[];

function pointOf(constants: readonly Constant[], values: ConstantValues): Point {
  return constants.map((constant) => toUnit(constant, values[constant.name] ?? constant.value));
}

/** As they will stand in the program. A side that was not moved keeps its value, one outside of its range too. */
function valuesAt(constants: readonly Constant[], point: Point, near: ConstantValues): ConstantValues {
  return Object.fromEntries(
    constants.map((constant, at) => {
      const before = near[constant.name] ?? constant.value;
      const unit = point[at] ?? 0;
      const isMoved = Math.abs(unit - toUnit(constant, before)) > 1e-9;
      return [constant.name, isMoved ? settledWithin(constant, fromUnit(constant, unit)) : before];
    }),
  );
}

function toUnit({ low, high, scale }: Constant, value: number): number {
  const inside = Math.min(high, Math.max(low, value));
  return scale === 'log' ? Math.log(inside / low) / Math.log(high / low) : (inside - low) / (high - low);
}

function fromUnit({ low, high, scale }: Constant, unit: number): number {
  return scale === 'log' ? low * (high / low) ** unit : low + unit * (high - low);
}

/** Rounding must not lead out of a range: 2.5 as an integer of 1.5 to 2.5 is 2. */
function settledWithin(constant: Constant, value: number): number {
  const settled = settledValue(constant, value);
  if (settled >= constant.low && settled <= constant.high) return settled;
  if (!constant.isInteger) return settled > constant.high ? constant.high : constant.low;
  return settled > constant.high ? Math.floor(constant.high) : Math.ceil(constant.low);
}

/** Into the cube again, as light from a mirror. */
function reflectUnit(unit: number): number {
  const folded = Math.abs(unit) % 2;
  return folded > 1 ? 2 - folded : folded;
}
