/** Something else than a file where a file belongs, and names that none can have: told in words, never waited for, never a defect. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPlace, type Place, polya } from '../cli/shell.ts';

const ask = ['ask', 'Anything.', '--model', 'scripted:s.yaml'];

async function placeWithRun(): Promise<Place> {
  const place = newPlace();
  writeFileSync(join(place.folder, 's.yaml'), 'roles:\n  solver:\n    - { text: ok, repeat: true }\n');
  expect(await polya(place, ask)).toMatchObject({ code: 0 });
  return place;
}

test.each(['folder', 'pipe'])('a %s in the place of the database', async (kind) => {
  const place = await placeWithRun();
  const file = join(place.folder, '.polya', 'polya.db');
  for (const each of [file, `${file}-wal`, `${file}-shm`]) rmSync(each, { force: true });
  if (kind === 'folder') mkdirSync(file);
  else execFileSync('mkfifo', [file]);
  for (const argv of [['runs', 'list'], ask]) {
    const { code, err } = await polya(place, argv);
    expect({ code, err }, argv[0]).toMatchObject({ code: 4, err: expect.stringContaining('is no database') });
  }
});

test('a log that is a link in a circle, and a pipe that hides nothing from git', async () => {
  const place = await placeWithRun();
  const log = join(place.folder, '.polya', 'polya.db-wal');
  rmSync(log, { force: true });
  symlinkSync(log, log);
  expect((await polya(place, ['runs', 'list'])).code).toBeLessThan(5);
  rmSync(log);
  const ignore = join(place.folder, '.polya', '.gitignore');
  rmSync(ignore);
  execFileSync('mkfifo', [ignore]);
  expect(await polya(place, ask)).toMatchObject({ code: 0 });
});

test('a name that is too long, holds a zero or leads in a circle', async () => {
  const { folder, env } = await placeWithRun();
  symlinkSync('circle', join(folder, 'circle'));
  for (const name of ['x'.repeat(300), 'a\0b', 'circle'])
    for (const argv of [
      ['ahc', 'init', 'x001', '--from', name],
      ['ahc', 'batch', name],
      ['proof', 'solve', name],
      ['qa', 'run', name],
      ['run-set', 'run', name],
    ]) {
      const { code, err } = await polya({ folder, env }, argv);
      expect({ argv, code, err }).toMatchObject({
        code: 2,
        err: expect.not.stringMatching(/\bE[A-Z]{5,}|ERR_/),
      });
    }
});

test('a file of many gigabytes that holds nothing is not read', async () => {
  const place = newPlace();
  const file = join(place.folder, 'large.yaml');
  writeFileSync(file, '');
  truncateSync(file, 30 * 2 ** 30);
  expect(await polya(place, ['run-set', 'run', 'large.yaml'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('cannot be read'),
  });
});

test('a program that includes a header of an impossible name is bundled as any other', async () => {
  const place = newPlace();
  writeFileSync(join(place.folder, 'a.cpp'), `#include "${'x'.repeat(300)}.hpp"\nint main() {}\n`);
  expect((await polya(place, ['ahc', 'bundle', 'a.cpp'])).code).toBeLessThan(4);
});

test('a file of a size that no memory has is refused before it is read', async () => {
  const place = newPlace();
  writeFileSync(join(place.folder, 'a.yaml'), '');
  truncateSync(join(place.folder, 'a.yaml'), 2 ** 40);
  const { code, err } = await polya(place, ['run-set', 'run', 'a.yaml']);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('cannot be read') });
});

test.each([
  ['run-set', 'run', 'pipe'],
  ['exec', 'pipe', '--lang', 'python'],
  ['qa', 'run', 'pipe', '--model', 'openai/x', '--dry-run'],
  ['ask', 'a?', '--model', 'scripted:pipe'],
])('a pipe that nobody writes into is named: %s %s', async (...argv) => {
  const { folder, env } = newPlace();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const main = join(import.meta.dirname, '../../src/main.ts');
  const child = spawn(process.execPath, [main, ...argv], { cwd: folder, env: { ...process.env, ...env } });
  let err = '';
  for await (const chunk of child.stderr) {
    err += chunk;
    if (err.includes('pipe, a pipe.\n')) child.kill('SIGKILL');
  }
  expect(err).toContain('Waiting for ');
});
