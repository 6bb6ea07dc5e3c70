/** What comes with Polya is whole and true: every entry of the issue, every field, and what the fields say of the headers. */
import { expect, test } from 'vitest';
import { libraryDirs, openLibrary } from '../../../src/open/families/ahc/library.ts';
import { configIn } from '../../../src/open/families/ahc/workspace.ts';
import { ids, textOf } from './headers.ts';

const question = { folder: '/', env: { HOME: '/nowhere' } };
const library = await openLibrary(question);

test('nothing is wrong with any entry, and each header is one', () => {
  expect(library.warnings).toEqual([]);
  expect(library.entries.map(({ id }) => id)).toEqual(ids);
  expect(libraryDirs(configIn(null, question), question)).toHaveLength(1);
});

test('what contests are won with is there', () => {
  const wanted = [
    ...['simulated_annealing', 'beam_search', 'beam_search_euler', 'hill_climbing', 'iterated_local_search'],
    ...['dijkstra', 'grid_bfs', 'union_find', 'fenwick_tree', 'segment_tree', 'min_cost_flow', 'hungarian'],
    ...['zobrist_hashing', 'fast_heap', 'bitset_tricks', 'two_opt', 'or_opt', 'k_means', 'monte_carlo'],
    ...['bayesian_estimation', 'xorshift', 'timer'],
  ];
  expect(ids).toEqual(expect.arrayContaining(wanted));
});

test.each(library.entries.map((entry) => [entry.id, entry] as const))('%s', (id, { meta, code, example }) => {
  const { template_parameters, speed, ...words } = meta;
  for (const [field, value] of Object.entries(words)) expect(value.length, field).toBeGreaterThan(0);
  if (/^template </m.test(code)) expect(template_parameters.length).toBeGreaterThan(0);
  expect(meta.filename).toBe(`${id}.hpp`);
  for (const signature of meta.function_signatures) expect(code).toMatch(namesOf(signature));
  expect(meta.dependencies.filter(isName).toSorted()).toEqual(included(code));
  // What it says of its speed was measured, against something that has a name.
  const some = expect.stringMatching(/./);
  expect(speed).toMatchObject({ what: some, against: some, machine: some });
  expect(code).toContain('#pragma once');
  expect(code).toMatch(/^\/\/ .*\n/);
  expect(code).not.toMatch(/^using namespace|#define/m);
  expect(code.match(/^} {1,2}\/\/ namespace polya/gm)).toHaveLength(1);
  expect(example).toContain(`#include "${id}.hpp"`);
  expect(textOf(`${id}.test.cpp`)).toContain(`#include "${id}.hpp"`);
  expect(textOf(`${id}.hpp`).split('\n').length).toBeLessThan(300);
});

/** `<vector>`, `timer.hpp`; some say more in words. */
function isName(dependency: string): boolean {
  return /^(?:<[\w.]+>|\w+\.hpp)$/.test(dependency);
}

function included(code: string): readonly string[] {
  return [...code.matchAll(/^#include (?:"(.+)"|(<.+>))$/gm)]
    .map(([, own, standard]) => own ?? standard ?? '')
    .toSorted();
}

/** The word before the first bracket, or the name of a type. */
function namesOf(signature: string): RegExp {
  const type = /^(?:enum class|enum|struct|class|using) (\w+)/.exec(signature)?.[1];
  const name = type ?? /(operator\S+?|\w+)(?:<[^()]*>)?\(/.exec(signature)?.[1] ?? signature;
  return new RegExp(`(?<!\\w)${name.replaceAll(/[^\w]/g, '\\$&')}(?!\\w)`);
}
