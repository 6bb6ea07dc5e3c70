/**
 * Reads inputs by a format, to see whether it is the right one, and of which type each value is. Pure.
 */
import type { Field, Step } from './shape.ts';
import type { Extent } from './token.ts';

export type ValueType = 'long long' | 'double' | 'string';

/** By name; null where the format does not fit one of the inputs. `mayGoOn`: programs see the beginning alone. */
export function typesIn(
  steps: readonly Step[],
  inputs: readonly string[],
  mayGoOn: boolean,
): ReadonlyMap<string, ValueType> | null {
  const types = new Map<string, ValueType>();
  for (const input of inputs) if (!fits(steps, { input, mayGoOn, types })) return null;
  return inputs.length === 0 ? null : types;
}

type Reading = {
  readonly words: readonly string[];
  at: number;
  readonly scalars: Map<string, number>;
  readonly types: Map<string, ValueType>;
};

/** Longer lists than any input has: a format that asks for them is the wrong one. */
const mostValues = 5_000_000;

function fits(
  steps: readonly Step[],
  { input, mayGoOn, types }: { input: string; mayGoOn: boolean; types: Map<string, ValueType> },
): boolean {
  const words = input.split(/\s+/).filter(Boolean);
  const reading: Reading = { words, at: 0, scalars: new Map(), types };
  const isRead = steps.every((step) => readStep(step, reading));
  return isRead && (mayGoOn ? reading.at <= words.length : reading.at === words.length);
}

function readStep(step: Step, reading: Reading): boolean {
  if (step.type === 'once') return readFields(step.fields, reading);
  const count = lengthOf(step.count, reading.scalars);
  if (count === null || count < 0 || count > mostValues) return false;
  for (let row = 0; row < count; row += 1) if (!readFields(step.fields, reading)) return false;
  return true;
}

/** What a row tells of itself holds until the next row. */
function readFields(fields: readonly Field[], reading: Reading): boolean {
  for (const { name, count } of fields) {
    const values = count === null ? 1 : lengthOf(count, reading.scalars);
    if (values === null || values < 0 || reading.at + values > reading.words.length) return false;
    for (let value = 0; value < values; value += 1) {
      const word = reading.words[reading.at++] ?? '';
      reading.types.set(name, widerOf(reading.types.get(name), typeOf(word)));
      if (count === null) reading.scalars.set(name, Number(word));
    }
  }
  return true;
}

function lengthOf({ name, plus }: Extent, scalars: ReadonlyMap<string, number>): number | null {
  if (name === null) return plus;
  const value = scalars.get(name);
  return value === undefined || !Number.isInteger(value) ? null : value + plus;
}

function typeOf(word: string): ValueType {
  if (/^[+-]?\d{1,18}$/.test(word)) return 'long long';
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(word) ? 'double' : 'string';
}

const widths: readonly ValueType[] = ['long long', 'double', 'string'];

function widerOf(one: ValueType | undefined, other: ValueType): ValueType {
  return one === undefined || widths.indexOf(other) > widths.indexOf(one) ? other : one;
}
