import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openFolder } from './folder.ts';

const base = temporaryFolder('folder');
const root = join(base, 'own');
beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
});

describe('a folder of the user', () => {
  test('gives back what was written, and says what is there', async () => {
    const folder = openFolder(root);
    await folder.write('a/b.txt', 'text');
    await folder.write('a/c.bin', new Uint8Array([0, 255]), { mode: 0o600 });
    await folder.append('log', 'one');
    await folder.append('log', 'two');
    expect(await folder.read('a/b.txt')).toBe('text');
    expect([...((await folder.readBytes('a/c.bin')) ?? [])]).toEqual([0, 255]);
    expect(statSync(join(root, 'a/c.bin')).mode & 0o777).toBe(0o600);
    expect(await folder.read('log')).toBe('one\ntwo\n');
    expect(await folder.files('.')).toEqual(['a/b.txt', 'a/c.bin', 'log']);
    expect(await folder.foldersIn('.')).toEqual(['a']);
    await folder.remove('a');
    expect(await folder.files('.')).toEqual(['log']);
  });

  test('says of what is not there that it is not', async () => {
    const folder = openFolder(join(root, 'nowhere'));
    expect([await folder.read('x'), await folder.readBytes('x/y')]).toEqual([null, null]);
    expect([await folder.files('z'), await folder.foldersIn('z')]).toEqual([[], []]);
    await folder.remove('x');
    expect(existsSync(folder.path)).toBe(false);
  });

  test.each(['../out', '/etc/passwd', 'a/../../out', '..'])('does not reach %s', async (name) => {
    const folder = openFolder(root);
    expect(() => folder.write(name, 'x')).toThrow('lies outside of');
    expect(() => folder.remove(name)).toThrow('lies outside of');
    expect(existsSync(join(base, 'out'))).toBe(false);
  });

  test('does not write behind a link that leads out, and does inside', async () => {
    mkdirSync(join(base, 'elsewhere'), { recursive: true });
    mkdirSync(join(root, 'real'));
    symlinkSync(join(base, 'elsewhere'), join(root, 'link'));
    symlinkSync(join(root, 'real'), join(root, 'near'));
    const folder = openFolder(root);
    await expect(folder.write('link/deep/x', '1')).rejects.toThrow('behind a link that leads out');
    await expect(folder.append('link/x', '1')).rejects.toThrow('behind a link');
    await expect(folder.remove('link/x')).rejects.toThrow('behind a link');
    expect(readdirSync(join(base, 'elsewhere'))).toEqual([]);
    await folder.write('near/x', '1');
    expect(readFileSync(join(root, 'real/x'), 'utf8')).toBe('1');
    // A link in the place of the file itself is replaced, and what it points to stays.
    writeFileSync(join(base, 'elsewhere/kept'), 'kept');
    symlinkSync(join(base, 'elsewhere/kept'), join(root, 'file'));
    await folder.write('file', 'new');
    expect(readFileSync(join(base, 'elsewhere/kept'), 'utf8')).toBe('kept');
  });

  test('is in the way of itself with a reason', async () => {
    const folder = openFolder(root);
    mkdirSync(join(root, 'a'));
    await expect(folder.write('a', 'x')).rejects.toThrow('There is a folder of that name.');
    await expect(folder.read('a')).rejects.toThrow('cannot be read');
    writeFileSync(join(root, 'f'), '');
    await expect(folder.write('f/x', 'x')).rejects.toThrow('cannot be written');
    expect(readdirSync(root).sort()).toEqual(['a', 'f']);
  });

  test('tells ahead what could not be written, and leaves nothing behind', async () => {
    const folder = openFolder(root);
    mkdirSync(join(root, 'a'));
    writeFileSync(join(root, 'f'), 'kept');
    await expect(folder.tryWrite('a')).rejects.toThrow('a cannot be written (EISDIR).');
    await expect(folder.tryWrite('f/x')).rejects.toThrow('cannot be written');
    expect(() => folder.tryWrite('../x')).toThrow('lies outside of');
    // Nobody may make files there, whatever his rights.
    await expect(openFolder('/proc/self').tryWrite('x')).rejects.toThrow('cannot be written');
    await folder.tryWrite('f');
    await folder.tryWrite('made/x');
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(['a', 'f', 'made']);
    expect(readFileSync(join(root, 'f'), 'utf8')).toBe('kept');
  });

  test('does not wait for pipes, and reads no devices', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const folder = openFolder(root);
    await expect(folder.read('pipe')).rejects.toThrow('pipe cannot be read (ENOTFILE).');
    await expect(folder.tryWrite('pipe')).rejects.toThrow('pipe cannot be written (ENOTFILE).');
    await expect(openFolder('/dev').readBytes('zero')).rejects.toThrow('zero cannot be read (ENOTFILE).');
  });

  test('leaves what was there where there is no room', async () => {
    const full = openFolder('/dev');
    await expect(full.append('full', 'x')).rejects.toThrow('The disk is full.');
  });
});
