/**
 * The values of constants as points of a cube: each side 0 to 1, linear or by the logarithm, so that one step means as
 * much at 0.01 as at 100. Pure.
 */
import { type Constant, type ConstantValues, settledValue } from './constants.ts';

/** One number a constant, in their order. */
export type Point = readonly number[];

export function pointOf(constants: readonly Constant[], values: ConstantValues): Point {
  return constants.map((constant) => toUnit(constant, values[constant.name] ?? constant.value));
}

/** As they will stand in the program. A side that was not moved keeps its value, one outside of its range too. */
export function valuesAt(constants: readonly Constant[], point: Point, near: ConstantValues): ConstantValues {
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
export function reflected(unit: number): number {
  const folded = Math.abs(unit) % 2;
  return folded > 1 ? 2 - folded : folded;
}
