/** Files that are no text are refused with what they are, and where. */
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textOfFile } from './files.ts';

const file = { path: 'x.md', noun: 'problem', mostBytes: 4_096 };
const read = (bytes: Uint8Array | string) =>
  textOfFile(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes, file);
const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('a file of text', () => {
  test('is read, without its mark, its lines ended in one way', () => {
    expect(read('\ufeffShow $a\\le b$.\r\nTwo\rThree\n')).toBe('Show $a\\le b$.\nTwo\nThree\n');
    expect(read('ℕ ⊂ ℤ, π, 証明 \u{1d538}\t\f')).toBe('ℕ ⊂ ℤ, π, 証明 \u{1d538}\t\f');
  });

  test('of any Unicode text comes out as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (text) => {
        fc.pre(text.trim() !== '' && !/[\r\ufffd\ufeff]/.test(text));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what is refused on purpose.
        fc.pre(!/[\x00-\x08\x0e-\x1f\x7f]|^(%PDF|PK|%!PS)/.test(text));
        expect(read(text)).toBe(text);
      }),
      { seed: 8, numRuns: 300 },
    );
  });
});

describe('is refused with a reason', () => {
  test.each<[string, Uint8Array | string, RegExp]>([
    ['nothing', '', /It is empty/],
    ['white space', ' \n\t\n', /It is empty/],
    ['a mark alone', '\ufeff', /It is empty/],
    ['a huge file', 'x'.repeat(4_097), /larger than 4 KiB/],
    ['Latin-1', latin1('One\nTwo\nPoincar\xe9 asks.\n'), /not UTF-8: line 3 holds the byte 0xE9.*iconv/s],
    [
      'a character cut off',
      new TextEncoder().encode('π').subarray(0, 1),
      /ends in the middle of a character/,
    ],
    ['an overlong form', Buffer.from([0x41, 0xc0, 0xaf]), /line 1 holds the byte 0xC0/],
    ['UTF-16 with its mark', Buffer.from('\ufeffShow that', 'utf16le'), /UTF-16.*iconv/s],
    ['UTF-16 without', Buffer.from('Show that', 'utf16le'), /UTF-16/],
    ['UTF-16 turned around', Buffer.from('Show that', 'utf16le').swap16(), /UTF-16/],
    ['a PDF', '%PDF-1.7\n...', /It is a PDF.*Save its text/s],
    ['a docx', Buffer.from([0x50, 0x4b, 3, 4, 20, 0]), /ZIP archive, as \.docx/],
    ['RTF', '{\\rtf1\\ansi x}', /RTF/],
    ['PostScript', '%!PS-Adobe', /PostScript/],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10]), /PNG/],
    ['binary', Buffer.from([65, 66, 67, 68, 0, 0, 65, 1]), /binary: its byte 5 is zero/],
    ['compressed data', deflateRawSync(Buffer.from('a text '.repeat(99))), /not UTF-8|binary|control/],
    ['a control', 'One\nTwo \u0007', /line 2 holds the control character U\+0007/],
    ['what was lost before', 'One\nPoincar\ufffd', /Line 2 holds the character U\+FFFD.*lost/s],
  ])('%s', (_name, bytes, reason) => {
    expect(() => read(bytes)).toThrow(reason);
    expect(() => read(bytes)).toThrow(/The problem x\.md cannot be used/);
  });

  test('whatever bytes there are: a text or a reason, never anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        try {
          expect(read(bytes).trim()).not.toBe('');
        } catch (error) {
          expect(String(error)).toContain('cannot be used');
        }
      }),
      { seed: 8, numRuns: 500 },
    );
  });
});
