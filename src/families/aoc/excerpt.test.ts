import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byteLength, cutMiddle } from './excerpt.ts';

describe('excerpts', () => {
  test('say how many bytes are missing', () => {
    expect(cutMiddle('short', 10)).toEqual({ text: 'short', cutBytes: 0 });
    expect(cutMiddle('0123456789'.repeat(3), 12)).toEqual({
      text: '01234567\n[… 18 bytes cut …]\n6789',
      cutBytes: 18,
    });
    expect(cutMiddle('abc', 10, 50)).toEqual({
      text: 'abc\n[47 bytes in the middle were dropped]',
      cutBytes: 47,
    });
  });

  test('keep whole lines where there are lines', () => {
    expect(cutMiddle('one\ntwo\nthree\nfour\nfive\nsix', 18).text).toBe('one\ntwo\n[… 17 bytes cut …]\nsix');
  });

  test('head, tail and what is missing make the whole', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.integer({ min: 1, max: 40 }),
        (text, keep) => {
          const { text: excerpt, cutBytes } = cutMiddle(text, keep);
          fc.pre(text.length > keep);
          const shown = excerpt.replace(`\n[… ${cutBytes} bytes cut …]\n`, '');
          expect(shown.isWellFormed()).toBe(true);
          expect(byteLength(shown) + cutBytes).toBe(byteLength(text));
        },
      ),
      { seed: 1 },
    );
  });
});
