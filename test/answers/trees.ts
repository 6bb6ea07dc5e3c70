/**
 * Answers as trees with exact values, each rendered in styles taken by chance, and changed in one place so that its value
 * is another one: a sign, a digit, an exponent, a bracket, a unit, an end. Numbers are sums of p/q·√c·πᵏ with squarefree c,
 * functions sums of p·f(kx): such sums are equal exactly when their terms are, so that "unequal" is certain.
 */
type Chance = (below: number) => number;
type Pick = <T>(items: readonly T[]) => T;
type Maker = { readonly chance: Chance; readonly pick: Pick };

/** `p/q · √radicand · π^pi`, with q > 0. */
type Term = { readonly p: number; readonly q: number; readonly radicand: number; readonly pi: number };
type Wave = { readonly p: number; readonly name: 'sin' | 'cos' | 'exp'; readonly k: number };
type Factor = { readonly a: number; readonly b: number; readonly power: number };

type Answer =
  | { readonly kind: 'number'; readonly terms: readonly Term[] }
  | { readonly kind: 'waves'; readonly waves: readonly Wave[] }
  | { readonly kind: 'polynomial'; readonly scale: number; readonly factors: readonly Factor[] }
  | { readonly kind: 'quantity'; readonly terms: readonly Term[]; readonly unit: string }
  | {
      readonly kind: 'interval';
      readonly ends: readonly [Term, Term];
      readonly open: readonly [boolean, boolean];
    }
  | { readonly kind: 'union'; readonly ends: readonly Term[]; readonly open: readonly boolean[] }
  | {
      readonly kind: 'tuple' | 'set' | 'list' | 'column' | 'square' | 'named';
      readonly items: readonly (readonly Term[])[];
    };

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b));
const lowest = ({ p, q, ...rest }: Term): Term => {
  const common = gcd(p, q) || 1;
  return { p: p / common, q: q / common, ...rest };
};
const sizeOf = ({ p, q, radicand, pi }: Term) => (p / q) * Math.sqrt(radicand) * Math.PI ** pi;

/** The same for two answers exactly when they are equal. */
export function exactValue(answer: Answer): string {
  const termsOf = (terms: readonly Term[]) => {
    const sums = new Map<string, Term>();
    for (const term of terms) {
      const key = `${term.radicand} ${term.pi}`;
      const { p, q } = sums.get(key) ?? { p: 0, q: 1 };
      sums.set(key, lowest({ ...term, p: p * term.q + term.p * q, q: q * term.q }));
    }
    const kept = [...sums].filter(([, { p }]) => p !== 0);
    return kept
      .map(([key, { p, q }]) => `${p}/${q}*${key}`)
      .sort()
      .join('+');
  };
  switch (answer.kind) {
    case 'number':
      return termsOf(answer.terms);
    case 'quantity':
      return `${termsOf(answer.terms)} ${answer.unit}`;
    case 'waves': {
      const sums = new Map<string, number>();
      for (const { p, name, k } of answer.waves) sums.set(`${name}${k}`, (sums.get(`${name}${k}`) ?? 0) + p);
      return [...sums]
        .filter(([, p]) => p !== 0)
        .map(([key, p]) => `${p}${key}`)
        .sort()
        .join('+');
    }
    case 'polynomial':
      return expandedOf(answer.scale, answer.factors).join();
    case 'interval':
    case 'union':
      return `${answer.ends.map((end) => termsOf([end])).join()} ${answer.open.join()}`;
    default: {
      const values = answer.items.map(termsOf);
      return `${answer.kind} ${(/set|list/.test(answer.kind) ? values.sort() : values).join(' ; ')}`;
    }
  }
}

function expandedOf(scale: number, factors: readonly Factor[]): number[] {
  let result = [scale];
  for (const { a, b, power } of factors) {
    for (let at = 0; at < power; at += 1) {
      const next = Array.from({ length: result.length + 1 }, () => 0);
      for (const [degree, value] of result.entries()) {
        next[degree + 1] = (next[degree + 1] ?? 0) + a * value;
        next[degree] = (next[degree] ?? 0) + b * value;
      }
      result = next;
    }
  }
  return result;
}

const radicands = [2, 3, 5, 6, 7, 10, 11, 13];
const units = [
  'cm',
  'm',
  'km',
  'kg',
  'g',
  'hours',
  'minutes',
  'cm^2',
  'm^2',
  'm^3',
  'dollars',
  'degrees',
  'km/h',
];

function term({ chance, pick }: Maker, isPlain = false): Term {
  const p = (1 + chance(40)) * pick([1, 1, -1]);
  const q = pick([1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12]);
  return lowest({
    p,
    q,
    radicand: isPlain || chance(3) > 0 ? 1 : pick(radicands),
    pi: isPlain || chance(5) > 0 ? 0 : 1,
  });
}

function terms(maker: Maker): Term[] {
  const found = [term(maker), ...(maker.chance(3) === 0 ? [term(maker)] : [])];
  return exactValue({ kind: 'number', terms: found }) === '' ? terms(maker) : found;
}

function sortedEnds(maker: Maker, count: number): Term[] {
  const ends = Array.from({ length: count }, () => term(maker, maker.chance(3) > 0)).sort(
    (a, b) => sizeOf(a) - sizeOf(b),
  );
  const isApart = ends.every((end, at) => at === 0 || sizeOf(end) - sizeOf(ends[at - 1] ?? end) > 0.05);
  return isApart ? ends : sortedEnds(maker, count);
}

export function randomAnswer(maker: Maker): Answer {
  const { chance, pick } = maker;
  const kind = pick([
    'number',
    'number',
    'waves',
    'polynomial',
    'quantity',
    'interval',
    'union',
    'tuple',
    'set',
    'list',
    'column',
    'square',
    'named',
  ] as const);
  const many = (count: number) => Array.from({ length: count }, () => terms(maker));
  switch (kind) {
    case 'number':
      return { kind, terms: terms(maker) };
    case 'quantity':
      return { kind, terms: [term(maker, true)], unit: pick(units) };
    case 'waves': {
      const wave = (): Wave => ({
        p: (1 + chance(9)) * pick([1, -1]),
        name: pick(['sin', 'cos', 'exp']),
        k: 1 + chance(5),
      });
      const waves = [wave(), wave()];
      return exactValue({ kind, waves }).includes('+') ? { kind, waves } : { kind, waves: waves.slice(0, 1) };
    }
    case 'polynomial': {
      const factor = (): Factor => ({
        a: 1 + chance(4),
        b: (1 + chance(9)) * pick([1, -1]),
        power: 1 + chance(2),
      });
      return {
        kind,
        scale: (1 + chance(4)) * pick([1, 1, -1]),
        factors: [factor(), ...(chance(2) ? [factor()] : [])],
      };
    }
    case 'interval': {
      const [low, high] = sortedEnds(maker, 2);
      return low && high
        ? { kind, ends: [low, high], open: [chance(2) > 0, chance(2) > 0] }
        : randomAnswer(maker);
    }
    case 'union':
      return { kind, ends: sortedEnds(maker, 4), open: [0, 0, 0, 0].map(() => chance(2) > 0) };
    case 'square':
      return { kind, items: many(4) };
    case 'named':
      return { kind, items: many(1) };
    default: {
      const items = many(2 + chance(2));
      const isSet =
        new Set(items.map((each) => exactValue({ kind: 'number', terms: each }))).size === items.length;
      return isSet ? { kind, items } : randomAnswer(maker);
    }
  }
}

/** One place changed. Whether the value changed with it is for the caller to ask. */
export function changed(answer: Answer, maker: Maker): Answer {
  const { chance, pick } = maker;
  const oneOf = <T>(items: readonly T[], change: (item: T) => T): T[] => {
    const at = chance(items.length);
    return items.map((item, index) => (index === at ? change(item) : item));
  };
  const digit = (value: number) => {
    const text = String(Math.abs(value));
    const at = chance(text.length);
    const other = `${text.slice(0, at)}${(Number(text[at]) + 1 + chance(8)) % 10}${text.slice(at + 1)}`;
    return Math.max(1, Number(other)) * Math.sign(value);
  };
  const otherTerm = (it: Term): Term =>
    lowest(
      pick([
        () => ({ ...it, p: -it.p }),
        () => ({ ...it, p: digit(it.p) }),
        () => ({ ...it, q: digit(it.q) }),
        () => ({ ...it, p: it.q * Math.sign(it.p), q: Math.abs(it.p) }),
        () => ({ ...it, p: it.p * 10 }),
        () => ({ ...it, radicand: pick([1, ...radicands]) }),
        () => ({ ...it, pi: pick([0, 1, 2]) }),
      ])(),
    );
  const otherTerms = (of: readonly Term[]) => oneOf(of, otherTerm);
  switch (answer.kind) {
    case 'number':
      return { ...answer, terms: otherTerms(answer.terms) };
    case 'quantity':
      return chance(2)
        ? { ...answer, unit: pick(units) }
        : { ...answer, terms: [{ ...(answer.terms[0] ?? term(maker)), p: digit(answer.terms[0]?.p ?? 1) }] };
    case 'waves':
      return {
        ...answer,
        waves: oneOf(answer.waves, (wave) =>
          pick([
            { ...wave, p: -wave.p },
            { ...wave, p: digit(wave.p) },
            { ...wave, k: wave.k + 1 },
            { ...wave, name: pick(['sin', 'cos', 'exp'] as const) },
          ]),
        ),
      };
    case 'polynomial':
      return chance(4) === 0
        ? { ...answer, scale: -answer.scale }
        : {
            ...answer,
            factors: oneOf(answer.factors, (factor) =>
              pick([
                { ...factor, b: -factor.b },
                { ...factor, b: digit(factor.b) },
                { ...factor, a: digit(factor.a) },
                { ...factor, power: 3 - factor.power },
              ]),
            ),
          };
    case 'interval': {
      const [low, high] = answer.ends;
      if (chance(2))
        return {
          ...answer,
          open: chance(2) ? [!answer.open[0], answer.open[1]] : [answer.open[0], !answer.open[1]],
        };
      const ends = chance(2) ? ([otherTerm(low), high] as const) : ([low, otherTerm(high)] as const);
      return sizeOf(ends[0]) < sizeOf(ends[1]) - 0.01 ? { ...answer, ends } : changed(answer, maker);
    }
    case 'union': {
      if (chance(2)) return { ...answer, open: oneOf(answer.open, (isOpen) => !isOpen) };
      const ends = oneOf(answer.ends, otherTerm);
      const isSorted = ends.every((end, at) => at === 0 || sizeOf(end) - sizeOf(ends[at - 1] ?? end) > 0.01);
      return isSorted ? { ...answer, ends } : changed(answer, maker);
    }
    default: {
      const [first = [], second = [], ...rest] = answer.items;
      if (answer.items.length > 1 && chance(3) === 0) return { ...answer, items: [second, first, ...rest] };
      if (answer.items.length > 2 && answer.kind !== 'square' && chance(4) === 0)
        return { ...answer, items: answer.items.slice(1) };
      return { ...answer, items: oneOf(answer.items, otherTerms) };
    }
  }
}

/** A style for all of an answer: LaTeX, plain text, or what a program prints. */
export function rendered(answer: Answer, maker: Maker): string {
  const { chance, pick } = maker;
  const style = pick(['latex', 'latex', 'plain', 'python'] as const);
  const gap = () => pick(['', ' ']);
  const fraction = (p: number | string, q: number): string => {
    if (q === 1) return String(p);
    if (style === 'latex') return pick([`\\frac{${p}}{${q}}`, `\\dfrac{${p}}{${q}}`, `\\tfrac{${p}}{${q}}`]);
    return style === 'python' && typeof p === 'number'
      ? pick([`Fraction(${p}, ${q})`, `Rational(${p}, ${q})`, `${p}/${q}`])
      : `${p}/${q}`;
  };
  const magnitudeOf = ({ p, q, radicand, pi }: Term): string => {
    const over = Math.abs(p);
    if (radicand === 1 && pi === 0) {
      if (q === 1 && over > 999 && chance(2) && style === 'latex')
        return String(over).replace(/(\d)(?=(\d{3})+$)/g, '$1,\\!');
      if (10_000 % q === 0 && q > 1 && chance(3) === 0) return String(over / q);
      if (q > 1 && over > q && style === 'latex' && chance(4) === 0)
        return `${Math.floor(over / q)}\\frac{${over % q}}{${q}}`;
      return fraction(over, q);
    }
    const times = style === 'latex' ? pick(['', ' ', '\\cdot ']) : '*';
    const pies = Array.from({ length: pi }, () => (style === 'latex' ? '\\pi' : 'pi'));
    const surd = (c: number) =>
      style === 'latex' ? (c < 10 && chance(2) ? `\\sqrt${c}` : `\\sqrt{${c}}`) : `sqrt(${c})`;
    const pulled = radicand > 1 && over > 1 && over < 13 && chance(3) === 0;
    const roots = radicand === 1 ? [] : [surd(pulled ? over * over * radicand : radicand)];
    const factors = [...roots, ...pies];
    const number = pulled || (over === 1 && factors.length > 0) ? [] : [String(over)];
    if (q > 1 && chance(2)) return fraction([...number, ...factors].join(times), q);
    if (q === 1) return [...number, ...factors].join(times);
    const [coefficient] = pulled ? ['1'] : [String(over)];
    return `${style === 'latex' ? `\\frac{${coefficient}}{${q}}` : `(${coefficient}/${q})`}${times}${factors.join(times)}`;
  };
  const signed = (parts: readonly { readonly isNegative: boolean; readonly text: string }[]) =>
    parts
      .map(
        ({ isNegative, text }, at) =>
          `${isNegative ? `${at > 0 ? gap() : ''}-${at > 0 ? gap() : ''}` : at > 0 ? `${gap()}+${gap()}` : ''}${text}`,
      )
      .join('');
  const sumOf = (of: readonly Term[]) => {
    const order = chance(2) ? of : of.toReversed();
    return signed(order.map((each) => ({ isNegative: each.p < 0, text: magnitudeOf(each) })));
  };
  const [left, right] = style === 'latex' && chance(2) ? ['\\left', '\\right'] : ['', ''];
  const interval = (low: Term, high: Term, isLowOpen: boolean, isHighOpen: boolean): string => {
    const [a, b] = [sumOf([low]), sumOf([high])];
    if (style === 'python') {
      const name = isLowOpen
        ? isHighOpen
          ? 'Interval.open'
          : 'Interval.Lopen'
        : isHighOpen
          ? 'Interval.Ropen'
          : 'Interval';
      return `${name}(${a}, ${b})`;
    }
    const isTurned = chance(4) === 0;
    const [open, close] = [
      isLowOpen ? (isTurned ? ']' : '(') : '[',
      isHighOpen ? (isTurned ? '[' : ')') : ']',
    ];
    return `${left}${open}${a}${pick([',', ', '])}${b}${right}${close}`;
  };
  const boxed = (text: string) => (style === 'latex' ? pick([text, text, `$${text}$`]) : text);
  switch (answer.kind) {
    case 'number':
      return boxed(sumOf(answer.terms));
    case 'quantity': {
      const value = sumOf(answer.terms);
      if (answer.unit === 'degrees' && style === 'latex')
        return pick([`${value}^\\circ`, `${value}\\text{ degrees}`]);
      if (answer.unit === 'dollars' && !value.startsWith('-') && !value.includes('frac') && chance(2))
        return `\\$${value}`;
      return style === 'latex'
        ? pick([
            `${value}\\text{ ${answer.unit}}`,
            `${value}\\;\\text{${answer.unit}}`,
            `${value} \\mathrm{${answer.unit}}`,
          ])
        : `${sumOf(answer.terms.map((each) => each))} ${answer.unit}`;
    }
    case 'waves': {
      const argument = (k: number) => (k === 1 ? 'x' : style === 'latex' ? `${k}x` : `${k}*x`);
      const waveOf = ({ name, k }: Wave) => {
        if (name === 'exp')
          return style === 'latex'
            ? `e^{${argument(k)}}`
            : style === 'plain'
              ? `e^(${argument(k)})`
              : `exp(${argument(k)})`;
        if (name === 'sin' && k === 2 && chance(2))
          return style === 'latex' ? '(2\\sin x\\cos x)' : '(2*sin(x)*cos(x))';
        return style === 'latex'
          ? pick([
              `\\${name}(${argument(k)})`,
              `\\${name}{${argument(k)}}`,
              `\\${name}\\left(${argument(k)}\\right)`,
            ])
          : `${name}(${argument(k)})`;
      };
      return boxed(
        signed(
          answer.waves.map((wave) => ({
            isNegative: wave.p < 0,
            text: `${Math.abs(wave.p) === 1 ? '' : `${Math.abs(wave.p)}${style === 'latex' ? '' : '*'}`}${waveOf(wave)}`,
          })),
        ),
      );
    }
    case 'polynomial': {
      const times = style === 'latex' ? '' : '*';
      const power = (base: string, exponent: number) =>
        exponent === 1
          ? base
          : `${base}${style === 'python' ? '**' : '^'}${style === 'latex' && chance(2) ? `{${exponent}}` : exponent}`;
      if (chance(2)) {
        const coefficients = expandedOf(answer.scale, answer.factors)
          .map((value, degree) => ({ value, degree }))
          .filter(({ value }) => value !== 0);
        const parts = coefficients.toReversed().map(({ value, degree }) => {
          const size = Math.abs(value);
          const x = degree === 0 ? '' : power('x', degree);
          return {
            isNegative: value < 0,
            text: degree === 0 ? String(size) : size === 1 ? x : `${size}${times}${x}`,
          };
        });
        return boxed(signed(parts));
      }
      const factors = answer.factors.map(({ a, b, power: exponent }) =>
        power(`(${a === 1 ? '' : `${a}${times}`}x ${b < 0 ? '-' : '+'} ${Math.abs(b)})`, exponent),
      );
      const scale = answer.scale === 1 ? [] : answer.scale === -1 ? ['-1'] : [String(answer.scale)];
      return boxed([...scale, ...factors].join(times));
    }
    case 'interval':
      return boxed(interval(...answer.ends, ...answer.open));
    case 'union': {
      const [a, b, c, d] = answer.ends;
      const [p = true, q = true, r = true, s = true] = answer.open;
      if (!a || !b || !c || !d) return '';
      const parts = [interval(a, b, p, q), interval(c, d, r, s)];
      if (chance(2)) parts.reverse();
      return style === 'python'
        ? `Union(${parts.join(', ')})`
        : boxed(parts.join(style === 'latex' ? ' \\cup ' : ' U '));
    }
    default: {
      const items = answer.items.map(sumOf);
      const list = items.join(pick([', ', ',']));
      if (answer.kind === 'named') return boxed(pick([`x = ${list}`, `x=${list}`, list]));
      if (answer.kind === 'tuple') return boxed(`${left}(${list}${right})`);
      if (answer.kind === 'list')
        return style === 'latex'
          ? pick([list, items.join('\\text{ or }'), items.map((item) => `$${item}$`).join(', ')])
          : items.join(', ');
      if (answer.kind === 'set')
        return style === 'latex'
          ? boxed(`${left}\\{${list}${right}\\}`)
          : style === 'python'
            ? pick([`FiniteSet(${list})`, `{${list}}`])
            : `{${list}}`;
      const rows =
        answer.kind === 'column' ? items.map((item) => [item]) : [items.slice(0, 2), items.slice(2)];
      if (style === 'latex') {
        const name = pick(['pmatrix', 'bmatrix']);
        return `\\begin{${name}}${rows.map((row) => row.join(' & ')).join(' \\\\ ')}\\end{${name}}`;
      }
      return `Matrix([${rows.map((row) => `[${row.join(', ')}]`).join(', ')}])`;
    }
  }
}
