import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packText, unpackText } from './rows.ts';

test('a text comes back as it was, whatever it is', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'grapheme' }).map((part) => part.repeat(200)),
  );
  fc.assert(
    fc.property(text, (value) => {
      expect(unpackText(packText(value))).toBe(value);
    }),
    { seed: 1 },
  );
});

test('a long text takes less room, and one that cannot is left as it is', () => {
  const archive = packText('lorem ipsum '.repeat(200));
  expect(archive).toBeInstanceOf(Uint8Array);
  expect(archive.length).toBeLessThan(200);
  expect(packText('short')).toBe('short');
});

test('what nobody packed is told', () => {
  expect(() => unpackText(7)).toThrow('unknown form');
});
