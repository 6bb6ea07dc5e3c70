/** `polya aoc run` over files of the user's own, with answers that are known and answers that nobody knows. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPlace, type Place, polya } from './shell.ts';

const input = '3\n4\n';

/** Adds up the input, then multiplies it. */
function script({ folder }: Place, year = 0, day = 0): string {
  const call = (name: string, args: object) => ({ toolCalls: [{ name, args }] });
  const code = (operation: string) =>
    call('RunGeneratedCode', {
      lang: 'python',
      code: `import sys, math\nprint(${operation}(map(int, sys.stdin)))`,
    });
  const submit = call('SubmitAnswer', { year, day, answer: '{{tool.stdout}}' });
  const replies = [code('sum'), submit, code('math.prod'), submit, { text: 'Done.' }];
  writeFileSync(join(folder, 'script.json'), JSON.stringify({ roles: { solver: { '': replies } } }));
  return 'scripted:script.json';
}

function files(place: Place): string[] {
  writeFileSync(
    join(place.folder, 'day.md'),
    '# Numbers\n\nAdd them up.\n\n--- Part Two ---\n\nMultiply them.\n',
  );
  writeFileSync(join(place.folder, 'input.txt'), input);
  return ['--statement', 'day.md', '--input', 'input.txt'];
}

const run = (...more: string[]) => ['aoc', 'run', '--lang', 'py', '--reminders', '0', '--json', ...more];

test('from the cache of aocd, where it lies and where it is named', async () => {
  const place = newPlace();
  const folder = join(place.env.HOME ?? '', '.config', 'aocd', 'github.ada.1');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '2020_01_input.txt'), input);
  writeFileSync(
    join(folder, '2020_01_prose.1.html'),
    '<article class="day-desc"><h2>--- Day 1: Sum ---</h2><p>Add.</p></article>',
  );
  writeFileSync(join(folder, '2020_01a_answer.txt'), '7');
  for (const aocd of [['--aocd'], ['--aocd', folder]]) {
    const argv = run(...aocd, '--year', '2020', '--day', '1', '--model', script(place, 2020, 1));
    const { code, out } = await polya(place, argv);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ problem: 'aoc/files/2020/1/python', outcome: 'solved' });
  }
});

test('how much a model reads of its output is a setting', async () => {
  const place = newPlace();
  const argv = [...files(place), '--output-characters', '100', '--dry-run', '--model', script(place)];
  const { code, out } = await polya(place, run(...argv));
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    problem: { id: 'aoc/files/0/0/python', stages: ['part1', 'part2'] },
  });
});
