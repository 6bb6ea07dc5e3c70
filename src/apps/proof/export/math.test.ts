/** Mathematics in text: what is found, what is left alone, and that nothing is lost. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sourceOf, splitMath } from './math.ts';

const found = (text: string) =>
  splitMath(text).flatMap((textSegment) =>
    textSegment.type === 'math' ? [[textSegment.tex, textSegment.isDisplay]] : [],
  );

describe('mathematics is found', () => {
  test.each<[string, readonly [string, boolean][]]>([
    ['Let $n$ be odd.', [['n', false]]],
    ['$$a\n+ b$$', [['a\n+ b', true]]],
    [
      'So \\(x\\) and \\[y\n= z\\].',
      [
        ['x', false],
        ['y\n= z', true],
      ],
    ],
    [
      '\\begin{align*}a &= b\\\\\n&= c\\end{align*}',
      [['\\begin{align*}a &= b\\\\\n&= c\\end{align*}', true]],
    ],
    ['$\\text{costs \\$5}$', [['\\text{costs \\$5}', false]]],
    [
      '**$a$**, ($b$), "$c$"',
      [
        ['a', false],
        ['b', false],
        ['c', false],
      ],
    ],
    [
      '$a$$b$',
      [
        ['a', false],
        ['b', false],
      ],
    ],
    ['$\\{1,\\dots,n\\}$', [['\\{1,\\dots,n\\}', false]]],
    ['$$\n\\frac{1}{2}\n$$', [['\\frac{1}{2}', true]]],
  ])('in %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

describe('and what is none is left alone', () => {
  test.each([
    'It costs $5 and $6.',
    'A \\$ and \\$.',
    'No partner: $x',
    '`$x$` is code',
    '``$x$ ` $y$``',
    '```\n$x$\n```',
    '~~~tex\n$$x$$\n~~~',
    '$ x $',
    '$x\n\ny$',
    '$$',
    '$$ $$',
    '\\[x',
    '\\begin{align}x',
    '\\begin{itemize}x\\end{itemize}',
  ])('%j', (text) => {
    expect(found(text)).toEqual([]);
  });
});

test('what is found and what is left make up the text', () => {
  const word = fc.constantFrom(
    '$',
    '$$',
    '\\',
    '\\(',
    '\\)',
    '\\[',
    '\\]',
    '`',
    '```',
    '\n',
    '\n\n',
    'x',
    ' ',
    '5',
    '{',
    '}',
    '\\begin{align}',
    '\\end{align}',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const text = words.join('');
      const parts = splitMath(text).map(sourceOf);
      expect(parts.join('')).toBe(text);
    }),
    { seed: 8, numRuns: 1_000 },
  );
});

test('a long text without partners takes no long time', () => {
  const before = performance.now();
  splitMath(`${'$$x '.repeat(4_000)}\n\n${'\\[ '.repeat(4_000)}`);
  expect(performance.now() - before).toBeLessThan(20_000);
});
