/** What models really write is read as what it is, or refused by name; no text at all gives a wrong shape. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Grid } from '../../src/core/problem.ts';
import { formatGrid, gridFormats, isGrid } from '../../src/grids/grid.ts';
import { findGrids, parseGrids } from '../../src/grids/parse.ts';
import { anyGrid, seededRuns } from './grids.ts';

const small: Grid = [
  [0, 0, 1],
  [0, 2, 0],
];

const ways: readonly (readonly [string, string])[] = [
  ['digits with spaces', '0 0 1\n0 2 0'],
  ['more spaces and tabs', '  0  0\t1 \n  0  2\t0 '],
  ['commas', '0,0,1\n0,2,0'],
  ['commas and spaces', '0, 0, 1\n0, 2, 0'],
  ['a comma at the end of each row', '0, 0, 1,\n0, 2, 0,'],
  ['semicolons', '0;0;1\n0;2;0'],
  ['solid digits', '001\n020'],
  ['bars', '0|0|1\n0|2|0'],
  ['a table', '| 0 | 0 | 1 |\n|---|---|---|\n| 0 | 2 | 0 |'],
  ['JSON', '[[0,0,1],[0,2,0]]'],
  ['JSON over lines', '[\n  [0, 0, 1],\n  [0, 2, 0]\n]'],
  ['a comma too many', '[[0, 0, 1,], [0, 2, 0,],]'],
  ['a Python assignment', 'grid = [[0, 0, 1],\n        [0, 2, 0]]'],
  ['NumPy', 'array([[0, 0, 1],\n       [0, 2, 0]])'],
  ['NumPy as it prints', '[[0 0 1]\n [0 2 0]]'],
  ['floats that are whole', '[[0., 0., 1.], [0.0, 2.0, 0.0]]'],
  ['tuples of text', '["001", "020"]'],
  ['texts with spaces', "['0 0 1', '0 2 0']"],
  ['cells as texts', '[["0","0","1"],["0","2","0"]]'],
  ['a list a line', '[0, 0, 1]\n[0, 2, 0]'],
  ['a list a line with commas', '[0, 0, 1],\n[0, 2, 0],'],
  ['numbered rows', 'Row 1: 0 0 1\nRow 2: 0 2 0'],
  ['a fence', '```\n0 0 1\n0 2 0\n```'],
  ['a fence with a language', '```json\n[[0,0,1],[0,2,0]]\n```'],
  ['a fence of tildes', '~~~text\n001\n020\n~~~'],
  ['a fence on the rows themselves', '```0 0 1\n0 2 0```'],
  ['code in single quotes', '`0 0 1`\n`0 2 0`'],
  ['a citation', '> 0 0 1\n> 0 2 0'],
  ['Windows line ends', '0 0 1\r\n0 2 0\r\n'],
  ['other spaces and digits', '０\u00a00 1\n0\u30002 0\u200b'],
  ['an object', '{"output": [[0,0,1],[0,2,0]]}'],
  ['an object with more in it', '{"status": "moved 2 cells", "grid": [[0,0,1],[0,2,0]], "confidence": 5}'],
  ['comments', '[[0,0,1], # first\n [0,2,0]] // last'],
];

describe('one grid', () => {
  test.each(ways)('%s', (_name, text) => {
    expect(parseGrids(text, 1)).toEqual({ ok: true, grids: [small] });
  });

  test.each(ways)('with talk around it: %s', (_name, text) => {
    const reply = `I looked at 3 objects, e.g. a[0][1] and (2, 3).\n\nThe output:\n${text}\n\nEach 0 stays, 90% sure.`;
    expect(parseGrids(reply, 1)).toEqual({ ok: true, grids: [small] });
  });

  test('a label right above a grid that is two cells wide is no row of it', () => {
    for (const label of ['Test 1', 'Output 12', 'Grid 10 of 12', '## Test output 2', 'Test 1:']) {
      const grid = [
        [3, 3],
        [4, 4],
      ];
      expect(parseGrids(`${label}\n3 3\n4 4`, 1), label).toEqual({ ok: true, grids: [grid] });
    }
    expect(parseGrids('x 3\n3 3\n4 4', 1).ok).toBe(false);
  });

  test('a single cell or row is one where nothing else is', () => {
    expect(parseGrids('The answer:\n\n7', 1)).toEqual({ ok: true, grids: [[[7]]] });
    expect(parseGrids('```\n7\n```', 1)).toEqual({ ok: true, grids: [[[7]]] });
    expect(parseGrids('1 2 3', 1)).toEqual({ ok: true, grids: [[[1, 2, 3]]] });
  });
});

describe('several', () => {
  const two = 'Test 1:\n0 0\n1 1\n\n**Test 2**\n5 5 5\n';

  test('in their order, each with what stands before it', () => {
    expect(findGrids(two).map(({ label, line }) => [line, label])).toEqual([
      [2, 'Test 1'],
      [6, 'Test 2'],
    ]);
    expect(parseGrids('```\n0 0\n1 1\n```\n```\n5\n```', 2)).toEqual({
      ok: true,
      grids: [
        [
          [0, 0],
          [1, 1],
        ],
        [[5]],
      ],
    });
  });

  test('a list of grids, however deep', () => {
    const nested = '{"test_outputs": [{"grid": [[1]]}, {"grid": [[2, 2]]}], "all": [[[3]], [[4]]]}';
    expect(gridsOf(findGrids(nested))).toEqual([[[1]], [[2, 2]], [[3]], [[4]]]);
    expect(gridsOf(findGrids('[["001","020"],["11"]]'))).toEqual([small, [[1, 1]]]);
  });

  test('those in fences, where there are more outside', () => {
    const reply = 'The input is\n0 0\n0 0\nso it becomes\n```\n1 1\n1 1\n```\n';
    expect(parseGrids(reply, 1)).toEqual({
      ok: true,
      grids: [
        [
          [1, 1],
          [1, 1],
        ],
      ],
    });
  });

  test('what stands in the place of a grid keeps its place', () => {
    const found = findGrids('[null, [[1, 2]], [[3]]]');
    expect(found.map((each) => ('grid' in each ? each.grid : each.fault))).toEqual([
      'there is null in the place of a grid',
      [[1, 2]],
      [[3]],
    ]);
    expect(parseGrids('[null, [[1, 2]]]', 2)).toMatchObject({ ok: false });
  });
});

const faults: readonly (readonly [string, string, RegExp])[] = [
  ['nothing', 'I cannot see a pattern.', /no grid/],
  ['ragged rows', '0 0 1\n0 2\n', /row 2 has 2 cells, row 1 has 3/],
  ['a ragged list', '[[0,0,1],[0,2]]', /row 2 has 2 cells, row 1 has 3/],
  ['a value above 9', '0 0 1\n0 12 0', /row 2, cell 2 is 12/],
  ['a value below 0', '[[0,-1]]', /row 1, cell 2 is -1/],
  ['no number', '[[0, 1], [0, "x"]]', /row 2, cell 2 is "x"/],
  ['half a colour', '[[0, 1.5]]', /1\.5/],
  ['a null cell', '[[0, null]]', /row 1, cell 2 is null/],
  ['a letter as a cell', '[[0, 1], [0, X]]', /"X" in the place of a cell/],
  ['an empty row', '[[]]', /row 1 is empty/],
  ['31 rows', Array.from({ length: 31 }, () => '0 0').join('\n'), /31 rows/],
  ['31 cells', '0'.repeat(31).replaceAll('0', '0 '), /31 cells/],
  ['cut off in a list', '[[0,0,1],\n[0,2', /never closed/],
  ['cut off in a fence', '```\n0 0 1\n0 2 0\n', /fence is never closed/],
  ['rows left out', '0 0 1\n...\n0 2 0', /leaves rows out/],
  ['rows of a list left out', '[[0,0,1], ..., [0,2,0]]', /leaves cells or rows out/],
  ['a first row behind words', 'Output: 0 0 1\n0 2 0\n0 0 0', /line 1 beside it/],
  ['a last row before words', '0 0 1\n0 2 0\n0 0 0 is the last row', /line 3 beside it/],
  ['an unknown sign in a row', '0 0 1 0\n0 x 2 0\n0 0 0 0', /line 2 beside it/],
  ['solid digits with a broken row', '001\n0?0\n000', /line 2|cannot be read|single row/],
  ['empty lines between rows', '0 0 1\n\n0 2 0\n\n1 1 1', /one grid or one in each row/],
  ['an empty line in the middle', '0 0\n1 1\n\n2 2\n3 3', /has 2 grids/],
  ['a single row behind a grid', '0 0\n1 1\n\nConfidence:\n5', /has 2 grids/],
];

describe('a fault has a name', () => {
  test.each(faults)('%s', (_name, text, expected) => {
    const parsed = parseGrids(text, 1);
    expect(parsed.ok).toBe(false);
    expect('fault' in parsed && parsed.fault).toMatch(expected);
  });

  test('another number than asked for, with the lines', () => {
    expect(parseGrids('```\n1\n```\n```\n2\n```', 1)).toEqual({
      ok: false,
      fault: 'The reply has 2 grids (at lines 2, 5); expected is 1 grid.',
    });
    expect(parseGrids('Nothing.', 2)).toEqual({
      ok: false,
      fault: 'There is no grid in the reply; expected are 2 grids.',
    });
    expect(parseGrids('1 2\n3', 2)).toMatchObject({ fault: expect.stringContaining('row 2 has 1 cell, ') });
  });

  test('code is no grid', () => {
    expect(findGrids('out = [[0]*w for _ in range(h)]\nout[r][c] = grid[r - 1][c]\nx = a[[1]]')).toHaveLength(
      1,
    );
    expect(findGrids('return [[cell for cell in row] for row in grid]')).toEqual([]);
    expect(findGrids('see [1], [2, 3] and ["a", "b"]')).toEqual([]);
  });
});

describe('what is taken is the whole of what was labelled', () => {
  const upper = '0 0 1\n0 2 0\n3 0 0';
  const lower = '4 4 4\n5 5 5\n6 6 6';
  const pair = (first: string, second: string) => `${first}:\n${upper}\n\n${second}:\n${lower}`;

  test.each([
    ['Top rows', 'Bottom rows'],
    ['The first three rows', 'The last three rows'],
    ['Upper three rows', 'Lower three rows'],
    ['Here are rows 1-3', 'And here are rows 4-6'],
    ['Zeilen 1 bis 3', 'Zeilen 4 bis 6'],
    ['Output (rows 0..2)', 'Output (rows 3..5)'],
  ])('%s and %s are joined', (first, second) => {
    const grid = `${upper}\n${lower}`.split('\n').map((row) => row.split(' ').map(Number));
    expect(parseGrids(pair(first, second), 1)).toEqual({ ok: true, grids: [grid] });
  });

  test.each([
    ['Top', 'Bottom'],
    ['Rows one to three', 'Rows four to six'],
    ['The first half of it looks like this', 'And the second half'],
    ['Part I', 'Part II'],
    ['Top-left quadrant', 'Bottom-right quadrant'],
    ['Output, upper', 'Output, lower'],
    ['Test output (1)', 'Test output (2)'],
    ['One', 'then'],
  ])('%s and %s are refused: the last is not the whole', (first, second) => {
    expect(parseGrids(pair(first, second), 1).ok).toBe(false);
  });

  test.each([
    ['[[0,0,1],[0,2,0]], ...', /every row/],
    ['[[0,0,1],[0,2,0]] etc.', /every row/],
    ['[[0,0,1],[0,2,0]] (x2)', /every row/],
    ['[[0,0,1],[0,2,0]] repeated twice', /every row/],
    [`Output (repeat this block twice):\n${upper}`, /a part of the output/],
    [`Output, each row twice:\n${upper}`, /a part of the output/],
    [`Output (rows 4-6 omitted):\n${upper}`, /a part of the output/],
    [`Output:\n${upper}\n<3 more rows>`, /line 5 stands for more/],
    [`Output:\n${upper}\n... 3 more rows ...`, /line 5 stands for more/],
    [`Output:\n${upper}\n\nThe pattern continues to row 9.`, /line 6 stands for more/],
    [`Output:\n${upper}\n(mirror for the rest)`, /line 5 stands for more/],
    [`Output:\n${upper}\n\n[output truncated]`, /line 6 stands for more/],
    [`Output, transposed for brevity:\n${upper}`, /from top to bottom/],
    [`Output, column-major:\n${upper}`, /from top to bottom/],
    [`Rows (bottom to top):\n${upper}`, /from top to bottom/],
    [`Written column by column:\n${upper}`, /row by row/],
  ])('%s is refused, and the reason says what to write', (reply, reason) => {
    expect(parseGrids(reply, 1)).toEqual({ ok: false, fault: expect.stringMatching(reason) });
  });

  test.each([
    'The output has 3 rows and 3 columns:',
    'The transposed input gives:',
    'After filling the left half and the right half, the output is:',
    'Fill the bottom half. Output:',
    'Rows 1 and 3 are swapped in the output:',
  ])('%s is no label of a piece', (label) => {
    expect(parseGrids(`${label}\n${upper}\nThe rest is untouched.`, 1).ok).toBe(true);
  });
});

describe('properties', () => {
  test('every grid comes back from every format, bare and in a fence', () => {
    fc.assert(
      fc.property(anyGrid(), fc.constantFrom(...gridFormats), fc.boolean(), (grid, format, fenced) => {
        const text = formatGrid(grid, format);
        const reply = fenced ? `Here it is:\n\`\`\`\n${text}\n\`\`\`\nDone.` : text;
        expect(parseGrids(reply, 1)).toEqual({ ok: true, grids: [grid] });
      }),
      seededRuns,
    );
  });

  test('several in fences come back in order', () => {
    fc.assert(
      fc.property(fc.array(anyGrid(6), { minLength: 1, maxLength: 5 }), (grids) => {
        const reply = grids
          .map((grid, at) => `Test ${at + 1}\n\`\`\`\n${formatGrid(grid)}\n\`\`\``)
          .join('\n\n');
        expect(parseGrids(reply, grids.length)).toEqual({ ok: true, grids });
      }),
      seededRuns,
    );
  });

  test('a row that loses a cell is never read as another grid', () => {
    fc.assert(
      fc.property(
        anyGrid(8).filter((grid) => grid.length > 1 && (grid[0]?.length ?? 0) > 1),
        fc.nat(),
        fc.constantFrom(...gridFormats),
        (grid, place, format) => {
          const broken = grid.map((row, at) => (at === place % grid.length ? row.slice(1) : row));
          expect(parseGrids(formatGrid(broken, format), 1).ok).toBe(false);
        },
      ),
      seededRuns,
    );
  });

  test('any text ends in valid grids and named faults, however odd', () => {
    const pieces = [
      '0',
      '1',
      ' ',
      ',',
      '\n',
      '[',
      ']',
      '```',
      '"',
      '{',
      '}',
      ':',
      '...',
      '12',
      'row 1: ',
      '|',
      '-',
      'a',
      '#',
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((chosen) => chosen.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (reply) => {
        for (const found of findGrids(reply)) {
          if ('grid' in found) expect(isGrid(found.grid)).toBe(true);
          else expect(found.fault).not.toBe('');
        }
        const parsed = parseGrids(reply, 1);
        expect(parsed.ok || parsed.fault !== '').toBe(true);
      }),
      { ...seededRuns, numRuns: 2_000 },
    );
  });

  test('a long reply takes no long time', () => {
    const reply = `${'[[0, '.repeat(3_000)}\n${'0 0 1\n'.repeat(5_000)}${'['.repeat(20_000)}`;
    const start = process.cpuUsage();
    findGrids(reply);
    const { user, system } = process.cpuUsage(start);
    // Of the processor, whoever else wants it.
    expect((user + system) / 1000).toBeLessThan(10_000);
  });
});

function gridsOf(found: ReturnType<typeof findGrids>): unknown[] {
  return found.map((each) => ('grid' in each ? each.grid : each.fault));
}
