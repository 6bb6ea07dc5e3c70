/** Long reports on a terminal: through a pager where its user has one, at once where not; lines that fit. */
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { noPaint } from '../../src/text/paint.ts';
import { table } from '../../src/text/table.ts';
import { widthOf, wrapped } from '../../src/text/wrap.ts';
import { launcher } from './process.ts';
import { newPlace, type Place, polya, type ShellOptions } from './shell.ts';

const terminal = { isTerminal: true, size: { columns: 80, rows: 24 } };

async function shown(place: Place, argv: readonly string[], options: ShellOptions = terminal) {
  const pages: (readonly [string, string])[] = [];
  const onPage = (...page: [string, string]) => pages.push(page) > 0;
  const { out } = await polya(place, argv, { onPage, ...options });
  return { out, pages };
}

test('a report that is longer than the terminal is for the pager, any other text is not', async () => {
  const place = newPlace();
  const { out, pages } = await shown(place, ['agents']);
  expect(out).toBe('');
  expect(pages).toEqual([[expect.stringContaining('less'), expect.stringContaining('verify-loop')]]);
  const direct = [
    await shown(place, ['agents', '--no-pager']),
    await shown(place, ['agents', '--json']),
    await shown(place, ['agents'], { isTerminal: false }),
    await shown(place, ['agents'], { isTerminal: true, size: { columns: 80, rows: 1_000 } }),
    await shown({ ...place, env: { ...place.env, PAGER: 'cat' } }, ['agents']),
    await shown({ ...place, env: { ...place.env, PAGER: '' } }, ['agents']),
    await shown(place, ['runs', 'list']),
    await shown(place, ['--help']),
  ];
  for (const each of direct) expect(each).toMatchObject({ pages: [], out: expect.stringMatching(/./) });
  const named = await shown({ ...place, env: { ...place.env, PAGER: 'most -x' } }, ['agents']);
  expect(named.pages).toEqual([['most -x', expect.any(String)]]);
});

test('a pager that cannot be started is done without', async () => {
  const { out } = await polya(newPlace(), ['agents'], { ...terminal, onPage: () => false });
  expect(out).toContain('verify-loop');
});

/** In a real terminal. */
function typed(place: Place, command: string): Promise<string> {
  const child = spawn('script', ['-qec', `stty rows 24 cols 80; ${command}`, '/dev/null'], {
    cwd: place.folder,
    env: place.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(told));
  });
}

test('in a terminal of 80×24, PAGER is given the report', async () => {
  const place = newPlace();
  const paged = await typed(place, `PAGER='head -3' ${launcher} agents`);
  expect(paged).toContain('tool-loop');
  expect(paged).not.toContain('verify-loop');
  const lost = await typed(place, `PAGER=nosuchpager ${launcher} agents --no-color`);
  expect(lost).toContain('verify-loop');
  expect(lost).not.toContain('\x1b[');
  expect(lost.split(/\r?\n/).filter((line) => line.length > 80)).toEqual([]);
});

test('a line is broken at blanks: words stay whole, colours take no room, commands go on after a backslash', () => {
  expect(wrapped('one two three', 8)).toBe('one two\nthree');
  expect(wrapped('  one two three', 8)).toBe('  one\n  two\n  three');
  expect(wrapped('/a/very/long/path', 8)).toBe('/a/very/long/path');
  expect(wrapped('\x1b[2mone two\x1b[22m', 8)).toBe('\x1b[2mone two\x1b[22m');
  expect(wrapped('name  one two three four', 14)).toBe('name  one two\n      three\n      four');
  expect(wrapped('  polya run --model x', 15, /^ *polya /)).toBe('  polya run \\\n      --model \\\n      x');
  expect(wrapped('日本語 日本語', 8)).toBe('日本語\n日本語');
  expect(wrapped('\x1b[2K\rone two three', 8)).toBe('\x1b[2K\rone two three');
});

test('a table is no wider than its terminal, and what has no room stands below its row', () => {
  const output = { paint: noPaint, isTerminal: true, columns: 30 };
  const head = ['run', 'model calls', 'title'];
  expect(table(output, head, [['a', 1, 'short']])).toBe('run  model calls  title\na              1  short\n');
  const rows = [['run-1', 1, 'a title that is long']];
  expect(table(output, head, rows)).toBe(
    'run    model\n       calls\nrun-1      1\n    title: a title that is\n    long\n',
  );
  expect(table({ paint: noPaint, columns: 30 }, head, rows)).toContain(
    'run-1            1  a title that is long',
  );
  const many = table(output, ['a', 'b', 'c'], [['x'.repeat(60), 'y', 'z']]);
  expect(many).toContain('    b: y · c: z');
  expect(Math.max(...table(output, head, rows).split('\n').map(widthOf))).toBeLessThanOrEqual(30);
});
