/**
 * The C++ of a first program: the reading of the input by its format, a plain answer or a plain talk, and the template
 * around them. Lists begin at 0, whatever the statement counts from. Pure.
 */
import {
  type Amount,
  type Groups,
  type Item,
  type PlainAnswer,
  type Rows,
  type Talk,
  type Value,
  withPlus,
} from './answer.ts';
import type { Extent, Field, Step, ValueType } from './format.ts';
import template from './template.json' with { type: 'json' };

/** How to read the input. */
export type Reading = {
  readonly steps: readonly Step[];
  /** Lines of C++ that read the input, or its beginning; null where that is unknown. */
  readonly reading: readonly string[] | null;
  readonly isWhole: boolean;
};

export function answeringProgram(input: Reading, answer: PlainAnswer): string {
  const printing = printingCode(answer, kindsIn(input.steps));
  return readingWith(input, [`  // A plain answer: ${answer.told}.`, ...printing]);
}

export function talkingProgram(input: Reading, talk: Talk): string {
  return readingWith(input, [`  // A plain talk: ${talk.told}.`, ...talkingCode(talk)]);
}

/** A program that reads the input, and then has these lines. */
export function readingWith(input: Reading, lines: readonly string[]): string {
  return programThat([...beginning(input), ...lines]);
}

function beginning({ reading, isWhole }: Reading): readonly string[] {
  if (reading === null) return ['  // How the input is read is not understood; this answer does without it.'];
  return isWhole
    ? reading
    : [...reading, '  // The rest of the input is not read: its format was not understood.'];
}

/** Where no answer is known. */
export function readingProgram({ reading, isWhole }: Reading): string {
  if (reading === null || !isWhole) return solutionTemplate;
  return programThat([...reading, '  // Print an answer here: what is valid says the statement.']);
}

const inputHint = '  // Read the input as problem/input_format.txt says, and print an answer.';

function programThat(body: readonly string[]): string {
  return solutionTemplate.replace(inputHint, () => body.join('\n'));
}

/** Compiles as it is, knows how much time has passed, and has seeded random numbers. */
export const solutionTemplate = `${template.join('\n')}\n`;

type Types = ReadonlyMap<string, ValueType>;

/** Lines for the body of `main`, with its indentation. */
export function readingCode(steps: readonly Step[], types: Types): readonly string[] {
  const lines = steps.flatMap((step) =>
    step.type === 'once' ? onceCode(step.fields, types) : tableCode(step, types),
  );
  return indented(lines);
}

function onceCode(fields: readonly Field[], types: Types): readonly string[] {
  if (fields.every(({ count }) => count === null)) return scalarsCode(fields, types);
  return fields.flatMap((field) => {
    const { name, count } = field;
    if (count === null) return scalarsCode([field], types);
    const variable = variableOf(name);
    return [
      `vector<${typeOf(name, types)}> ${variable}(${extentCode(count)});`,
      `for (auto &value : ${variable}) cin >> value;`,
    ];
  });
}

function scalarsCode(fields: readonly Field[], types: Types): readonly string[] {
  const byType = Map.groupBy(fields, ({ name }) => typeOf(name, types));
  const declared = (['long long', 'double', 'string'] as const).flatMap((type) => {
    const names = byType.get(type)?.map(({ name }) => variableOf(name));
    return names ? [`${type} ${names.join(', ')};`] : [];
  });
  return [...declared, `cin${fields.map(({ name }) => ` >> ${variableOf(name)}`).join('')};`];
}

function tableCode({ count, fields }: Step & { type: 'rows' }, types: Types): readonly string[] {
  const rows = extentCode(count);
  const tables = fields.map(({ name, count: inner }) => {
    const type = typeOf(name, types);
    const size = inner && !inner.ofRow ? `${rows}, vector<${type}>(${extentCode(inner)})` : rows;
    return `vector<${inner === null ? type : `vector<${type}>`}> ${variableOf(name)}(${size});`;
  });
  const body = fields.flatMap(({ name, count: inner }) => {
    const row = `${variableOf(name)}[i]`;
    if (inner === null) return [`cin >> ${row};`];
    const resized = inner.ofRow ? [`${row}.resize(${extentCode(inner, '[i]')});`] : [];
    return [...resized, `for (auto &value : ${row}) cin >> value;`];
  });
  return [...tables, `for (int i = 0; i < ${rows}; i++) {`, ...indented(body), '}'];
}

function typeOf(name: string, types: Types): ValueType {
  return types.get(name) ?? 'long long';
}

function extentCode({ name, plus }: Extent, suffix = ''): string {
  return name === null ? `${plus}` : withPlus(`${variableOf(name)}${suffix}`, plus);
}

/** Names that mean something else within `main`, or everywhere. */
const taken =
  /^(i|value|row|place|group|load|members|least|turn|told|random|elapsed|main|int|long|short|char|bool|float|double|auto|if|else|for|while|do|switch|case|default|break|continue|return|goto|and|or|not|xor|new|delete|this|class|struct|union|enum|template|typename|using|namespace|operator|public|private|protected|static|const|volatile|register|signed|unsigned|void|true|false|try|catch|throw|asm|inline|virtual|friend|export|extern|typedef|sizeof|requires|concept|cin|cout|vector|string)$/;

export function variableOf(name: string): string {
  return taken.test(name) ? `${name}_` : name;
}

/** How a name of the input is held: a number, a list, a table. */
type Kinds = ReadonlyMap<string, 'scalar' | 'list' | 'table'>;

export function kindsIn(steps: readonly Step[]): Kinds {
  return new Map(
    steps.flatMap(({ type, fields }) =>
      fields.map(({ name, count }) => {
        const depth = (type === 'rows' ? 1 : 0) + (count === null ? 0 : 1);
        return [name, (['scalar', 'list', 'table'] as const)[depth] ?? 'table'] as const;
      }),
    ),
  );
}

/** Lines with the indentation of the body. */
export function printingCode({ pieces }: Pick<PlainAnswer, 'pieces'>, kinds: Kinds): readonly string[] {
  return indented(
    pieces.flatMap((piece) => (piece.type === 'groups' ? groupsCode(piece) : rowsCode(piece, kinds))),
  );
}

function rowsCode({ rows, items }: Rows, kinds: Kinds): readonly string[] {
  const line = lineCode(items, kinds);
  if (rows === null) return line;
  if (rows.names.length === 0 && rows.plus === 0) return [];
  return [`for (long long row = 0; row < ${amountCode(rows)}; row++) {`, ...indented(line), '}'];
}

function lineCode(items: readonly Item[], kinds: Kinds): readonly string[] {
  if (items.every(({ list }) => list === null)) {
    const values = items.map(({ value }) => valueCode(value, kinds, false)).join(` << ' ' << `);
    return [`cout << ${values} << '\\n';`];
  }
  const printed = items.flatMap(({ value, list, isGlued }, at) => {
    const code = valueCode(value, kinds, list !== null);
    const between = isGlued ? '' : `(place > 0 ? " " : "") << `;
    return [
      ...(at === 0 ? [] : [`cout << ' ';`]),
      list === null
        ? `cout << ${code};`
        : `for (long long place = 0; place < ${amountCode(list)}; place++) cout << ${between}${code};`,
    ];
  });
  return [...printed, `cout << '\\n';`];
}

function valueCode(value: Value, kinds: Kinds, isListed: boolean): string {
  switch (value.type) {
    case 'text':
      return JSON.stringify(value.text);
    case 'amount':
      return value.amount.names.length === 0 ? amountCode(value.amount) : `(${amountCode(value.amount)})`;
    case 'count':
      return inBrackets(value.of, value.plus);
    case 'echo': {
      const kind = kinds.get(value.name);
      const index =
        kind === 'table' ? '[row][place]' : kind === 'list' ? `[${isListed ? 'place' : 'row'}]` : '';
      return inBrackets(`${variableOf(value.name)}${index}`, value.plus);
    }
    default: {
      const sign = value.type === 'remainder' ? '%' : '/';
      return inBrackets(`${value.of} ${sign} (${amountCode(value.by)})`, value.plus);
    }
  }
}

function inBrackets(code: string, plus: number): string {
  const sum = withPlus(code, plus);
  return sum.includes(' ') ? `(${sum})` : sum;
}

export function amountCode({ times, names, plus }: Amount): string {
  if (times === 0 || names.length === 0) return `${plus}`;
  return withPlus([...(times === 1 ? [] : [times]), ...names.map(variableOf)].join(' * '), plus);
}

function groupsCode({ things, groups, base, way }: Groups): readonly string[] {
  const [all, count] = [amountCode(things), amountCode(groups)];
  const isWeighed = typeof way !== 'string';
  const choice = isWeighed
    ? 'min_element(load.begin(), load.end()) - load.begin()'
    : {
        first: '0',
        turn: `thing % (${count})`,
        blocks: `min((${count}) - 1LL, thing / max(1LL, ((${all}) + (${count}) - 1) / (${count})))`,
      }[way];
  return [
    '{',
    ...indented([
      `vector<vector<long long>> members(${count});`,
      ...(isWeighed ? ['vector<double> load(members.size());'] : []),
      `for (long long thing = 0; thing < ${all}; thing++) {`,
      `  long long group = ${choice};`,
      ...(isWeighed ? [`  load[group] += ${variableOf(way.least)}[thing];`] : []),
      `  members[group].push_back(${inBrackets('thing', base)});`,
      '}',
      'for (auto &group : members) {',
      '  cout << group.size();',
      `  for (long long thing : group) cout << ' ' << thing;`,
      `  cout << '\\n';`,
      '}',
    ]),
    '}',
  ];
}

/** Lines for the body of a `main` that has read the first input. */
function talkingCode({ turns, listens, says, last }: Talk): readonly string[] {
  const none: Kinds = new Map();
  const ending = [...(last ? printingCode({ pieces: [last] }, none) : []), '  cout << flush;'];
  if (!says) return ending;
  const hear = ['    if (!getline(cin, told)) break;'];
  return [
    ...(listens === 'never' ? [] : ['  string told;', '  getline(cin, told);']),
    `  for (long long row = 0; ${turns ? `row < ${amountCode(turns)}` : ''}; row++) {`,
    ...(listens === 'before' ? hear : []),
    ...indented(printingCode({ pieces: [says] }, none)),
    '    cout << flush;',
    ...(listens === 'after' ? hear : []),
    '  }',
    ...ending,
  ];
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);
