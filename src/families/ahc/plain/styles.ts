/**
 * What the words of a statement say of an answer's values (from where to where they go, which letters and words there are,
 * whether each number comes once), and plain ways to fill the places of an answer: the least that is allowed, in order, in
 * turn, as in the input, a letter. Each fills all places alike. What the hints come to is tried. Pure.
 */
import { type Amount, type Counter, fixed, isKnown, ofName, type Value } from './answer.ts';
import type { Step } from './format.ts';

/** The position of a value. */
export type Spot = {
  readonly name: string;
  /** Its number among those of its line. */
  readonly at: number;
  readonly counter: Counter;
  /** The depth of nesting: 0 for a single value, 1 in a row or a list, 2 in a table. */
  readonly depth: number;
};

export type Style = { readonly told: string; readonly valueOf: (spot: Spot) => Value | null };

export type Ground = {
  readonly hints: Hints;
  /** From the input: its whole numbers, and the parts that can be printed again. */
  readonly scalars: readonly string[];
  readonly steps: readonly Step[];
};

export function stylesFor(ground: Ground): readonly Style[] {
  const { hints } = ground;
  const ordered = orders(ground);
  const least = [allLeast(ground, 0), allLeast(ground, 1)];
  return [
    sameNames(ground),
    ...(hints.isPermutation ? [...ordered, ...least] : [...least, ...ordered]),
    ...hints.words.map(
      (text): Style => ({ told: `always ${text}`, valueOf: () => ({ type: 'text', text }) }),
    ),
    ...turns(ground),
    ...echoes(ground),
    ...cells(ground),
    ...neighbours,
    most(ground),
  ];
}

const amount = (of: Amount): Value => ({ type: 'amount', amount: of });

/** `otherwise`: the value if the input format gives no bound. */
function lowOf({ hints, scalars }: Ground, name: string, otherwise: number): Amount {
  const low = hints.bounds.get(name)?.low;
  return low && isKnown(low, scalars) ? low : fixed(otherwise);
}

function allLeast(ground: Ground, otherwise: number): Style {
  return {
    told: `the least that is allowed, else ${otherwise}`,
    valueOf: ({ name }) => amount(lowOf(ground, name, otherwise)),
  };
}

function orders(ground: Ground): readonly Style[] {
  return [0, 1, -1].map((otherwise) => ({
    told: `in order, from ${otherwise} where nothing is said`,
    valueOf: ({ name, counter }) => {
      const low = otherwise < 0 ? fixed(otherwise) : lowOf(ground, name, otherwise);
      return low.names.length === 0 ? { type: 'count', of: counter, plus: low.plus } : null;
    },
  }));
}

function turns(ground: Ground): readonly Style[] {
  return ground.scalars.slice(0, 5).flatMap((scalar) =>
    [0, 1].map(
      (otherwise): Style => ({
        told: `in turn over ${scalar}, from ${otherwise} where nothing is said`,
        valueOf: ({ name, counter }) => {
          const { names, plus } = lowOf(ground, name, otherwise);
          return names.length > 0 ? null : { type: 'remainder', of: counter, by: ofName(scalar), plus };
        },
      }),
    ),
  );
}

/** A field that has the name of one of the input, and its form, is that. */
function sameNames(ground: Ground): Style {
  const fields = echoable(ground);
  return {
    told: 'as in the input, by name',
    valueOf: ({ name, depth }) =>
      fields.some((field) => field.name === name && field.depth === depth)
        ? { type: 'echo', name, plus: 0 }
        : null,
  };
}

function echoable({ steps }: Ground): readonly Pick<Spot, 'name' | 'depth'>[] {
  return steps.flatMap(({ type, fields }) =>
    fields.map(({ name, count }) => ({ name, depth: depthOf(type === 'rows', count !== null) })),
  );
}

export function depthOf(isRow: boolean, isList: boolean): number {
  return (isRow ? 1 : 0) + (isList ? 1 : 0);
}

/** The lists of the input in their order, from the first on that fits; a second pass over them is one further. */
function echoes(ground: Ground): readonly Style[] {
  const fields = echoable(ground);
  const starts = [0, 1, 2].flatMap((start) => [1, 2].map((wide) => ({ start, wide })));
  return starts.map(({ start, wide }) => ({
    told: `as in the input, ${wide} of it from list ${start + 1} on${wide === 2 ? ', then one further' : ''}`,
    valueOf: ({ at, depth }) => {
      const alike = fields.filter((field) => field.depth === depth).slice(start, start + wide);
      const found = alike[at % wide];
      return found ? { type: 'echo', name: found.name, plus: Math.floor(at / wide) } : null;
    },
  }));
}

/** Each row another cell of a board; corners beyond the second value are one further. */
function cells(ground: Ground): readonly Style[] {
  return ground.scalars.slice(0, 4).flatMap((scalar) =>
    [0, 1].map(
      (further): Style => ({
        told: `one cell after the other of a board of side ${scalar}${further ? ', corners apart' : ''}`,
        valueOf: ({ name, at, counter }) => {
          const plus = lowOf(ground, name, 0).plus + (at >= 2 ? further : 0);
          return { type: at % 2 === 0 ? 'quotient' : 'remainder', of: counter, by: ofName(scalar), plus };
        },
      }),
    ),
  );
}

/** Edges: each to the next one, and all to the first. */
const neighbours: readonly Style[] = [
  path(0),
  star(0),
  { told: 'always -1', valueOf: () => amount(fixed(-1)) },
  path(1),
  star(1),
];

function path(base: number): Style {
  return {
    told: `a path from ${base}`,
    valueOf: ({ at, counter }) => ({ type: 'count', of: counter, plus: base + (at % 2) }),
  };
}

function star(base: number): Style {
  return {
    told: `a star around ${base}`,
    valueOf: ({ at, counter }) =>
      at % 2 === 0 ? amount(fixed(base)) : { type: 'count', of: counter, plus: base + 1 },
  };
}

function most({ hints, scalars }: Ground): Style {
  return {
    told: 'the most that is allowed',
    valueOf: ({ name }) => {
      const high = hints.bounds.get(name)?.high;
      return high && isKnown(high, scalars) ? amount(high) : null;
    },
  };
}

export type Bound = { readonly low: Amount | null; readonly high: Amount | null };

export type Hints = {
  /** By the name without its indices. */
  readonly bounds: ReadonlyMap<string, Bound>;
  /** `U`, `.`, `Yes`: what stands in the text as code, or between quotation marks. */
  readonly words: readonly string[];
  readonly isPermutation: boolean;
};

/** `output`: the section alone, whose words go before those of the whole statement. */
export function hintsIn(output: string, statement: string): Hints {
  const ofOutput = boundsIn(output);
  return {
    bounds: new Map([...boundsIn(statement), ...ofOutput]),
    words: [
      ...new Set([
        ...wordsIn(withoutBlocks(output)),
        ...wordsIn(withoutBlocks(statement)).filter(({ length }) => length === 1),
      ]),
    ].slice(0, mostWords),
    isPermutation: /permutation|順列|並べ替え|並び替え|rearrang|reorder/i.test(output),
  };
}

const comparison =
  /(?<low>-?(?<!\w)\w+)(?<first>[≤<])(?<names>[A-Za-z][\w,]*)(?<second>[≤<])(?<high>[\w^*+-]+)/g;

/** `0 \leq i, j < N` bounds i and j: from 0 to N - 1. */
function boundsIn(text: string): Map<string, Bound> {
  const bounds = new Map<string, Bound>();
  for (const { groups } of plainly(text).matchAll(comparison)) {
    const { low = '', first, names = '', second, high = '' } = groups ?? {};
    const bound = {
      low: shifted(amountOf(low), first === '<' ? 1 : 0),
      high: shifted(amountOf(high), second === '<' ? -1 : 0),
    };
    for (const name of names.split(',')) {
      const [word = ''] = name.split('_');
      if (word !== '' && !bounds.has(word)) bounds.set(word, bound);
    }
  }
  return bounds;
}

function plainly(text: string): string {
  return text
    .replaceAll(/\\(leqslant|leqq|leq|le)(?![A-Za-z])|≦|&le;|<=/g, '≤')
    .replaceAll(/\\lt(?![A-Za-z])|&lt;|＜/g, '<')
    .replaceAll(/\\(times|cdot)(?![A-Za-z])|×/g, '*')
    .replaceAll(/\\[,;! ]|[$`{}\\ \t]/g, '');
}

/** `2N^2-1`, `N-1`, `1000`; null for other forms. */
export function amountOf(text: string): Amount | null {
  const clean = text.replaceAll(/[$`{}\\ *]|times|cdot/g, '');
  if (/^-?\d+$/.test(clean)) return fixed(Number(clean));
  const [, times = '', product = '', plus = '0'] =
    /^(\d*)((?:[A-Za-z](?:\^\d)?){1,3}|[A-Za-z]\w+)([+-]\d+)?$/.exec(clean) ?? [];
  if (product === '') return null;
  const names = [...product.matchAll(/([A-Za-z])(?:\^(\d))?/g)].flatMap(([, name = '', power = '1']) =>
    Array.from({ length: Number(power) }, () => name),
  );
  return { times: times === '' ? 1 : Number(times), names, plus: Number(plus) };
}

function shifted(amount: Amount | null, by: number): Amount | null {
  return amount && { ...amount, plus: amount.plus + by };
}

/** More are no alphabet. */
const mostWords = 12;

function wordsIn(text: string): readonly string[] {
  const found = [...text.matchAll(/`([^`\s]{1,12})`|['"“”‘’「]([^'"“”‘’「」\s]{1,12})['"“”‘’」]/g)];
  return found
    .map(([, code, quoted]) => code ?? quoted ?? '')
    .filter((word) => /^([!-/:-@[-`{-~]|[A-Za-z]{1,12}|\d)$/.test(word));
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/(?<![^\n])```[\s\S]*?(?<![^\n])```/g, '');
}
