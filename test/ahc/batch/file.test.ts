/** The file of a batch: what it means, and what is said of one that means nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { combinationText, parseBatch, rowsOf } from '../../../src/apps/ahc/batch/file.ts';

const parse = (text: string) => parseBatch('b.yaml', text);

describe('a batch', () => {
  test('is every combination of the matrix', () => {
    const { combinations } = parse('matrix:\n  llm.model: [a, b]\n  islands: [1, 2]\n');
    expect(combinations.map(combinationText)).toEqual([
      'model=a islands=1',
      'model=a islands=2',
      'model=b islands=1',
      'model=b islands=2',
    ]);
  });

  test('without a matrix is one combination, which says nothing', () => {
    const batch = parse('problems: [p]\nrepeat: 2');
    expect(batch.combinations).toEqual([{}]);
    expect(combinationText({})).toBe('as it is configured');
    expect(rowsOf(batch, 'n').map(({ name, seed }) => [name, seed])).toEqual([
      ['n-c1-r1', 'n 1'],
      ['n-c1-r2', 'n 2'],
    ]);
  });

  test('tries everything once before anything twice, and gives combinations the same chances', () => {
    const batch = parse('problems: [p, q]\nrepeat: 2\nbase: {islands: 3}\nmatrix: {linesPerIsland: [1, 2]}');
    const rows = rowsOf(batch, 'n');
    expect(rows.map(({ problem, name }) => `${problem} ${name}`)).toEqual([
      'p n-c1-r1',
      'p n-c2-r1',
      'q n-c1-r1',
      'q n-c2-r1',
      'p n-c1-r2',
      'p n-c2-r2',
      'q n-c1-r2',
      'q n-c2-r2',
    ]);
    expect(rows[1]?.values).toEqual({ islands: 3, linesPerIsland: 2 });
    expect(new Set(rows.slice(0, 4).map(({ seed }) => seed)).size).toBe(1);
  });

  test('that comes with Polya is one', () => {
    const file = join(import.meta.dirname, '../../../examples/batches/sizes.yaml');
    expect(parseBatch(file, readFileSync(file, 'utf8')).combinations).toHaveLength(4);
  });
});

test.each([
  ['matrix: [', /no batch/],
  ['- a list', /expected object/i],
  ['base: {confirm: true}', /there is no user to confirm/],
  ['', /It is empty/],
  ['# nothing yet\n', /It is empty/],
  ['base: *nowhere', /alias/],
  ['name: a\n---\nname: b', /several documents/],
  [
    `matrix:\n${'abcdefghi'.replaceAll(/./g, '  $&: [0,1,2,3,4,5,6,7,8,9]\n')}`,
    /makes 1,000,000,000 sessions, more than 1,000/,
  ],
  ['repeat: 600\nproblems: [p, q]', /makes 1,200 sessions/],
  ['matriks: {a: [1]}', /Is matrix meant\?/],
  ['repeat: 0', /repeat/],
  ['problems: []', /problems/],
  ['base: {llm.modle: x}', /there is no such key\. Is llm\.model meant\?/],
  ['base: {evolution.population_size: many}', /base: evolution\.population_size/],
  ['matrix: {evolution.max_generations: [1, -2]}', /matrix: evolution\.max_generations/],
  ['matrix: {islands: [1, 1]}', /has the same value twice/],
  ['matrix: {islands: []}', /matrix/],
  ['matrix: {__proto__: [1, 2]}', /__proto__/],
  ['base: {llm.api_key: sk-1}', /a key does not belong/],
  ['base: {docker.image: x}', /cannot differ between sessions/],
])('%s is none, and it is said why', (text, why) => {
  expect(() => parse(text)).toThrow();
  try {
    parse(text);
  } catch (error) {
    const { what, why: reason } = (error as { explanation: { what: string; why: string } }).explanation;
    expect(`${what} ${reason}`).toMatch(why);
    expect(`${what} ${reason}`).not.toContain('sk-1');
  }
});
