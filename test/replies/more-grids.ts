/**
 * Further styles of replies: those that a careful reader reads, and those that nobody can read for sure. A style may not
 * be read as another shape than its grid's, ever.
 */
type Grid = readonly (readonly number[])[];
type Style = readonly [name: string, write: (grid: Grid, other: Grid) => string];

const spaced = (grid: Grid) => grid.map((row) => row.join(' ')).join('\n');
const fence = (text: string, language = '') => `\`\`\`${language}\n${text}\n\`\`\``;
const rows = (grid: Grid, write: (cells: readonly number[], number: number) => string, between = '\n') =>
  grid.map((row, at) => write(row, at + 1)).join(between);

const colours = 'black blue red green yellow gray magenta orange cyan maroon'.split(' ');
const named = (cells: readonly number[]) => cells.map((cell) => colours[cell]);

export const readable: readonly Style[] = [
  ['names of colours', (grid) => `Final grid (as colours):\n\n${rows(grid, (row) => named(row).join(' '))}`],
  [
    'names of colours with numbers of rows',
    (grid) => rows(grid, (row, n) => `Row ${n}: ${named(row).join(', ')}`),
  ],
  ['names of colours in JSON', (grid) => fence(JSON.stringify(grid.map(named)), 'json')],
  ['names of colours in a table', (grid) => rows(grid, (row) => `| ${named(row).join(' | ')} |`)],
  ['bold numbers of rows', (grid) => rows(grid, (row, n) => `**Row ${n}:** ${row.join(' ')}`)],
  [
    'numbers of rows in bold before the colon',
    (grid) => rows(grid, (row, n) => `**Row ${n}**: \`${row.join(' ')}\``),
  ],
  ['R1 and an equals sign', (grid) => rows(grid, (row, n) => `R${n} = [${row.join(', ')}]`)],
  ['r0 and a colon', (grid) => rows(grid, (row, n) => `r${n - 1}: ${row.join('')}`)],
  ['arrows', (grid) => rows(grid, (row, n) => `Row ${n} → ${row.join(', ')}`)],
  ['dashes', (grid) => rows(grid, (row, n) => `Line ${n} – ${row.join(' ')}`)],
  ['bullets with numbers of rows', (grid) => rows(grid, (row, n) => `- Row ${n}: \`${row.join(' ')}\``)],
  ['stars as bullets, rows in backticks', (grid) => rows(grid, (row) => `* \`${row.join(' ')}\``)],
  ['round bullets with lists', (grid) => rows(grid, (row) => `• [${row.join(', ')}]`)],
  ['a numbered list in backticks', (grid) => rows(grid, (row, n) => `${n}) \`${row.join(',')}\``)],
  ['a numbered list with empty lines', (grid) => rows(grid, (row, n) => `${n}. ${row.join(' ')}`, '\n\n')],
  [
    'headings of rows',
    (grid) => `### Output\n\n${rows(grid, (row, n) => `#### Row ${n}\n${row.join(' ')}`, '\n\n')}`,
  ],
  [
    'headings of rows with fences',
    (grid) => rows(grid, (row, n) => `Row ${n}:\n${fence(row.join(' '))}`, '\n\n'),
  ],
  ['rows with empty lines between', (grid) => rows(grid, (row, n) => `Row ${n}: ${row.join(' ')}`, '\n\n')],
  ['rows in German', (grid) => `Das Ergebnis:\n${rows(grid, (row, n) => `Zeile ${n}: ${row.join(' ')}`)}`],
  ['rows in Spanish', (grid) => `Salida:\n${rows(grid, (row, n) => `Fila ${n}: ${row.join(', ')}`)}`],
  ['rows in Chinese', (grid) => `最终输出：\n${rows(grid, (row, n) => `第${n}行：${row.join(' ')}`)}`],
  [
    'ordinals',
    (grid) => rows(grid, (row, n) => `${n}${['st', 'nd', 'rd'][n - 1] ?? 'th'} row: ${row.join(' ')}`),
  ],
  ['numbers of lines and a bar', (grid) => fence(rows(grid, (row, n) => `${n} | ${row.join(' ')}`))],
  ['remarks behind rows', (grid) => rows(grid, (row, n) => `${row.join(' ')}  # row ${n}`)],
  [
    'remarks in brackets',
    (grid) => rows(grid, (row, n) => `Row ${n} (as before): ${row.join(' ')} (row ${n})`),
  ],
  [
    'changed cells in bold',
    (grid) => rows(grid, (row) => row.map((cell) => (cell === 7 ? '**7**' : cell)).join(' ')),
  ],
  ['cells in backticks', (grid) => rows(grid, (row) => row.map((cell) => `\`${cell}\``).join(' '))],
  ['a frame of text', (grid) => rows(grid, (row) => `+${'---+'.repeat(row.length)}\n| ${row.join(' | ')} |`)],
  [
    'a table with numbers of rows',
    (grid) =>
      `| Row | ${(grid[0] ?? []).map((_, at) => `C${at}`).join(' | ')} |\n|${'---|'.repeat((grid[0]?.length ?? 0) + 1)}\n${rows(grid, (row, n) => `| ${n} | ${row.join(' | ')} |`)}`,
  ],
  ['a table with named rows', (grid) => rows(grid, (row, n) => `| R${n} | ${row.join(' | ')} |`)],
  [
    'an array of LaTeX',
    (grid) =>
      `\\[\n\\left[\\begin{array}{${'c'.repeat(grid[0]?.length ?? 0)}}\n${rows(grid, (row) => `${row.join(' & ')} \\\\`)}\n\\end{array}\\right]\n\\]`,
  ],
  [
    'a matrix in a line',
    (grid) => `The answer is $\\begin{pmatrix}${rows(grid, (row) => row.join('&'), '\\\\')}\\end{pmatrix}$.`,
  ],
  [
    'a matrix with bold cells',
    (grid) =>
      `$$\\boxed{\\begin{bmatrix} ${rows(grid, (row) => row.map((cell) => (cell === 3 ? '\\mathbf{3}' : cell)).join(' & '), ' \\\\ ')} \\end{bmatrix}}$$`,
  ],
  ['digits of keys', (grid) => rows(grid, (row) => row.map((cell) => `${cell}\ufe0f\u20e3`).join(''))],
  [
    'an input and an answer without fences',
    (grid, other) => `Test input:\n${spaced(other)}\n\nOutput:\n${spaced(grid)}`,
  ],
  [
    'an input as JSON, an answer in a fence',
    (grid, other) =>
      `Given the input ${JSON.stringify(other)}, I mirror it.\n\nThe output grid:\n${fence(spaced(grid))}`,
  ],
  [
    'an attempt that is mended',
    (grid, other) =>
      `My first attempt:\n\n${fence(spaced(other))}\n\nWait, that leaves a gap. Let me redo it.\n\n${fence(spaced(grid))}`,
  ],
  [
    'three states',
    (grid, other) =>
      `After step 1:\n${spaced(other)}\n\nAfter step 2:\n${spaced(other.toReversed())}\n\nAfter step 3:\n${spaced(grid)}`,
  ],
  [
    'a check behind it',
    (grid, other) =>
      `**Answer**\n\n${fence(spaced(grid))}\n\nAs a check, train pair 1 gives by the same rule, from its input:\n\n${fence(spaced(other))}`,
  ],
  [
    'a tile in a fence, the answer without',
    (grid) => `The repeated tile is\n\n${fence('1 2\n2 1')}\n\nFinal answer:\n\n${spaced(grid)}`,
  ],
  ['a legend in one row', (grid) => `Palette:\n${fence('0 1 2 3 4 5 6 7 8 9')}\n\nOutput:\n${spaced(grid)}`],
  [
    'an open fence before a fence',
    (grid) => `\`\`\`\nnotes on the task\n\nSo, finally:\n\`\`\`text\n${spaced(grid)}\n\`\`\``,
  ],
  ['an open fence before a list', (grid) => `\`\`\`\nI see two blobs.\n\nAnswer: ${JSON.stringify(grid)}`],
  [
    'a line of a table of HTML',
    (grid) =>
      `<table>\n${rows(grid, (row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)}\n</table>`,
  ],
  ['long dashes', (grid) => rows(grid, (row, n) => `Row ${n} — ${row.join(',')}.`)],
  ['numbers and a colon', (grid) => rows(grid, (row, n) => `${n}: ${row.join(' ')}`)],
  ['numbers in brackets', (grid) => rows(grid, (row, n) => `(${n}) ${row.join(' ')}`)],
  ['numbers of lines apart', (grid) => fence(rows(grid, (row, n) => `${n}  ${row.join(' ')}`))],
  ['bare headings of rows', (grid) => rows(grid, (row, n) => `Row ${n}\n${row.join(' ')}`)],
  ['bold rows', (grid) => rows(grid, (row) => `**${row.join(' ')}**`)],
  ['quoted rows without a list', (grid) => rows(grid, (row) => `"${row.join(',')}",`)],
  [
    'rows of an object',
    (grid) => `{\n${rows(grid, (row, n) => `  "row${n}": [${row.join(', ')}]`, ',\n')}\n}`,
  ],
  ['rows of XML', (grid) => rows(grid, (row) => `<row>${row.join(' ')}</row>`)],
  ['a text in JSON', (grid) => `{"why": "x", "output": "${rows(grid, (row) => row.join(' '), '\\n')}"}`],
  ['a matrix of MATLAB', (grid) => `[${rows(grid, (row) => row.join(' '), '; ')}]`],
  ['rows between semicolons', (grid) => `Output:\n${rows(grid, (row) => row.join(','), '; ')}`],
  ['a frame of lines', (grid) => `┌──┐\n${rows(grid, (row) => `│ ${row.join(' ')} │`)}\n└──┘`],
  [
    'thoughts before it',
    (grid, other) =>
      `<think>\nInput:\n${spaced(other)}\nMaybe:\n${spaced(other.toReversed())}\n</think>\n\n${fence(spaced(grid))}`,
  ],
  [
    'code before it',
    (grid, other) =>
      `${fence(`grid = ${JSON.stringify(other)}\nprint(transform(grid))`, 'python')}\n\nOutput:\n${fence(spaced(grid))}`,
  ],
  [
    'an output that is taken back',
    (grid, other) =>
      `Output:\n${fence(spaced(other))}\n\nWait — the second row should be empty. So:\n\n${fence(spaced(grid))}`,
  ],
  [
    'the input behind it',
    (grid, other) =>
      `**Final answer:**\n${fence(spaced(grid))}\n\nFor reference, the input was:\n${fence(spaced(other))}`,
  ],
  [
    'a head of numbers',
    (grid) =>
      `| ${(grid[0] ?? []).map((_, at) => at).join(' | ')} |\n|${'---|'.repeat(grid[0]?.length ?? 0)}\n${rows(grid, (row) => `| ${row.join(' | ')} |`)}`,
  ],
];

/** What is no grid for sure: these are refused, or read as what they are. */
export const doubtful: readonly Style[] = [
  ['a colour that none of the digits has', (grid) => rows(grid, (row) => `${named(row).join(' ')} purple`)],
  [
    'a row is missing',
    (grid) => rows(grid, (row, n) => (n === grid.length - 1 ? '' : `Row ${n}: ${row.join(' ')}`)),
  ],
  [
    'a row like the one before',
    (grid) => rows(grid, (row, n) => (n === 2 ? 'Row 2: the same' : `Row ${n}: ${row.join(' ')}`)),
  ],
  [
    'rows in one',
    (grid) =>
      `Rows 1-2: ${grid[0]?.join(' ')}\n${rows(grid.slice(1), (row, n) => `Row ${n + 2}: ${row.join(' ')}`)}`,
  ],
  ['columns', (grid) => rows(grid, (row, n) => `Column ${n}: ${row.join(' ')}`)],
  ['numbers on some rows', (grid) => rows(grid, (row, n) => `${n % 2 ? `Row ${n}: ` : ''}${row.join(' ')}`)],
  [
    'cut off in rows with numbers',
    (grid) =>
      `\`\`\`\n${rows(grid.slice(0, -1), (row, n) => `Row ${n}: ${row.join(' ')}`)}\nRow ${grid.length}:`,
  ],
  ['cut off in a fence', (grid) => `Output:\n\`\`\`\n${spaced(grid.slice(0, -1))}\n`],
  ['cut off in a fence with a word in it', (grid) => `\`\`\`\nOutput:\n${spaced(grid.slice(0, -1))}\n`],
  [
    'cut off in a matrix',
    (grid) => `$$\\begin{bmatrix} ${rows(grid.slice(0, -1), (row) => row.join(' & '), ' \\\\ ')} \\\\`,
  ],
  [
    'a matrix that leaves rows out',
    (grid) =>
      `$$\\begin{bmatrix} ${grid[0]?.join(' & ')} \\\\ \\vdots \\\\ ${grid.at(-1)?.join(' & ')} \\end{bmatrix}$$`,
  ],
  ['a row of HTML with breaks', (grid) => rows(grid, (row) => row.join(' '), '<br>')],
  ['rows in one line', (grid) => rows(grid, (row) => row.join(' '), ' / ')],
  ['coordinates', () => '- (0, 1)\n- (2, 3)'],
  ['what was counted', () => 'There are these objects:\n- 12\n- 70'],
  [
    'numbers above the columns',
    (grid) =>
      fence(
        `    ${(grid[0] ?? []).map((_, at) => at).join(' ')}\n${rows(grid, (row, n) => `${n - 1}   ${row.join(' ')}`)}`,
      ),
  ],
  [
    'cut off behind a head in its fence',
    (grid) => `\`\`\`\nHere is the output:\n\n${spaced(grid.slice(0, -1))}\n`,
  ],
  ['two that nobody tells apart', (grid, other) => `${spaced(grid)}\n\n${spaced(other)}`],
  [
    'an answer and then something else',
    (grid, other) => `Output:\n${spaced(grid)}\n\nSee:\n${spaced(other)}`,
  ],
];
