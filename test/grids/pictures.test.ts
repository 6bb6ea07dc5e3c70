/** Pictures are read back pixel by pixel, by the library that browsers' tools use, and show what the grid has. */
import fc from 'fast-check';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import type { Grid } from '../../src/core/problem.ts';
import { drawCollage } from '../../src/grids/collage.ts';
import { drawDiff, drawGrid, palette } from '../../src/grids/drawing.ts';
import { renderPng } from '../../src/grids/png.ts';
import { renderSvg } from '../../src/grids/svg.ts';
import { gridBlock, joinBlocks, stackBlocks, textBlock } from '../../src/grids/terminal.ts';
import { noPaint } from '../../src/text/paint.ts';
import { anyGrid, everyColour, seededRuns } from './grids.ts';

/** Of the official pages. */
const official = [
  '000000',
  '0074d9',
  'ff4136',
  '2ecc40',
  'ffdc00',
  'aaaaaa',
  'f012be',
  'ff851b',
  '7fdbff',
  '870c25',
];

function pixelsOf(bytes: Uint8Array): { width: number; height: number; at(x: number, y: number): string } {
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
  const at = (x: number, y: number) =>
    data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3).toString('hex');
  return { width, height, at };
}

describe('PNG', () => {
  test('every cell has its official colour, every line the border', () => {
    fc.assert(
      fc.property(anyGrid(12), fc.integer({ min: 1, max: 9 }), (grid, cellPixels) => {
        const { width, height, at } = pixelsOf(renderPng(drawGrid(grid, { cellPixels })));
        const step = cellPixels + 1;
        expect([width, height]).toEqual([(grid[0]?.length ?? 0) * step + 1, grid.length * step + 1]);
        for (const [y, row] of grid.entries()) {
          for (const [x, cell] of row.entries()) {
            expect(at(x * step + 1, y * step + 1)).toBe(official[cell]);
            expect(at((x + 1) * step - 1, (y + 1) * step - 1)).toBe(official[cell]);
            expect(at(x * step, y * step + 1)).toBe('555555');
          }
        }
        expect(at(width - 1, height - 1)).toBe('555555');
      }),
      { ...seededRuns, numRuns: 40 },
    );
  });

  test('equal grids give equal bytes', () => {
    expect(renderPng(drawGrid(everyColour))).toEqual(renderPng(drawGrid(everyColour.map((row) => [...row]))));
    expect(renderPng(drawGrid(everyColour))).not.toEqual(renderPng(drawGrid([[0]])));
  });

  test('a large grid is a small file: it is sent to models, and kept', () => {
    const grid = Array.from({ length: 30 }, (_, y) =>
      Array.from({ length: 30 }, (_, x) => (x * 7 + y * 3) % 10),
    );
    expect(renderPng(drawGrid(grid)).length).toBeLessThan(20_000);
  });

  test('what lies outside is cut off', () => {
    const box = { x: -5, y: -5, width: 10, height: 10, colour: [1, 2, 3] as const };
    const drawing = {
      width: 3,
      height: 2,
      background: [9, 9, 9] as const,
      boxes: [box, { ...box, x: 50 }],
      labels: [],
    };
    expect(pixelsOf(renderPng(drawing)).at(2, 1)).toBe('010203');
  });
});

describe('SVG', () => {
  test('a path a colour, in the official palette', () => {
    const svg = renderSvg(drawGrid(everyColour));
    for (const colour of official) expect(svg).toContain(`fill="#${colour}"`);
    expect(svg).toContain('viewBox="0 0 106 43"');
    expect(
      renderSvg(
        drawGrid(
          [
            [1, 2],
            [1, 1],
          ],
          { cellPixels: 4 },
        ),
      ),
    ).toBe(
      [
        '<svg xmlns="http://www.w3.org/2000/svg" width="11" height="11" viewBox="0 0 11 11" shape-rendering="crispEdges">',
        '<rect width="11" height="11" fill="#555555"/>',
        '<path fill="#0074d9" d="M1 1h4v4h-4zM1 6h4v4h-4zM6 6h4v4h-4z"/>',
        '<path fill="#ff4136" d="M6 1h4v4h-4z"/>',
        '</svg>\n',
      ].join('\n'),
    );
  });

  test('a label cannot break it', () => {
    const labels = [{ x: 0, y: 0, text: '<b>&"\u0000' }];
    const svg = renderSvg({ width: 9, height: 9, background: [0, 0, 0], boxes: [], labels });
    expect(svg).toContain('>&lt;b&gt;&amp;&quot;␀</text>');
  });
});

describe('a difference', () => {
  const expected: Grid = [[1, 2]];
  const middle = (bytes: Uint8Array, x: number) => pixelsOf(bytes).at(x * 21 + 11, 11);

  test('right cells are faint, wrong ones have the expected colour in their middle', () => {
    const bytes = renderPng(drawDiff(expected, [[1, 4]]));
    expect(official).not.toContain(middle(bytes, 0));
    expect(middle(bytes, 1)).toBe(official[2]);
    expect(pixelsOf(bytes).at(23, 2)).toBe(official[4]);
  });

  test('another shape is drawn as it is', () => {
    const bytes = renderPng(drawDiff(expected, [[1], [2]]));
    expect(middle(bytes, 0)).toBe(official[1]);
  });
});

describe('a collage', () => {
  const rows = [
    { label: 'train 1', input: [[1]], expected: [[2]], predicted: [[3]] },
    { label: 'test 1, attempt 1', input: [[4]], predicted: [[5]] },
  ];

  test('has the columns that its rows fill', () => {
    const heads = (collage: ReturnType<typeof drawCollage>) => collage.labels.map(({ text }) => text);
    expect(heads(drawCollage({ title: 'abc', rows }))).toEqual([
      'abc',
      'input',
      'expected',
      'predicted',
      'difference',
      'train 1',
      '0.0% right',
      'test 1, attempt 1',
    ]);
    expect(
      heads(drawCollage({ title: 'abc', rows: [{ label: 'train 1', input: [[1]], expected: [[2]] }] })),
    ).toEqual(['abc', 'input', 'output', 'train 1']);
    expect(heads(drawCollage({ title: 'abc', rows: [{ label: 't', input: [[1]] }] }))).toEqual([
      'abc',
      'input',
      't',
    ]);
  });

  test('says what a difference comes to', () => {
    const verdict = (expected: Grid, predicted: Grid) =>
      drawCollage({ title: 't', rows: [{ label: 'l', input: [[0]], expected, predicted }] }).labels.at(-1)
        ?.text;
    expect(verdict([[1]], [[1]])).toBe('right');
    expect(verdict([[1, 2]], [[1], [2]])).toBe('2×1, not 1×2');
    expect(verdict([[1, 2, 3]], [[1, 2, 0]])).toBe('66.6% right');
    // Rounded down: a grid with one wrong cell of 900 is not right.
    const big = Array.from({ length: 30 }, () => Array.from({ length: 30 }, () => 1));
    expect(verdict(big, [[2, ...Array.from({ length: 29 }, () => 1)], ...big.slice(1)])).toBe('99.8% right');
  });

  test('nothing overlaps, nothing lies outside', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyGrid(5), anyGrid(5), fc.option(anyGrid(5))), { minLength: 1, maxLength: 4 }),
        (all) => {
          const collage = drawCollage({
            title: 'a title that is longer than the picture would be without it',
            rows: all.map(([input, expected, predicted], at) => ({
              label: `train ${at + 1}`,
              input,
              expected,
              predicted,
            })),
          });
          for (const box of collage.boxes) {
            expect(box.x).toBeGreaterThan(0);
            expect(box.x + box.width).toBeLessThan(collage.width);
            expect(box.y + box.height).toBeLessThan(collage.height);
          }
          const frames = collage.boxes.filter(({ colour }) => colour.join() === '85,85,85');
          for (const [at, a] of frames.entries()) {
            for (const b of frames.slice(at + 1)) {
              const apart =
                a.x + a.width <= b.x ||
                b.x + b.width <= a.x ||
                a.y + a.height <= b.y ||
                b.y + b.height <= a.y;
              expect(apart).toBe(true);
            }
          }
          expect(pixelsOf(renderPng(collage)).width).toBe(collage.width);
          expect(renderSvg(collage)).toContain('<text');
        },
      ),
      { ...seededRuns, numRuns: 30 },
    );
  });

  test('its labels can be read in the PNG: a letter has its dots', () => {
    const collage = drawCollage({ title: 'T', rows: [{ label: '', input: [[0]] }] });
    const { at } = pixelsOf(renderPng(collage));
    expect([at(16, 16), at(18, 16), at(20, 16)]).toEqual(['ffffff', 'ffffff', 'ffffff']);
    expect([at(16, 20), at(18, 20), at(20, 20)]).toEqual(['222222', 'ffffff', '222222']);
  });
});

describe('in the terminal', () => {
  test('plain digits without colour', () => {
    expect(gridBlock(everyColour, { colour: null })).toEqual({
      lines: ['0 1 2 3 4', '5 6 7 8 9'],
      width: 9,
    });
  });

  test('blocks of colour, digits on them where they are wanted', () => {
    expect(gridBlock([[0, 4]], { colour: noPaint.sequence })).toEqual({
      lines: ['\x1b[48;5;16m  \x1b[48;5;220m  \x1b[0m'],
      width: 4,
    });
    expect(gridBlock([[0, 4]], { colour: noPaint.sequence, digits: true }).lines).toEqual([
      '\x1b[38;5;231;48;5;16m0 \x1b[38;5;16;48;5;220m4 \x1b[0m',
    ]);
    expect(new Set(palette.map(({ ansi }) => ansi)).size).toBe(10);
  });

  test('side by side, whatever their heights', () => {
    const left = gridBlock([[1], [2], [3]], { colour: noPaint.sequence });
    const block = joinBlocks([
      left,
      textBlock('→'),
      stackBlocks(textBlock('output'), gridBlock([[4]], { colour: null })),
    ]);
    expect(block.width).toBe(2 + 3 + 1 + 3 + 6);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these codes take no room.
    expect(block.lines.map((line) => line.replaceAll(/\x1b\[[\d;]*m/g, ''))).toEqual([
      '     →   output',
      '         4',
      '  ',
    ]);
  });

  test('no blocks at all', () => {
    expect(joinBlocks([])).toEqual({ lines: [], width: 0 });
    expect(drawGrid([[0]]).width).toBe(22);
  });
});
