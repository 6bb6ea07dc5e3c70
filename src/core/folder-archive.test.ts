import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BadArchive, decodeFolder, encodeFolder, type FolderEntry, isPathWithin } from './folder-archive.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const file = (path: string, text: string, executable = false): FolderEntry => ({
  type: 'file',
  path,
  executable,
  bytes: bytes(text),
});

describe('the archive of a folder', () => {
  test('is text where its files are', () => {
    const archive = encodeFolder([file('data/a.txt', 'Hello'), { type: 'folder', path: 'data' }]);
    expect(new TextDecoder().decode(archive)).toBe('folder 4\ndatapath 10\ndata/a.txtfile 5\nHelloend 0\n');
  });

  const name = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => isPathWithin(text) && !text.includes('/'));
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const entry: fc.Arbitrary<FolderEntry> = fc.oneof(
    path.map((at): FolderEntry => ({ type: 'folder', path: at })),
    fc
      .record({ path, executable: fc.boolean(), bytes: fc.uint8Array() })
      .map((parts): FolderEntry => ({ type: 'file', ...parts })),
  );
  const entries = fc.uniqueArray(entry, { selector: (each) => each.path });

  test('gives back what went in, in one order', () => {
    fc.assert(
      fc.property(entries, (created) => {
        const decoded = decodeFolder(encodeFolder(created));
        expect(decoded).toEqual(created.toSorted((a, b) => (a.path < b.path ? -1 : 1)));
        expect(encodeFolder(created.toReversed())).toEqual(encodeFolder(created));
      }),
      { seed: 1 },
    );
  });

  test('is refused where anything of it is missing', () => {
    fc.assert(
      fc.property(entries, fc.nat(), (created, cut) => {
        const archive = encodeFolder(created);
        const shorter = archive.subarray(0, cut % archive.length);
        expect(() => decodeFolder(shorter)).toThrow(BadArchive);
      }),
      { seed: 1 },
    );
  });

  test('whatever stands in it, it is read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        try {
          decodeFolder(noise);
        } catch (error) {
          expect(error).toBeInstanceOf(BadArchive);
        }
      }),
      { seed: 1 },
    );
  });

  test.each(['../x', 'a/../../x', '/etc/passwd', '.', '', 'a//b', 'a/', 'nul\0l'])(
    'a path that leads elsewhere is refused: %j',
    (path) => {
      const size = bytes(path).length;
      expect(() => decodeFolder(bytes(`path ${size}\n${path}file 1\nxend 0\n`))).toThrow(/leads elsewhere/);
      expect(() => decodeFolder(bytes(`folder ${size}\n${path}end 0\n`))).toThrow(/leads elsewhere/);
    },
  );

  test.each([
    ['nothing', '', /no end/],
    ['a file without content', 'path 1\naend 0\n', /no content/],
    ['content without a file', 'file 1\naend 0\n', /where none may/],
    ['a record that is unknown', 'link 1\naend 0\n', /where none may/],
    ['a length that is none', 'path x\na', /no record at byte 0/],
  ])('what is wrong is told: %s', (_what, text, complaint) => {
    expect(() => decodeFolder(bytes(text))).toThrow(complaint);
  });

  test('a path that is no UTF-8 is refused', () => {
    const archive = Uint8Array.from([...bytes('folder 1\n'), 0xff, ...bytes('end 0\n')]);
    expect(() => decodeFolder(archive)).toThrow(/no UTF-8/);
  });
});
