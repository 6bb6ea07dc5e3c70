/**
 * Steps of reading as C++, and the types of the values, proved by reading inputs. Lists begin at 0, whatever the statement
 * counts from. Pure.
 */
import type { Extent, Field, Step } from './format.ts';

type Types = ReadonlyMap<string, ValueType>;

/** Lines for the body of `main`, with its indentation. */
export function readingCode(steps: readonly Step[], types: Types): readonly string[] {
  return steps.flatMap((step) =>
    step.type === 'once' ? onceCode(step.fields, types) : rowsCode(step, types),
  );
}

function onceCode(fields: readonly Field[], types: Types): readonly string[] {
  const scalars = fields.filter(({ count }) => count === null);
  if (scalars.length === fields.length) return [...declared(scalars, types), `  cin${into(scalars)};`];
  return fields.flatMap((field) => {
    const { name, count } = field;
    if (count === null) return [...declared([field], types), `  cin${into([field])};`];
    const variable = variableOf(name);
    return [
      `  vector<${typeOf(name, types)}> ${variable}(${extentCode(count)});`,
      `  for (auto &value : ${variable}) cin >> value;`,
    ];
  });
}

function rowsCode({ count, fields }: Step & { type: 'rows' }, types: Types): readonly string[] {
  const rows = extentCode(count);
  const tables = fields.map(({ name, count: inner }) => {
    const type = typeOf(name, types);
    const isFixed = inner !== null && !inner.ofRow;
    const all = isFixed ? `(${rows}, vector<${type}>(${extentCode(inner)}))` : `(${rows})`;
    return `  vector<${inner === null ? type : `vector<${type}>`}> ${variableOf(name)}${all};`;
  });
  const body = fields.flatMap(({ name, count: inner }) => rowCode(variableOf(name), inner));
  return [...tables, `  for (int i = 0; i < ${rows}; i++) {`, ...body.map((line) => `    ${line}`), '  }'];
}

function rowCode(variable: string, count: Extent | null): readonly string[] {
  if (count === null) return [`cin >> ${variable}[i];`];
  const resized = count.ofRow ? [`${variable}[i].resize(${extentCode(count, '[i]')});`] : [];
  return [...resized, `for (auto &value : ${variable}[i]) cin >> value;`];
}

function declared(scalars: readonly Field[], types: Types): readonly string[] {
  return (['long long', 'double', 'string'] as const).flatMap((type) => {
    const names = scalars
      .filter(({ name }) => typeOf(name, types) === type)
      .map(({ name }) => variableOf(name));
    return names.length > 0 ? [`  ${type} ${names.join(', ')};`] : [];
  });
}

function into(fields: readonly Field[]): string {
  return fields.map(({ name }) => ` >> ${variableOf(name)}`).join('');
}

function typeOf(name: string, types: Types): ValueType {
  return types.get(name) ?? 'long long';
}

function extentCode({ name, plus }: Extent, suffix = ''): string {
  if (name === null) return `${plus}`;
  const variable = `${variableOf(name)}${suffix}`;
  return plus === 0 ? variable : `${variable} ${plus < 0 ? '-' : '+'} ${Math.abs(plus)}`;
}

/** Names that mean something else within `main`, or everywhere. */
const taken =
  /^(i|value|row|place|group|load|members|least|turn|told|random|elapsed|main|int|long|short|char|bool|float|double|auto|if|else|for|while|do|switch|case|default|break|continue|return|goto|and|or|not|xor|new|delete|this|class|struct|union|enum|template|typename|using|namespace|operator|public|private|protected|static|const|volatile|register|signed|unsigned|void|true|false|try|catch|throw|asm|inline|virtual|friend|export|extern|typedef|sizeof|requires|concept|cin|cout|vector|string)$/;

export function variableOf(name: string): string {
  return taken.test(name) ? `${name}_` : name;
}

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
      reading.types.set(name, widerOf(reading.types.get(name), typeOfWord(word)));
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

function typeOfWord(word: string): ValueType {
  if (/^[+-]?\d{1,18}$/.test(word)) return 'long long';
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(word) ? 'double' : 'string';
}

const widths: readonly ValueType[] = ['long long', 'double', 'string'];

function widerOf(one: ValueType | undefined, other: ValueType): ValueType {
  return one === undefined || widths.indexOf(other) > widths.indexOf(one) ? other : one;
}
