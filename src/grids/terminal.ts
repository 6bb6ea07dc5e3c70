/**
 * Grids for a terminal: blocks of colour two characters wide, or plain digits where there is no colour. Blocks of lines
 * can be set beside one another. Knows no terminal.
 */
import type { Grid } from '../core/problem.ts';
import { colourOf } from './drawing.ts';
import dots from './glyphs.json' with { type: 'json' };
import { widthOf } from './grid.ts';

/** Lines, and how many columns each takes on the screen, whatever codes are in it. */
export type Block = { readonly lines: readonly string[]; readonly width: number };

/** `digits`: on the colours too, for eyes that do not tell all of them apart. */
type TerminalOptions = { readonly colour: Colour | null; readonly digits?: boolean };

/** Makes an escape sequence of its code, such as `0m`. */
type Colour = (code: string) => string;

export function gridBlock(grid: Grid, { colour, digits = false }: TerminalOptions): Block {
  if (!colour) return { lines: grid.map((row) => row.join(' ')), width: widthOf(grid) * 2 - 1 };
  return {
    lines: grid.map((row) => `${row.map((cell) => colorCell(cell, colour, digits)).join('')}${colour('0m')}`),
    width: widthOf(grid) * 2,
  };
}

export function textBlock(text: string): Block {
  const lines = text.split('\n');
  return { lines, width: Math.max(...lines.map((line) => [...line].length)) };
}

/** Under one another. */
export function stackBlocks(...blocks: readonly Block[]): Block {
  const width = Math.max(0, ...blocks.map((block) => block.width));
  return { lines: blocks.flatMap(({ lines }) => lines), width };
}

/** From left to right, their first lines at one height. */
export function joinBlocks(blocks: readonly Block[], gap = 3): Block {
  const height = Math.max(0, ...blocks.map(({ lines }) => lines.length));
  const lineOf = (y: number) => blocks.map((block) => lineAt(block, y)).join(' '.repeat(gap));
  const lines = Array.from({ length: height }, (_, y) => lineOf(y).trimEnd());
  const width = blocks.reduce((sum, block) => sum + block.width + gap, -gap);
  return { lines, width: Math.max(0, width) };
}

function colorCell(cell: number, colour: Colour, digits: boolean): string {
  const { rgb, ansi } = colourOf(cell);
  if (!digits) return `${colour(`48;5;${ansi}m`)}  `;
  const [red, green, blue] = rgb;
  const isLight = red * 0.299 + green * 0.587 + blue * 0.114 > 128;
  return `${colour(`38;5;${isLight ? 16 : 231};48;5;${ansi}m`)}${cell} `;
}

function lineAt({ lines, width }: Block, y: number): string {
  const line = lines[y] ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these codes take no room.
  const visible = [...line.replaceAll(/\x1b\[[\d;]*m/g, '')].length;
  return line + ' '.repeat(Math.max(0, width - visible));
}

const glyphs: Readonly<Record<string, string>> = dots;

export const glyphScale = 2;
export const glyphHeight = 5;
const glyphWidth = 3;

const step = (glyphWidth + 1) * glyphScale;

/** How many pixels a text takes. */
export function textPixels(text: string): number {
  return Math.max(0, [...text].length * step - glyphScale);
}

/** The dots of a text, from its upper left corner on. */
export function glyphBoxes(text: string): { x: number; y: number; width: number; height: number }[] {
  return [...text.toUpperCase()].flatMap((character, place) => {
    const rows = glyphs[character]?.split(' ') ?? [];
    return rows.flatMap((row, y) =>
      [...row].flatMap((dot, x) =>
        dot === '#'
          ? [{ x: place * step + x * glyphScale, y: y * glyphScale, width: glyphScale, height: glyphScale }]
          : [],
      ),
    );
  });
}
