/** Words that a grader quotes are found in the proof, and words that it made up are not. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placesIn, whyNowhere } from '../../../src/agents/proof/quotes.ts';

const proof = `Let $n \\ge 3$ be odd.
Then \\(n = 2k + 1\\) for some **integer** k,
and so n² − 1 is
divisible by 8. “Clearly” this holds — always.`;

test.each([
  ['Let $n \\ge 3$ be odd.', 1, 1],
  ['Let n \\ge 3 be odd', 1, 1],
  ['$n = 2k + 1$ for some integer k', 2, 2],
  ['and so n² − 1 is divisible by 8', 3, 4],
  ['"Clearly" this holds - always.', 4, 4],
  ['Then \\(n = 2k + 1\\) ... divisible by 8', 2, 4],
  ['Let $n […] divisible by 8', 1, 4],
])('%j', (quote, first, last) => {
  expect(placesIn(proof)(quote)?.lines).toEqual({ first, last });
});

test.each([
  '',
  '  ',
  'n',
  '**',
  'Let $n \\ge 4$ be odd.',
  'divisible by 8 ... Let n',
  'let $n',
  '...',
  'odd … x',
])('not %j', (quote) => {
  expect(placesIn(proof)(quote)).toBeNull();
});

describe('of any text', () => {
  const word = fc.stringMatching(/^[a-z0-9+=\\{}^_]{3,8}$/);

  test('every run of its words is found where it stands', () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 30 }),
        fc.nat(),
        fc.nat(),
        (words, from, length) => {
          const start = from % words.length;
          const quoted = words.slice(start, start + 1 + (length % (words.length - start)));
          const place = placesIn(words.join('\n'))(quoted.join('  '));
          expect(place).not.toBeNull();
          // The same words may stand earlier too.
          expect(place?.lines.first).toBeLessThanOrEqual(start + 1);
        },
      ),
      { seed: 1 },
    );
  });

  test('what has other letters than the text is not found', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, quote) => {
        const clean = text.replaceAll('ⵣ', '');
        expect(placesIn(clean)(`${quote}ⵣⵣⵣ`)).toBeNull();
      }),
      { seed: 1 },
    );
  });
});

describe('quotes of graders are found where TeX is written in another way', () => {
  const text =
    'Let $x_{1} \\geq \\frac{1}{2}$, so \\(a\\,b \\neq 0\\) for\n$n = 1, \\ldots, k$ “always”. $S = \\{1, 2\\}$.';
  test.each([
    'Let $x_1 \\ge \\dfrac{1}{2}$',
    'x_1 ≥ \\frac12',
    '"so $ab \\ne 0$ for"',
    'for n = 1, ..., k “always”.',
    '…so \\(a b \\neq 0\\) for…',
    'Let $x_{1} … \\ldots, k$ “always',
    'S = {1, 2},',
  ])('%s', (quote) => {
    expect(placesIn(text)(quote)).not.toBeNull();
  });
  test.each(['Let $x_{1} \\leq \\frac{1}{2}$', '$x_2 \\ge', 'a b = 0', 'n = 2, \\ldots, k'])(
    'not %s',
    (quote) => {
      expect(placesIn(text)(quote)).toBeNull();
    },
  );

  test('what is not found is told with its reason', () => {
    expect(whyNowhere(text, 'so $ab \\neq 1$ for')).toMatch(/behind “.*a\\,b \\neq ” there stands “0/);
    expect(whyNowhere(text, 'Hence')).toContain('not even');
    expect(whyNowhere(text, 'so a \frac')).toContain('written twice');
  });
});
