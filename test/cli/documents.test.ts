/** The commands of docs/aoc.md, in the order in which a reader would type them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './process.ts';
import { newPlace, type Place, polya } from './shell.ts';

const page = readFileSync(join(root, 'docs', 'aoc.md'), 'utf8');

/** Needs a cookie and a model of the reader's. */
const notHere = /--year 2015/;

const commands = page
  .split('\n')
  .filter((line) => line.startsWith('    ./polya ') && !notHere.test(line))
  .map((line) => line.trim().split(' ').slice(1));

/** Adds up, then multiplies, whatever day it is told to be. */
function replies(year: number, day: number): string {
  const call = (name: string, args: object) => ({ toolCalls: [{ name, args }] });
  const run = (operation: string) =>
    call('RunGeneratedCode', {
      lang: 'python',
      code: `import sys, math\nprint(${operation}(map(int, sys.stdin)))`,
    });
  const submit = call('SubmitAnswer', { year, day, answer: '{{tool.stdout}}' });
  return JSON.stringify({ roles: { solver: { '': [run('sum'), submit, run('math.prod'), submit] } } });
}

function prepare({ folder, env }: Place, argv: readonly string[]): void {
  const isOfAocd = argv.includes('--aocd');
  writeFileSync(join(folder, 'replies.json'), isOfAocd ? replies(2020, 1) : replies(0, 0));
  writeFileSync(join(folder, 'day.md'), 'Add them up.\n\n--- Part Two ---\n\nMultiply them.\n');
  writeFileSync(join(folder, 'input.txt'), '3\n4\n');
  const cache = join(env.HOME ?? '', '.config', 'aocd', 'github.ada.1');
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, '2020_01_input.txt'), '3\n4\n');
  writeFileSync(
    join(cache, '2020_01_prose.2.html'),
    '<article><p>Add.</p></article><article><p>Multiply.</p></article>',
  );
  writeFileSync(join(cache, '2020_01a_answer.txt'), '7');
  writeFileSync(join(cache, '2020_01b_answer.txt'), '12');
}

test('the commands of docs/aoc.md do what it says', async () => {
  const place = newPlace();
  expect(commands.length).toBeGreaterThan(8);
  for (const argv of commands) {
    prepare(place, argv);
    const { code, err } = await polya(place, argv);
    expect(code, `${argv.join(' ')}\n${err}`).toBe(0);
  }
});

test('options that it names exist', async () => {
  const { out } = await polya(newPlace(), ['aoc', 'run', '--help']);
  const elsewhere = ['--fresh', '--json', '--format', '--with-puzzle', '--force', '--all', '--out'];
  for (const [option] of page.matchAll(/--[a-z][a-z0-9-]+/g)) {
    if (!elsewhere.includes(option)) expect(out).toContain(option);
  }
});
