import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestPattern, matches } from './pattern.ts';

/** The definition that `matches` must agree with; too slow and too open to attack to be used itself. */
function matchesByRegExp(pattern: string, name: string): boolean {
  const escaped = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}/-]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, 's').test(name);
}

describe('matches', () => {
  it.each([
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['*', 'a/b', true],
    ['a/*', 'a/', true],
    ['a/*', 'a', false],
    ['*b*', 'abc', true],
    ['aba*aba', 'aba', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a.c', 'abc', false],
  ])('%j fits %j: %j', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });

  it('agrees with a regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '.'), maxLength: 8 });
    const names = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.'), maxLength: 8 });
    fc.assert(
      fc.property(letters, names, (pattern, name) => {
        expect(matches(pattern, name)).toBe(matchesByRegExp(pattern, name));
      }),
      { numRuns: 2000, seed: 1 },
    );
  });
});

describe('bestPattern', () => {
  it('prefers the name itself, then the pattern with the most letters', () => {
    const patterns = ['*', 'try-*', 'try-1*', 'try-12'];
    expect(bestPattern(patterns, 'try-12')).toBe('try-12');
    expect(bestPattern(patterns, 'try-13')).toBe('try-1*');
    expect(bestPattern(patterns, 'try-2')).toBe('try-*');
    expect(bestPattern(patterns, '')).toBe('*');
    expect(bestPattern(['a'], 'b')).toBeUndefined();
  });

  it('does not depend on the order of the patterns', () => {
    const some = fc.uniqueArray(fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 4 }));
    const name = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 });
    fc.assert(
      fc.property(some, name, (patterns, each) => {
        expect(bestPattern(patterns.toReversed(), each)).toBe(bestPattern(patterns, each));
      }),
      { seed: 1 },
    );
  });
});
