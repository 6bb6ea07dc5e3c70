import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { linkOnce, makeOnce } from './staged-file.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder('staged');
});

function source(mode: number): string {
  const path = join(folder, 'source');
  writeFileSync(path, 'content');
  utimesSync(path, 1000, 2000);
  chmodSync(path, mode);
  return path;
}

test('what everybody may read is linked', async () => {
  const path = join(folder, 'staged');
  await linkOnce(source(0o644), path);
  expect(statSync(path).nlink).toBe(2);
});

test('what is closed to others is copied, with its time, which some tools compare', async () => {
  const path = join(folder, 'staged');
  await linkOnce(source(0o600), path);
  expect(statSync(path)).toMatchObject({ nlink: 1, mtimeMs: 2_000_000 });
  expect(statSync(path).mode & 0o777).toBe(0o444);
  expect(readFileSync(path, 'utf8')).toBe('content');
});

test('a file is made once, by however many at a time, and a failure leaves nothing', async () => {
  const path = join(folder, 'made');
  const make = (text: string) => makeOnce(path, async (draft) => writeFileSync(draft, text));
  await Promise.all([make('same'), make('same')]);
  await make('other');
  expect(readFileSync(path, 'utf8')).toBe('same');
  const failing = makeOnce(join(folder, 'never'), async (draft) => {
    writeFileSync(draft, 'half');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual(['made']);
});
