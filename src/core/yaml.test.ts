/** What a person writes as YAML comes back as data or as words, and never as a throw. */
import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { readYaml } from './yaml.ts';

const bomb = ['a: &a [x,x,x,x,x,x,x,x,x,x]', ...['b', 'c', 'd', 'e'].map(tenOfTheOneBefore)].join('\n');

function tenOfTheOneBefore(name: string, at: number): string {
  const before = 'abcd'[at];
  return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(',')}]`;
}

test.each([
  ['a: [', /flow/i],
  ['a: 1\n---\nb: 2', /several documents/],
  ['a: *nowhere', /alias.*nowhere/],
  [bomb, /grow without bound/],
])('%j is told in words', (text, why) => {
  expect(readYaml(text)).toEqual({ ok: false, why: expect.stringMatching(why) });
});

test('data is data, nothing is null, and no text at all throws', () => {
  expect(readYaml('a: &x [1, "2"]\nb: *x')).toEqual({ ok: true, value: { a: [1, '2'], b: [1, '2'] } });
  expect(readYaml('')).toEqual({ ok: true, value: null });
  assert(property(string({ unit: 'binary' }), (text) => typeof readYaml(text).ok === 'boolean'));
});
