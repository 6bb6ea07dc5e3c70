/**
 * What the command line promised when it was recorded (test/fixtures/cli): JSON fields may be added, none vanishes, and a call
 * ends with the exit code that it ended with.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { polya } from '../cli/shell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Group, made, readGroups, type Told } from './calls.ts';
import { unpacked } from './fixture.ts';
import { missing } from './shape.ts';

const fixtures = join(import.meta.dirname, '../fixtures/cli');
const recorded: Record<string, readonly Told[]> = JSON.parse(
  readFileSync(join(fixtures, 'json.json'), 'utf8'),
);

function newPlace() {
  return {
    folder: temporaryFolder('calls'),
    env: { HOME: temporaryFolder('home'), PATH: process.env.PATH ?? '', POLYA_TRUST: '1' },
  };
}

describe('JSON and tables', () => {
  test.each(readGroups().map((group): [string, Group] => [group.name, group]))('%s', async (name, group) => {
    const told = await made(group);
    const isMachine = group.machine === true;
    const faults = (recorded[name] ?? []).flatMap(({ call, code, keys }, index) => [
      ...(told[index]?.code === code ? [] : [`${call}: ended with ${told[index]?.code}, not with ${code}`]),
      ...missing(told[index]?.keys ?? {}, keys, { isMachine }).map((fault) => `${call}: ${fault}`),
    ]);
    expect(faults).toEqual([]);
    expect(told).toHaveLength(recorded[name]?.length ?? 0);
  });
});

describe('exit codes', () => {
  test('4: a damaged journal is shown, and nothing is written to it', async () => {
    const folder = unpacked('verify-loop', 'cut');
    const database = new DatabaseSync(join(folder, '.polya/polya.db'));
    database.exec("UPDATE events SET body = '{' WHERE seq = 5");
    database.close();
    const place = { ...newPlace(), folder };
    expect(await polya(place, ['runs', 'resume', 'run'])).toMatchObject({ code: 4 });
    expect(await polya(place, ['runs', 'replay', 'run'])).toMatchObject({ code: 4 });
    expect(await polya(place, ['runs', 'show', 'run'])).toMatchObject({ code: 4 });
  });

  test('130: stopped by its user', async () => {
    const place = newPlace();
    const never = 'roles: { solver: [{ delayMs: 3600000, text: never }] }\n';
    writeFileSync(join(place.folder, 'never.yaml'), never);
    const options = {
      onWrite: (text: string, interrupt: () => void) => {
        if (text.includes('Ctrl-C stops it')) setImmediate(interrupt);
      },
    };
    expect(await polya(place, ['ask', 'What?', '--model', 'scripted:never.yaml'], options)).toMatchObject({
      code: 130,
    });
  });
});

test('a session of an earlier version is shown and exported, and does not go on', async () => {
  const place = { ...newPlace(), folder: join(unpacked('session', 'cut'), 'workspace/polya001') };
  const shown = await polya(place, ['ahc', 'status', 'night', '--json']);
  expect(JSON.parse(shown.out)).toMatchObject({ status: 'crashed' });
  expect(await polya(place, ['ahc', 'export', 'night', '--out', 'copy'])).toMatchObject({ code: 0 });
  expect(existsSync(join(place.folder, 'copy/best_solution.cpp'))).toBe(true);
  const refused = await polya(place, ['ahc', 'solve', '--session-id', 'night', '--foreground']);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('An earlier version of Polya')]);
});
