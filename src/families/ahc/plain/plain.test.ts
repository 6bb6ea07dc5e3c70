/**
 * Made-up statements in AtCoder's form, English and Japanese, each with a checker that knows its rules and nothing of
 * ours: among the likeliest plain answers there is one that is valid on inputs of any size, and the C++ prints the same.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chosenSandbox } from '../../../sandbox/choose.ts';
import { toStatementMarkdown } from '../statement-markdown.ts';
import { bankOf, type Tried } from './bank.ts';
import { kindsIn, printingCode } from './code.ts';
import { guessAnswer } from './guess.ts';
import { stepsOfFormat, stepsOfSamples } from './output-shape.ts';
import { talkingProgram } from './program.ts';
import { likeness } from './samples.ts';
import { talksOf } from './talk.ts';
import { understand } from './understanding.ts';

type Words = readonly (readonly string[])[];
type Form = {
  readonly name: string;
  readonly input: string;
  readonly output: string;
  readonly said: string;
  /** An input for some sizes, and whether an output is valid for it. */
  readonly of: (sizes: Sizes) => { readonly input: string; readonly isValid: (lines: Words) => boolean };
};
type Sizes = { readonly n: number; readonly m: number; readonly seed: number };

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const numbers = (words: readonly string[]) => words.map(Number);
const isOnce = (values: readonly number[], from: number, count: number) =>
  values.length === count &&
  new Set(values).size === count &&
  values.every((each) => each >= from && each < from + count);
const noise = (seed: number, at: number, below: number) => ((seed * 7919 + at * 104_729) % 1_000_003) % below;
const row = (n: number, make: (at: number) => number | string) => upTo(n).map(make).join(' ');

const forms: readonly Form[] = [
  {
    name: 'a permutation in a line',
    ...{
      input: 'N M\n',
      output: 'p_1 p_2 \\cdots p_N',
      said: 'Print a permutation <var>p</var> of <var>1, \\dots, N</var>.',
    },
    of: ({ n, m }) => ({ input: `${n} ${m}`, isValid: ([line = []]) => isOnce(numbers(line), 1, n) }),
  },
  {
    name: 'a permutation in lines, in Japanese',
    ...{
      input: 'N M',
      output: 'P_0\nP_1\n\\vdots\nP_{N-1}',
      said: '<var>0</var> 以上 <var>N-1</var> 以下の整数の順列を出力せよ。',
    },
    of: ({ n, m }) => ({ input: `${n} ${m}`, isValid: (lines) => isOnce(numbers(lines.flat()), 0, n) }),
  },
  {
    name: 'operations, at least one, after their number',
    ...{
      input: 'N M',
      output: 'T\nr_1 c_1\n\\vdots\nr_T c_T',
      said: '<var>1 \\leq T \\leq M</var>, <var>0 \\leq r_t, c_t &lt; N</var>',
    },
    of: ({ n, m }) => ({
      input: `${n} ${m}`,
      isValid: ([[count = ''] = [], ...rest]) =>
        Number(count) >= 1 &&
        Number(count) <= m &&
        rest.length === Number(count) &&
        rest.every((cell) => cell.length === 2 && numbers(cell).every((each) => each >= 0 && each < n)),
    }),
  },
  {
    name: 'two lists after their numbers, in Japanese',
    ...{
      input: 'N M',
      output: 'X\na_1 b_1\n\\vdots\na_X b_X\nY\nc_1 d_1\n\\vdots\nc_Y d_Y',
      said: '移動の回数 <var>X</var> と接続の回数 <var>Y</var> を出力せよ。',
    },
    of: ({ n, m }) => ({ input: `${n} ${m}`, isValid: (lines) => lines.flat().join(' ') === '0 0' }),
  },
  {
    name: 'different cells',
    ...{
      input: 'N M',
      output: 'x_1 y_1\n\\vdots\nx_N y_N',
      said: 'All cells differ, and <var>0 \\leq x_i, y_i &lt; N</var>.',
    },
    of: ({ n, m }) => ({
      input: `${n} ${m}`,
      isValid: (lines) =>
        lines.length === n &&
        new Set(lines.map(String)).size === n &&
        lines.flat().every((each) => Number(each) >= 0 && Number(each) < n),
    }),
  },
  {
    name: 'a board of letters',
    ...{
      input: 'N M',
      output: 'c_{0,0}c_{0,1}\\cdotsc_{0,N-1}\n\\vdots\nc_{N-1,0}c_{N-1,1}\\cdotsc_{N-1,N-1}',
      said: 'Each is <code>#</code> or <code>.</code>.',
    },
    of: ({ n, m }) => ({
      input: `${n} ${m}`,
      isValid: (lines) =>
        lines.length === n &&
        lines.every(([word = '', ...more]) => more.length === 0 && word.length === n && /^[#.]+$/.test(word)),
    }),
  },
  {
    name: 'the board of the input',
    ...{
      input: 'N M\nc_{0,0} \\cdots c_{0,N-1}\n\\vdots\nc_{N-1,0} \\cdots c_{N-1,N-1}',
      output: 'd_{0,0} \\cdots d_{0,N-1}\n\\vdots\nd_{N-1,0} \\cdots d_{N-1,N-1}',
      said: 'Neighbours must stay neighbours.',
    },
    of: ({ n, m, seed }) => {
      const rows = upTo(n).map((i) => row(n, (j) => noise(seed, i * n + j, 100)));
      return {
        input: [`${n} ${m}`, ...rows].join('\n'),
        isValid: (lines) => lines.map((line) => line.join(' ')).join('\n') === rows.join('\n'),
      };
    },
  },
  {
    name: 'a word',
    ...{ input: 'N M', output: 'A', said: 'Print <code>Yes</code> or <code>No</code>.' },
    of: ({ n, m }) => ({ input: `${n} ${m}`, isValid: (lines) => /^(Yes|No)$/.test(lines.flat().join(' ')) }),
  },
  {
    name: 'the edges of a tree',
    ...{
      input: 'N M',
      output: 'u_1 v_1\n\\vdots\nu_{N-1} v_{N-1}',
      said: '<var>1 \\leq u_i, v_i \\leq N</var>; they make a tree.',
    },
    of: ({ n, m }) => ({
      input: `${n} ${m}`,
      isValid: (lines) => lines.length === n - 1 && isTree(lines.map(numbers), n),
    }),
  },
  {
    name: 'parents',
    ...{
      input: 'N M',
      output: 'p_0 p_1 \\ldots p_{N-1}',
      said: '<var>p_v = -1</var> for a root; there is no cycle, and one root.',
    },
    of: ({ n, m }) => ({
      input: `${n} ${m}`,
      isValid: ([line = []]) =>
        line.length === n &&
        numbers(line).every((each, at) => each >= -1 && each < at) &&
        line.filter((each) => each === '-1').length === 1,
    }),
  },
  {
    name: 'groups with a capacity, in Japanese',
    ...{
      input: 'N M Q\nx_1 w_1\n\\vdots\nx_N w_N',
      output: 'c_1 s_{1,1} \\cdots s_{1,c_1}\n\\vdots\nc_M s_{M,1} \\cdots s_{M,c_M}',
      said: '各荷物をちょうど 1 台に割り当てよ。<var>1 \\leq s_{k,i} \\leq N</var>',
    },
    of: ({ n, m, seed }) => {
      const weights = upTo(n).map((at) => 1 + noise(seed, at, 9));
      const most = Math.ceil(weights.reduce((a, b) => a + b, 0) / m) + 9;
      return {
        input: [
          `${n} ${m} ${most}`,
          ...weights.map((weight, at) => `${noise(seed, at + n, 50)} ${weight}`),
        ].join('\n'),
        isValid: (lines) =>
          lines.length === m &&
          isOnce(
            lines.flatMap((line) => numbers(line.slice(1))),
            1,
            n,
          ) &&
          lines.every(
            ([count = '', ...those]) =>
              Number(count) === those.length &&
              those.reduce((sum, each) => sum + (weights[Number(each) - 1] ?? 0), 0) <= most,
          ),
      };
    },
  },
  {
    name: 'a number of each, none of them left out',
    ...{
      input: 'N M',
      output: 'a_1 \\cdots a_N',
      said: '<var>0 \\leq a_i &lt; M</var>; each group has somebody.',
    },
    of: ({ n, m }) => ({
      input: `${n} ${Math.min(n, m)}`,
      isValid: ([line = []]) =>
        line.length === n &&
        new Set(line).size === Math.min(n, m) &&
        numbers(line).every((each) => each >= 0 && each < m),
    }),
  },
  {
    name: 'a string of moves',
    ...{
      input: 'N M',
      output: 'S',
      said: '<var>S</var> is a string of <code>U</code>, <code>D</code>, <code>L</code>, <code>R</code>, no longer than <var>N</var>.',
    },
    of: ({ n, m }) => ({
      input: `${n} ${m}`,
      isValid: (lines) => new RegExp(`^[UDLR]{1,${n}}$`).test(lines.flat().join(' ')),
    }),
  },
  {
    name: 'a string of N letters',
    ...{ input: 'N M', output: 's_1s_2\\ldots s_N', said: '各文字は <code>L</code> か <code>R</code>。' },
    of: ({ n, m }) => ({
      input: `${n} ${m}`,
      isValid: (lines) => new RegExp(`^[LR]{${n}}$`).test(lines.flat().join(' ')),
    }),
  },
  {
    name: 'rectangles around points',
    ...{
      input: 'N M\nx_1 y_1\n\\vdots\nx_N y_N',
      output: 'a_1 b_1 c_1 d_1\n\\vdots\na_N b_N c_N d_N',
      said: '<var>a_i &lt; c_i</var> and <var>b_i &lt; d_i</var>; each holds its point, and they do not overlap.',
    },
    of: ({ n, m, seed }) => {
      const points = upTo(n).map((at) => [at * 2, noise(seed, at, 50)] as const);
      return {
        input: [`${n} ${m}`, ...points.map((point) => point.join(' '))].join('\n'),
        isValid: (lines) =>
          lines.length === n &&
          lines.map(numbers).every(([a = 0, b = 0, c = 0, d = 0], at) => {
            const [x, y] = points[at] ?? [0, 0];
            return a === x && b === y && c > a && d > b && c <= x + 2;
          }),
      };
    },
  },
  {
    name: 'a path after its length, in one line',
    ...{
      input: 'N M',
      output: 'm r_1 \\cdots r_m',
      said: '<var>1 \\leq m \\leq N</var>, <var>1 \\leq r_i \\leq N</var>',
    },
    of: ({ n, m }) => ({
      input: `${n} ${m}`,
      isValid: ([[count = '', ...those] = [], ...more]) =>
        more.length === 0 &&
        Number(count) >= 1 &&
        Number(count) === those.length &&
        those.every((each) => Number(each) >= 1 && Number(each) <= n),
    }),
  },
  {
    name: 'a table, in lines, within a limit that is a number of the input',
    ...{
      input: 'N M',
      output: 'h_{1,1} \\cdots h_{1,M}\n\\vdots\nh_{N,1} \\cdots h_{N,M}',
      said: '<var>1 \\leq h_{i,j} \\leq 1000</var>',
    },
    of: ({ n, m }) => ({
      input: `${n} ${m}`,
      isValid: (lines) =>
        lines.length === n &&
        lines.every(
          (line) => line.length === m && line.every((each) => Number(each) >= 1 && Number(each) <= 1000),
        ),
    }),
  },
];

function isTree(edges: readonly (readonly number[])[], n: number): boolean {
  const root = upTo(n + 1);
  const find = (at: number): number => (root[at] === at || root[at] === undefined ? at : find(root[at]));
  for (const [u = 0, v = 0] of edges) {
    if (u < 1 || v < 1 || u > n || v > n || find(u) === find(v)) return false;
    root[find(u)] = find(v);
  }
  return edges.length === n - 1;
}

const markdown = (html: string) => toStatementMarkdown(html, (src) => src);

/** As a page of AtCoder has it: names in `var`, one block a section. */
function formatOf({ input, output, said }: Form, isJapanese: boolean): string {
  const pre = (block: string) => `<pre>${block.replaceAll(/[^\s]+/g, '<var>$&</var>')}\n</pre>`;
  const [first, second] = isJapanese ? ['入力', '出力'] : ['Input', 'Output'];
  return `${first}\n\n${markdown(pre(input))}\n\n${second}\n\n${markdown(`<p>${said}</p>${pre(output)}`)}\n`;
}

const wordsOf = (text: string): Words =>
  text
    .split('\n')
    .map((line) => line.split(/\s+/).filter(Boolean))
    .filter((line) => line.length > 0);

function likeliest(form: Form, inputs: readonly string[]) {
  const isJapanese = /[ぁ-ん]/.test(form.said);
  const question = {
    format: formatOf(form, isJapanese),
    statement: '',
    inputs,
    samples: [],
    isInteractive: false,
  };
  const understood = understand(question);
  const [first = [], second = []] = bankOf(question, understood);
  return { understood, answers: [...first, ...second] };
}

const sizes = fc.record({
  n: fc.integer({ min: 3, max: 30 }),
  m: fc.integer({ min: 2, max: 12 }),
  seed: fc.nat({ max: 1000 }),
});

function validOne(
  form: Form,
  cases: readonly Sizes[],
): { readonly answer: Tried | undefined; readonly code: readonly string[] } {
  const posed = cases.map((each) => form.of(each));
  const { understood, answers } = likeliest(
    form,
    posed.map(({ input }) => input),
  );
  const answer = answers.find(({ outputs }) =>
    posed.every(({ isValid }, at) => isValid(wordsOf(outputs[at] ?? ''))),
  );
  const code = answer
    ? [...(understood.reading ?? []), ...printingCode(answer, kindsIn(understood.steps))]
    : [];
  return { answer, code };
}

describe('a plain answer that is', () => {
  test.each(forms)('$name is found, whatever the sizes', (form) => {
    fc.assert(
      fc.property(fc.array(sizes, { minLength: 1, maxLength: 3 }), (cases) => {
        expect(validOne(form, cases).answer, form.name).toBeDefined();
      }),
      { seed: 9, numRuns: 4 },
    );
  });

  test('the same as C++', async () => {
    const cases = [
      { n: 7, m: 3, seed: 5 },
      { n: 12, m: 5, seed: 8 },
    ];
    const found = forms.map((form) => ({ form, ...validOne(form, cases) }));
    const functions = found.map(({ code }, at) => `void answer${at}() {\n${code.join('\n')}\n}`);
    const main = `int main() {\n  int which;\n  cin >> which;\n${upTo(forms.length)
      .map((at) => `  if (which == ${at}) answer${at}();`)
      .join('\n')}\n}\n`;
    const source = `#include <bits/stdc++.h>\nusing namespace std;\n${functions.join('\n')}\n${main}`;
    const outputs = new Map<string, string>();
    const { compile } = await chosenSandbox().batch(
      {
        program: { language: 'cpp', source },
        cases: found.flatMap(({ form }, at) =>
          cases.map((each, number) => ({ name: `${at}-${number}`, stdin: `${at}\n${form.of(each).input}` })),
        ),
      },
      ({ name, step }) => {
        outputs.set(name, step.stdout.text);
      },
      new AbortController().signal,
    );
    expect(compile?.digest).toBe('');
    for (const [at, { answer, form }] of found.entries())
      for (const number of upTo(cases.length))
        expect(wordsOf(outputs.get(`${at}-${number}`) ?? ''), form.name).toEqual(
          wordsOf(answer?.outputs[number] ?? 'none'),
        );
  });
});

describe('what is known of a contest without tools', () => {
  const samples = [
    { input: '3 2', output: '2 3 1' },
    { input: '4 9', output: '4 3 2 1' },
  ];
  const inputs = samples.map(({ input }) => input);
  const format = 'Input\n\n```\nN M\n```\n\nOutput\n\nOne line.\n';

  test('is what its samples show, where the output has no format', () => {
    const question = { format, statement: '', inputs, samples, isInteractive: false };
    expect(guessAnswer(question, understand(question))).toMatchObject({
      told: 'in order, from 1 where nothing is said',
      isSure: false,
    });
    const wide = samples.map(({ input }) => ({ input, output: '#'.repeat(Number(input[0])) }));
    const board = { ...question, samples: wide, statement: 'Each is `.` or `#`.' };
    expect(guessAnswer(board, understand(board))?.source).toContain('place < N; place++) cout << "#";');
  });

  test('is nothing where neither format nor samples say anything, or the input is not understood', () => {
    const silent = { format, statement: '', inputs, samples: [], isInteractive: false };
    expect(guessAnswer(silent, understand(silent))).toBeNull();
    const strange = { ...silent, format: format.replace('N M', 'N N N'), samples };
    expect(guessAnswer(strange, understand(strange))).toBeNull();
  });

  test.each([
    ['2 3 1\n', 4],
    ['1 2 3', 3],
    ['1 1 2', 2],
    ['0 4 9', 1],
    ['1\n2\n3\n4', 0],
    ['', 0],
  ])('is so much like a sample: %j', (printed, worth) => {
    expect(likeness(printed, '2 3 1\n')).toBe(worth);
  });
});

describe('the form of an answer', () => {
  const known = (output: string, scalars: Readonly<Record<string, number>>) => ({
    output,
    scalars: new Map(Object.entries(scalars)),
  });
  const list = (name: string, plus = 0, times = 1) => ({ times, names: [name], plus });

  test.each([
    [
      'a number of lines',
      [known('1 2\n3 4\n', { N: 2, M: 9 }), known('5 6\n', { N: 1, M: 9 })],
      list('N'),
      2,
    ],
    ['one less', [known('1\n2\n', { N: 3 }), known('1\n', { N: 2 })], list('N', -1), 1],
    ['twice as many', [known('1\n1\n1\n1', { N: 2 })], list('N', 0, 2), 1],
    [
      'a product',
      [known('1\n'.repeat(15), { N: 5, M: 3 }), known('1\n'.repeat(8), { N: 2, M: 4 })],
      { times: 1, names: ['N', 'M'], plus: 0 },
      1,
    ],
    [
      'as many as ever',
      [known('1\n1', { N: 7 }), known('1\n1', { N: 9 })],
      { times: 0, names: [], plus: 2 },
      1,
    ],
  ])('that samples have: %s', (_name, samples, rows, width) => {
    const [step] = stepsOfSamples(samples) ?? [];
    expect(step?.rows).toEqual(rows);
    expect(step?.fields).toHaveLength(width);
  });

  test('that samples have: a number and so many lines; a wide line; what has no rule', () => {
    const counted = stepsOfSamples([known('2\n1 U\n2 D\n', { N: 5 }), known('0\n', { N: 5 })]);
    expect(counted).toMatchObject([
      { rows: null, fields: [{ name: 'Count' }] },
      { rows: { names: ['Count'] }, fields: [{}, {}] },
    ]);
    const wide = stepsOfSamples([
      known(
        row(12, (at) => at),
        { N: 12 },
      ),
    ]);
    expect(wide).toMatchObject([{ rows: null, fields: [{ list: { names: ['N'] } }] }]);
    expect(stepsOfSamples([known('1\n1\n', { N: 4 }), known('1\n', { N: 4 })])).toBeNull();
    expect(stepsOfSamples([known('2\n1\n1 1\n', { N: 4 })])).toBeNull();
    expect(stepsOfSamples([])).toBeNull();
  });

  test('that the statement shows, with what stands there as it is', () => {
    expect(stepsOfFormat('-1 a_1 ? b\n')).toMatchObject([
      { fields: [{ text: '-1' }, { name: 'a_1', text: null }, { text: '?' }, { name: 'b', text: null }] },
    ]);
    expect(stepsOfFormat('Any words.')).toBeNull();
  });
});

describe('a plain talk', () => {
  const talksFor = (format: string, inputs = ['5 3']) => {
    const question = { format, statement: '', inputs, samples: [], isInteractive: true };
    const understood = understand(question);
    return talksOf(question, understood).map((talk) => ({
      ...talk,
      source: talkingProgram(understood, talk),
    }));
  };
  const menu = 'Input and Output\n\n```\nN M\n```\n\n```\n? i j\n# i j\n!\n```\n\n$0 \\leq i, j < N$\n';

  test('hears of both in one section, whatever begins a line there', () => {
    const both =
      '入出力\n\nまず次が与えられる。\n\n```\nN M\n```\n\n出力は次のいずれかである。\n\n```\n? i j\n!\n```\n';
    const [first] = talksFor(both);
    expect(first?.source).toMatch(/cin >> N >> M;[\s\S]*cout << "!"/);
  });

  test('ends at once where a line of the menu stands for itself', () => {
    const [first] = talksFor(menu);
    expect(first?.told).toBe('ends at once with !');
    expect(first?.source).toMatch(/cin >> N >> M;[\s\S]*cout << "!" << '\\n';\s+cout << flush;/);
  });

  test('says the plainest line as often as the statement says, and hears one for each', () => {
    const days =
      '入出力\n\n```\nN M\n```\n\n各日について、次を出力する。これを $N$ 日繰り返す。\n\n```\na_t b_t\n```\n\n$1 \\leq a_t \\leq M$\n';
    const [after, before] = talksFor(days);
    expect(after?.told).toBe('says a_t b_t and hears a line, N times');
    expect(after?.source).toMatch(
      /row < N; row\+\+\) \{\s+cout << 1 << ' ' << 0 << '\\n';\s+cout << flush;\s+if \(!getline/,
    );
    expect(before).toMatchObject({ listens: 'before', turns: { names: ['N'] } });
  });

  test('says a letter of the alphabet until the judge says no more, where no number is told', () => {
    const letters = 'Input and Output\n\nIn each round, print `F` or `B`.\n';
    const talks = talksFor(letters, ['']);
    expect(talks.map(({ told }) => told)).toContain('hears a line and says F, until the judge says no more');
    expect(talks.at(-1)?.told).toBe('reads the input and says nothing');
  });
});
