/**
 * A hundred further styles: grids in pieces, in columns, abridged, with rows named in other ways. `readable`: a careful
 * reader knows the whole grid. `ambiguous`: the reply does not hold the whole grid, or holds it in two ways.
 */
type Grid = readonly (readonly number[])[];
type Style = readonly [name: string, write: (grid: Grid, other: Grid) => string];

const spaced = (grid: Grid) => grid.map((row) => row.join(' ')).join('\n');
const commas = (grid: Grid) => grid.map((row) => row.join(',')).join('\n');
const json = (grid: Grid) => JSON.stringify(grid);
const fence = (text: string, language = '') => `\`\`\`${language}\n${text}\n\`\`\``;
const rows = (grid: Grid, write: (cells: readonly number[], at: number) => string, between = '\n') =>
  grid.map(write).join(between);
const half = (grid: Grid) => Math.ceil(grid.length / 2);
const top = (grid: Grid) => grid.slice(0, half(grid));
const bottom = (grid: Grid) => grid.slice(half(grid));
const across = (grid: Grid) => Math.ceil((grid[0]?.length ?? 0) / 2);
const width = (grid: Grid) => grid[0]?.length ?? 0;
const left = (grid: Grid) => grid.map((row) => row.slice(0, across(grid)));
const right = (grid: Grid) => grid.map((row) => row.slice(across(grid)));
const turned = (grid: Grid) => (grid[0] ?? []).map((_, at) => grid.map((row) => row[at] ?? 0));
const letter = (at: number) => String.fromCharCode(65 + at);
const numbers = ['one', 'two', 'three', 'four', 'five', 'six'];

export const readable: readonly Style[] = [
  ['rows with letters', (grid) => rows(grid, (row, at) => `Row ${letter(at)}: ${row.join(' ')}`)],
  ['rows with letters and a bar', (grid) => rows(grid, (row, at) => `Row ${letter(at)} | ${row.join(' ')}`)],
  ['letters alone', (grid) => fence(rows(grid, (row, at) => `${letter(at)}: ${row.join(' ')}`))],
  ['letters in bullets', (grid) => rows(grid, (row, at) => `- Row ${letter(at)}: \`${row.join(' ')}\``)],
  ['rows by y', (grid) => `Output:\n${rows(grid, (row, at) => `y=${at}: ${row.join(' ')}`)}`],
  ['rows by y and a bar', (grid) => rows(grid, (row, at) => `y = ${at} | ${row.join(' ')}`)],
  ['rows by i', (grid) => rows(grid, (row, at) => `i=${at}: [${row.join(', ')}]`)],
  ['rows by r and an arrow', (grid) => rows(grid, (row, at) => `r=${at} → ${row.join(' ')}`)],
  ['rows in number words', (grid) => rows(grid, (row, at) => `Row ${numbers[at]}: ${row.join(' ')}`)],
  [
    'rows of an array',
    (grid) =>
      fence(
        rows(grid, (row, at) => `output[${at}] = [${row.join(', ')}]`),
        'python',
      ),
  ],
  ['rows of how many', (grid) => rows(grid, (row, at) => `Row ${at + 1}/${grid.length}: ${row.join(' ')}`)],
  [
    'rows of how many in words',
    (grid) => rows(grid, (row, at) => `Row ${at + 1} of ${grid.length}: ${row.join(' ')}`),
  ],
  ['rows in square brackets', (grid) => rows(grid, (row, at) => `[Row ${at + 1}] ${row.join(' ')}`)],
  ['rows with a hash and a dash', (grid) => rows(grid, (row, at) => `Row #${at + 1} - ${row.join(' ')}`)],
  ['rows with leading zeros', (grid) => rows(grid, (row, at) => `R0${at + 1}: ${row.join(' ')}`)],
  ['rows with y in brackets', (grid) => rows(grid, (row, at) => `Row ${at + 1} (y=${at}): ${row.join(' ')}`)],
  ['rows that are', (grid) => rows(grid, (row, at) => `Row ${at + 1} is ${row.join(' ')}`)],
  [
    'German letters',
    (grid) => `Ausgabe:\n${rows(grid, (row, at) => `Zeile ${letter(at)}: ${row.join(' ')}`)}`,
  ],
  [
    'a table with a blank corner',
    (grid) =>
      `|   | ${(grid[0] ?? []).map((_, at) => at + 1).join(' | ')} |\n|---${'|---'.repeat(width(grid))}|\n${rows(grid, (row, at) => `| ${at + 1} | ${row.join(' | ')} |`)}`,
  ],
  [
    'a table with a blank corner and bold numbers',
    (grid) =>
      `Final output:\n\n| | ${(grid[0] ?? []).map((_, at) => at).join(' | ')} |\n|:-:${'|:-:'.repeat(width(grid))}|\n${rows(grid, (row, at) => `| **${at}** | ${row.join(' | ')} |`)}`,
  ],
  [
    'a table with a blank corner and letters',
    (grid) =>
      `|   | ${(grid[0] ?? []).map((_, at) => `c${at + 1}`).join(' | ')} |\n|---${'|---'.repeat(width(grid))}|\n${rows(grid, (row, at) => `| ${letter(at)} | ${row.join(' | ')} |`)}`,
  ],
  [
    'a table with y and x in the corner',
    (grid) =>
      `| y\\x | ${(grid[0] ?? []).map((_, at) => at).join(' | ')} |\n|---${'|---'.repeat(width(grid))}|\n${rows(grid, (row, at) => `| ${at} | ${row.join(' | ')} |`)}`,
  ],
  [
    'halves in fences',
    (grid) => `Top half:\n${fence(spaced(top(grid)))}\nBottom half:\n${fence(spaced(bottom(grid)))}`,
  ],
  [
    'halves without fences',
    (grid) => `Top half:\n${spaced(top(grid))}\n\nBottom half:\n${spaced(bottom(grid))}`,
  ],
  [
    'bold halves',
    (grid) =>
      `### Answer\n\n**Upper half**\n\n${spaced(top(grid))}\n\n**Lower half**\n\n${spaced(bottom(grid))}`,
  ],
  ['halves as JSON', (grid) => `Top half: ${json(top(grid))}\nBottom half: ${json(bottom(grid))}`],
  [
    'German halves',
    (grid) => `Obere Hälfte:\n${spaced(top(grid))}\n\nUntere Hälfte:\n${spaced(bottom(grid))}`,
  ],
  ['Chinese halves', (grid) => `上半部分：\n${spaced(top(grid))}\n\n下半部分：\n${spaced(bottom(grid))}`],
  [
    'ranges of rows',
    (grid) =>
      `Rows 1-${half(grid)}:\n${spaced(top(grid))}\n\nRows ${half(grid) + 1}-${grid.length}:\n${spaced(bottom(grid))}`,
  ],
  [
    'ranges of rows in fences',
    (grid) =>
      `**Rows 1–${half(grid)}**\n${fence(spaced(top(grid)))}\n\n**Rows ${half(grid) + 1}–${grid.length}**\n${fence(spaced(bottom(grid)))}`,
  ],
  [
    'ranges of rows through',
    (grid) =>
      `Rows 1 through ${half(grid)}:\n\n${commas(top(grid))}\n\nRows ${half(grid) + 1} through ${grid.length}:\n\n${commas(bottom(grid))}`,
  ],
  [
    'ranges of rows from zero',
    (grid) =>
      `Output, rows 0 to ${half(grid) - 1}:\n${spaced(top(grid))}\n\nOutput, rows ${half(grid)} to ${grid.length - 1}:\n${spaced(bottom(grid))}`,
  ],
  [
    'ranges of lines',
    (grid) =>
      `Lines 1-${half(grid)}\n${spaced(top(grid))}\nLines ${half(grid) + 1}-${grid.length}\n${spaced(bottom(grid))}`,
  ],
  [
    'parts that name their rows',
    (grid) =>
      `Test output, part 1 of 2 (rows 1-${half(grid)}):\n${fence(spaced(top(grid)))}\nTest output, part 2 of 2 (rows ${half(grid) + 1}-${grid.length}):\n${fence(spaced(bottom(grid)))}`,
  ],
  [
    'ranges in an object',
    (grid) =>
      fence(
        `{"rows_1_${half(grid)}": ${json(top(grid))}, "rows_${half(grid) + 1}_${grid.length}": ${json(bottom(grid))}}`,
        'json',
      ),
  ],
  [
    'first rows and the rest',
    (grid) =>
      `First ${half(grid)} rows:\n${spaced(top(grid))}\n\nRemaining ${grid.length - half(grid)} rows:\n${spaced(bottom(grid))}`,
  ],
  [
    'columns in two ranges',
    (grid) =>
      `Columns 1–${across(grid)}:\n${fence(spaced(left(grid)))}\nColumns ${across(grid) + 1}–${width(grid)}:\n${fence(spaced(right(grid)))}`,
  ],
  ['left and right', (grid) => `Left half:\n${spaced(left(grid))}\n\nRight half:\n${spaced(right(grid))}`],
  ['columns from left to right', (grid) => `Columns (left to right):\n${spaced(turned(grid))}`],
  [
    'columns from left to right in a fence',
    (grid) => `Here are the columns of the output, left to right:\n\n${fence(commas(turned(grid)))}`,
  ],
  ['a column a line', (grid) => `Each line is one column, from left to right:\n\n${spaced(turned(grid))}`],
  [
    'halves of the input before',
    (grid, other) =>
      `Top half of the input:\n${spaced(top(other))}\n\nBottom half of the input:\n${spaced(bottom(other))}\n\nOutput:\n${fence(spaced(grid))}`,
  ],
  [
    'talk of halves behind',
    (grid) => `Output:\n${fence(spaced(grid))}\n\nThe top half is unchanged, and the bottom half mirrors it.`,
  ],
  ['talk of rows behind', (grid) => `Output:\n${spaced(grid)}\n\n(Row 2 is the same as row 2 of the input.)`],
  [
    'talk of etc before',
    (grid) => `Red turns to blue, blue to green, etc. So the answer:\n\n${spaced(grid)}`,
  ],
  [
    'talk of repeating before',
    (grid) => `The pattern repeats 2x in each direction and so on.\n\n**Final grid**\n${fence(spaced(grid))}`,
  ],
  [
    'dots in the talk',
    (grid) => `Let me see ...\n\nSo the output is ...\n\n${fence(spaced(grid))}\n\nThat should be it...`,
  ],
  ['tags', (grid) => `<answer>\n${spaced(grid)}\n</answer>`],
  ['tags around JSON', (grid) => `<output>${json(grid)}</output>`],
  ['tokens of a box', (grid) => `<|begin_of_box|>${json(grid)}<|end_of_box|>`],
  ['a box around rows', (grid) => `\\boxed{\n${spaced(grid)}\n}`],
  ['preformatted', (grid) => `<pre>\n${spaced(grid)}\n</pre>`],
  ['verbatim', (grid) => `\\begin{verbatim}\n${spaced(grid)}\n\\end{verbatim}`],
  [
    'vectors of Rust',
    (grid) => fence(`let out = vec![\n${rows(grid, (row) => `    vec![${row.join(', ')}],`)}\n];`, 'rust'),
  ],
  ['a list in YAML', (grid) => fence(`output:\n${rows(grid, (row) => `  - [${row.join(', ')}]`)}`, 'yaml')],
  ['tabs', (grid) => `The result is\n\n${rows(grid, (row) => row.join('\t'))}`],
  ['an array with a type', (grid) => fence(`np.array(${json(grid)}, dtype=np.int8)`, 'python')],
  ['semicolons behind a label', (grid) => `Final answer: ${rows(grid, (row) => row.join(' '), '; ')}`],
  [
    'numbers of cells',
    (grid) => rows(grid, (row, at) => `Row ${at + 1} [${row.length} cells]: ${row.join(' ')}`),
  ],
  [
    'a rule of turning',
    (grid) => `The rule transposes the input and recolours it. Output:\n\n${fence(spaced(grid))}`,
  ],
];

export const ambiguous: readonly Style[] = [
  ['parts A and B', (grid) => `Part A:\n${spaced(top(grid))}\n\nPart B:\n${spaced(bottom(grid))}`],
  [
    'parts 1 and 2 in fences',
    (grid) => `Part 1\n${fence(spaced(top(grid)))}\nPart 2\n${fence(spaced(bottom(grid)))}`,
  ],
  ['one half', (grid) => `Top half:\n${fence(spaced(top(grid)))}\n\nThe bottom half is its mirror image.`],
  [
    'the second half alone',
    (grid) => `I will give the bottom half only.\n\nBottom half:\n${spaced(bottom(grid))}`,
  ],
  ['one range', (grid) => `Rows 1-${half(grid)}:\n${spaced(top(grid))}`],
  [
    'a later range',
    (grid) => `Output rows ${half(grid) + 1}-${grid.length}:\n${fence(spaced(bottom(grid)))}`,
  ],
  [
    'ranges with a gap',
    (grid) =>
      `Rows 1-${half(grid)}:\n${spaced(top(grid))}\n\nRows ${half(grid) + 2}-${grid.length + 1}:\n${spaced(bottom(grid))}`,
  ],
  [
    'ranges that overlap',
    (grid) =>
      `Rows 1-${half(grid) + 1}:\n${spaced(grid.slice(0, half(grid) + 1))}\n\nRows ${half(grid) + 1}-${grid.length}:\n${spaced(bottom(grid))}`,
  ],
  [
    'a range with too few rows',
    (grid) =>
      `Rows 1-${half(grid) + 1}:\n${spaced(top(grid))}\n\nRows ${half(grid) + 2}-${grid.length + 1}:\n${spaced(bottom(grid))}`,
  ],
  ['one range of columns', (grid) => `Columns 1-${across(grid)}:\n${spaced(left(grid))}`],
  ['a middle third', (grid) => `Middle part:\n${spaced(top(grid))}\n\nBottom part:\n${spaced(bottom(grid))}`],
  [
    'the left half alone',
    (grid) => `Left half:\n${spaced(left(grid))}\n\nThe right half is the same, mirrored.`,
  ],
  [
    'to be continued',
    (grid) => `Output:\n${spaced(top(grid))}\n(continued below)\n\nContinued:\n${spaced(bottom(grid))}`,
  ],
  [
    'same rows in brackets',
    (grid) =>
      `Output:\n${spaced(grid)}\n... (rows ${grid.length + 1}-${grid.length * 2} same as rows 1-${grid.length})`,
  ],
  [
    'same rows in brackets in a fence',
    (grid) =>
      fence(`${spaced(grid)}\n(rows ${grid.length + 1}-${grid.length * 2} same as rows 1-${grid.length})`),
  ],
  [
    'same rows told behind',
    (grid) =>
      `Output:\n${fence(spaced(grid))}\n\nRows ${grid.length + 1} to ${grid.length * 2} are the same as rows 1 to ${grid.length}.`,
  ],
  ['etc', (grid) => `${spaced(grid)}\netc.`],
  ['etc in a fence', (grid) => fence(`${spaced(grid)}\netc.`)],
  ['etc behind an empty line', (grid) => `Output:\n${spaced(grid)}\n\netc.`],
  ['and so on', (grid) => `Answer:\n${spaced(grid)}\nand so on`],
  [
    'times four',
    (grid) => fence(rows(grid, (row, at) => `${row.join(' ')}${at === grid.length - 1 ? ' (x4)' : ''}`)),
  ],
  [
    'times four in the middle',
    (grid) => rows(grid, (row, at) => `${row.join(' ')}${at === 0 ? '  (×4)' : ''}`),
  ],
  [
    'times behind a row',
    (grid) => rows(grid, (row, at) => `Row ${at + 1}: ${row.join(' ')}${at === 0 ? ' x3' : ''}`),
  ],
  ['repeat below', (grid) => `Output:\n${fence(spaced(grid))}\nrepeat 2x`],
  ['repeat in a fence', (grid) => fence(`${spaced(grid)}\n[repeat 2x]`)],
  [
    'repeat beside a row',
    (grid) => rows(grid, (row, at) => `${row.join(' ')}${at === 0 ? '  # repeat 3 times' : ''}`),
  ],
  [
    'repeat in brackets',
    (grid) =>
      rows(grid, (row, at) => `${row.join(' ')}${at === grid.length - 1 ? ' (repeated 5 times)' : ''}`),
  ],
  ['the rest is zeros', (grid) => `Output:\n${spaced(grid)}\n(the remaining rows are all 0)`],
  ['the rest is like that', (grid) => `${fence(spaced(grid))}\n(remaining rows identical to the last one)`],
  ['dots at the end', (grid) => `${spaced(grid)}\n...`],
  ['dots at the end behind an empty line', (grid) => `Output:\n${spaced(grid)}\n\n...`],
  ['dots in a fence', (grid) => fence(`${spaced(grid)}\n\n...`)],
  ['dots before', (grid) => `...\n${spaced(grid)}`],
  ['dots in brackets', (grid) => `${spaced(grid)}\n[...]`],
  ['dots in rows', (grid) => rows(grid, (row) => `${row[0]} ... ${row.at(-1)}`)],
  ['colons for dots', (grid) => `${spaced(grid)}\n:\n${spaced(grid.slice(-1))}`],
  ['upright dots', (grid) => `${spaced(grid)}\n⋮`],
  ['ditto', (grid) => `${spaced(grid)}\n〃`],
  ['same again', (grid) => `Row 1: ${grid[0]?.join(' ')}\nRows 2-${grid.length}: same as row 1`],
  ['a list times two', (grid) => `output = ${json(grid)} * 2`],
  ['a list of rows times', (grid) => `output = [${JSON.stringify(grid[0])}] * ${grid.length}`],
  ['a list and more of it', (grid) => `${json(grid)} + [[0] * ${width(grid)}] * 3`],
  ['runs of cells', (grid) => rows(grid, (row) => `${row[0]}x${row.length}`)],
  ['the transposed answer', (grid) => `Transposed answer:\n${spaced(turned(grid))}`],
  ['the output in brackets transposed', (grid) => `Output (transposed):\n${fence(spaced(turned(grid)))}`],
  [
    'columns and rows',
    (grid) => `Rows or columns, I am not sure which:\n${spaced(grid)}\n\nColumns:\n${spaced(turned(grid))}`,
  ],
  ['either or', (grid, other) => `Either\n${fence(spaced(grid))}\nor\n${fence(spaced(other))}`],
  ['two options', (grid, other) => `Option A:\n${spaced(grid)}\n\nOption B:\n${spaced(other)}`],
  ['letters for cells', (grid) => rows(grid, (row) => row.map((cell) => 'KBRGYSPOCM'[cell]).join(' '))],
  [
    'rows with letters and a gap',
    (grid) => rows(grid, (row, at) => `Row ${letter(at > 0 ? at + 1 : at)}: ${row.join(' ')}`),
  ],
];
