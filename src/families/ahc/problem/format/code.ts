/** Steps of reading as C++. Lists begin at 0, whatever the statement counts from. Pure. */
import type { ValueType } from './rehearse.ts';
import type { Field, Step } from './shape.ts';
import type { Extent } from './token.ts';

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
