/** `polya runs record`, as its user meets it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { day1, newPlace, polya, solvingScript } from './shell.ts';

test('recorded, and played in the place of the model', async () => {
  const place = newPlace();
  await polya(place, [...day1, '--model', solvingScript(place)]);
  const recorded = await polya(place, ['runs', 'record', 'last', '--out', 'day1.jsonl']);
  expect(recorded).toMatchObject({ code: 0, err: '' });
  expect(recorded.out).toMatch(/day1\.jsonl: \d+ model calls\. Play it with --model replay:/);
  for (const how of ['replay', 'replay-matched']) {
    const again = await polya(place, [...day1, '--model', `${how}:day1.jsonl`]);
    expect(again.code).toBe(0);
    // What a script said is no recording.
    expect(again.out).toContain('script: replies written ahead');
  }
});

test('a file that exists is kept, unless its user says otherwise', async () => {
  const place = newPlace();
  await polya(place, [...day1, '--model', solvingScript(place)]);
  writeFileSync(join(place.folder, 'mine.jsonl'), 'mine');
  const refused = await polya(place, ['runs', 'record', 'last', '--out', 'mine.jsonl']);
  expect(refused.code).toBe(2);
  expect(readFileSync(join(place.folder, 'mine.jsonl'), 'utf8')).toBe('mine');
  const forced = await polya(place, ['runs', 'record', 'last', '--out', 'mine.jsonl', '--force', '--json']);
  expect(JSON.parse(forced.out)).toMatchObject({
    file: join(place.folder, 'mine.jsonl'),
    calls: expect.any(Number),
  });
});

test('wrong input: one message each, and nothing is begun', async () => {
  const place = newPlace();
  await polya(place, [...day1, '--model', solvingScript(place)]);
  expect(await polya(place, ['runs', 'record', 'nobody'])).toMatchObject({ code: 2, out: '' });
  writeFileSync(join(place.folder, 'bad.jsonl'), '{"some":"thing"}\n');
  for (const [file, why] of [
    ['bad.jsonl', 'is no usable cassette'],
    ['none.jsonl', 'cannot be read'],
  ]) {
    const { code, err } = await polya(place, [...day1, '--model', `replay:${file}`]);
    expect(code).toBe(2);
    expect(err).toContain(why);
    expect(err).not.toMatch(/^\s+at /m);
  }
  const { out } = await polya(place, ['runs', 'list', '--json']);
  expect(JSON.parse(out).runs).toHaveLength(1);
});
