/** What `init --from` and `bundle` read from the disk: what comes with it, and what is refused before it is read. */

import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { readLocal } from '../../../src/apps/ahc/intake/local-source.ts';
import { bundleFile } from '../../../src/apps/ahc/workspace/program.ts';
import { coded } from '../../support/coded.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const base = temporaryFolder('local');
const text = (string: string) => new TextEncoder().encode(string);

function put(name: string, content: string | Uint8Array): string {
  mkdirSync(dirname(join(base, name)), { recursive: true });
  writeFileSync(join(base, name), content);
  return name;
}

const namesOf = async (...paths: readonly string[]): Promise<readonly string[]> =>
  (await readLocal(base, paths)).flatMap(({ files }) => Object.keys(files)).sort();

describe('--from', () => {
  test('takes with a page what its browser put beside it, and nothing of what was built', async () => {
    put('page.html', '<html>');
    put('page_files/a.png', 'a');
    put('images/b.png', 'b');
    expect(await namesOf('page.html')).toEqual(['a.png', 'b.png', 'page.html']);
    for (const name of ['Cargo.toml', 'target/release/x', 'web/node_modules/y', '.git/z'])
      put(`crate/${name}`, '');
    expect(await namesOf('crate')).toEqual(['Cargo.toml']);
  });

  test('opens an archive that holds a page, leaves one of tools to those who unpack it, and a broken one to those who tell', async () => {
    put('whole.zip', zipSync({ 'page.html': text('<html>'), 'tools/Cargo.toml': text('') }));
    put('tools.zip', zipSync({ 'tools/Cargo.toml': text('') }));
    put('broken.zip', 'PK and nothing');
    expect(await namesOf('whole.zip')).toEqual(['page.html', 'tools/Cargo.toml', 'whole.zip']);
    expect(await namesOf('tools.zip', 'broken.zip')).toEqual(['broken.zip', 'tools.zip']);
  });

  test('refuses a folder that is larger than any contest, before it reads it', async () => {
    put('huge/a.bin', '');
    truncateSync(join(base, 'huge/a.bin'), 600 * 1024 * 1024);
    await expect(readLocal(base, ['huge'])).rejects.toThrow(
      'huge holds more than 512 MB: that is no contest.',
    );
  });

  test.each(['nowhere.zip', 'notes.txt'])('refuses %s', async (name) => {
    put('notes.txt', '');
    await expect(readLocal(base, [name])).rejects.toThrow(
      /is not there|is neither a folder nor an archive nor a page/,
    );
  });
});

test('a program that is a folder, no C++, or nowhere is refused by its name', () => {
  mkdirSync(join(base, 'folder.cpp'));
  const read = (file: string) => () => bundleFile({ folder: base, file });
  expect(read('folder.cpp')).toThrow(coded('file-unreadable', 'folder.cpp'));
  expect(read('nowhere.cpp')).toThrow(coded('file-unreadable', 'nowhere.cpp'));
  expect(read(put('main.py', ''))).toThrow(coded('not-cpp', 'main.py'));
  put('header.h', new Uint8Array([0x2f, 0x2f, 0xe9, 0x0a]));
  expect(read(put('user.cpp', '#include "header.h"\n'))).toThrow(/header\.h is not UTF-8 text/);
});
