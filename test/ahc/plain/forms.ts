/**
 * Forms of answers: made-up statements in AtCoder's form, English and Japanese, each with inputs of any size and a checker
 * that knows its rules and nothing of ours.
 */
export type Words = readonly (readonly string[])[];
export type Form = {
  readonly name: string;
  readonly input: string;
  readonly output: string;
  readonly said: string;
  /** An input for some sizes, and whether an output is valid for it. */
  readonly of: (sizes: Sizes) => { readonly input: string; readonly isValid: (lines: Words) => boolean };
};
export type Sizes = { readonly n: number; readonly m: number; readonly seed: number };

export const upTo = (count: number) => Array.from({ length: count }, (_, at) => at);
const numbers = (words: readonly string[]) => words.map(Number);
const isOnce = (values: readonly number[], from: number, count: number) =>
  values.length === count &&
  new Set(values).size === count &&
  values.every((each) => each >= from && each < from + count);
const noise = (seed: number, at: number, below: number) => ((seed * 7919 + at * 104_729) % 1_000_003) % below;
const row = (n: number, make: (at: number) => number | string) => upTo(n).map(make).join(' ');

export const forms: readonly Form[] = [
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
