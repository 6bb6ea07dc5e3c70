/**
 * Plain walks, for contests whose answer is a way over a board or a graph: moves as letters, cells, or vertices, in the form
 * that the statement shows. Each is a program of its own, because a way hangs on the whole input; a judge says which is
 * valid. Pure.
 */
import { isKnown } from './answer.ts';
import { amountCode, readingWith, variableOf } from './cpp.ts';
import { type OutStep, stepsOfFormat, wordsOfLines } from './output-shape.ts';
import { hintsIn } from './styles.ts';
import type { Question, Understood } from './understanding.ts';
import code from './walk.json' with { type: 'json' };

/** `isSaid`: the statement names its moves. */
export type Walk = { readonly told: string; readonly source: string; readonly isSaid: boolean };

type Form = {
  readonly says: 'moves' | 'cells' | 'vertices';
  readonly between: '' | ' ' | '\n';
  /** How the number of what is said stands before it, and what is taken off it. */
  readonly count: { readonly plus: number; readonly behind: ' ' | '\n' } | null;
  /** The name of the count, or of the string; it leads to a bound. */
  readonly name: string;
  /** A word before each move. */
  readonly word: string;
};

const goals = [
  ['stops', 'through all places of the input, in their order'],
  ['last', 'to the last place'],
  ['round', 'over all places and back'],
  ['all', 'over all places'],
  ['once', 'on as long as there is a place that is new'],
  ['step', 'one step'],
] as const;

/** The likeliest first; none where the answer is no walk. */
export function walksOf(question: Question, understood: Understood): readonly Walk[] {
  if (understood.reading === null) return [];
  const text = `${understood.words}\n${question.statement}`;
  const letters = ['UDLR', 'udlr', 'NSWE', '^v<>'].find((each) =>
    [...each].every((letter) => isSaid(letter, text)),
  );
  const forms = formsOf(question, understood, letters ?? '');
  return goals.flatMap(([goal, goalTold]) =>
    forms.flatMap((form): readonly Walk[] => {
      const ground =
        form.says === 'vertices' ? graphOf(understood) : gridOf(question, understood, { letters, form });
      if (ground === null) return [];
      const told = `${form.says} ${goalTold}`;
      const high = hintsIn(understood.words, question.statement).bounds.get(form.name)?.high;
      const said = {
        moves: `${JSON.stringify(form.word === '' ? '' : `${form.word} `)} + string(1, letter)`,
        cells: `to_string(walk[at] / width + (${ground.base})) + " " + to_string(walk[at] % width + (${ground.base}))`,
        vertices: 'to_string(walk[at] + base)',
      }[form.says];
      const { count } = form;
      const places = {
        ...{ told, ground: ground.code, said, between: JSON.stringify(form.between) },
        first: form.says === 'moves' ? '1' : '0',
        most: high && isKnown(high, understood.scalars) ? `(${amountCode(high)})` : '(1LL << 60)',
        count: count
          ? `    cout << (long long)said.size() - (${count.plus}) << ${JSON.stringify(count.behind)};`
          : '',
      };
      return [
        {
          told,
          isSaid: form.says === 'moves',
          source: readingWith(
            understood,
            filled([...code.head, ...code[goal], ...code.end], places).split('\n'),
          ),
        },
      ];
    }),
  );
}

/** By itself: as code, between quotation marks, in a list. */
const isSaid = (letter: string, text: string): boolean =>
  new RegExp(`[\`"'“‘「,、$ (]\\${letter}[\`"'”’」,、.$ )]`.replace(/\\(\w)/, '$1')).test(text);

const filled = (lines: readonly string[], places: Readonly<Record<string, string>>): string =>
  lines.join('\n').replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => places[name] ?? whole);

function formsOf(
  question: Question,
  { blocks, words, scalars }: Understood,
  letters: string,
): readonly Form[] {
  const steps = blocks.flatMap((block) => stepsOfFormat(block) ?? []);
  const other = hintsIn(words, question.statement).words.filter(
    (word) => /^[A-Za-z]$/.test(word) && !letters.includes(word),
  );
  const found = steps.length > 0 ? formOf(steps, scalars) : null;
  const read = found ?? formOfSamples(question, letters);
  if (!read) return [];
  const { wide, ...form } = read;
  const moves = letters === '' ? [] : wide === 1 ? [''] : wide === 2 ? other : [];
  const plain: Form['says'][] = wide === 1 && letters === '' ? ['vertices'] : wide === 2 ? ['cells'] : [];
  return [
    ...moves.map((word): Form => ({ ...form, says: 'moves', word })),
    ...plain.map((says): Form => ({ ...form, says, word: '' })),
  ];
}

type Shape = Omit<Form, 'says' | 'word'> & { readonly wide: number };

/** One value, a list or rows, after its length or not. */
function formOf(steps: readonly OutStep[], scalars: readonly string[]): Shape | null {
  const [head, ...more] = steps.length > 1 ? steps : [null, ...steps];
  const [step, ...rest] = more;
  const last = step?.fields.at(-1);
  if (
    !step ||
    !last ||
    rest.length > 0 ||
    (head && (head.fields.length !== 1 || head.rows || head.fields[0]?.list))
  )
    return null;
  // Lists of their own in rows share things out.
  if (step.rows && step.fields.some(({ list }) => list !== null)) return null;
  const length = step.rows ?? last.list;
  const lengthName = length && ('own' in length ? length.own : (length.names[0] ?? ''));
  const plus = length && 'plus' in length ? length.plus : 0;
  const first = step.rows === null && step.fields.length === 2 ? (step.fields[0] ?? null) : null;
  const counted = head?.fields[0] ?? first;
  if (counted && counted.name !== lengthName) return null;
  // As many as the input says is a form for what is not walked.
  if (!counted && lengthName && scalars.includes(lengthName) && step.rows === null && !last.isGlued)
    return null;
  const between = step.rows ? '\n' : last.isGlued || last.list === null ? '' : ' ';
  const count = counted ? ({ plus, behind: head ? '\n' : ' ' } as const) : null;
  return { between, count, name: lengthName || last.name, wide: step.rows ? step.fields.length : 1 };
}

/** For answers of letters alone: one word, or lines. */
function formOfSamples({ samples }: Question, letters: string): Shape | null {
  const [lines = []] = samples.map(({ output }) => wordsOfLines(output));
  const isCounted = lines.length > 1 && lines[0]?.length === 1 && Number(lines[0]?.[0]) === lines.length - 1;
  const rest = isCounted ? lines.slice(1) : lines;
  const isMoves =
    rest.length > 0 &&
    rest.every((line) => line.length === 1 && [...(line[0] ?? '')].every((each) => letters.includes(each)));
  if (!isMoves || letters === '') return null;
  const isWord = rest.length === 1 && !isCounted;
  return {
    between: isWord ? '' : '\n',
    count: isCounted ? { plus: 0, behind: '\n' } : null,
    name: '',
    wide: 1,
  };
}

type Ground = { readonly code: string; readonly base: string };

/** The numbers of two rows of the input that are edges, else of places. */
function pairsIn({ steps, types }: Understood) {
  return steps.flatMap(({ type, fields }) => {
    const [one, two] = fields;
    const isPair =
      type === 'rows' &&
      fields.length < 5 &&
      one &&
      two &&
      [one, two].every(({ name, count }) => count === null && types.get(name) === 'long long');
    return isPair ? [{ from: variableOf(one.name), to: variableOf(two.name), wide: fields.length }] : [];
  });
}

function graphOf(understood: Understood): Ground | null {
  const [edges] = pairsIn(understood);
  const [vertices] = understood.scalars;
  if (!edges || vertices === undefined) return null;
  const named = (pattern: RegExp) =>
    understood.scalars
      .filter((name) => pattern.test(name))
      .slice(0, 1)
      .map(variableOf);
  const places = [
    ...named(/^s$|^start$/i).map((name) => `    start = ${name} - base;`),
    ...named(/^[tg]$|^goal$/i).map((name) => `    stops.push_back(${name} - base);`),
  ].join('\n');
  return {
    code: filled(code.graph, { ...edges, wide: '', vertices: variableOf(vertices), places }),
    base: 'base',
  };
}

function gridOf(
  { statement }: Question,
  understood: Understood,
  { letters = '????', form }: { readonly letters: string | undefined; readonly form: Form },
): Ground | null {
  const { steps, types, scalars, words } = understood;
  const boards = steps.flatMap(({ type, fields }) =>
    type === 'rows'
      ? fields
          .filter(({ name, count }) => count === null && types.get(name) === 'string')
          .map(({ name }) => variableOf(name))
      : [],
  );
  const [side = scalars.find((name) => /^[NHR]$/.test(name)) ?? scalars[0]] = scalars.filter(
    (name) => name === 'H',
  );
  const fixedSide = boards.length > 0 ? `(long long)${boards[0]}.size()` : null;
  const height = side === undefined ? fixedSide : variableOf(side);
  if (height === null) return null;
  const wide = scalars.find((name) => name === 'W');
  const { bounds } = hintsIn(words, statement);
  const low =
    form.says === 'cells'
      ? [...bounds.values()]
          .map((bound) => bound.low)
          .find((each) => each?.names.length === 0 && each.plus === 1)
      : undefined;
  const base = low ? '1' : '0';
  const at = (kind: RegExp) =>
    scalars
      .filter((name) => kind.test(name))
      .slice(0, 2)
      .map(variableOf);
  const placed = (names: readonly string[], code: (cell: string) => string) =>
    names.length === 2 ? [`    ${code(`cellOf(${names.join(', ')})`)}`] : [];
  const [stops] = pairsIn(understood).filter(({ wide: fields }) => fields === 2);
  const places = [
    ...(stops
      ? [
          `    for (size_t at = 0; at < ${stops.from}.size(); at++) stops.push_back(cellOf(${stops.from}[at], ${stops.to}[at]));`,
        ]
      : []),
    // Where the first place is numbered 0, the walk begins there.
    ...(stops && /\b[a-z]+_\{?0\}?\s+[a-z]+_\{?0\}?/i.test(words + statement) && at(/^s/i).length < 2
      ? ['    start = stops[0];']
      : []),
    ...placed(at(/^s(?:tart)?_?[a-z0]?$/i), (cell) => `start = ${cell};`),
    ...placed(at(/^(?:[tg]|goal)_?[a-z]?$/i), (cell) => `stops.push_back(${cell});`),
  ].join('\n');
  const lines = filled(code.grid, {
    ...{
      boards: boards.join(', '),
      height,
      width: wide ? variableOf(wide) : 'height',
      letters,
      base,
      places,
    },
    isSquare: wide ? 'false' : 'true',
  });
  return { code: lines, base };
}
