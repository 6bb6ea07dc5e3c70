/** Contests whose answer is a way: a board with walls, places in an order, a graph; among the walks there is a valid one. */
import { expect, test } from 'vitest';
import { understand } from '../../../src/families/ahc/plain/understanding.ts';
import { walksOf } from '../../../src/families/ahc/plain/walks.ts';
import { chosenSandbox } from '../../../src/sandbox/choose.ts';

const fence = (text: string) => `\`\`\`\n${text}\n\`\`\``;

type Posed = {
  readonly name: string;
  /** How the walk that is valid begins to be told. */
  readonly told: string;
  readonly format: string;
  readonly statement?: string;
  readonly inputs: readonly string[];
  readonly isValid: (input: string, output: string) => boolean;
  readonly sample?: string;
};

const ways: Readonly<Record<string, readonly [number, number]>> = {
  U: [-1, 0],
  D: [1, 0],
  L: [0, -1],
  R: [0, 1],
};

/** The cells of a walk; null where it leaves the board or goes through a wall. */
function walked(
  from: readonly [number, number],
  moves: string,
  isOpen: (i: number, j: number, way: string) => boolean,
) {
  const cells = [from];
  for (const letter of moves) {
    const [i, j] = cells.at(-1) ?? from;
    const [down, right] = ways[letter] ?? [9, 9];
    if (!isOpen(i + down, j + right, letter)) return null;
    cells.push([i + down, j + right]);
  }
  return cells;
}

const board = (size: number, walls: readonly string[]) =>
  Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (__, j) => (walls.includes(`${i} ${j}`) ? '#' : '.')).join(''),
  );
const inside = (rows: readonly string[]) => (i: number, j: number) =>
  rows[i]?.[j] !== undefined && rows[i]?.[j] !== '#';

const boards = [board(6, ['0 1', '1 1', '3 3']), board(8, ['1 0', '2 2', '2 3']), board(5, [])];

const posed: readonly Posed[] = [
  {
    told: 'moves over all places and back',
    name: 'all cells of a board with walls and back, one string, in Japanese',
    format: `入力\n\n${fence('N s_i s_j\nc_{0,0}c_{0,1}\\cdots c_{0,N-1}\n\\vdots\nc_{N-1,0}c_{N-1,1}\\cdots c_{N-1,N-1}')}\n\n出力\n\n移動を \`U\`、\`D\`、\`L\`、\`R\` の文字列で出力せよ。\n\n${fence('S')}\n`,
    inputs: boards.map((rows) => `${rows.length} ${rows.length - 1} 0\n${rows.join('\n')}\n`),
    isValid: (input, output) => {
      const [, i = 0, j = 0] = input.split(/\s/).map(Number);
      const rows = input.split('\n').slice(1).filter(Boolean);
      const cells = walked([i, j], output.trim(), inside(rows));
      const free = rows.join('').replaceAll('#', '').length;
      return (
        cells !== null && new Set(cells.map(String)).size === free && String(cells.at(-1)) === `${i},${j}`
      );
    },
  },
  {
    told: 'moves over all places and back',
    name: 'walls between cells, every cell and back to the first, as of a cleaning robot',
    format: `## Input\n\n${fence('N\nh_{0,0}\\cdots h_{0,N-1}\n\\vdots\nh_{N-2,0}\\cdots h_{N-2,N-1}\nv_{0,0}\\cdots v_{0,N-2}\n\\vdots\nv_{N-1,0}\\cdots v_{N-1,N-2}')}\n\n## Output\n\nPrint the moves (U, D, L or R) in one line. It has to return to $(0, 0)$.\n\n${fence('d_1d_2\\cdots d_K')}\n`,
    inputs: ['3\n010\n001\n00\n10\n00\n', '2\n00\n1\n0\n', '3\n000\n000\n00\n00\n00\n'],
    isValid: (input, output) => {
      const [n = 0, ...rows] = input
        .split(/\s+/)
        .filter(Boolean)
        .map((word, at) => (at === 0 ? Number(word) : word)) as [number, ...string[]];
      const [below, beside] = [rows.slice(0, n - 1), rows.slice(n - 1)];
      const cells = walked([0, 0], output.trim(), (i, j, way) => {
        if (i < 0 || j < 0 || i >= n || j >= n) return false;
        if (way === 'U' || way === 'D') return below[way === 'D' ? i - 1 : i]?.[j] === '0';
        return beside[i]?.[way === 'R' ? j - 1 : j] === '0';
      });
      return cells !== null && new Set(cells.map(String)).size === n * n && String(cells.at(-1)) === '0,0';
    },
  },
  {
    told: 'moves through all places',
    name: 'places in their order, an action and a direction in each line',
    format: `## Input\n\n${fence('N M\ni_0 j_0\n\\vdots\ni_{M-1} j_{M-1}')}\n\n## Output\n\nEach line is an action, \`M\` (move) or \`S\` (slide), and a direction, \`U\`, \`D\`, \`L\` or \`R\`.\n\n${fence('a_0 d_0\n\\vdots\na_{T-1} d_{T-1}')}\n`,
    inputs: ['5 3\n0 0\n4 4\n2 1\n', '7 4\n3 3\n0 6\n6 0\n3 3\n', '4 2\n1 1\n0 0\n'],
    isValid: (input, output) => {
      const [[n = 0] = [], first = [], ...rest] = input
        .trim()
        .split('\n')
        .map((line) => line.split(' ').map(Number));
      const lines = output
        .trim()
        .split('\n')
        .map((line) => line.split(' '));
      const [i = 0, j = 0] = first;
      const cells = walked(
        [i, j],
        lines.map(([, way]) => way).join(''),
        (a, b) => a >= 0 && b >= 0 && a < n && b < n,
      );
      if (cells === null || lines.some(([action]) => action !== 'M')) return false;
      let at = 0;
      for (const cell of cells) if (String(cell) === String(rest[at])) at += 1;
      return at === rest.length;
    },
  },
  {
    told: 'cells to the last place',
    name: 'a way from S to G as cells after their number, counted from 1',
    format: `## Input\n\n${fence('H W\nc_1\n\\vdots\nc_H')}\n\n## Output\n\n$1 \\leq r_i \\leq H$ and $1 \\leq q_i \\leq W$; each cell is beside the one before it.\n\n${fence('K\nr_1 q_1\n\\vdots\nr_K q_K')}\n`,
    inputs: ['3 4\nS#..\n.#.#\n...G\n', '2 3\nG..\n##S\n', '4 4\n....\n.S..\n....\n...G\n'],
    isValid: (input, output) => {
      const [, ...rows] = input.trim().split('\n');
      const [[count] = [], ...cells] = output
        .trim()
        .split('\n')
        .map((line) => line.split(' ').map(Number));
      const letter = ([r = 0, q = 0]: readonly number[] = []) => rows[r - 1]?.[q - 1];
      const areBeside = cells.every(([r = 0, q = 0], at) => {
        const [a = r, b = q - 1] = at === 0 ? [] : (cells[at - 1] ?? []);
        return Math.abs(r - a) + Math.abs(q - b) === 1;
      });
      return (
        count === cells.length &&
        areBeside &&
        cells.every((cell) => /[.SG]/.test(letter(cell) ?? '#')) &&
        letter(cells[0]) === 'S' &&
        letter(cells.at(-1)) === 'G'
      );
    },
  },
  {
    told: 'vertices over all places',
    name: 'a tour over a graph that meets all vertices, v_0 to v_L after L, in Japanese',
    format: `入力\n\n${fence('N M\na_1 b_1\n\\vdots\na_M b_M')}\n\n出力\n\n隣接する頂点を順に出力せよ。\n\n${fence('L\nv_0 v_1 \\cdots v_L')}\n`,
    inputs: ['4 4\n1 2\n2 3\n3 4\n4 1\n', '3 2\n1 3\n3 2\n', '5 4\n5 1\n5 2\n5 3\n5 4\n'],
    isValid: (input, output) => {
      const [[n = 0] = [], ...edges] = input
        .trim()
        .split('\n')
        .map((line) => line.split(' ').map(Number));
      const [[length] = [], tour = []] = output
        .trim()
        .split('\n')
        .map((line) => line.split(' ').map(Number));
      const isEdge = (a?: number, b?: number) =>
        edges.some((edge) => edge.includes(a ?? 0) && edge.includes(b ?? 0) && a !== b);
      return (
        length === tour.length - 1 &&
        tour.slice(1).every((v, at) => isEdge(tour[at], v)) &&
        new Set(tour).size === n
      );
    },
  },
  {
    told: 'moves on as long',
    name: 'moves line by line, whose form the sample alone shows',
    format: `## Input\n\n${fence('N')}\n\n## Output\n\nPrint a move a line: \`U\`, \`D\`, \`L\` or \`R\`. No cell may be met twice.\n`,
    inputs: ['3\n', '4\n', '7\n'],
    sample: 'R\nD\nL\n',
    isValid: (input, output) => {
      const n = Number(input);
      const cells = walked([0, 0], output.replaceAll('\n', ''), (i, j) => i >= 0 && j >= 0 && i < n && j < n);
      return cells !== null && new Set(cells.map(String)).size === cells.length && cells.length > n;
    },
  },
];

test.for(posed)('$name', async ({ told: wanted, format, statement = '', inputs, isValid, sample }) => {
  const samples = sample === undefined ? [] : [{ input: inputs[0] ?? '', output: sample }];
  const question = { format, statement: statement || format, inputs, samples, isInteractive: false };
  const walks = walksOf(question, understand(question));
  const { signal } = new AbortController();
  const seen: string[] = [];
  for (const { told, source } of walks.slice(0, 12).filter(({ told }) => told.startsWith(wanted))) {
    const { executable, compile } = await chosenSandbox().build({ language: 'cpp', source }, signal);
    expect(compile?.digest ?? '').toBe('');
    if (!executable) throw new Error('A walk does not compile.');
    let valid = 0;
    const cases = inputs.map((stdin, at) => ({ name: `${at}`, stdin }));
    await chosenSandbox().batch(
      { executable, cases, limits: {} },
      ({ name, step }) => {
        if (isValid(inputs[Number(name)] ?? '', step.stdout.text)) valid += 1;
      },
      signal,
    );
    seen.push(`${told}: ${valid}`);
    if (valid === inputs.length) return;
  }
  expect(seen).toBe('one of them valid');
});

test('where nothing is walked, nothing is tried', () => {
  for (const output of ['p_1 p_2 \\cdots p_N', 'x_1 y_1\n\\vdots\nx_N y_N', 'A']) {
    const format = `## Input\n\n${fence('N M')}\n\n## Output\n\nA permutation.\n\n${fence(output)}\n`;
    const question = { format, statement: format, inputs: ['4 5\n'], samples: [], isInteractive: false };
    expect(walksOf(question, understand(question)).filter(({ told }) => told.startsWith('moves'))).toEqual(
      [],
    );
  }
});
