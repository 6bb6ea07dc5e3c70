/** Journals that somebody else wrote: events that lack what they need, and ids and kinds that steer a terminal. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { journalCommands } from '../../src/cli/commands.ts';
import { unpacked } from '../before/fixture.ts';
import { newPlace, type Place, polya } from '../cli/shell.ts';
import { typed } from '../support/typed.ts';
import { argvOf, everyCommand, takesRun } from './commands.ts';

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
  [
    'run-start',
    '{"version":1,"problem":{"id":"a","title":"a","family":"a","stages":[{"id":"a"}]},"agent":{"name":"a","settings":{}},"models":{},"limits":{}}',
  ],
  ['model-request', 'null'],
  ['model-response', '{"status":"error"}'],
  ['model-response', '{}'],
  ['run-end', '{"aliveMs":1}'],
])('an event %s that is only %s is named with its run, and is no defect of Polya', async (kind, body) => {
  const place = await placeWithRun();
  change(place, 'UPDATE events SET body = ? WHERE kind = ?', body, kind);
  const calls = [[], ['--full'], ['--json'], ['--event', '1']].map((more) => typed`runs show last ${more}`);
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

const steering = '\u001b[35m\u001b[3K\u001b]52;c;eA==\u0007\u202e\u009b31m\rX';
const parts = ['\u001b[35m', '\u001b[3K', '\u001b]52', '\u0007', '\u202e', '\u009b', '\rX'];

async function expectNoSteering(
  place: Place,
  argv: readonly string[],
  outputs: readonly ('terminal' | 'pipe')[] = ['terminal', 'pipe'],
): Promise<number> {
  const codes: number[] = [];
  for (const output of outputs) {
    const isTerminal = output === 'terminal';
    const { out, err, code } = await polya(place, argv, { isTerminal });
    for (const part of parts)
      expect(out + err, `${argv.join(' ')} ${JSON.stringify(part)}`).not.toContain(part);
    codes.push(code);
  }
  return Math.max(...codes);
}

test.each(['events SET kind', 'events SET branch', 'runs SET id', 'runs SET summary'])(
  'what steers a terminal in %s is never shown',
  async (column) => {
    const place = await placeWithRun();
    const value = column.endsWith('summary')
      ? JSON.stringify({ title: steering, agent: steering, models: [steering], outcome: steering })
      : `${steering}x`;
    change(place, `UPDATE ${column} = ?`, value);
    for (const argv of [
      ['runs', 'list'],
      ['runs', 'show', 'last'],
      ['runs', 'show', 'x'],
      ['runs', 'watch', 'last'],
      ['cost'],
      ['store', 'check'],
    ])
      expect(await expectNoSteering(place, argv), argv.join(' ')).toBeLessThan(5);
  },
);

/** Where a string stands, whatever the place in a list. */
type Field = { readonly seq: number; readonly path: readonly (string | number)[] };

function stringFields(value: unknown, path: Field['path'] = []): Field['path'][] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => stringFields(inner, [...path, key]));
}

function withText(value: unknown, [key, ...path]: Field['path'], added: string): unknown {
  if (key === undefined) return `${added}${value}`;
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value);
  copy[key] = withText(copy[key], path, added);
  return copy;
}

test('no text of a journal chooses a file outside of the folder of an export', {
  timeout: 120_000,
}, async () => {
  const { env } = newPlace();
  const place = { env, folder: unpacked('tool-loop', 'whole') };
  using database = new DatabaseSync(join(place.folder, '.polya/polya.db'));
  const rows = database.prepare('SELECT run_key, seq, kind, body FROM events ORDER BY run_key, seq').all();
  const write = database.prepare('UPDATE events SET body = ? WHERE run_key = ? AND seq = ?');
  const outside = join(place.folder, 'outside');
  mkdirSync(outside);
  const escaping = `${'../'.repeat(30)}${outside.slice(1)}/`;
  const tried = new Set<string>();
  for (const { run_key: run, seq, kind, body } of rows) {
    const event: unknown = JSON.parse(String(body));
    for (const path of stringFields(event)) {
      const field = `${kind} ${path.join('.').replaceAll(/\.\d+(?=\.|$)/g, '.*')}`;
      if (tried.has(field)) continue;
      tried.add(field);
      write.run(JSON.stringify(withText(event, path, escaping)), Number(run), Number(seq));
      await polya(place, ['runs', 'export', 'last', '--format', 'files', '--out', 'out', '--force']);
      expect(readdirSync(outside), field).toEqual([]);
      write.run(JSON.stringify(event), Number(run), Number(seq));
    }
  }
  expect(tried).toContain('stage-start stage');
  expect(readdirSync(join(place.folder, 'out')).length).toBe(1);
});

test.each(['out', 'out/RUN', 'out/RUN/code'])('an export follows no link at %s', async (name) => {
  const { env } = newPlace();
  const place = { env, folder: unpacked('tool-loop', 'whole') };
  const [{ id } = { id: '' }] = JSON.parse((await polya(place, ['runs', 'list', '--json'])).out).runs;
  const outside = join(place.folder, 'outside');
  const link = join(place.folder, name.replace('RUN', id));
  mkdirSync(outside);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(outside, link);
  const exported = await polya(place, ['runs', 'export', 'last', '--format', 'files', '--out', 'out']);
  expect(exported).toMatchObject({ code: 2, err: expect.stringContaining('is a link') });
  expect(readdirSync(outside)).toEqual([]);
});

describe.each(['ensemble', 'induction-graph', 'proof-grader', 'tool-loop'])('a journal of %s', (name) => {
  test('steers no terminal with any of its texts, whichever command shows it', {
    timeout: 240_000,
  }, async () => {
    const { env } = newPlace();
    const place = { env, folder: unpacked(name, 'whole') };
    using database = new DatabaseSync(join(place.folder, '.polya/polya.db'));
    const rows = database.prepare('SELECT run_key, seq, kind, body FROM events ORDER BY run_key, seq').all();
    const write = database.prepare('UPDATE events SET body = ? WHERE run_key = ? AND seq = ?');
    const tried = new Set<string>();
    for (const { run_key: run, seq, kind, body } of rows) {
      let event: unknown = JSON.parse(String(body));
      for (const path of stringFields(event)) {
        const field = `${kind} ${path.join('.').replaceAll(/\.\d+(?=\.|$)/g, '.*')}`;
        if (tried.has(field)) continue;
        tried.add(field);
        const changed = withText(event, path, steering);
        write.run(JSON.stringify(changed), Number(run), Number(seq));
        // A text that its reader does not know, such as a status, is damage: the journal is tried without it.
        const code = await expectNoSteering(place, ['runs', 'show', 'last'], ['terminal']);
        if (code < 3) event = changed;
        else write.run(JSON.stringify(event), Number(run), Number(seq));
      }
    }
    expect(tried.size).toBeGreaterThan(20);
    for (const entry of everyCommand)
      if (journalCommands.includes(entry) || (await takesRun(entry)))
        await expectNoSteering(place, await argvOf(entry));
  });
});
