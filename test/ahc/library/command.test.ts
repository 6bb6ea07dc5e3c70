/** `polya ahc library` and its other name: tables, one document, the header alone; a folder of one's own; wrong words. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ahcAgent, newPlace, type Place, polya } from '../../cli/shell.ts';
import { practiceWorkspace } from '../practice-workspace.ts';
import { ids, textOf } from './headers.ts';

const library = (place: Place, ...words: string[]) => ahcAgent(place, ['library', ...words]);

/** With `mine` and a broken `worse` in a folder of its own, by the configuration outside of workspaces. */
async function placeWithOwn(): Promise<Place> {
  const place = newPlace();
  const folder = join(place.folder, 'headers');
  mkdirSync(folder);
  const meta = {
    name: 'Mine \u001b[31m',
    filename: 'mine.hpp',
    description: 'My\u0007 own.',
    tags: ['mine'],
  };
  writeFileSync(join(folder, 'mine.meta.json'), JSON.stringify(meta));
  writeFileSync(join(folder, 'mine.hpp'), '#pragma once\nint mine() { return 7; } // \u001b[2J\n');
  writeFileSync(join(folder, 'worse.meta.json'), '{');
  await ahcAgent(place, ['config', '--global', 'algorithm_library.path', folder]);
  return place;
}

describe('ahc library', () => {
  test('list has a line for each, and says how to go on', async () => {
    const { code, out, err } = await library(newPlace(), 'list');
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, ids.length + 1]);
    expect(out).toMatch(/^union_find {2,}\S.*O\(/m);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(110);
    expect(err).toContain('`./ahc-agent library show NAME`');
  });

  test('show tells all of one, however it is written, and --code the header alone', async () => {
    const { code, out, err } = await library(newPlace(), 'show', 'Simulated-Annealing');
    expect([code, err]).toEqual([0, '']);
    for (const part of [
      'when to use: ',
      'pitfalls: ',
      'complexity: time O(1)',
      'measured: ',
      '\nusage\n',
      '\nfunctions\n',
    ])
      expect(out).toContain(part);
    expect(out).toContain('    class Annealing {');
    const alone = await library(newPlace(), 'show', 'simulated_annealing', '--code');
    expect(alone.out).toBe(textOf('simulated_annealing.hpp'));
  });

  test('search finds, and says where nothing is found', async () => {
    const found = await library(newPlace(), 'search', 'beam', 'undo');
    expect(found.out.split('\n')[1]).toMatch(/^beam_search_euler /);
    const none = await library(newPlace(), 'search', 'anneeling');
    expect([none.code, none.out]).toEqual([
      0,
      'Nothing in the library fits anneeling. Did you mean annealing?\n',
    ]);
    const nothing = await polya(newPlace(), ['ahc', 'library', 'search', 'qqqqqq']);
    expect(nothing.out).toContain('`./polya ahc library list` shows all');
  });

  test('each is one document with --json', async () => {
    const list = JSON.parse((await library(newPlace(), 'list', '--json')).out);
    expect(list.entries.map(({ id }: { id: string }) => id)).toEqual(ids);
    const shown = JSON.parse((await library(newPlace(), 'show', 'timer', '--json')).out);
    expect(shown).toMatchObject({ id: 'timer', source: 'internal', filename: 'timer.hpp', warnings: [] });
    expect(shown).toMatchObject({ code: textOf('timer.hpp'), example: textOf('timer.example.cpp') });
    const found = JSON.parse((await library(newPlace(), 'search', 'anneeling', '--json')).out);
    expect(found).toEqual({ keywords: ['anneeling'], entries: [], near: ['annealing'], warnings: [] });
  });

  test("a user's own stands beside it; what is broken is named, and nothing reaches the terminal", async () => {
    const place = await placeWithOwn();
    const { code, out, err } = await library(place, 'list');
    expect([code, out.trimEnd().split('\n').length]).toEqual([0, ids.length + 2]);
    expect(out).toMatch(/^mine +My␇ own\. .*headers$/m);
    expect(err).toMatch(/^Warning: The library entry .*\/headers\/worse\.meta\.json is left out: .*JSON/m);
    const shown = await library(place, 'show', 'mine');
    expect(shown.out).toMatch(/^Mine ␛\[31m {2}mine {2}\(from .*headers\)$/m);
    expect(shown.out).toContain('// ␛[2J');
    expect(JSON.parse((await library(place, 'show', 'mine', '--json')).out).warnings).toHaveLength(1);
  });

  test.each([
    [
      ['show', 'union_fnid'],
      'There is no "union_fnid" in the library.\n  Did you mean union_find? There are: ',
    ],
    [['show'], "Missing required argument 'name'"],
    [['show', 'timer', 'xorshift'], 'Too many arguments'],
    [['search'], "Missing required argument 'keyword'"],
    [['search', '', ' '], 'The keywords are empty.'],
    [['list', '--workspace', 'nowhere'], 'nowhere is no workspace'],
    [['lsit'], "Unknown command 'lsit'"],
  ])('%j is refused', async (words, told) => {
    const { code, out, err } = await library(newPlace(), ...words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(told);
  });

  test('without a word below it, its help is the answer', async () => {
    const own = await ahcAgent(newPlace(), ['library']);
    expect([own.code, own.out]).toEqual([2, '']);
    expect(own.err).toMatch(/^Usage: ahc-agent library [\s\S]*C\+\+ headers of algorithms[\s\S]* show /);
    const help = await polya(newPlace(), ['ahc', 'help', 'library']);
    expect([help.code, help.out]).toEqual([0, expect.stringMatching(/^Usage: polya ahc library /)]);
    expect((await polya(newPlace(), ['help', 'ahc', 'library', 'show'])).code).toBe(0);
  });
});

test('bundle and test take a program that is built on the library', async () => {
  const place = newPlace();
  const folder = practiceWorkspace(place.folder, { inputs: 1 });
  const program = [
    ...[
      '#include "simulated_annealing.hpp"',
      '#include <polya/union_find.hpp>',
      '#include "beam_search_euler.hpp"',
    ],
    '#include <cstdio>',
    'int main() { polya::Timer timer; std::printf("%d\\n", timer.seconds() < 0); }',
  ].join('\n');
  writeFileSync(join(folder, 'main.cpp'), program);
  const { code, out, err } = await ahcAgent(place, ['bundle', '--json']);
  expect([code, err]).toEqual([0, expect.stringContaining('it compiles alone')]);
  const { source, included } = JSON.parse(out);
  expect(included).toHaveLength(7);
  expect(source).not.toMatch(/#include\s*["<](?:polya|.*\.hpp)/);
  writeFileSync(join(folder, 'main.cpp'), program.replace('union_find', 'union_fnid'));
  const wrong = await ahcAgent(place, ['test']);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Did you mean "union_find.hpp"')]);
  writeFileSync(join(folder, 'main.cpp'), program.replace('beam_search_euler', 'beam_serch_euler'));
  const near = await ahcAgent(place, ['test']);
  expect([near.code, near.err]).toEqual([2, expect.stringContaining('Did you mean "beam_search_euler.hpp"')]);
});

test('bundle takes a file that is named where there is no workspace, or several, and needs one for its own', async () => {
  const place = newPlace();
  writeFileSync(
    join(place.folder, 'one.cpp'),
    '#include "union_find.hpp"\nint main() { polya::UnionFind sets(3); }\n',
  );
  const { code, out, err } = await ahcAgent(place, ['bundle', 'one.cpp']);
  expect([code, err]).toEqual([0, expect.stringContaining('it compiles alone')]);
  expect(out).toContain('class UnionFind');
  for (const id of ['ahc001', 'ahc002']) {
    mkdirSync(join(place.folder, 'workspace', id), { recursive: true });
    writeFileSync(join(place.folder, 'workspace', id, 'ahc_config.yaml'), '{}\n');
  }
  expect((await ahcAgent(place, ['bundle', 'one.cpp'])).out).toBe(out);
  expect((await ahcAgent(place, ['bundle', 'one.cpp', '--workspace', 'ahc009'])).code).toBe(2);
  expect((await ahcAgent(place, ['bundle'])).code).toBe(2);
  const absent = await ahcAgent(newPlace(), ['bundle', 'two.cpp']);
  expect([absent.code, absent.out]).toEqual([2, '']);
  expect(absent.err).toContain('There is no file two.cpp.');
});
