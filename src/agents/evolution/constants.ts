/**
 * Numbers in a C++ program that may be tuned: found, named, given ranges, and put back with other values. What its author
 * marked goes before all else; then constants that have a name; then plain numbers, as far as they are neither indices,
 * sizes, bits, units nor clocks. Wherever a number may be part of what the program is made of, it stays. Pure.
 */

import { contextsOf, linesOf, type NumberContext } from './constant-contexts.ts';
import { type ConstantRange, type Mark, markIn } from './constant-marks.ts';
import { usualRange } from './constant-ranges.ts';
import { cppTokens } from './cpp-tokens.ts';

export type Constant = ConstantRange & {
  /** Unique in its program: the name it is declared with, else line and place (`line12_1`). */
  readonly name: string;
  /** Of the number with its sign, in the source. */
  readonly start: number;
  readonly end: number;
  /** As it stands there. */
  readonly text: string;
  readonly line: number;
  readonly isInteger: boolean;
  readonly value: number;
  /** `marked` by a comment, `named` by a const declaration, or `plain`. */
  readonly origin: 'marked' | 'named' | 'plain';
};

export type Lifted = {
  /** Marked ones first, then named, then plain: reals before integers. */
  readonly constants: readonly Constant[];
  /** Marks that cannot be read, each a sentence with its line. */
  readonly complaints: readonly string[];
};

export type ConstantValues = Readonly<Record<string, number>>;

export function liftConstants(source: string): Lifted {
  const contexts = contextsOf(source);
  const { marks, complaints } = marksOf(source, contexts);
  const names = new Map<string, number>();
  const constants = contexts.flatMap((context): Constant[] => {
    const mark = marks.get(context.start);
    const found = constantOf(context, mark);
    if (!found) return [];
    const name = unusedName(found.name, names);
    names.set(name, 1);
    return [{ ...found, name }];
  });
  const order = constants.toSorted((a, b) => rank(a) - rank(b) || a.start - b.start);
  return { constants: order, complaints };
}

/** `used`: how often each name was wanted. */
function unusedName(name: string, used: Map<string, number>): string {
  let free = name;
  for (let count = used.get(name) ?? 0; used.has(free); free = `${name}_${count}`) {
    count += 1;
    used.set(name, count);
  }
  return free;
}

/** The marked ones where there are any, for then their author has chosen; else the first `most`. */
export function chosenConstants({ constants }: Lifted, most: number): readonly Constant[] {
  const marked = constants.filter(({ origin }) => origin === 'marked');
  return marked.length > 0 ? marked : constants.slice(0, most);
}

/** The program with these values in the places of its constants; what has no other value keeps its spelling. */
export function renderConstants(
  source: string,
  constants: readonly Constant[],
  values: ConstantValues,
): string {
  let rendered = '';
  let from = 0;
  for (const constant of constants.toSorted((a, b) => a.start - b.start)) {
    const value = values[constant.name] ?? constant.value;
    rendered += source.slice(from, constant.start) + spell(constant, value);
    from = constant.end;
  }
  return rendered + source.slice(from);
}

/** The value that will stand in the program: whole where it must be, and with few digits. */
export function settledValue({ isInteger }: Pick<Constant, 'isInteger'>, value: number): number {
  return isInteger ? Math.round(value) : Number(value.toPrecision(4));
}

function spell(constant: Constant, asked: number): string {
  const value = settledValue(constant, asked);
  if (asked === constant.value || value === constant.value) return constant.text;
  const suffix =
    /(?<![uUlLfF])[uUlLfF]+$/.exec(/^-?0[xX]/.test(constant.text) ? '' : constant.text)?.[0] ?? '';
  const digits = constant.isInteger ? String(value) : realText(value);
  // `x-0.5` must not become `x--0.5`.
  return value < 0 ? `(${digits}${suffix})` : `${digits}${suffix}`;
}

function realText(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function marksOf(
  source: string,
  contexts: readonly NumberContext[],
): { readonly marks: ReadonlyMap<number, Mark>; readonly complaints: readonly string[] } {
  const marks = new Map<number, Mark>();
  const complaints: string[] = [];
  const lineOf = linesOf(source);
  let passed = 0;
  for (const token of cppTokens(source)) {
    const reading = markIn(token);
    if (!reading) continue;
    const line = lineOf(token.start);
    while ((contexts[passed]?.start ?? source.length) < token.start) passed += 1;
    const before = contexts[passed - 1];
    const number = before?.line === line ? before : undefined;
    if ('complaint' in reading) complaints.push(`Line ${line}: ${reading.complaint}`);
    else if (!number) complaints.push(`Line ${line}: there is no number before the mark.`);
    else if (marks.has(number.start)) complaints.push(`Line ${line}: ${number.text} has two marks.`);
    else if (reading.mark.isInteger && !Number.isInteger(number.value))
      complaints.push(`Line ${line}: ${number.text} is no integer, as its mark says.`);
    else marks.set(number.start, reading.mark);
  }
  return { marks, complaints };
}

function constantOf(context: NumberContext, mark: Mark | undefined): Constant | null {
  if (mark && mark.range === null) return null;
  if (!mark && context.role === 'fixed') return null;
  const { start, end, text, line, value, name } = context;
  const isInteger = mark?.isInteger || context.isInteger;
  const origin = mark ? 'marked' : context.role === 'named' ? 'named' : 'plain';
  const range = mark?.range ?? usualRange({ value, isInteger });
  return { name, start, end, text, line, isInteger, value, origin, ...range };
}

function rank({ origin, isInteger }: Constant): number {
  if (origin === 'marked') return 0;
  if (origin === 'named') return 1;
  return isInteger ? 3 : 2;
}
