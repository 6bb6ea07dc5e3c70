/** A plain answer as C++, for the body of a `main` that has read the input (reading.ts). Pure. */

import type { Amount, Counter, Groups, Item, PlainAnswer, Rows, Value } from './answer.ts';
import type { Step } from './format.ts';
import { variableOf } from './reading.ts';

/** How a name of the input is held: a number, a list, a table. */
export type Kinds = ReadonlyMap<string, 'scalar' | 'list' | 'table'>;

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
export function printingCode({ pieces }: PlainAnswer, kinds: Kinds): readonly string[] {
  const lines = pieces.flatMap((piece) =>
    piece.type === 'groups' ? groupsCode(piece) : rowsCode(piece, kinds),
  );
  return lines.map((line) => `  ${line}`);
}

function rowsCode({ rows, items }: Rows, kinds: Kinds): readonly string[] {
  const line = lineCode(items, kinds);
  if (rows === null) return line;
  if (rows.names.length === 0 && rows.plus === 0) return [];
  return [`for (long long row = 0; row < ${amountCode(rows)}; row++) {`, ...indented(line), '}'];
}

function lineCode(items: readonly Item[], kinds: Kinds): readonly string[] {
  if (items.every(({ list }) => list === null)) {
    const values = items.map(({ value }) => valueCode(value, kinds, false));
    return [
      `cout << ${[...values.flatMap((value, at) => (at === 0 ? [value] : [`' '`, value])), `'\\n'`].join(' << ')};`,
    ];
  }
  const printed = items.flatMap((item, at) => [
    ...(at === 0 ? [] : [`cout << ' ';`]),
    ...itemCode(item, kinds),
  ]);
  return [...printed, `cout << '\\n';`];
}

function itemCode({ value, list, isGlued }: Item, kinds: Kinds): readonly string[] {
  const code = valueCode(value, kinds, list !== null);
  if (list === null) return [`cout << ${code};`];
  const between = isGlued ? '' : `(place > 0 ? " " : "") << `;
  return [`for (long long place = 0; place < ${amountCode(list)}; place++) cout << ${between}${code};`];
}

function valueCode(value: Value, kinds: Kinds, isListed: boolean): string {
  switch (value.type) {
    case 'text':
      return JSON.stringify(value.text);
    case 'amount':
      return value.amount.names.length === 0 ? amountCode(value.amount) : `(${amountCode(value.amount)})`;
    case 'count':
      return plusCode(value.of, value.plus);
    case 'echo':
      return plusCode(echoCode(value.name, kinds, isListed), value.plus);
    default: {
      const sign = value.type === 'remainder' ? '%' : '/';
      return plusCode(`${value.of} ${sign} (${amountCode(value.by)})`, value.plus);
    }
  }
}

function echoCode(name: string, kinds: Kinds, isListed: boolean): string {
  const variable = variableOf(name);
  const at: Counter = isListed ? 'place' : 'row';
  if (kinds.get(name) === 'table') return `${variable}[row][place]`;
  return kinds.get(name) === 'list' ? `${variable}[${at}]` : variable;
}

function plusCode(code: string, plus: number): string {
  if (plus === 0) return code.includes(' ') ? `(${code})` : code;
  return `(${code} ${plus < 0 ? '-' : '+'} ${Math.abs(plus)})`;
}

export function amountCode({ times, names, plus }: Amount): string {
  if (times === 0 || names.length === 0) return `${plus}`;
  const factors = [...(times === 1 ? [] : [`${times}`]), ...names.map(variableOf)].join(' * ');
  return plus === 0 ? factors : `${factors} ${plus < 0 ? '-' : '+'} ${Math.abs(plus)}`;
}

function groupsCode({ things, groups, base, way }: Groups): readonly string[] {
  const [all, count] = [amountCode(things), amountCode(groups)];
  const choice =
    way === 'first'
      ? '0'
      : way === 'turn'
        ? `thing % (${count})`
        : way === 'blocks'
          ? `min((${count}) - 1LL, thing / max(1LL, ((${all}) + (${count}) - 1) / (${count})))`
          : 'min_element(load.begin(), load.end()) - load.begin()';
  const isWeighed = typeof way !== 'string';
  return [
    '{',
    ...indented([
      `vector<vector<long long>> members(${count});`,
      ...(isWeighed ? ['vector<double> load(members.size());'] : []),
      `for (long long thing = 0; thing < ${all}; thing++) {`,
      `  long long group = ${choice};`,
      ...(isWeighed ? [`  load[group] += ${variableOf(way.least)}[thing];`] : []),
      `  members[group].push_back(${plusCode('thing', base)});`,
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

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);
