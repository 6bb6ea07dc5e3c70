/** The library of somebody's own beside Polya's: what is read, what is left out and why, what is found, what agents read. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bundleFile } from '../../../src/apps/ahc/workspace/program.ts';
import type { EffectContext } from '../../../src/core/problem.ts';
import {
  findEntry,
  readLibrary,
  searchLibrary,
  similarWords,
} from '../../../src/families/ahc/library/library.ts';
import { entryMarkdown, libraryTools, sectionsOf } from '../../../src/families/ahc/library/tools.ts';
import { bundledLibrary, openLibrary } from '../../../src/open/families/ahc/library.ts';
import { newPlace } from '../../cli/shell.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Files = Readonly<Record<string, string>>;

const meta = (name: string, more: object = {}): string =>
  JSON.stringify({ name, filename: `${name}.hpp`, description: `What ${name} is.`, ...more });

const reading = (files: Files, source = '/mine') => ({
  source,
  files: { names: async () => Object.keys(files), read: async (name: string) => files[name] ?? null },
});

const internal = await openLibrary({ folder: '/', env: { HOME: '/nowhere' } });

describe('a folder of entries', () => {
  test('is read whole: what is not said is empty, an example is there or not', async () => {
    const { entries, warnings } = await readLibrary([
      reading({
        'a.meta.json': `\uFEFF${meta('a', { tags: ['x'] })}`,
        'a.hpp': '\uFEFFint a;',
        'a.example.cpp': '// it',
      }),
    ]);
    expect(warnings).toEqual([]);
    expect(entries).toMatchObject([
      {
        id: 'a',
        code: 'int a;',
        example: '// it',
        source: '/mine',
        meta: { tags: ['x'], notes: '', speed: null },
      },
    ]);
    expect(sectionsOf({ ...must(entries[0]), example: null }).map(({ title }) => title)).toEqual([
      'what',
      'tags',
      'code: a.hpp',
    ]);
  });

  test('goes before what comes after it, and takes nothing else away', async () => {
    const mine = reading({ 'b.meta.json': meta('b'), 'b.hpp': 'int mine;' });
    const theirs = reading(
      { 'a.meta.json': meta('a'), 'a.hpp': 'int a;', 'b.meta.json': meta('b'), 'b.hpp': 'int b;' },
      'internal',
    );
    const { entries } = await readLibrary([mine, theirs]);
    expect(entries.map(({ id, code, source }) => [id, code, source])).toEqual([
      ['a', 'int a;', 'internal'],
      ['b', 'int mine;', '/mine'],
    ]);
  });

  const broken: readonly (readonly [string, Files, string])[] = [
    ['no JSON', { 'a.meta.json': '{"name": ', 'a.hpp': 'x' }, '/mine/a.meta.json is left out: '],
    ['no object', { 'a.meta.json': '7', 'a.hpp': 'x' }, 'expected object'],
    [
      'a field that is missing',
      { 'a.meta.json': '{"filename": "a.hpp", "description": "x"}', 'a.hpp': 'x' },
      'name: it is missing',
    ],
    ['a field of another kind', { 'a.meta.json': meta('a', { tags: 'graph' }), 'a.hpp': 'x' }, 'tags: '],
    ['two of them', { 'a.meta.json': meta('a', { tags: 1, notes: 2 }), 'a.hpp': 'x' }, '(and 1 more)'],
    ['a file that is not there', { 'a.meta.json': meta('a') }, 'there is no a.hpp beside it'],
    ['a file that is empty', { 'a.meta.json': meta('a'), 'a.hpp': ' \n' }, 'a.hpp is empty'],
    [
      'a file elsewhere',
      { 'a.meta.json': meta('a', { filename: '../../etc/passwd.hpp' }) },
      'must be the name of a C++ file',
    ],
    ['a name that is no word', { 'a b.meta.json': meta('a'), 'a.hpp': 'x' }, 'letters, digits'],
    ['a header without meta', { 'a.hpp': 'int a;' }, '/mine/a.hpp is left out: it has no a.meta.json'],
  ];
  test.each(broken)('says of %s what is wrong, and reads the rest', async (_name, files, words) => {
    const good = { 'good.meta.json': meta('good'), 'good.hpp': 'int good;' };
    const { entries, warnings } = await readLibrary([reading({ ...files, ...good })]);
    expect(entries.map(({ id }) => id)).toEqual(['good']);
    expect(
      warnings.filter((each) => each.includes(words)),
      warnings.join('\n'),
    ).toHaveLength(1);
  });

  test('may not be there, and whatever stands in it, an answer comes', async () => {
    const none = { source: '/none', files: { names: async () => null, read: async () => null } };
    expect(await readLibrary([none])).toEqual({ entries: [], warnings: [] });
    const texts = fc.oneof(fc.string(), fc.json(), fc.constant(meta('a')));
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom('a.meta.json', 'a.hpp', 'b.meta.json', '.meta.json'), texts),
        async (files) => {
          const { entries, warnings } = await readLibrary([reading(files)]);
          const metas = Object.keys(files).filter((name) => name.endsWith('.meta.json')).length;
          const bare = 'a.hpp' in files && !('a.meta.json' in files) ? 1 : 0;
          expect(entries.length + warnings.length).toBe(metas + bare);
        },
      ),
      { seed: 11, numRuns: 200 },
    );
  });
});

describe('what is looked for', () => {
  test.each([
    'simulated_annealing',
    ' Simulated Annealing ',
    'simulated-annealing.hpp',
    'polya/simulated_annealing.hpp',
  ])('is found as %s', (name) => expect(findEntry(internal, name).id).toBe('simulated_annealing'));

  test.each([
    ['simulated_anealing', 'Did you mean simulated_annealing?'],
    ['annealing', 'Did you mean simulated_annealing?'],
    ['dsu', 'Did you mean union_find?'],
    ['SA', 'Did you mean simulated_annealing?'],
    ['segtree', 'Did you mean lazy_segment_tree or segment_tree?'],
    ['beam', 'Did you mean beam_candidates or beam_search or beam_search_euler?'],
    ['', 'There is no "" in the library. There are: '],
    ['quicksort', 'There is no "quicksort" in the library. There are: '],
  ])('%s is told what is near', (name, words) => {
    expect(() => findEntry(internal, name)).toThrow(words);
  });

  test.each([
    ['annealing', 'simulated_annealing'],
    ['焼きなまし', 'simulated_annealing'],
    ['shortest path', 'dijkstra'],
    ['beam undo', 'beam_search_euler'],
    ['or-opt', 'or_opt'],
    ['how do I find shortest paths in a weighted graph', 'dijkstra'],
    ['clustering', 'k_means'],
    ['random', 'xorshift'],
    ['rdtsc', 'timer'],
    ['2opt', 'two_opt'],
    ['mcmf', 'min_cost_flow'],
  ])('%s finds %s first', (words, id) => {
    expect(searchLibrary(internal, words)[0]?.id).toBe(id);
  });

  test('needs one word at least that fits; what has more of them comes first', () => {
    expect(searchLibrary(internal, ['of', 'qqqq'])).toEqual([]);
    expect(searchLibrary(internal, '')).toEqual([]);
    const both = searchLibrary(internal, ['tour', 'undo']).map(({ id }) => id);
    expect(both[0]).toBe('beam_search_euler');
    expect(both).toContain('two_opt');
    expect(similarWords(internal, ['anneeling', 'zzzzzz'])).toEqual(['annealing']);
  });
});

describe('agents', () => {
  const [list, search, show] = libraryTools(async () => internal).map((tool) => {
    expect(tool).toMatchObject({
      repeat: 'safe',
      description: /./.test(tool.description) ? tool.description : null,
    });
    return (args: Record<string, string>) => tool.call(args, nothing());
  });

  test('list, search and show', async () => {
    expect((await must(list)({})).text).toMatch(/^- union_find: .+ \[.*union_find.*\]$/m);
    const found = await must(search)({ keywords: 'beam search' });
    const { entries } = found.data as { entries: string[] };
    expect(entries.slice(0, 3).toSorted()).toEqual(['beam_candidates', 'beam_search', 'beam_search_euler']);
    expect(entries.length).toBeLessThanOrEqual(8);
    const shown = await must(show)({ name: 'union_find' });
    expect(shown.text).toBe(entryMarkdown(findEntry(internal, 'union_find')));
    expect(shown.text).toMatch(
      /^# Union-find[\s\S]*\*\*complexity\*\*: time [\s\S]*```cpp\n#include "union_find\.hpp"/,
    );
    expect(shown.text).toMatch(/\*\*measured\*\*: [\d.,]+ ns for .+ times as fast as /);
  });

  test('are told of what is not there', async () => {
    expect(await must(show)({ name: 'dijkstre' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('Did you mean dijkstra?'),
    });
    expect((await must(search)({ keywords: 'anneeling' })).text).toContain('Did you mean annealing?');
    expect((await must(search)({ keywords: 'zzzzzz' })).text).toContain('library_list');
    expect(
      (await must(libraryTools(async () => ({ entries: [], warnings: [] }))[0]).call({}, nothing())).text,
    ).toBe('The library is empty.');
    await expect(async () => must(show)({ name: ' ' })).rejects.toThrow();
  });
});

describe('a program that includes a header of the library', () => {
  const place = (): string => temporaryFolder('bundle');
  const put = (folder: string, files: Files): string => {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  };
  const bundled = (files: Files, more: { own?: string; include?: readonly string[] } = {}) => {
    const folder = put(place(), files);
    const library = () => (more.own === undefined ? [bundledLibrary] : [more.own, bundledLibrary]);
    return bundleFile({
      folder,
      file: 'main.cpp',
      library,
      ...(more.include ? { include: more.include } : {}),
    });
  };

  test('has it put in, with all that it needs, once', () => {
    const { text, included } = bundled({
      'main.cpp':
        '#include "simulated_annealing.hpp"\n#include <polya/timer.hpp>\n#include <vector>\nint main() {}\n',
    });
    const names = ['simulated_annealing', 'best_state', 'timer', 'xorshift'];
    expect(included).toEqual(names.map((name) => join(bundledLibrary, `${name}.hpp`)));
    expect(text.match(/class Timer \{/g)).toHaveLength(1);
    expect(text).toContain('#include <vector>');
    expect(text).not.toMatch(/#include ["<](?:polya|timer|best_state)/);
  });

  test('has its own where it has one, beside it or on the path', () => {
    const beside = bundled({ 'main.cpp': '#include "timer.hpp"\nint main() {}', 'timer.hpp': 'int beside;' });
    expect(beside.text).toContain('int beside;');
    const path = put(place(), { 'timer.hpp': 'int on_the_path;' });
    expect(
      bundled({ 'main.cpp': '#include "timer.hpp"\nint main() {}' }, { include: [path] }).text,
    ).toContain('int on_the_path;');
  });

  test('has one timer where the user has a library of their own, not two', () => {
    const own = put(place(), { 'timer.hpp': '#pragma once\nclass Timer {};' });
    const { text, included } = bundled(
      { 'main.cpp': '#include "timer.hpp"\n#include "hill_climbing.hpp"\nint main() {}' },
      { own },
    );
    expect(included).toEqual([
      join(own, 'timer.hpp'),
      join(bundledLibrary, 'hill_climbing.hpp'),
      join(bundledLibrary, 'xorshift.hpp'),
    ]);
    expect(text.match(/class Timer/g)).toHaveLength(1);
  });

  test('is told of a header that is meant', () => {
    expect(() => bundled({ 'main.cpp': '#include "simulated_anealing.hpp"\nint main() {}' })).toThrow(
      'Did you mean "simulated_annealing.hpp" of the library?',
    );
    expect(() => bundled({ 'main.cpp': '#include "polya/beam_serch.hpp"\nint main() {}' })).toThrow(
      '"beam_search.hpp"',
    );
  });
});

describe('algorithm_library.path', () => {
  test('is meant from the place of the file that it stands in, and ~ is home', async () => {
    const { folder, env } = newPlace();
    const home = env.HOME ?? '';
    for (const each of [join(folder, 'workspace', 'ahc001', 'lib'), join(folder, 'lib'), join(home, 'lib')]) {
      mkdirSync(each, { recursive: true });
      writeFileSync(join(each, 'a.meta.json'), meta('a'));
      writeFileSync(join(each, 'a.hpp'), 'int a;');
    }
    const sourceOf = async (question: Parameters<typeof openLibrary>[0]) =>
      findEntry(await openLibrary(question), 'a').source;
    const workspace = join(folder, 'workspace', 'ahc001');
    writeFileSync(join(workspace, 'ahc_config.yaml'), 'algorithm_library:\n  path: lib\n');
    expect(await sourceOf({ folder, env })).toBe(join(workspace, 'lib'));
    expect(await sourceOf({ folder: join(workspace, 'lib'), env })).toBe(join(workspace, 'lib'));
    const key = 'AHC_AGENT_ALGORITHM_LIBRARY_PATH';
    expect(await sourceOf({ folder, env: { ...env, [key]: './lib' } })).toBe(join(folder, 'lib'));
    expect(await sourceOf({ folder, env: { ...env, [key]: '~/lib' } })).toBe(join(home, 'lib'));
    // A pipe that nobody writes to, a link to itself.
    execFileSync('python3', ['-c', 'import os, sys; os.mkfifo(sys.argv[1])', join(home, 'lib', 'pipe.hpp')]);
    writeFileSync(join(home, 'lib', 'pipe.meta.json'), meta('pipe'));
    symlinkSync('loop.meta.json', join(home, 'lib', 'loop.meta.json'));
    const { warnings } = await openLibrary({ folder, env: { ...env, [key]: '~/lib' } });
    expect(warnings).toEqual([
      expect.stringContaining('loop.meta.json is left out: '),
      expect.stringContaining('there is no pipe.hpp beside it'),
    ]);
    await expect(openLibrary({ folder, env: { ...env, [key]: 'a/b' } })).rejects.toThrow(
      `algorithm_library.path is a/b, and ${join(folder, 'a/b')} is no folder.`,
    );
    // Several workspaces that may be meant are as good as none; one that is named must be there.
    mkdirSync(join(folder, 'workspace', 'ahc002'));
    writeFileSync(join(folder, 'workspace', 'ahc002', 'ahc_config.yaml'), '');
    expect((await openLibrary({ folder, env })).entries).toHaveLength(internal.entries.length);
    await expect(openLibrary({ folder, env, workspace: 'ahc003' })).rejects.toThrow('ahc003 is no workspace');
  });
});

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('It is not there.');
  return value;
}

/** Tools of the library touch nothing. */
function nothing(): EffectContext {
  return new Proxy({} as EffectContext, {
    get: (_target, name) => {
      throw new Error(`A tool asked for ${String(name)}.`);
    },
  });
}
