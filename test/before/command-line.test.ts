/**
 * What an earlier version of the command line promised (test/fixtures/cli): commands, options and JSON fields may be added,
 * none vanishes, and a call ends with the exit code that it ended with.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { ahcAgent, polya } from '../cli/shell.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Group, made, readGroups, type Told } from './calls.ts';
import { unpacked } from './fixture.ts';
import { broken, promisedIn } from './help.ts';
import { recordedHelp } from './recorded-help.ts';
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

describe('help', () => {
  const place = newPlace();

  test.each(recordedHelp().map((help) => [[help.program, ...help.command].join(' '), help] as const))(
    '%s',
    async (_name, { program, command, text }) => {
      const called = program === 'polya' ? polya : ahcAgent;
      const { code, out } = await called(place, [...command, '--help']);
      expect(code).toBe(0);
      expect(broken(promisedIn(`\n${out}`), promisedIn(text))).toEqual([]);
    },
  );
});

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
  const documented: Record<string, string> = JSON.parse(
    readFileSync(join(fixtures, 'exit-codes.json'), 'utf8'),
  );

  test('those that were documented are', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/exit-codes.md'), 'utf8');
    const now = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => code);
    expect(now).toEqual(expect.arrayContaining(Object.keys(documented)));
  });

  test('0 to 3 are among the calls above', () => {
    const codes = new Set(Object.values(recorded).flatMap((told) => told.map(({ code }) => code)));
    expect([...codes].sort()).toEqual([0, 1, 2, 3]);
  });

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
