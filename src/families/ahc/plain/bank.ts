/**
 * Plain answers to one contest, the likeliest first: those of the form that the statement shows, of the form that its
 * samples have, then of forms that are usual, then none at all. Which of them is valid, a judge says. Pure.
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
  type Way,
} from './answer.ts';
import { answeringProgram } from './cpp.ts';
import { hintsIn } from './hints.ts';
import { type InputValues, valuesIn } from './input.ts';
import {
  type KnownSample,
  type OutField,
  type OutStep,
  stepsOfFormat,
  stepsOfSamples,
  usualShapes,
  wordsOfLines,
} from './output-shape.ts';
import { depthOf, type Ground, type Style, stylesFor } from './styles.ts';
import type { Question, Understood } from './understanding.ts';

/** What one answer prints for the inputs on which it is to be tried, in their order. */
export type Tried = CandidateAnswer & { readonly outputs: readonly string[] };

/** In one tier; a judge need not be asked more often. */
const mostAnswers = 200;

/** Tiers, the likelier before, made when they are asked for. An answer that prints what another one prints is left out. */
export function* bankOf(question: Question, understood: Understood): Generator<readonly Tried[]> {
  const { steps, scalars, words, blocks } = understood;
  const ground: Ground = { hints: hintsIn(words, question.statement), scalars, steps };
  const samples = samplesKnown(question, understood);
  const shown = blocks.flatMap((block) => stepsOfFormat(block) ?? []);
  const alike = stepsOfSamples(samples);
  const values = question.inputs.map((input) => valuesIn(steps, input));
  const seen = new Set<string>();
  const tierOf = (forms: readonly (readonly OutStep[])[]): readonly Tried[] => {
    const answers = forms.flatMap((form) => answersOf(form, ground));
    return bySamples(answers, { question, understood })
      .flatMap((answer) => triedOn(answer, values, seen))
      .slice(0, mostAnswers);
  };
  yield tierOf([...(shown.length > 0 ? [shown] : []), ...(alike ? [alike] : [])]);
  yield tierOf(usualShapes(scalars));
  yield triedOn(nothing, values, seen);
}

const nothing: CandidateAnswer = {
  told: 'nothing at all',
  pieces: [{ type: 'rows', rows: fixed(0), items: [] }],
  isSure: false,
};

function triedOn(
  answer: CandidateAnswer,
  values: readonly InputValues[],
  seen: Set<string>,
): readonly Tried[] {
  const outputs = values.map((each) => printed(answer, each));
  if (!outputs.every((output) => output !== null)) return [];
  const key = outputs.map((output) => output.trim()).join('\n\n');
  if (seen.has(key)) return [];
  seen.add(key);
  return [{ ...answer, outputs }];
}

function samplesKnown({ samples }: Question, { steps, scalars }: Understood): readonly KnownSample[] {
  return samples.map(({ input, output }) => {
    const { scalars: found } = valuesIn(steps, input);
    return { output, scalars: new Map(scalars.map((name) => [name, Number(found.get(name))])) };
  });
}

/** What is known to be valid first, then what is most like the samples; else as they were. */
function bySamples(
  answers: readonly CandidateAnswer[],
  { question: { samples }, understood: { steps } }: { question: Question; understood: Understood },
): readonly CandidateAnswer[] {
  const known = samples.map(({ input, output }) => ({ values: valuesIn(steps, input), output }));
  const worth = (answer: CandidateAnswer): number =>
    answer.isSure
      ? Number.POSITIVE_INFINITY
      : known.reduce((sum, { values, output }) => sum + likeness(printed(answer, values) ?? '', output), 0);
  return answers
    .filter((answer) => new Set(numbersOf(answer)).size < 5)
    .map((answer) => ({ answer, worth: worth(answer) }))
    .toSorted((a, b) => b.worth - a.worth)
    .map(({ answer }) => answer);
}

/** From 0, what has nothing in common, to 4, the very same. */
export function likeness(printed: string, sample: string): number {
  const [own, theirs] = [wordsOfLines(printed), wordsOfLines(sample)];
  const form = (lines: readonly (readonly string[])[]) => lines.map(({ length }) => length).join(' ');
  const words = (lines: readonly (readonly string[])[]) => lines.flat().toSorted().join(' ');
  const text = (lines: readonly (readonly string[])[]) => lines.map((line) => line.join(' ')).join('\n');
  const [size, other] = [own.flat().length, theirs.flat().length];
  if (size !== other) return 0;
  if (text(own) === text(theirs)) return 4;
  if (words(own) === words(theirs)) return 3;
  if (form(own) !== form(theirs)) return 0;
  return isAmong(own.flat(), theirs.flat()) ? 2 : 1;
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

type Guess = { readonly source: string; readonly told: string; readonly isSure: boolean };

export function guessAnswer(question: Question, understood: Understood): Guess | null {
  if (question.isInteractive || understood.reading === null) return null;
  const [likeliest = []] = bankOf(question, understood);
  const [answer]: readonly Tried[] = likeliest;
  return answer
    ? { source: answeringProgram(understood, answer), told: answer.told, isSure: answer.isSure }
    : null;
}

/** Of an answer that may be empty it is known that it is valid, where the statement says that it may. */
export type CandidateAnswer = PlainAnswer & { readonly isSure: boolean };

type Lengths = {
  readonly told: string;
  readonly of: ReadonlyMap<string, Amount>;
  /** Of a list whose length stands in its own row. */
  readonly own: number;
  readonly isSure: boolean;
};

export function answersOf(steps: readonly OutStep[], ground: Ground): readonly CandidateAnswer[] {
  const styles = stylesFor(ground);
  return lengthsOf(steps, ground).flatMap((lengths) => {
    const filled = styles.flatMap((style) => answerOf(steps, { lengths, style, ground }) ?? []);
    return [...filled, ...grouped(steps, { lengths, styles, ground })];
  });
}

/** Names that stand for a length and are none of the input's. */
function openNames(steps: readonly OutStep[], { scalars }: Ground): readonly string[] {
  const used = steps.flatMap(({ rows, fields }) => [
    ...(rows?.names ?? []),
    ...fields.flatMap(({ list }) => (list && 'names' in list ? list.names : [])),
  ]);
  return [...new Set(used)].filter((name) => !scalars.includes(name));
}

function lengthsOf(steps: readonly OutStep[], ground: Ground): readonly Lengths[] {
  const open = openNames(steps, ground);
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

type Filling = { readonly lengths: Lengths; readonly style: Style; readonly ground: Ground };

function answerOf(steps: readonly OutStep[], filling: Filling): CandidateAnswer | null {
  const pieces = steps.map((step) => rowsOf(step, filling));
  const { lengths, style } = filling;
  if (!pieces.every((piece) => piece !== null)) return null;
  const told = lengths.isSure
    ? 'nothing, which is allowed'
    : [lengths.told, style.told].filter(Boolean).join('; ');
  return { told, pieces, isSure: lengths.isSure };
}

function rowsOf({ rows, fields }: OutStep, filling: Filling): Piece | null {
  const { lengths } = filling;
  const count = rows && substituted(rows, lengths.of);
  const owned = new Set(fields.flatMap(({ list }) => (list && 'own' in list ? [list.own] : [])));
  const items = fields.map((field, at) => itemOf(field, { at, isRow: rows !== null, owned, ...filling }));
  return items.every((item) => item !== null) ? { type: 'rows', rows: count, items } : null;
}

type ItemPlace = Filling & {
  readonly at: number;
  readonly isRow: boolean;
  readonly owned: ReadonlySet<string>;
};

function itemOf({ name, text, list, isGlued }: OutField, place: ItemPlace): Item | null {
  const { lengths, owned, at, isRow, style } = place;
  const length = list === null ? null : 'own' in list ? fixed(lengths.own) : substituted(list, lengths.of);
  const item = (value: Item['value']): Item => ({ value, list: length, isGlued });
  if (text !== null) return item({ type: 'text', text });
  if (owned.has(name)) return item({ type: 'amount', amount: fixed(lengths.own) });
  const own = list === null ? lengths.of.get(name) : undefined;
  if (own) return item({ type: 'amount', amount: own });
  const counter = list !== null || !isRow ? 'place' : 'row';
  const value = style.valueOf({ name, at, counter, depth: depthOf(isRow, list !== null) });
  return value && item(value);
}

function substituted({ times, names, plus }: Amount, of: ReadonlyMap<string, Amount>): Amount {
  const [first] = names;
  const found = names.length === 1 && first !== undefined ? of.get(first) : undefined;
  if (!found) return { times, names, plus };
  return { times: found.times * times, names: found.names, plus: found.plus * times + plus };
}

/** Groups are found by themselves; what stands beside them is filled in the first way that there is. */
function grouped(
  steps: readonly OutStep[],
  { lengths, styles, ground }: Omit<Filling, 'style'> & { readonly styles: readonly Style[] },
): readonly CandidateAnswer[] {
  const at = steps.findIndex((step) => groupsOf(step, ground).length > 0);
  const [step, style] = [steps[at], styles[0]];
  if (!step || lengths.own !== 0) return [];
  return styles.slice(0, steps.length === 1 ? 1 : 3).flatMap((each) =>
    groupsOf(step, ground).flatMap((groups) => {
      const others = steps.map((other, index) =>
        index === at ? groups : rowsOf(other, { lengths, style: each ?? style, ground }),
      );
      if (!others.every((piece) => piece !== null)) return [];
      const { way, things, base } = groups;
      const how = typeof way === 'string' ? wayTold[way] : `each to the group with the least ${way.least}`;
      return [{ told: `${amountText(things)} things from ${base}, ${how}`, pieces: others, isSure: false }];
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

function thingsOf(
  name: string,
  rows: Amount,
  { hints, scalars }: Ground,
): readonly { readonly things: Amount; readonly base: number }[] {
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
