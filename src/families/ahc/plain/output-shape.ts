/**
 * How an answer is written down: by the format that the statement shows, or, more generally, as the samples have it. What
 * an answer may choose itself, the length of a list that it prints before it, is named and left open. Pure.
 */
import { type Amount, fixed, ofName } from './answer.ts';
import { type Extent, type Field, gluedIn, shapeOf } from './format.ts';

export type OutField = {
  readonly name: string;
  /** A literal text in place of a value. */
  readonly text: string | null;
  /** Null: one value. `own`: as many as another field of the same row says. */
  readonly list: Amount | { readonly own: string } | null;
  readonly isGlued: boolean;
};

export type OutStep = { readonly rows: Amount | null; readonly fields: readonly OutField[] };

/** Null where it cannot be understood. */
export function stepsOfFormat(block: string): readonly OutStep[] | null {
  const literals = new Map<string, string>();
  const named = block.replaceAll(/(?<=^|[ \t])(?:-?\d+|[!?#=+/*%&~@-])(?=[ \t]|$)/gm, (text) => {
    const name = `literal${'abcdefghijklmnopqrstuvwxyz'[literals.size] ?? ''}`;
    literals.set(name, text);
    return name;
  });
  const steps = literals.size <= 26 ? shapeOf(named) : null;
  const glued = gluedIn(block);
  const fieldOf = ({ name, count }: Field): OutField => {
    const length = glued.get(name) ?? count;
    const list = length?.ofRow ? { own: length.name ?? '' } : length && amountOfExtent(length);
    return { name, text: literals.get(name) ?? null, list, isGlued: glued.has(name) };
  };
  return (
    steps?.map((step) => ({
      rows: step.type === 'rows' ? amountOfExtent(step.count) : null,
      fields: step.fields.map(fieldOf),
    })) ?? null
  );
}

const amountOfExtent = ({ name, plus }: Extent): Amount => (name === null ? fixed(plus) : ofName(name, plus));

/** `scalars`: numbers of its input, by name. */
export type KnownSample = { readonly output: string; readonly scalars: ReadonlyMap<string, number> };

/** So many lines of so many words, as numbers of the inputs that hold for all samples; null where there is no such rule. */
export function stepsOfSamples(samples: readonly KnownSample[]): readonly OutStep[] | null {
  const outputs = samples.map(({ output }) => wordsOfLines(output));
  if (outputs.length === 0 || outputs.some((lines) => lines.length === 0)) return null;
  const scalars = samples.map((sample) => sample.scalars);
  const widths = outputs.map((lines) => lines[0]?.length ?? 0);
  if (!outputs.every((lines, at) => lines.every(({ length }) => length === widths[at]))) {
    return counted(outputs, scalars);
  }
  const heights = outputs.map(({ length }) => length);
  const rows = amountThatIs(heights, scalars);
  const width = amountThatIs(widths, scalars);
  if (!rows || !width) return null;
  const isWord = outputs.every((lines) => lines.flat().every((word) => /^[^\d\s+-]+$/.test(word)));
  const lengths = outputs.map((lines) => lines[0]?.[0]?.length ?? 0);
  const isEven = outputs.every((lines, at) => lines.flat().every(({ length }) => length === lengths[at]));
  const length =
    isWord && isEven && widths.every((each) => each === 1) ? amountThatIs(lengths, scalars) : null;
  if (length) return [{ rows, fields: [{ ...plain('entry'), list: length, isGlued: true }] }];
  const isFew = width.names.length === 0 && width.plus <= 8;
  const fields = isFew ? letters(width.plus).map(plain) : [{ ...plain('entry'), list: width }];
  return [{ rows: rows.names.length === 0 && rows.plus === 1 ? null : rows, fields }];
}

/** A number, and so many lines of equal width. */
function counted(
  outputs: readonly (readonly (readonly string[])[])[],
  scalars: readonly ReadonlyMap<string, number>[],
): readonly OutStep[] | null {
  const widths = outputs.flatMap((lines) => lines.slice(1).map(({ length }) => length));
  const isCounted = outputs.every(([head, ...rest]) => head?.length === 1 && Number(head[0]) === rest.length);
  const width = widths[0] ?? 0;
  if (!isCounted || scalars.length === 0 || width > 8 || widths.some((each) => each !== width)) return null;
  return [
    { rows: null, fields: [plain('Count')] },
    { rows: ofName('Count'), fields: letters(width).map(plain) },
  ];
}

const plain = (name: string): OutField => ({ name, text: null, list: null, isGlued: false });
const letters = (count: number): string[] => Array.from({ length: count }, (_, at) => `entry${at + 1}`);

/** The simplest one that holds for all; a number of the input before a number that is always the same. */
function amountThatIs(wanted: readonly number[], scalars: readonly ReadonlyMap<string, number>[]) {
  const names = [...(scalars[0]?.keys() ?? [])];
  const one = (name: string, plus = 0, times = 1): Amount => ({ times, names: [name], plus });
  const guesses = [
    ...(wanted.every((each) => each === 1) ? [fixed(1)] : []),
    ...names.map((name) => one(name)),
    ...names.flatMap((name) => [one(name, -1), one(name, 1), one(name, 0, 2)]),
    ...names.flatMap((name) => names.map((other): Amount => ({ times: 1, names: [name, other], plus: 0 }))),
    fixed(wanted[0] ?? 0),
  ];
  const holds = ({ times, names: factors, plus }: Amount): boolean =>
    wanted.every((each, at) => {
      const numbers = factors.map((name) => scalars[at]?.get(name) ?? Number.NaN);
      const product = numbers.length === 0 ? 0 : numbers.reduce((all, number) => all * number, times);
      return product + plus === each;
    });
  return guesses.find(holds) ?? null;
}

export function wordsOfLines(text: string): readonly (readonly string[])[] {
  const lines = text.trimEnd().split(/\r?\n/);
  return lines.map((line) => line.split(/\s+/).filter(Boolean)).filter((words) => words.length > 0);
}

/** Where the format is unknown: each number of the input as a length, in one line, in lines, and in lines of letters. */
export function usualShapes(scalars: readonly string[]): readonly (readonly OutStep[])[] {
  const entry = plain('entry');
  const lists = scalars.slice(0, 4).flatMap((name): OutStep[] => {
    const count = ofName(name);
    const list = { ...entry, list: count };
    return [
      { rows: null, fields: [list] },
      { rows: null, fields: [{ ...list, isGlued: true }] },
      { rows: count, fields: [entry] },
      { rows: count, fields: [plain('entryA'), plain('entryB')] },
      { rows: count, fields: [list] },
      { rows: count, fields: [{ ...list, isGlued: true }] },
    ];
  });
  return [{ rows: null, fields: [entry] }, ...lists].map((step) => [step]);
}
