/** Journals that somebody else wrote: events that lack what they need, and ids and kinds that steer a terminal. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { newPlace, type Place, polya } from '../cli/shell.ts';

async function placeWithRun(): Promise<Place> {
  const place = newPlace();
  writeFileSync(join(place.folder, 's.json'), '{"roles":{"solver":{"":[{"text":"42"}]}}}');
  expect(await polya(place, ['ask', 'What?', '--model', 'scripted:s.json'])).toMatchObject({ code: 0 });
  return place;
}

function change({ folder }: Place, sql: string, ...values: readonly string[]): void {
  using database = new DatabaseSync(join(folder, '.polya/polya.db'));
  // As somebody would who changes a journal by hand.
  database.prepare(sql).run(...values);
}

test.each([
  ['run-start', '{"version":1}'],
  ['run-start', '[]'],
  ['run-start', '{"version":1,"problem":{},"agent":{},"models":{},"limits":{}}'],
  ['model-request', 'null'],
  ['model-response', '{"status":"error"}'],
  ['model-response', '{}'],
  ['run-end', '{"aliveMs":1}'],
])('an event %s that is only %s is named with its run, and is no defect of Polya', async (kind, body) => {
  const place = await placeWithRun();
  change(place, 'UPDATE events SET body = ? WHERE kind = ?', body, kind);
  const calls = [[], ['--full'], ['--json'], ['--event', '1']].map((more) => [
    'runs',
    'show',
    'last',
    ...more,
  ]);
  for (const argv of [
    ...calls,
    ['runs', 'watch', 'last'],
    ['runs', 'watch', 'last', '--json'],
    ['cost'],
    ['view', 'last', '--export', 'x.html'],
  ]) {
    const { code, err } = await polya(place, argv);
    expect({ argv, code, err }).toMatchObject({ err: expect.not.stringContaining('defect') });
    if (argv[0] === 'runs' && !argv.includes('--event'))
      expect({ argv, code, err }).toMatchObject({
        code: 4,
        err: expect.stringMatching(/run .* is damaged at event \d+/),
      });
  }
  const { out } = await polya(place, ['runs', 'watch', 'last', '--json']);
  for (const line of out.trimEnd().split('\n')) expect(() => JSON.parse(line), line).not.toThrow();
  expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    error: { code: 'journal-damaged' },
  });
});

const steering = '\u001b[35m\u001b[2K\u001b]52;c;eA==\u0007\u202e';

test.each(['events SET kind', 'events SET branch', 'runs SET id'])(
  'what steers a terminal in %s is never shown',
  async (column) => {
    const place = await placeWithRun();
    change(place, `UPDATE ${column} = ? || 'x'`, steering);
    for (const isTerminal of [true, false])
      for (const argv of [
        ['runs', 'list'],
        ['runs', 'show', 'last'],
        ['runs', 'show', 'x'],
        ['runs', 'watch', 'last'],
        ['cost'],
        ['store', 'check'],
      ]) {
        const { out, err, code } = await polya(place, argv, { isTerminal });
        for (const part of ['\u001b[35m', '\u001b]52', '\u202e'])
          expect(out + err, argv.join(' ')).not.toContain(part);
        expect(code, argv.join(' ') + err).toBeLessThan(5);
      }
  },
);
