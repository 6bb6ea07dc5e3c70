/**
 * Replies that end with one grid, in forty styles in which models really write them. Written without a look at the
 * reader. Each style says how a reply looks around one grid; five grids of different shapes make two hundred replies.
 */

type Grid = readonly (readonly number[])[];
type Style = { readonly name: string; write(grid: Grid, other: Grid): string };

const spaced = (grid: Grid) => grid.map((row) => row.join(' ')).join('\n');
const commas = (grid: Grid) => grid.map((row) => row.join(',')).join('\n');
const wide = (grid: Grid) => grid.map((row) => row.join(', ')).join('\n');
const solid = (grid: Grid) => grid.map((row) => row.join('')).join('\n');
const json = (grid: Grid) => JSON.stringify(grid);
const lines = (grid: Grid) => `[\n${grid.map((row) => `  [${row.join(', ')}]`).join(',\n')}\n]`;
const size = (grid: Grid) => `${grid.length}×${grid[0]?.length ?? 0}`;
const fence = (text: string, language = '') => `\`\`\`${language}\n${text}\n\`\`\``;

export const styles: readonly Style[] = [
  {
    name: 'rows in backticks',
    write: (grid) => `The output is:\n\n${grid.map((row) => `\`${row.join(',')}\``).join('\n')}`,
  },
  {
    name: 'numbered rows in backticks',
    write: (grid) =>
      `Final grid:\n\n${grid.map((row, at) => `Row ${at + 1}: \`${row.join(',')}\``).join('\n')}`,
  },
  {
    name: 'headed rows with empty lines',
    write: (grid) => grid.map((row, at) => `Row ${at + 1}:\n${row.join(',')}`).join('\n\n'),
  },
  {
    name: 'numbered rows in words',
    write: (grid) =>
      `So the answer, row by row:\n${grid.map((row, at) => `Row ${at + 1}: ${row.join(' ')}`).join('\n')}`,
  },
  {
    name: 'rows from zero',
    write: (grid) => `Here it is.\n\n${grid.map((row, at) => `row ${at}: [${row.join(', ')}]`).join('\n')}`,
  },
  { name: 'a fence', write: (grid) => `**Output**\n\n${fence(spaced(grid))}` },
  {
    name: 'a fence with a language',
    write: (grid) => `Applying the rule gives\n\n${fence(spaced(grid), 'text')}\n\nEvery row was checked.`,
  },
  { name: 'a fence with commas', write: (grid) => `Result (${size(grid)}):\n${fence(commas(grid), 'csv')}` },
  { name: 'JSON', write: (grid) => `The final output grid is ${json(grid)}.` },
  { name: 'fenced JSON', write: (grid) => `${fence(json(grid), 'json')}` },
  { name: 'JSON with a key', write: (grid) => fence(`{"output": ${json(grid)}}`, 'json') },
  {
    name: 'JSON in lines',
    write: (grid) => `I get:\n\n${fence(lines(grid), 'json')}\n\nThis keeps the border.`,
  },
  { name: 'a Python list', write: (grid) => `${fence(`output = ${lines(grid)}`, 'python')}` },
  {
    name: 'numpy',
    write: (grid) => fence(`import numpy as np\n\nresult = np.array(${lines(grid)})`, 'python'),
  },
  {
    name: 'rows as lists',
    write: (grid) => `Output:\n${grid.map((row) => `[${row.join(', ')}]`).join('\n')}`,
  },
  {
    name: 'rows as lists with commas',
    write: (grid) => `Output:\n${grid.map((row) => `[${row.join(', ')}],`).join('\n')}`,
  },
  {
    name: 'bullets',
    write: (grid) => `The rows of the output:\n\n${grid.map((row) => `- ${row.join(' ')}`).join('\n')}`,
  },
  {
    name: 'a numbered list',
    write: (grid) =>
      `The rows of the output:\n\n${grid.map((row, at) => `${at + 1}. ${row.join(' ')}`).join('\n')}`,
  },
  { name: 'solid digits', write: (grid) => `${fence(solid(grid))}` },
  { name: 'solid digits after words', write: (grid) => `Therefore the test output is\n\n${solid(grid)}` },
  { name: 'a table', write: (grid) => `${grid.map((row) => `| ${row.join(' | ')} |`).join('\n')}` },
  {
    name: 'a table with a head',
    write: (grid) =>
      `| ${(grid[0] ?? []).map((_, at) => `c${at + 1}`).join(' | ')} |\n|${(grid[0] ?? []).map(() => '---').join('|')}|\n${grid.map((row) => `| ${row.join(' | ')} |`).join('\n')}`,
  },
  { name: 'pipes', write: (grid) => `Answer:\n${grid.map((row) => row.join('|')).join('\n')}` },
  {
    name: 'a matrix',
    write: (grid) =>
      `$$\n\\begin{bmatrix}\n${grid.map((row) => row.join(' & ')).join(' \\\\\n')}\n\\end{bmatrix}\n$$`,
  },
  {
    name: 'a boxed matrix',
    write: (grid) =>
      `\\[\\boxed{\\begin{pmatrix} ${grid.map((row) => row.join(' & ')).join(' \\\\ ')} \\end{pmatrix}}\\]`,
  },
  { name: 'a quote', write: (grid) => `Output:\n\n${grid.map((row) => `> ${row.join(' ')}`).join('\n')}` },
  { name: 'tabs', write: (grid) => `Output:\n${grid.map((row) => row.join('\t')).join('\n')}` },
  {
    name: 'indented',
    write: (grid) => `Final answer:\n\n${grid.map((row) => `    ${row.join(' ')}`).join('\n')}\n`,
  },
  {
    name: 'several spaces',
    write: (grid) => `Final answer:\n\n${grid.map((row) => row.join('   ')).join('\n')}`,
  },
  { name: 'an answer tag', write: (grid) => `<answer>\n${spaced(grid)}\n</answer>` },
  { name: 'an answer tag with JSON', write: (grid) => `Thinking done.\n<answer>${json(grid)}</answer>` },
  {
    name: 'an input before it',
    write: (grid, other) =>
      `The test input is\n\n${fence(spaced(other))}\n\nEach object falls to the floor, so the output is\n\n${fence(spaced(grid))}`,
  },
  {
    name: 'a fenced legend before it',
    write: (grid) =>
      `Legend:\n\n${fence('0 = black, 1 = blue, 2 = red\n3 = green, 4 = yellow')}\n\n### Output grid\n\n${spaced(grid)}`,
  },
  {
    name: 'a fenced legend of digits before it',
    write: (grid) => `Colours map as\n\n${fence('0 1 2 3 4\n5 6 7 8 9')}\n\nFinal answer:\n\n${spaced(grid)}`,
  },
  {
    name: 'a fence that is never closed before it',
    write: (grid) => `\`\`\`\nthe input has two blobs\n\nSo the output is:\n\n${spaced(grid)}`,
  },
  {
    name: 'a trial before it',
    write: (grid, other) =>
      `First try:\n${spaced(other)}\n\nThis breaks the symmetry. Corrected:\n${spaced(grid)}`,
  },
  { name: 'quoted rows', write: (grid) => `[\n${grid.map((row) => `"${row.join(' ')}"`).join(',\n')}\n]` },
  {
    name: 'bold head and chatter behind',
    write: (grid) =>
      `**Output (${size(grid)}):**\n\n${wide(grid)}\n\nI am fairly confident, since all ${grid.length} rows follow the rule; let me know if anything is unclear!`,
  },
  { name: 'Test 1 named', write: (grid) => `Test 1:\n${spaced(grid)}` },
  {
    name: 'another language',
    write: (grid) => `出力は次のとおりです。\n\n${fence(spaced(grid))}\n\n以上です。`,
  },
];

export const grids: readonly (readonly [Grid, Grid])[] = [
  [
    [
      [0, 0, 3],
      [0, 3, 0],
      [3, 0, 0],
    ],
    [
      [0, 0, 3],
      [0, 0, 0],
      [3, 0, 0],
    ],
  ],
  [
    [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ],
    [
      [1, 2, 3, 4],
      [0, 0, 0, 0],
    ],
  ],
  [
    [
      [7, 7],
      [0, 7],
      [7, 0],
      [0, 0],
      [7, 7],
    ],
    [
      [7, 0],
      [0, 7],
      [7, 0],
      [0, 0],
      [0, 7],
    ],
  ],
  [
    [
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [0, 8, 8, 8, 0, 0, 0, 2, 2, 2, 0],
      [0, 8, 0, 8, 0, 5, 0, 2, 0, 2, 0],
      [0, 8, 8, 8, 0, 0, 0, 2, 2, 2, 0],
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    [
      [9, 9, 9],
      [9, 9, 9],
    ],
  ],
  [
    [
      [4, 4, 4, 4, 4, 4],
      [4, 1, 1, 1, 1, 4],
      [4, 1, 9, 9, 1, 4],
      [4, 1, 9, 9, 1, 4],
      [4, 1, 1, 1, 1, 4],
      [4, 4, 4, 4, 4, 4],
    ],
    [
      [4, 1],
      [1, 4],
    ],
  ],
];
