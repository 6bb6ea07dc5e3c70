/**
 * Plain answers to one contest, the likeliest first: those of the form that the statement shows, of the form that its
 * samples have, then of forms that are usual. Which of them is valid, a judge says. Pure.
 */
import {
  type Amount,
  amountText,
  fixed,
  type Groups,
  type Item,
  isKnown,
  numbersOf,
  ofName,
  type Piece,
  type PlainAnswer,
  printed,
  type Value,
  type Way,
} from './answer.ts';
import { answeringProgram } from './cpp.ts';
import { valuesIn } from './format.ts';
import {
  type OutField,
  type OutStep,
  stepsOfFormat,
  stepsOfSamples,
  usualShapes,
  wordsOfLines,
} from './output-shape.ts';
import { depthOf, type Ground, hintsIn, type Style, stylesFor } from './styles.ts';
import type { Question, Understood } from './understanding.ts';

/** What one answer prints for the inputs on which it is to be tried, in their order. */
export type Tried = CandidateAnswer & { readonly outputs: readonly string[] };

/** In one tier; a judge need not be asked more often. */
const mostAnswers = 200;

/** Tiers, the likelier before, made when they are asked for. An answer that prints what another one prints is left out. */
export function* bankOf(question: Question, understood: Understood): Generator<readonly Tried[]> {
  const { steps, scalars, words, blocks } = understood;
  const ground: Ground = { hints: hintsIn(words, question.statement), scalars, steps };
  const samples = question.samples.map(({ input, output }) => ({ values: valuesIn(steps, input), output }));
  const inputs = question.inputs.map((input) => valuesIn(steps, input));
  const seen = new Set<string>();
  const tried = (answer: CandidateAnswer): readonly Tried[] => {
    const outputs = inputs.map((values) => printed(answer, values));
    // A program that prints nothing is nothing to begin with, also where it is allowed.
    if (!outputs.every((output) => output !== null) || outputs.some((each) => each.trim() === '')) return [];
    const key = outputs.map((output) => output.trim()).join('\n\n');
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...answer, outputs }];
  };
  // What is known to be valid first, then what is most like the samples; else as they were.
  const worth = (answer: CandidateAnswer): number =>
    answer.isSure
      ? Number.POSITIVE_INFINITY
      : samples.reduce((sum, { values, output }) => sum + likeness(printed(answer, values) ?? '', output), 0);
  const tierOf = (forms: readonly (readonly OutStep[])[]): readonly Tried[] =>
    forms
      .flatMap((form) => answersOf(form, ground))
      .filter((answer) => new Set(numbersOf(answer)).size < 5)
      .map((answer) => ({ answer, worth: worth(answer) }))
      .toSorted((a, b) => b.worth - a.worth)
      .flatMap(({ answer }) => tried(answer))
      .slice(0, mostAnswers);
  const shown = blocks.flatMap((block) => stepsOfFormat(block) ?? []);
  const alike = stepsOfSamples(
    samples.map(({ values, output }) => ({
      output,
      scalars: new Map(scalars.map((name) => [name, Number(values.scalars.get(name))])),
    })),
  );
  yield tierOf([...(shown.length > 0 ? [shown] : []), ...(alike ? [alike] : [])]);
  yield tierOf(usualShapes(scalars));
}

/** From 0, what has nothing in common, to 4, the very same. */
export function likeness(printed: string, sample: string): number {
  const [own, theirs] = [wordsOfLines(printed), wordsOfLines(sample)];
  const [words, others] = [own.flat(), theirs.flat()];
  const textOf = (lines: readonly (readonly string[])[]) => lines.map((line) => line.join(' ')).join('\n');
  const formOf = (lines: readonly (readonly string[])[]) => lines.map(({ length }) => length).join(' ');
  if (words.length !== others.length) return 0;
  if (textOf(own) === textOf(theirs)) return 4;
  if (words.toSorted().join(' ') === others.toSorted().join(' ')) return 3;
  if (formOf(own) !== formOf(theirs)) return 0;
  return isAmong(words, others) ? 2 : 1;
}

/** Numbers between the smallest and the largest of theirs; words and letters that are theirs. */
function isAmong(own: readonly string[], theirs: readonly string[]): boolean {
  const numbers = theirs.map(Number).filter((number) => !Number.isNaN(number));
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const letters = new Set(theirs.join(''));
  return own.every((word) => {
    const number = Number(word);
    if (!Number.isNaN(number) && numbers.length > 0) return number >= low && number <= high;
    return word.length === (theirs[0]?.length ?? 0) && [...word].every((letter) => letters.has(letter));
  });
}

/** The likeliest answer, untried; null where the input is not understood or there is no likely one. */
export function guessAnswer(question: Question, understood: Understood) {
  if (question.isInteractive || understood.reading === null) return null;
  const [[answer] = []] = bankOf(question, understood);
  if (!answer) return null;
  const { told, isSure } = answer;
  return { source: answeringProgram(understood, answer), told, isSure };
}

/** Of an answer that may be empty it is known that it is valid, where the statement says that it may. */
type CandidateAnswer = PlainAnswer & { readonly isSure: boolean };

type Lengths = {
  readonly told: string;
  readonly of: ReadonlyMap<string, Amount>;
  /** The length of a list whose row begins with it. */
  readonly own: number;
  readonly isSure: boolean;
};

function answersOf(steps: readonly OutStep[], ground: Ground): readonly CandidateAnswer[] {
  const styles = stylesFor(ground);
  return lengthsOf(steps, ground).flatMap((lengths) => {
    const filled = styles.flatMap((style) => answerOf(steps, lengths, style) ?? []);
    return [...filled, ...grouped(steps, lengths, styles, ground)];
  });
}

function lengthsOf(steps: readonly OutStep[], ground: Ground): readonly Lengths[] {
  // Names of lengths that are not in the input.
  const used = steps.flatMap(({ rows, fields }) => [
    ...(rows?.names ?? []),
    ...fields.flatMap(({ list }) => (list && 'names' in list ? list.names : [])),
  ]);
  const open = [...new Set(used)].filter((name) => !ground.scalars.includes(name));
  const hasOwn = steps.some(({ fields }) => fields.some(({ list }) => list && 'own' in list));
  if (open.length === 0 && !hasOwn) return [{ told: '', of: new Map(), own: 0, isSure: false }];
  const bounds = open.map((name) => ground.hints.bounds.get(name) ?? null);
  const isNone = bounds.every((bound) => bound?.low?.plus === 0 && bound.low.names.length === 0);
  const isAll = open.length > 0 && steps.every((step) => isOfLengths(step, open));
  const all = (of: (at: number) => Amount | null): ReadonlyMap<string, Amount> | null => {
    const amounts = open.map((_name, at) => of(at));
    return amounts.every((each) => each !== null && isKnown(each, ground.scalars))
      ? new Map(open.map((name, at) => [name, amounts[at] ?? fixed(0)]))
      : null;
  };
  const variants = [
    { of: all((at) => bounds[at]?.low ?? fixed(0)), own: 0, isSure: isNone && isAll },
    { of: all(() => fixed(0)), own: 0, isSure: false },
    { of: all(() => fixed(1)), own: 1, isSure: false },
    { of: all((at) => bounds[at]?.high ?? null), own: 1, isSure: false },
    ...ground.scalars.slice(0, 3).map((name) => ({ of: all(() => ofName(name)), own: 1, isSure: false })),
  ];
  return variants.flatMap(({ of, own, isSure }) => {
    const told = [...(of ?? [])].map(([name, amount]) => `${name} is ${amountText(amount)}`).join(', ');
    return of ? [{ told, of, own, isSure }] : [];
  });
}

/** Whether nothing is left of it where the lengths are 0, but these. */
function isOfLengths({ rows, fields }: OutStep, open: readonly string[]): boolean {
  const isOpen = (amount: Amount | null) =>
    amount !== null && amount.plus === 0 && amount.names.some((name) => open.includes(name));
  return (
    isOpen(rows) ||
    fields.every(({ name, list }) =>
      list && 'names' in list ? isOpen(list) : list === null && open.includes(name),
    )
  );
}

function answerOf(steps: readonly OutStep[], lengths: Lengths, style: Style): CandidateAnswer | null {
  const pieces = steps.map((step) => rowsOf(step, lengths, style));
  if (!pieces.every((piece) => piece !== null)) return null;
  const told = lengths.isSure
    ? 'nothing, which is allowed'
    : [lengths.told, style.told].filter(Boolean).join('; ');
  return { told, pieces, isSure: lengths.isSure };
}

function rowsOf({ rows, fields }: OutStep, lengths: Lengths, style: Style): Piece | null {
  const owned = fields.flatMap(({ list }) => (list && 'own' in list ? [list.own] : []));
  const valueAt = ({ name, text, list }: OutField, at: number): Value | null => {
    if (text !== null) return { type: 'text', text };
    if (owned.includes(name)) return { type: 'amount', amount: fixed(lengths.own) };
    const own = list === null ? lengths.of.get(name) : undefined;
    if (own) return { type: 'amount', amount: own };
    const counter = list !== null || !rows ? 'place' : 'row';
    return style.valueOf({ name, at, counter, depth: depthOf(rows !== null, list !== null) });
  };
  const items = fields.map((field, at): Item | null => {
    const { list, isGlued } = field;
    const value = valueAt(field, at);
    const length = list && ('own' in list ? fixed(lengths.own) : substituted(list, lengths.of));
    return value && { value, list: length, isGlued };
  });
  const count = rows && substituted(rows, lengths.of);
  return items.every((item) => item !== null) ? { type: 'rows', rows: count, items } : null;
}

function substituted({ times, names, plus }: Amount, of: ReadonlyMap<string, Amount>): Amount {
  const [first] = names;
  const found = names.length === 1 && first !== undefined ? of.get(first) : undefined;
  if (!found) return { times, names, plus };
  return { times: found.times * times, names: found.names, plus: found.plus * times + plus };
}

/** Groups are found by themselves; what stands beside them is filled in the first ways that there are. */
function grouped(
  steps: readonly OutStep[],
  lengths: Lengths,
  styles: readonly Style[],
  ground: Ground,
): readonly CandidateAnswer[] {
  const at = steps.findIndex((step) => groupsOf(step, ground).length > 0);
  const step = steps[at];
  if (!step || lengths.own !== 0) return [];
  return styles.slice(0, steps.length === 1 ? 1 : 3).flatMap((style) =>
    groupsOf(step, ground).flatMap((groups) => {
      const pieces = steps.map((other, index) => (index === at ? groups : rowsOf(other, lengths, style)));
      if (!pieces.every((piece) => piece !== null)) return [];
      const { way, things, base } = groups;
      const how = typeof way === 'string' ? wayTold[way] : `each to the group with the least ${way.least}`;
      return [{ told: `${amountText(things)} things from ${base}, ${how}`, pieces, isSure: false }];
    }),
  );
}

const wayTold = { turn: 'one to each group in turn', blocks: 'in blocks', first: 'all to the first group' };

/** Empty where the lines are not of this form. */
function groupsOf({ rows, fields }: OutStep, ground: Ground): readonly Groups[] {
  const [count, members] = fields;
  if (!rows || fields.length !== 2 || !count || count.list !== null) return [];
  if (!members?.list || !('own' in members.list) || members.list.own !== count.name) return [];
  if (!isKnown(rows, ground.scalars)) return [];
  return thingsOf(members.name, rows, ground).flatMap(({ things, base }) =>
    waysOf(things, ground).map((way) => ({ type: 'groups', things, groups: rows, base, way })),
  );
}

function thingsOf(name: string, rows: Amount, { hints, scalars }: Ground) {
  const { low = null, high = null } = hints.bounds.get(name) ?? {};
  const isPlain = low?.names.length === 0 && high !== null && isKnown(high, scalars);
  if (low && high && isPlain && high.names.length > 0) {
    return [{ things: { ...high, plus: high.plus - low.plus + 1 }, base: low.plus }];
  }
  const others = scalars.filter((scalar) => !rows.names.includes(scalar)).slice(0, 5);
  return others.flatMap((scalar) => [1, 0].map((base) => ({ things: ofName(scalar), base })));
}

function waysOf({ names, plus }: Amount, { steps }: Ground): readonly Way[] {
  const [length] = names;
  const lists = steps.flatMap((step) =>
    step.fields.flatMap(({ name, count }) => {
      const extent = step.type === 'rows' ? (count === null ? step.count : null) : count;
      return extent && extent.name === length && extent.plus === plus && !extent.ofRow ? [name] : [];
    }),
  );
  // A weight mostly stands behind the position of its thing; and `w` is mostly a weight.
  const weights = lists.toReversed().toSorted((a, b) => Number(/^w/i.test(b)) - Number(/^w/i.test(a)));
  return [...weights.map((least) => ({ least })), 'turn', 'blocks', 'first'];
}
