/** A picture drawn anew in its place, on terminals that are too narrow or too low for it. */
import { expect, test } from 'vitest';
import type { Output } from '../../src/cli/contract.ts';
import { Repainter } from '../../src/cli/screen.ts';
import { noPaint } from '../../src/text/paint.ts';

/** A terminal as far as pictures use one: it wraps, scrolls, and keeps what has scrolled out. */
function terminal(columns: number, rows: number) {
  const lines: string[] = [''];
  let [row, column, wraps] = [0, 0, true];
  const down = (): void => {
    row += 1;
    lines[row] ??= '';
  };
  const put = (character: string): void => {
    if (column >= columns) {
      if (wraps) [column] = [0, down()];
      else column = columns - 1;
    }
    const line = (lines[row] ?? '').padEnd(column);
    lines[row] = line.slice(0, column) + character + line.slice(column + 1);
    column += 1;
  };
  const obey = (code: string, number: number): void => {
    const top = Math.max(0, lines.length - rows);
    if (code === 'A') row = Math.max(top, row - number);
    if (code === 'J') lines.splice(row, Number.POSITIVE_INFINITY, (lines[row] ?? '').slice(0, column));
    if (code === 'l') wraps = false;
    if (code === 'h') wraps = true;
  };
  const write = (text: string): void => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is told what to do by them.
    for (const [piece, number, code] of text.matchAll(/\x1b\[\??(\d*)([A-Za-z])|[\s\S]/g)) {
      if (code) obey(code, Number(number || 1));
      else if (piece === '\n') [column] = [0, down()];
      else if (piece === '\r') column = 0;
      else put(piece);
    }
  };
  const output: Output = { write, isTerminal: true, columns, rows, paint: noPaint, isClosed: false };
  return { output, lines };
}

const picture = (word: string, lines: number): string =>
  Array.from({ length: lines }, (_, at) => `${word} ${at} ${'='.repeat(60)}\n`).join('');

test.each([
  ['narrow', 40, 50],
  ['low', 80, 24],
  ['narrow and low', 40, 10],
])(
  'a terminal that is %s shows the newest picture and nothing of those before it',
  (_what, columns, rows) => {
    const { output, lines } = terminal(columns, rows);
    const screen = new Repainter(output);
    for (const [at, word] of ['first', 'second', 'third'].entries()) screen.show(picture(word, 30 + at));
    expect(lines.length).toBeLessThanOrEqual(rows);
    expect(lines[0]).toMatch(/^third 0 =+$/);
    expect(lines.join('\n')).not.toMatch(/first|second/);
    expect(lines.at(-1)).toBe('');
    expect(lines.every((line) => line.length <= columns)).toBe(true);
    if (rows < 32) expect(lines.at(-2)).toMatch(/^… \d+ more lines in/);

    screen.show(picture('last', 31), { isLast: true });
    expect(lines.filter((line) => line.startsWith('last '))).toHaveLength(31);
    expect(lines.join('\n')).not.toContain('third');
  },
);

test('what is no terminal has each picture that is another, one below the other', () => {
  let text = '';
  const output: Output = {
    isTerminal: false,
    columns: 40,
    paint: noPaint,
    isClosed: false,
    write: (more) => {
      text += more;
    },
  };
  const screen = new Repainter(output);
  for (const word of ['one', 'one', 'two']) screen.show(`${word}\n`);
  expect(text).toBe('one\n\ntwo\n');
});
