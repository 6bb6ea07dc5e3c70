import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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

// Two Polyas that set up at once: what one had just linked was as old as its source, and the other swept it away.
test.each([
  ['linked', linkSync],
  [
    'copied with its time',
    (from: string, to: string) => {
      copyFileSync(from, to);
      utimesSync(to, 1000, 2000);
    },
  ],
])('what is being made and was %s is not taken for forsaken by who makes the same', async (_how, make) => {
  const path = join(folder, 'staged');
  const from = source(0o644);
  await makeOnce(path, async (draft) => {
    make(from, draft);
    await linkOnce(from, path);
  });
  expect(readdirSync(folder).sort()).toEqual(['source', 'staged']);
});

test('a draft of the dead goes when it is old, one without an owner too, and none that is young', async () => {
  const dead = `${spawnSync('true').pid}-1`;
  const path = join(folder, 'staged');
  const drafts = { old: `${path}.${dead}.`, older: `${path}.`, young: `${path}.${dead}.` };
  for (const [age, name] of Object.entries(drafts)) {
    const draft = `${name}${randomUUID()}`;
    writeFileSync(draft, age);
    if (age !== 'young') utimesSync(draft, 1000, 2000);
  }
  await makeOnce(path, async (draft) => writeFileSync(draft, 'made'));
  expect(
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .sort(),
  ).toEqual(['made', 'young']);
});
