import { execFileSync } from 'node:child_process';
import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { gatherBounded, readBounded } from './program.ts';

let folder = '';
beforeAll(() => {
  folder = temporaryFolder('input');
});

describe('what a program is given is read', () => {
  test('whole, from files of any length, and as it comes', async () => {
    const path = join(folder, 'file');
    for (const length of [0, 1, 2 ** 20, 2 ** 20 + 1]) {
      const bytes = Buffer.alloc(length, 'ab');
      writeFileSync(path, bytes);
      expect(Buffer.compare(readBounded(path, 'It'), bytes)).toBe(0);
      expect(Buffer.compare(await gatherBounded(createReadStream(path), 'It'), bytes)).toBe(0);
    }
  });

  test('from a device, no further than to the bound', async () => {
    const rejection = /^The input \/dev\/zero is too long for a program in the sandbox/;
    expect(() => readBounded('/dev/zero', 'The input /dev/zero')).toThrow(rejection);
    const endless = createReadStream('/dev/zero', { highWaterMark: 2 ** 22 });
    await expect(gatherBounded(endless, 'The input /dev/zero')).rejects.toThrow(rejection);
    expect(endless.destroyed).toBe(true);
  });

  test('from a pipe', () => {
    const script = `import { readBounded } from '${join(import.meta.dirname, 'program.ts')}';
console.log(Buffer.from(readBounded('/dev/stdin', 'It')).toString());`;
    writeFileSync(join(folder, 'read.mts'), script);
    const said = execFileSync('/bin/sh', [
      '-c',
      `printf 'a pipe' | "${process.execPath}" "${folder}/read.mts"`,
    ]);
    expect(said.toString()).toBe('a pipe\n');
  });

  test('not where the system does not let us', () => {
    expect(() => readBounded(folder, 'It')).toThrow(/EISDIR/);
    expect(() => readBounded(join(folder, 'nothing'), 'It')).toThrow(/ENOENT/);
  });
});
