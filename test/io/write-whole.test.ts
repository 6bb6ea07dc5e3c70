/** Files that are there whole or not at all: the two ways of writing them, and what a command's result never replaces. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeFiles } from '../../src/cli/safe-write.ts';
import { UserError } from '../../src/core/errors.ts';
import { openFolder } from '../../src/io/folder.ts';
import { writeFileAtomic, writeFileAtomicSync } from '../../src/io/write-whole.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const base = temporaryFolder('whole');
const place = join(base, 'own');
const at = (name: string): string => join(place, name);
beforeEach(() => {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
});

describe.each([
  ['in the background', writeFileAtomic],
  [
    'at once',
    async (...args: Parameters<typeof writeFileAtomicSync>) => {
      writeFileAtomicSync(...args);
    },
  ],
] as const)('a file written %s', (_how, write) => {
  test('is there with its rights, in folders that were not, and nothing beside it', async () => {
    await write(at('a/b'), new Uint8Array([0, 255]), { mode: 0o600, folderMode: 0o700 });
    await write(at('a/c'), 'ä'.repeat(100_000));
    expect([...readFileSync(at('a/b'))]).toEqual([0, 255]);
    expect(readFileSync(at('a/c'), 'utf8')).toBe('ä'.repeat(100_000));
    expect([statSync(at('a')).mode & 0o777, statSync(at('a/b')).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readdirSync(at('a'))).toEqual(['b', 'c']);
  });

  test('that cannot be moved to its place leaves what is there, and no draft', async () => {
    mkdirSync(at('folder/inside'), { recursive: true });
    await expect(write(at('folder'), 'text')).rejects.toThrow();
    expect([readdirSync(place), readdirSync(at('folder'))]).toEqual([['folder'], ['inside']]);
  });

  test('may have the longest name that there is', async () => {
    await write(at('n'.repeat(255)), 'text');
    expect(readdirSync(place)).toEqual(['n'.repeat(255)]);
  });
});

describe('results of commands', () => {
  test('replace a file only when they are told to, and then all or none is looked at first', () => {
    writeFileSync(at('old'), 'old');
    const both = [
      { path: at('new'), text: 'new' },
      { path: at('old'), text: 'new' },
    ];
    expect(() => writeFiles(both, { force: false })).toThrow('exists already');
    expect(readdirSync(place)).toEqual(['old']);
    writeFiles(both, { force: true });
    expect(readFileSync(at('old'), 'utf8')).toBe('new');
  });

  test('never take the place of a folder or a device, not even when they are told to', () => {
    mkdirSync(at('folder'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', at('pipe')]);
    for (const [name, what] of [
      ['folder', 'is a folder'],
      ['pipe', 'is no file'],
    ] as const) {
      expect(() => writeFiles([{ path: at(name), text: '' }], { force: true })).toThrow(what);
    }
    expect(statSync(at('pipe')).isFIFO()).toBe(true);
  });

  test('whose place cannot even be looked at are a mistake of their user', () => {
    const path = at(`${'n'.repeat(300)}`);
    expect(() => writeFiles([{ path, text: '' }], { force: false })).toThrow(UserError);
    writeFileSync(at('file'), '');
    expect(() => writeFiles([{ path: at('file/below'), text: '' }], { force: false })).toThrow(
      'cannot be written',
    );
  });
});

test('a path that goes through a file is told as one', async () => {
  writeFileSync(at('file'), '');
  await expect(openFolder(at('file')).write('below', '')).rejects.toMatchObject({
    explanation: { fix: expect.stringContaining('A part of its path is a file') },
  });
});
