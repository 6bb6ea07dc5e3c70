/** `polya runs export --format script`, as its user meets it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { day1, newPlace, polya, solvingScript } from './shell.ts';

test('recorded, and played in the place of the model', async () => {
  const place = newPlace();
  await polya(place, [...day1, '--model', solvingScript(place)]);
  const recorded = await polya(place, ['runs', 'export', 'last', '--format', 'script', '--out', 'day1.json']);
  expect(recorded).toMatchObject({ code: 0, out: '' });
  expect(recorded.err).toMatch(/\d+ model calls\. Play them with --model scripted:day1\.json/);
  const again = await polya(place, [...day1, '--model', 'scripted:day1.json']);
  expect(again.code).toBe(0);
  expect(again.out).toContain('script: replies written ahead');
});

test('a file that exists is kept, unless its user says otherwise', async () => {
  const place = newPlace();
  await polya(place, [...day1, '--model', solvingScript(place)]);
  writeFileSync(join(place.folder, 'mine.json'), 'mine');
  const refused = await polya(place, ['runs', 'export', 'last', '--format', 'script', '--out', 'mine.json']);
  expect(refused.code).toBe(2);
  expect(readFileSync(join(place.folder, 'mine.json'), 'utf8')).toBe('mine');
  const forced = await polya(place, [
    'runs',
    'export',
    'last',
    '--format',
    'script',
    '--out',
    'mine.json',
    '--force',
  ]);
  expect(forced.code).toBe(0);
  expect(JSON.parse(readFileSync(join(place.folder, 'mine.json'), 'utf8'))).toHaveProperty('roles');
});

test('wrong input: one message each, and nothing is begun', async () => {
  const place = newPlace();
  await polya(place, [...day1, '--model', solvingScript(place)]);
  expect(await polya(place, ['runs', 'export', 'nobody', '--format', 'script'])).toMatchObject({
    code: 2,
    out: '',
  });
  const several = await polya(place, ['runs', 'export', '--all', '--format', 'script']);
  expect(several).toMatchObject({ code: 2, err: expect.stringContaining('of one run') });
  const { code, err } = await polya(place, [...day1, '--model', 'replay:day1.jsonl']);
  expect(code).toBe(2);
  expect(err).toContain('Recorded replies are a script: write one with');
  const { out } = await polya(place, ['runs', 'list', '--json']);
  expect(JSON.parse(out).runs).toHaveLength(1);
});
