import { expect, test } from 'vitest';
import { UserError } from '../core/errors.ts';
import { encodeFolder } from '../core/folder-archive.ts';
import { chosenBinary } from './compile.ts';

const file = (path: string) => ({ type: 'file', path, executable: true, bytes: Buffer.from(path) }) as const;
const bundle = (...paths: readonly string[]) => encodeFolder(paths.map(file));
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test('one program needs no choice, of several the named one is taken', () => {
  expect(text(chosenBinary(Buffer.from('program'), false, undefined))).toBe('program');
  expect(text(chosenBinary(bundle('only'), true, undefined))).toBe('only');
  expect(text(chosenBinary(bundle('gen', 'vis'), true, 'vis'))).toBe('vis');
});

test.each<[Uint8Array, boolean, string | undefined, RegExp]>([
  [bundle('gen', 'vis'), true, undefined, /2 programs, and none was chosen.*gen, vis/],
  [bundle('gen'), true, 'vis', /no program "vis".*gen/],
  [bundle(), true, undefined, /0 programs.*src\/main\.rs/],
  [Buffer.from('program'), false, 'gen', /this program is one file/],
])('any other choice is the caller’s mistake', (built, isBundle, wanted, message) => {
  const choose = () => chosenBinary(built, isBundle, wanted);
  expect(choose).toThrow(UserError);
  expect(choose).toThrow(message);
});
